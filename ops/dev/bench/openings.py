"""Measure the opening of large rounds of a tournament and a league, and response times at other tables."""

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple
from urllib.parse import urlsplit
from uuid import UUID

from api.accounts.people import People
from domain.eventstore.application import Matches
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.kernel.title import default_title
from domain.leagues import commands as leagues
from domain.leagues import facts as league_facts
from domain.leagues.plan import Division, LeaguePlan
from domain.leagues.state import match_of
from domain.matches.facts import Actor
from domain.standings.contest import Stage
from domain.titles import TITLES
from domain.tournaments import commands as tournaments
from domain.tournaments import facts, rounds
from domain.tournaments.plan import Plan
from ops.dev.bench.figures import Figure, Section, milliseconds, percentile
from ops.dev.bench.service import load_of, paced_plan
from ops.dev.load.running import Measured
from ops.stores import settings_for
from ops.temporary_service import service_in

AT: Final = datetime(2026, 1, 1, tzinfo=UTC)
EVENT, LEAGUE = UUID(int=8), UUID(int=9)
SIZE: Final = 4
EVENT_TABLES: Final = 250
GROUPS: Final = 60
PLACES: Final = 40
LEAGUE_TABLES: Final = GROUPS * PLACES // SIZE
SECONDS: Final = 20.0
LOOK_SECONDS: Final = 0.1
PATIENCE_SECONDS: Final = 300
EVENT_SECONDS: Final = 10.0
EVENT_SLOWEST: Final = 0.050
LEAGUE_SLOWEST: Final = 0.030


class Opening(NamedTuple):
    """A round that is ready to open: the path of the request, and the ids of the matches it creates."""

    path: str
    matches: tuple[UUID, ...]


class Opened(NamedTuple):
    """Seconds until the last match existed, and measurements of actions at other tables from the request on."""

    taken: float
    during: Measured


def prepare_event(matches: Matches, by: Actor, people: Sequence[Actor]) -> Opening:
    """Create a tournament whose first round is paired but not published; return the request that publishes it."""
    plan = Plan(name="Bench", title=default_title(TITLES).name, stages=(Stage("swiss", 3),), size=SIZE)
    tournaments.open_tournament(matches, EVENT, plan, by, at=AT)
    entries = [f"e{number}" for number in range(1, len(people) + 1)]
    entries_made = [facts.EntryMade(by, entry, person) for entry, person in zip(entries, people, strict=True)]
    tournaments.change(matches, EVENT, lambda _: entries_made, at=AT)
    tournaments.change(matches, EVENT, lambda state: rounds.ask_pairing(state, {}, by), at=AT)
    tables = tuple(tuple(entries[index : index + SIZE]) for index in range(0, len(entries), SIZE))
    pairing = facts.PairingProposed(1, tables, (), (), tuple(() for _ in tables), "tables")
    tournaments.change(matches, EVENT, lambda _: pairing, at=AT)
    ids = tuple(rounds.match_id_for(EVENT, 1, table) for table in range(1, len(tables) + 1))
    return Opening(f"/api/tournaments/{EVENT}/rounds/1/publication", ids)


def prepare_league(matches: Matches, by: Actor, people: Sequence[Actor]) -> Opening:
    """Create a league whose season is drawn but has no open round; return the request that opens it."""
    divisions = (Division("First division", GROUPS, PLACES),)
    plan = LeaguePlan(name="Bench", title=default_title(TITLES).name, size=SIZE, divisions=divisions, rounds=1)
    leagues.open_league(matches, LEAGUE, by, plan, at=AT)
    players_entered = [league_facts.PlayerEntered(by, person) for person in people]
    leagues.execute(matches, LEAGUE, lambda _: [league_facts.SeasonOpened(by, "2026"), *players_entered], at=AT)
    turn = tuple(tuple(range(index, index + SIZE)) for index in range(0, PLACES, SIZE))
    groups = tuple(
        league_facts.GroupDrawn(0, tuple(people[index : index + PLACES]), (turn,), "bench")
        for index in range(0, len(people), PLACES)
    )
    leagues.execute(matches, LEAGUE, lambda state: league_facts.SeasonDrawn(by, groups, state.plan), at=AT)
    ids = [match_of(LEAGUE, 1, group, 1, table) for group in range(GROUPS) for table in range(1, len(turn) + 1)]
    return Opening(f"/api/leagues/{LEAGUE}/rounds", tuple(ids))


def create_event(
    folder: Path, ready: Callable[[Matches, Actor, Sequence[Actor]], Opening], tables: int
) -> tuple[str, Opening]:
    """Create the event with accounts for `tables` in the store of `folder`.

    Returns its organiser's token and the round.
    """
    settings = settings_for(folder)
    assert settings.log_file is not None
    with closing(People(settings.people_place)) as people:
        organiser = people.create_guest(AT)
        token = people.access.issue_token(organiser, "", AT)[1]
        players = [people.create_guest(AT).id for _ in range(tables * SIZE)]
    with closing(open_store(store_env(settings.log_file))) as matches:
        return token, ready(matches, organiser.id, players)


class PersistentClient:
    """A client with one persistent connection."""

    def __init__(self, url: str, token: str) -> None:
        parts = urlsplit(url)
        assert parts.hostname is not None
        self._connection = HTTPConnection(parts.hostname, parts.port, timeout=PATIENCE_SECONDS)
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def request(self, method: str, path: str) -> int:
        """Send a request and return the status of the response."""
        self._connection.request(method, path, "{}" if method == "POST" else None, self._headers)
        response = self._connection.getresponse()
        response.read()
        return response.status


def open_round(url: str, token: str, opening: Opening) -> float:
    """Request the opening and wait until every match exists; return the seconds.

    Raises `AssertionError` if it is refused or takes longer than `PATIENCE_SECONDS`.
    """
    client, started = PersistentClient(url, token), time.monotonic()
    status = client.request("POST", opening.path)
    assert status in (200, 201), f"{opening.path} returned {status}"
    for match in opening.matches:
        while client.request("GET", f"/api/matches/{match}") != 200:
            assert time.monotonic() - started < PATIENCE_SECONDS, f"the match {match} was not opened"
            time.sleep(LOOK_SECONDS)
    return time.monotonic() - started


def open_under_load(ready: Callable[[Matches, Actor, Sequence[Actor]], Opening], tables: int) -> Opened:
    """Open the round while 50 actions per second are played at other tables."""
    durations = list[float]()
    with TemporaryDirectory(prefix="esporles-bench-") as name:
        token, opening = create_event(Path(name), ready, tables)
        with service_in(Path(name), workers=1) as service:
            thread = threading.Thread(target=lambda: durations.append(open_round(service.url, token, opening)))
            measured = load_of([service.url], paced_plan(seconds=SECONDS), thread.start, thread.join)
    assert durations, "the round was not opened"
    return Opened(durations[0], measured)


def section() -> Section:
    """Measure the tournament, then the league."""
    event, league = open_under_load(prepare_event, EVENT_TABLES), open_under_load(prepare_league, LEAGUE_TABLES)
    slowest, p99 = max(event.during.latencies), percentile(league.during.latencies, 0.99)
    per_table = league.taken / LEAGUE_TABLES
    return Section(
        "Rounds that open during play (50 actions a second at 20 other tables)",
        (
            Figure(
                f"{EVENT_TABLES} tables of an event published, until the last match is open",
                f"{event.taken:.1f} s",
                f"< {EVENT_SECONDS:.0f} s",
                event.taken < EVENT_SECONDS,
            ),
            Figure(
                f"… slowest of {len(event.during.latencies)} POST elsewhere",
                milliseconds(slowest),
                f"< {milliseconds(EVENT_SLOWEST)}",
                slowest < EVENT_SLOWEST,
            ),
            Figure("… their p99", milliseconds(percentile(event.during.latencies, 0.99))),
            Figure(
                f"a round of {LEAGUE_TABLES} tables of a league, p99 of {len(league.during.latencies)} POST elsewhere",
                milliseconds(p99),
                f"< {milliseconds(LEAGUE_SLOWEST)}",
                p99 < LEAGUE_SLOWEST,
            ),
            Figure("… until the last match is open", f"{league.taken:.1f} s; {milliseconds(per_table)} a table"),
        ),
    )
