"""Circuits built fact by fact, and contests with given places."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from domain.circuits import decisions
from domain.circuits.counting import CircuitLine, ContestStandings, circuit_standings
from domain.circuits.fact_base import ContestKey
from domain.circuits.facts import Fact
from domain.circuits.plan import CircuitPlan, Formula, PointsRow, Term
from domain.circuits.state import CIRCUIT, Circuit
from domain.matches.log.records import Stream

ID = UUID(int=9)
START = datetime(2026, 1, 1, tzinfo=UTC)
TABLE = (PointsRow(1, (10, 6, 4, 2, 1)),)


def plan_with(**changes: Any) -> CircuitPlan:
    """Return a plan with points by place, unless it has a formula."""
    fields: dict[str, Any] = {"name": "Island circuit", "table": () if changes.get("formula") else TABLE}
    return CircuitPlan(**{**fields, **changes})


def formula(*terms: Term) -> Formula:
    return Formula(terms)


def tournament(number: int) -> ContestKey:
    return ContestKey("tournament", UUID(int=100 + number))


def contest(number: int, *groups: str, **changes: Any) -> ContestStandings:
    """Return an ended contest; each text lists the people who share a place, best first, by single letters."""
    places: dict[str, int] = {}
    tied: dict[int, int] = {}
    for group in groups:
        place = len(places) + 1
        tied[place] = len(group)
        places |= dict.fromkeys(group, place)
    fields: dict[str, Any] = {
        "key": tournament(number),
        "name": f"Contest {number}",
        "title": "la_granja",
        "status": "ended",
        "size": len(places),
        "size_max": len(places),
        "places": places,
        "tied": tied,
    }
    return ContestStandings(**{**fields, **changes})


def standings_of(plan: CircuitPlan, *contests: ContestStandings) -> tuple[CircuitLine, ...]:
    return circuit_standings(ID, plan, contests)


def ranks(lines: tuple[CircuitLine, ...]) -> list[tuple[str, int, int]]:
    """Return person, rank and whole points of each row."""
    return [(line.actor, line.rank, line.points // 60) for line in lines]


class CircuitStory:
    """A circuit built from its records."""

    def __init__(self, **plan: Any) -> None:
        self.stream: Stream[Circuit] | None = None
        self.at = START
        self.adds(decisions.open_circuit("org", plan_with(**plan)))

    @property
    def state(self) -> Circuit:
        assert self.stream is not None
        return self.stream.state

    def adds(self, *added: Fact) -> None:
        for fact in added:
            self.at += timedelta(hours=1)
            self.stream = CIRCUIT.apply(self.stream, CIRCUIT.seal(ID, self.stream, fact, self.at))

    def has(self, *numbers: int) -> None:
        """Add tournaments."""
        for number in numbers:
            self.adds(decisions.add_contest(self.state, "org", tournament(number), inside=()))

    def settles(self, *contests: ContestStandings, reason: str = "") -> None:
        """Make the standings of these contests official."""
        lines = standings_of(self.state.plan, *contests)
        self.adds(decisions.settle(self.state, "org", contests, lines, reason))
