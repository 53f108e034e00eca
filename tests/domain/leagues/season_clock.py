"""A league with a schedule in a store, whose steps are taken at their times."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from domain.contests.deadlines import DeadlineRule
from domain.contests.duties import DueStep
from domain.contests.times import Break
from domain.eventstore.application import Matches
from domain.kernel.values import replace
from domain.leagues import commands, invitations, seasons, steps
from domain.leagues.duties import SeasonTables, duty_of
from domain.leagues.facts import Fact
from domain.leagues.plan import Division, LeaguePlan
from domain.leagues.schedule import SeasonSchedule
from domain.leagues.standings import fixtures
from domain.leagues.state import LEAGUE, League
from domain.matches.facts import Table
from domain.matches.log.records import Stream
from domain.standings.results import TableResult
from tests.projections.tables import START

ID: Final = UUID(int=9)
DAY: Final = timedelta(days=1)
STARTS: Final = START + 30 * DAY
SCHEDULE: Final = SeasonSchedule(
    starts=STARTS,
    registration_days=7,
    draw_days=2,
    break_days=14,
    breaks=(Break(STARTS + 8 * DAY, STARTS + 10 * DAY, "Feast"),),
)
PLAN: Final = LeaguePlan(
    name="Toy league",
    title="toy",
    size=2,
    table=Table(rated=True),
    divisions=(Division("First", 1, 4, down=1), Division("Second", 0, 4, up=1)),
    bot="bot:x@1",
    round_days=7,
    schedule=SCHEDULE,
    deadlines=DeadlineRule(consequence="lots", reminders=(1440,)),
)


class SeasonClock:
    """A league whose steps the service takes at their times."""

    def __init__(self, matches: Matches, plan: LeaguePlan = PLAN) -> None:
        self.matches = matches
        self.at = START
        self.results: dict[UUID, TableResult] = {}
        self.taken: list[str] = []
        self.disputed_tables: tuple[int, ...] = ()
        commands.open_league(matches, ID, "org", plan, at=START)

    @property
    def stream(self) -> Stream[League]:
        return self.matches.streams.get(LEAGUE, ID)

    @property
    def league(self) -> League:
        return self.stream.state

    def tables(self) -> SeasonTables:
        """Return the matches in the log, and the finished matches."""
        return SeasonTables(Opened(self.matches), self.results)

    def duty(self) -> DueStep | None:
        return duty_of(self.league, self.tables())

    def do(self, decide: Callable[[League], Fact | Sequence[Fact]]) -> None:
        """Record what people decide, a minute later."""
        self.at += timedelta(minutes=1)
        commands.execute(self.matches, ID, decide, at=self.at)

    def enter(self, *players: str) -> None:
        for player in players:
            self.do(lambda league, player=player: seasons.enter(league, player, player, 0, is_organiser=False))  # type: ignore[misc]

    def accept_all(self, *without: str) -> None:
        """Let everyone who is invited accept."""
        for invitation in self.league.invitations.open:
            actor, to = invitation.actor, invitation.fact.to
            if actor not in without:
                self.do(lambda league, actor=actor, to=to: invitations.accept(league, actor, to, 0))  # type: ignore[misc]

    def take(self, disputed: Sequence[UUID] = ()) -> str:
        """Take the next step of the service at its time, and return its name."""
        duty = self.duty()
        assert duty is not None, "a step is due"
        self.at = max(self.at, duty.due) + timedelta(seconds=1)
        if duty.name == "open":
            for table in tuple(commands.waiting_tables(self.matches, self.league, ())):
                commands.open_table(self.matches, ID, table, at=self.at)
        elif duty.name == "expire":
            steps.expire(self.matches, ID, self.tables(), disputed, at=self.at, expected_version=self.stream.version)
        else:
            commands.execute(
                self.matches,
                ID,
                lambda league: steps.step_facts(league, duty.name, self.results, self.tables(), disputed, self.at),
                at=self.at,
            )
        self.taken.append(duty.name)
        return duty.name

    def take_until(self, step: str) -> None:
        """Take steps until this one was taken."""
        while self.take() != step:
            pass

    def play(self, *without: tuple[int, int, int]) -> None:
        """Give every open table a result, the first seat winning, except some tables of (group, round, number)."""
        season = self.league.seasons[-1]
        for each in fixtures(self.league, season, self.results):
            if each.is_open and not each.is_over and (each.group, each.round, each.table) not in without:
                self.results[each.match] = TableResult((1, 2), (20, 10))

    def run_season(self) -> None:
        """Take all steps of the season that runs; every table is played."""
        while self.league.seasons[-1].status == "running":
            self.take()
            self.play()


class Opened:
    """The matches in the log."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches

    def __contains__(self, match_id: object) -> bool:
        return isinstance(match_id, UUID) and self._matches.lines.has(match_id)


def dates(*moments: datetime | None) -> list[timedelta]:
    """Return times counted from the start of the first season."""
    return [moment - STARTS for moment in moments if moment is not None]


def draw_season(matches: Matches, *players: str, **changes: Any) -> SeasonClock:
    """Return a league in which these players have been drawn."""
    clock = SeasonClock(matches, replace(PLAN, **changes))
    clock.take_until("register")
    clock.enter(*players)
    clock.take_until("draw")
    return clock
