"""Jobs in which bots play on after a deadline: each outcome is recorded once, for a tournament and for a league."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from domain.contests.adjudication import LINE_COUNT, medians
from domain.leagues import commands
from domain.leagues.facts import DeadlineMoved, FixtureRuled
from domain.leagues.state import LEAGUE
from domain.matches.facts import SERVICE
from domain.titles import TITLES
from domain.tournaments.facts import ResultRuled
from domain.tournaments.state import TOURNAMENT
from projections.platform.clock import now
from tests.api.full_service import FullService, run_full_service
from workers.adjudications import adjudicate, strongest_bot
from workers.bots import BOTS
from workers.client import TableLeft
from workers.event_duties import LEASE, lease
from workers.leagues import league_step
from workers.matches.bot_turn import PLAYERS, Players
from workers.queues import ADJUDICATION_SECONDS_MAX, ADJUDICATIONS, TOURNAMENTS, place_of_step
from workers.tournaments import tournament_step

QUICK = Players(TITLES, {"random": BOTS["random"]})
"""Bots whose lines take no time."""


class Event:
    """A contest of two bots whose table has begun and is over time."""

    def __init__(self, service: FullService, kind: str) -> None:
        self.service, self.kind = service, kind
        _, self.token = service.guest()
        self.id = self._open_cup() if kind == "tournaments" else self._open_league()

    def does(self, path: str, body: Any, method: str = "POST") -> Any:
        status, response = self.service.ask(method, f"/{self.kind}{path}", body, self.token)
        assert status in {200, 201, 204}, response
        return response

    def _open_cup(self) -> str:
        stages = [{"kind": "swiss", "rounds": 1}]
        plan = {"name": "Cup", "title": "el_grande", "size": 2, "stages": stages, "auto": True}
        event: str = self.does("", {"plan": plan})["eventId"]
        self.does(f"/{event}/entries", {"bot": "random", "count": 2})
        self.does(f"/{event}/pairings", {})
        self.service.settle()
        past = now() - timedelta(hours=1)
        times = [{"starts": (past - timedelta(hours=1)).isoformat(), "deadline": past.isoformat()}]
        calendar = {"rounds": times, "consequence": "bots"}
        self.does(f"/{event}/calendar", {"calendar": calendar, "reason": "So."}, "PUT")
        return event

    def _open_league(self) -> str:
        plan = {
            "name": "Liga",
            "title": "el_grande",
            "size": 2,
            "divisions": [{"name": "All", "groups": 0, "places": 4}],
            "deadlines": {"consequence": "bots"},
            "table": {"clock": {"kind": "correspondence", "seconds": 172_800}},
        }
        league: str = self.does("", {"plan": plan})["leagueId"]
        self.does(f"/{league}/seasons", {"name": "Spring"})
        for bot in ("bot:random@1", "bot:greedy@1"):
            self.does(f"/{league}/entries", {"player": bot})
        self.does(f"/{league}/draw", {})
        self.does(f"/{league}/rounds", {})
        self.service.settle()
        over = DeadlineMoved(SERVICE, 1, now() - timedelta(hours=1), "So.")
        commands.execute(self.service.log, UUID(league), lambda _: over, at=now())
        return league

    def job(self, step: str, players: Players = QUICK) -> bool:
        """Take a step of the service after all followers have caught up."""
        self.service.follow()
        client = self.service.service
        if self.kind == "tournaments":
            duty = client.read_tournament_duty(self.id)
            return tournament_step(client, self.id, step, duty.version if duty else 0, players)
        league = client.read_league_duty(self.id)
        return league_step(client, self.id, step, league.version if league else 0, players)

    def tables(self) -> tuple[TableLeft, ...]:
        """Return the tables at which bots play on."""
        self.service.follow()
        client = self.service.service
        read: Callable[[str], Any] = (
            client.read_tournament_duty if self.kind == "tournaments" else client.read_league_duty
        )
        return tuple(read(self.id).with_bots)

    def rulings(self) -> list[Any]:
        kind: Any = TOURNAMENT if self.kind == "tournaments" else LEAGUE
        found = (kind.read(record) for record in self.service.log.streams.records(UUID(self.id)))
        return [each for each in found if isinstance(each, ResultRuled | FixtureRuled)]


@pytest.fixture(scope="module")
def running_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FullService]:
    with run_full_service(tmp_path_factory.mktemp("adjudications")) as running_service:
        yield running_service


@pytest.fixture(scope="module", params=["tournaments", "leagues"])
def event(running_service: FullService, request: pytest.FixtureRequest) -> Event:
    event = Event(running_service, request.param)
    assert event.job("expire")
    return event


def test_bots_play_on_and_the_first_outcome_stays(event: Event) -> None:
    (table,) = event.tables()
    assert not table.is_late
    assert event.job("adjudicate")
    first = event.rulings()
    late = adjudicate(event.service.service, (table,), post(event), QUICK)

    (ruling,) = first
    assert (len(ruling.lines), ruling.scores) == (LINE_COUNT, medians(ruling.lines))
    assert (late, event.rulings(), event.tables()) == (False, first, ())


def post(event: Event) -> Callable[[str, object], bool]:
    client = event.service.service
    to = client.post_to_tournament if event.kind == "tournaments" else client.post_to_league
    return lambda path, body: to(f"{event.id}/{path}", body)


class Logs:
    """A service with one readable log."""

    def __init__(self, contents: dict[str, bytes | None]) -> None:
        self.contents = contents

    def read_log(self, match_id: str) -> bytes | None:
        return self.contents[match_id]


def test_a_table_that_fails_does_not_stop_the_others() -> None:
    sent: list[tuple[str, object]] = []

    def post(path: str, body: object) -> bool:
        sent.append((path, body))
        return True

    broken, gone = TableLeft("a", "broken", False), TableLeft("b", "gone", False)
    late = TableLeft("c", "any", True)
    logs = Logs({"broken": b"no log", "gone": None})

    assert not adjudicate(logs, (broken, gone), post, QUICK)
    assert adjudicate(logs, (broken, gone, late), post, QUICK)
    assert sent == [("c/lines", {})], "the service decides once the time of the bots is over"


def test_the_strongest_quick_bot_plays_on() -> None:
    assert [strongest_bot(title, PLAYERS).name for title in ("la_granja", "el_grande")] == ["search-quick"] * 2
    assert strongest_bot("la_granja", QUICK).name == "random"


@pytest.mark.parametrize(
    ("step", "attempt", "queue"),
    [
        ("expire", 1, TOURNAMENTS),
        ("adjudicate", 1, ADJUDICATIONS),
        ("adjudicate", 3, ADJUDICATIONS),
        ("adjudicate", 4, TOURNAMENTS),
    ],
)
def test_long_jobs_wait_for_workers_that_take_them(step: str, attempt: int, queue: str) -> None:
    found, seconds = place_of_step(step, attempt)
    assert found == queue
    assert timedelta(seconds=seconds) < lease(step, attempt) or step == "expire"
    assert lease("adjudicate", 1) > timedelta(seconds=ADJUDICATION_SECONDS_MAX) > LEASE
