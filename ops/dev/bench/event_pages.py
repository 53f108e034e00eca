"""Measure the pages of a tournament with 1,000 people face to face in its eighth round, and the entry of a result."""

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Final
from urllib.parse import urlsplit
from uuid import UUID

from api.accounts.people import People
from api.http.cookies import SESSION
from domain.contests.times import RoundTime
from domain.eventstore.application import Matches
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.kernel.messages import Message
from domain.kernel.title import default_title
from domain.matches.facts import Actor
from domain.pairing.search import random_numbers
from domain.standings.contest import Stage
from domain.titles import TITLES
from domain.tournaments import commands, facts, rounds, timing
from domain.tournaments.calendar import Calendar
from domain.tournaments.plan import Plan
from domain.tournaments.state import Tournament
from ops.dev.bench.figures import Figure, milliseconds, typical_seconds
from ops.stores import settings_for
from ops.temporary_service import service_in

EVENT: Final = UUID(int=8)
PEOPLE: Final = 1_000
ROUNDS: Final = 8
SIZE: Final = 4
AT: Final = datetime(2026, 1, 1, tzinfo=UTC)
PAGE_BUDGET: Final = 0.300
PATIENCE_SECONDS: Final = 300
WHY: Final = tuple(
    Message("{first} and {second} have not met.", {"first": "e1", "second": f"e{at}"}) for at in range(2, 6)
)
"""Reasons for the seating of a table, of realistic length."""
PAGES: Final = (
    "",
    "/standings",
    "/crosstable",
    "/people",
    "/schedule",
    "/schedule?entry=e7",
    "/record",
    "/report",
    "/archive",
    "/screen",
    "/desk",
    "/desk/people",
    "/desk/word",
    "/desk/seating",
    "/desk/tables/7",
    "/desk/print/tables",
    "/desk/print/slips",
    "/desk/print/codes",
    "/desk/print/cards",
    "/desk/print/wall",
)


def play_event(matches: Matches, by: Actor) -> None:
    """Create the tournament, enter its people and play all rounds; half of the last round's tables have results."""
    plan = Plan(
        name="Bench", title=default_title(TITLES).name, stages=(Stage("swiss", ROUNDS),), size=SIZE, face_to_face=True
    )
    commands.open_tournament(matches, EVENT, plan, by, at=AT)

    def everybody(_: Tournament) -> list[facts.Fact]:
        entries = range(1, PEOPLE + 1)
        return [facts.EntryMade(by, f"e{at}", name=f"Person {at}", club=f"Club {at % 40}") for at in entries]

    commands.change(matches, EVENT, everybody, at=AT)
    dates = Calendar(rounds=tuple(RoundTime(None, None) for _ in range(ROUNDS)), place="Palma")
    commands.change(matches, EVENT, lambda state: timing.set_calendar(state, dates, by, ""), at=AT)
    random_number = random_numbers(3)
    for number in range(1, ROUNDS + 1):
        commands.change(matches, EVENT, lambda state: rounds.ask_pairing(state, {}, by), at=AT)
        order = sorted((f"e{at}" for at in range(1, PEOPLE + 1)), key=lambda _: next(random_number))
        tables = tuple(tuple(order[at : at + SIZE]) for at in range(0, PEOPLE, SIZE))
        pairing = facts.PairingProposed(number, tables, (), (), tuple(WHY for _ in tables), "tables")
        for fact in (pairing, facts.RoundPublished(by, number, ids_of(number)), facts.RoundOpened(number)):
            commands.change(matches, EVENT, lambda _, fact=fact: fact, at=AT)  # type: ignore[misc]
        played_count = len(tables) if number < ROUNDS else len(tables) // 2
        results = [
            facts.ResultEntered(by, number, at, (70, 60, 50, 40), (1, 2, 3, 4)) for at in range(1, played_count + 1)
        ]
        commands.change(matches, EVENT, lambda _, results=results: results, at=AT)  # type: ignore[misc]
        if number < ROUNDS:
            commands.change(matches, EVENT, lambda _, number=number: facts.RoundClosed(by, number), at=AT)  # type: ignore[misc]


def ids_of(number: int) -> tuple[UUID, ...]:
    """Return the match ids of a round."""
    return tuple(rounds.match_id_for(EVENT, number, table) for table in range(1, PEOPLE // SIZE + 1))


def create_tournament(folder: Path) -> tuple[str, str]:
    """Create the tournament in the store of `folder`; return its organiser's session and API token."""
    settings = settings_for(folder)
    assert settings.log_file is not None
    with closing(People(settings.people_place)) as people:
        organiser = people.create_guest(AT)
        session, token = (
            people.access.start_session(organiser, datetime.now(UTC)),
            people.access.issue_token(organiser, "", AT)[1],
        )
    with closing(open_store(store_env(settings.log_file))) as matches:
        play_event(matches, organiser.id)
    return session, token


class Reader:
    """The organiser's browser, over one persistent connection."""

    def __init__(self, url: str, session: str, token: str) -> None:
        parts = urlsplit(url)
        assert parts.hostname is not None
        self._connection = HTTPConnection(parts.hostname, parts.port, timeout=PATIENCE_SECONDS)
        self._headers = {"Cookie": f"{SESSION}={session}"}
        self._token = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def fetch(self, path: str) -> bytes:
        """Request a page of the tournament as organiser; raise `AssertionError` unless it is found."""
        self._connection.request("GET", f"/events/{EVENT}{path}", headers=self._headers)
        response = self._connection.getresponse()
        content = response.read()
        assert response.status == 200, f"{path} returned {response.status}"
        return content

    def enter_result(self, table: int) -> bytes:
        """Enter a fixed result at a table of the last round, and return the response.

        Raises `AssertionError` if refused.
        """
        result = {"scores": [1, 2, 3, 4], "places": [4, 3, 2, 1], "reason": "Read again."}
        path = f"/api/tournaments/{EVENT}/rounds/{ROUNDS}/tables/{table}/result"
        self._connection.request("PUT", path, json.dumps(result), self._token)
        response = self._connection.getresponse()
        content = response.read()
        assert response.status == 200, content
        return content


@contextmanager
def serve_event() -> Iterator[Reader]:
    """Start the service with the tournament and provide its reader once the projections have caught up.

    Raises `AssertionError` after `PATIENCE_SECONDS`, `Finding` if the service does not start.
    """
    with TemporaryDirectory(prefix="esporles-bench-") as name:
        session, token = create_tournament(Path(name))
        with service_in(Path(name), workers=1) as started:
            reader, deadline = Reader(started.url, session, token), monotonic() + PATIENCE_SECONDS
            reader.enter_result(1)
            while b"Read again." not in reader.fetch("/record"):
                assert monotonic() < deadline, "the event was not projected in time"
                sleep(0.2)
            yield reader


def page_figures() -> list[Figure]:
    """Measure every page as its organiser, the entry of a result, and the standings after a correction."""
    figures = []
    with serve_event() as reader:
        for path in PAGES:
            size = len(reader.fetch(path))
            elapsed = typical_seconds(lambda path=path: reader.fetch(path))  # type: ignore[misc]
            label = f"page {path or '/'} of {PEOPLE:,} people, {size // 1000} kB"
            figures.append(
                Figure(label, milliseconds(elapsed), f"< {milliseconds(PAGE_BUDGET)}", elapsed < PAGE_BUDGET)
            )
        tables = iter(range(2, 200))
        elapsed = typical_seconds(lambda: reader.enter_result(next(tables)))
        figures.append(Figure("… a result entered over the API, with its response", milliseconds(elapsed)))

        def correct_result() -> None:
            reader.enter_result(next(tables))
            reader.fetch("/standings")

        figures.append(
            Figure("… a correction and the standings page after it", milliseconds(typical_seconds(correct_result)))
        )
    return figures
