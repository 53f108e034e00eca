"""A tournament with a calendar in a store, whose steps are taken at their times."""

from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Final
from uuid import UUID

from domain.contests.duties import DueStep
from domain.contests.times import RoundTime
from domain.eventstore.application import Matches
from domain.matches.facts import Table
from domain.pairing.methods import pair_round
from domain.standings.contest import Stage
from domain.standings.results import TableResult
from domain.tournaments import commands, registration, rounds, steps, substitutes, timing
from domain.tournaments.calendar import Calendar
from domain.tournaments.duties import next_step
from domain.tournaments.facts import Fact
from domain.tournaments.plan import Plan
from domain.tournaments.state import Tournament
from tests.projections.tables import START

CUP: Final = UUID(int=8)
DAY: Final = timedelta(days=1)
STARTS: Final = START + 30 * DAY
PLAN: Final = Plan(
    name="Toy cup", title="toy", size=2, stages=(Stage("swiss", 3),), table=Table(rated=True), bot="bot:x@1", auto=True
)
CALENDAR: Final = Calendar(
    rounds=tuple(RoundTime(STARTS + 7 * at * DAY, STARTS + 7 * (at + 1) * DAY) for at in range(3)),
    consequence="lots",
    reminders=(1440,),
)


class EventClock:
    """A tournament whose steps the service takes at their times."""

    def __init__(self, matches: Matches, plan: Plan = PLAN, calendar: Calendar = CALENDAR) -> None:
        self.matches = matches
        self.at = START
        self.results: dict[UUID, TableResult] = {}
        self.taken: list[str] = []
        self.disputed_tables: tuple[int, ...] = ()
        commands.open_tournament(matches, CUP, plan, "org", at=START)
        self.do(lambda state: timing.set_calendar(state, calendar, "org", ""))

    @property
    def stream(self) -> commands.TournamentStream:
        return commands.get_tournament(self.matches, CUP)

    @property
    def state(self) -> Tournament:
        return self.stream.state

    def do(self, decide: Callable[[Tournament], Fact | Iterable[Fact]]) -> None:
        """Record what people decide, a minute later."""
        self.at += timedelta(minutes=1)
        commands.change(self.matches, CUP, decide, at=self.at)

    def enter(self, *players: str) -> None:
        for player in players:
            self.do(lambda state, player=player: registration.enter(state, player, actor=player))  # type: ignore[misc]

    def duty(self) -> DueStep | None:
        return next_step(self.state, self.results)

    def take(self) -> str:
        """Take the next step of the service at its time, and return its name."""
        duty, state = self.duty(), self.state
        assert duty is not None, "a step is due"
        self.at = max(self.at, duty.due) + timedelta(seconds=1)
        number = state.rounds[-1].number if state.rounds else 0
        if duty.name == "pair":
            last = state.rounds[-1]
            pairing, reasons = pair_round(last.problem, last.way)
            self.do(lambda state: rounds.answer_pairing(state, number, pairing, reasons))
        elif duty.name == "expire":
            timing.expire(
                self.matches,
                CUP,
                self.results,
                self.disputed_tables,
                at=self.at,
                expected_version=self.stream.version,
            )
        else:
            for table in range(1, len(state.rounds[-1].tables) + 1) if state.rounds else ():
                if duty.name == "open":
                    commands.open_table(self.matches, CUP, number, table, at=self.at)
                if duty.name == "start":
                    substitutes.start_table(self.matches, CUP, number, table, at=self.at)
            if duty.name == "offer":
                self.do(lambda state: steps.take_offer_step(state, self.results, self.at))
            else:
                self.do(lambda state: steps.take_step(state, self.results, duty.name))
        self.taken.append(duty.name)
        return duty.name

    def take_until(self, step: str) -> None:
        """Take steps until this one was taken."""
        while self.take() != step:
            pass

    def play(self, *without: int) -> None:
        """Give every open table of the latest round a result, the first seat winning, except some by number."""
        for number, table in enumerate(self.state.rounds[-1].tables, start=1):
            if table.match is not None and number not in without:
                self.results[table.match] = TableResult((1, 2), (20, 10))
