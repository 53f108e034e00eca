"""The data that standings are computed from: stages, scoring, entries, and rounds with their tables."""

from datetime import datetime
from typing import Annotated, Final, Literal, Protocol
from uuid import UUID

import msgspec

from domain.kernel.messages import Message
from domain.kernel.values import Value
from domain.matches.facts import Actor
from domain.standings.points import DEFAULT_POINTS, SIXTIETHS_PER_POINT

ENTRIES_MAX: Final = 2_000
ROUNDS_MAX: Final = 60
StageKind = Literal["swiss", "round_robin", "elimination", "heats", "final"]
Measure = Literal["points", "victory_points", "wins", "margin"]
TieBreak = Literal[
    "victory_points", "share", "margin", "wins", "opponents", "seat_adjusted", "head_to_head", "seeding", "lot"
]
Rounds = Annotated[int, msgspec.Meta(ge=0, le=ROUNDS_MAX)]
Count = Annotated[int, msgspec.Meta(ge=0, le=ENTRIES_MAX)]
Size = Annotated[int, msgspec.Meta(ge=2, le=5)]


StandingsRule = Literal[1, 2]
"""The rule by which results count (docs/specifications/standings.md); rule 2 ignores bots of absent entries."""
NEWEST_RULE: Final[StandingsRule] = 2
"""The rule of new plans."""


class Stage(Value, frozen=True, omit_defaults=True):
    """A stage of the tournament.

    `cut` is the number of best entries admitted (0: all). `rounds` are computed for eliminations and, unless given,
    for round robins. `advance` is the number at each table who lose no life; the others lose one of `lives`. With
    `carry`, points of earlier stages count.
    """

    kind: StageKind
    rounds: Rounds = 0
    cut: Count = 0
    advance: Annotated[int, msgspec.Meta(ge=1, le=4)] = 1
    lives: Annotated[int, msgspec.Meta(ge=1, le=2)] = 1
    carry: bool = True


class SizePoints(Value, frozen=True):
    """Points by place at tables of one size, in sixtieths, the first place first."""

    size: Size
    points: tuple[Annotated[int, msgspec.Meta(ge=0, le=60_000)], ...]


class Scoring(Value, frozen=True, omit_defaults=True):
    """The measure that is counted, and the tie-breaks in order. A bye is worth `bye` sixtieths."""

    measure: Measure = "points"
    points: tuple[SizePoints, ...] = ()
    bye: Annotated[int, msgspec.Meta(ge=0, le=60_000)] = DEFAULT_POINTS * SIXTIETHS_PER_POINT // 2
    tie_breaks: tuple[TieBreak, ...] = ("opponents", "share", "wins", "victory_points", "lot")


def fault_of_scoring(scoring: Scoring) -> str | None:
    """Return why the scoring is invalid, or None.

    A table size is named once, its points fall and are at most one per place, and no tie-break is repeated.
    """
    sizes = [row.size for row in scoring.points]
    if len(set(sizes)) < len(sizes):
        return "the points of one table size are given twice"
    for row in scoring.points:
        if len(row.points) > row.size or list(row.points) != sorted(row.points, reverse=True):
            return f"the points at tables of {row.size} must decrease from place to place, at most one per place"
    if len(set(scoring.tie_breaks)) < len(scoring.tie_breaks):
        return "a tie-break is named twice"
    return None


class GivenResult(Value, frozen=True):
    """A result entered by the organiser: places and points by seat."""

    places: tuple[int, ...]
    scores: tuple[int, ...]
    by: Actor
    reason: str = ""
    ruled: bool = False


class StandIn(Value, frozen=True):
    """A substitute for an entry at a table; the points are the entry's."""

    entry: str
    actor: Actor


class Claim(Value, frozen=True, omit_defaults=True):
    """A result of a table claimed by an entry, by seat; `keys` are the ids of its messages."""

    entry: str
    scores: tuple[int, ...]
    places: tuple[int, ...]
    keys: tuple[UUID, ...] = ()

    @property
    def result(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return scores and places."""
        return self.scores, self.places


class RoundTable(Value, frozen=True, omit_defaults=True):
    """A table of a round: entries by seat, its match, a result entered by hand, and bots for absent entries."""

    entries: tuple[str, ...]
    match: UUID | None = None
    given: GivenResult | None = None
    reasons: tuple[Message, ...] = ()
    absent: tuple[str, ...] = ()
    """Entries recorded as absent from this table."""
    stand_ins: tuple[StandIn, ...] = ()
    bots: tuple[StandIn, ...] = ()
    """Bots in the seats of absent entries; their points count for no entry."""
    claims: tuple[Claim, ...] = ()
    """The latest claim of each entry; an organiser's result removes them."""
    left_to_bots: datetime | None = None
    """Until when bots play on after the deadline; None if they do not, or once the table has a result."""

    def stand_in_of(self, entry: str) -> Actor:
        """Return the substitute of an entry, or an empty string."""
        return next((each.actor for each in self.stand_ins if each.entry == entry), "")

    def bot_of(self, entry: str) -> Actor:
        """Return the bot in the seat of an absent entry, or an empty string."""
        return next((each.actor for each in self.bots if each.entry == entry), "")

    @property
    def has_bots(self) -> frozenset[str]:
        """Return the entries whose seats are played by bots."""
        return frozenset(each.entry for each in self.bots)


class CountedPlan(Protocol):
    """The parts of a plan that standings need."""

    @property
    def stages(self) -> tuple[Stage, ...]:
        """Return the stages."""
        ...

    @property
    def scoring(self) -> Scoring:
        """Return the scoring."""
        ...

    @property
    def standings(self) -> StandingsRule:
        """Return the rule by which results count."""
        ...


class ContestEntry(Protocol):
    """An entry of a contest."""

    @property
    def id(self) -> str:
        """Return the id of the entry."""
        ...

    @property
    def seeding(self) -> int:
        """Return the seed, or 0 without one."""
        ...

    @property
    def penalty(self) -> int:
        """Return the penalty in sixtieths."""
        ...

    @property
    def status(self) -> str:
        """Return the status, `in` for entries with a place."""
        ...


class ContestRound(Protocol):
    """A round that counts."""

    @property
    def number(self) -> int:
        """Return the number of the round."""
        ...

    @property
    def stage(self) -> int:
        """Return the index of the stage."""
        ...

    @property
    def tables(self) -> tuple[RoundTable, ...]:
        """Return the tables."""
        ...

    @property
    def byes(self) -> tuple[str, ...]:
        """Return the entries with a bye."""
        ...

    @property
    def people(self) -> tuple[str, ...]:
        """Return the entries that play or have a bye."""
        ...


class Contest(Protocol):
    """A tournament, or a group of a league."""

    @property
    def id(self) -> UUID:
        """Return the id of the contest."""
        ...

    @property
    def plan(self) -> CountedPlan:
        """Return the plan."""
        ...

    @property
    def entries(self) -> tuple[ContestEntry, ...]:
        """Return the entries."""
        ...

    @property
    def played_rounds(self) -> tuple[ContestRound, ...]:
        """Return the rounds that count."""
        ...
