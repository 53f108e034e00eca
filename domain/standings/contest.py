"""What standings are counted from: stages, scoring, entries, and the tables of rounds with their results."""

from typing import Annotated, Final, Literal, Protocol
from uuid import UUID

import msgspec

from domain.kernel.messages import Message
from domain.kernel.values import Value
from domain.matches.facts import Actor
from domain.standings.points import DEFAULT_POINTS, PART

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
"""Rule by which results count: by rule 2, no action of a bot for an absent entrant counts
(docs/specifications/standings.md)."""
NEWEST_RULE: Final[StandingsRule] = 2
"""The rule of new plans."""


class Stage(Value, frozen=True, omit_defaults=True):
    """A part of the tournament, played in one way.

    `cut`: the number of the best so far who take part (0: all). `rounds` of an elimination follow from its people,
    those of a round robin, unless given, from its design. `advance`: the number of each table who go on unharmed; the
    others lose one of `lives`. With `carry` points of the stages before count on.
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
    """What is counted, and what decides between equals, in this order. A bye is worth `bye` sixtieths."""

    measure: Measure = "points"
    points: tuple[SizePoints, ...] = ()
    bye: Annotated[int, msgspec.Meta(ge=0, le=60_000)] = DEFAULT_POINTS * PART // 2
    tie_breaks: tuple[TieBreak, ...] = ("opponents", "share", "wins", "victory_points", "lot")


def fault_of_scoring(scoring: Scoring) -> str | None:
    """Why nothing can be counted like that; `None` when it can."""
    sizes = [row.size for row in scoring.points]
    if len(set(sizes)) < len(sizes):
        return "the points of one table size are given twice"
    for row in scoring.points:
        if len(row.points) > row.size or list(row.points) != sorted(row.points, reverse=True):
            return f"the points at tables of {row.size} must fall from place to place, one for each at most"
    if len(set(scoring.tie_breaks)) < len(scoring.tie_breaks):
        return "a tie-break is named twice"
    return None


class GivenResult(Value, frozen=True):
    """A result that stands by the organiser's word: places and points by seat."""

    places: tuple[int, ...]
    scores: tuple[int, ...]
    by: Actor
    reason: str = ""
    ruled: bool = False


class StandIn(Value, frozen=True):
    """Who plays for an entry at one table: its points are the entry's."""

    entry: str
    actor: Actor


class Claim(Value, frozen=True, omit_defaults=True):
    """What an entry says its table came to, by seats. `keys`: the messages by which it said so."""

    entry: str
    scores: tuple[int, ...]
    places: tuple[int, ...]
    keys: tuple[UUID, ...] = ()

    @property
    def result(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Scores and places."""
        return self.scores, self.places


class RoundTable(Value, frozen=True, omit_defaults=True):
    """A table of a round: entries by seat, the match played there, what was given by hand, bots for no-shows."""

    entries: tuple[str, ...]
    match: UUID | None = None
    given: GivenResult | None = None
    reasons: tuple[Message, ...] = ()
    absent: tuple[str, ...] = ()
    """Entries that were noted as not having come to this table."""
    stand_ins: tuple[StandIn, ...] = ()
    bots: tuple[StandIn, ...] = ()
    """Bots in the seats of absent entries: what they earn is nobody's."""
    claims: tuple[Claim, ...] = ()
    """What its players have said, the newest of each entry; an organiser's result ends them."""

    def stand_in_of(self, entry: str) -> Actor:
        """The substitute of an entry; empty where it plays itself."""
        return next((each.actor for each in self.stand_ins if each.entry == entry), "")

    def bot_of(self, entry: str) -> Actor:
        """The bot in the seat of an entry that did not come; empty where there is none."""
        return next((each.actor for each in self.bots if each.entry == entry), "")

    @property
    def has_bots(self) -> frozenset[str]:
        """The entries whose seats bots have."""
        return frozenset(each.entry for each in self.bots)


class Counting(Protocol):
    """What is counted, stage by stage."""

    @property
    def stages(self) -> tuple[Stage, ...]: ...

    @property
    def scoring(self) -> Scoring: ...

    @property
    def standings(self) -> StandingsRule: ...


class ContestEntry(Protocol):
    """Somebody who takes part."""

    @property
    def id(self) -> str: ...

    @property
    def seeding(self) -> int: ...

    @property
    def penalty(self) -> int:
        """Sixtieths that are taken off."""
        ...

    @property
    def status(self) -> str:
        """`in` for those who have a place."""
        ...


class ContestRound(Protocol):
    """A round that counts."""

    @property
    def number(self) -> int: ...

    @property
    def stage(self) -> int: ...

    @property
    def tables(self) -> tuple[RoundTable, ...]: ...

    @property
    def byes(self) -> tuple[str, ...]: ...

    @property
    def people(self) -> tuple[str, ...]:
        """The entries that play or have a bye."""
        ...


class Contest(Protocol):
    """A tournament, or a group of a league."""

    @property
    def id(self) -> UUID: ...

    @property
    def plan(self) -> Counting: ...

    @property
    def entries(self) -> tuple[ContestEntry, ...]: ...

    @property
    def played_rounds(self) -> tuple[ContestRound, ...]: ...
