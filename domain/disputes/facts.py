"""What happens to a dispute, as its stream keeps it."""

from uuid import UUID

from domain.kernel.values import Value, tagger
from domain.matches.facts import Actor
from domain.matches.rulings.measures import Measure
from domain.signatures.acts import Signed


class DisputeFact(Value, frozen=True, tag_field="type", tag=tagger("dispute"), omit_defaults=True, kw_only=True):
    """Base of what happens to a dispute."""


class MatchStanding(Value, frozen=True):
    """How a match stood: what a ruling changed is the difference of two of these."""

    line: UUID
    version: int
    status: str
    scores: tuple[int, ...] = ()
    ranking: tuple[int, ...] = ()
    penalties: tuple[int, ...] = ()
    clocks: tuple[int, ...] = ()
    """The milliseconds every seat had left; none where no clocks run."""


class DisputeRaised(DisputeFact, frozen=True, kw_only=True):
    """A player objects to entry `entry` of a line; `match` is the line the match began as."""

    match: UUID
    line: UUID
    entry: int
    seat: int
    by: Actor
    reason: str
    event: str = ""
    signed: Signed | None = None
    """Over the disputed entry, with a key of the seat, where it has keys."""


class DisputeWithdrawn(DisputeFact, frozen=True, kw_only=True):
    by: Actor


class ArbiterAssigned(DisputeFact, frozen=True, kw_only=True):
    """An arbiter looks after it; others see that. `handed_by`: the arbiter who looked after it before has given it to
    them, with a word about it."""

    by: Actor
    handed_by: Actor = ""
    note: str = ""


class WhatIfMade(DisputeFact, frozen=True, kw_only=True):
    by: Actor
    line: UUID
    entry: int


class RuledOn(DisputeFact, frozen=True, kw_only=True):
    """The ruling, and how the match stood before and after it; `line` is the one that goes on in another's place,
    `motion` the one of the committee that it is, counted from 1."""

    ruling: UUID
    by: Actor
    role: str
    rule: str
    reasons: str
    before: MatchStanding
    after: MatchStanding
    measures: tuple[Measure, ...] = ()
    upheld: bool = False
    line: UUID | None = None
    motion: int = 0


class RulingAppealed(DisputeFact, frozen=True, kw_only=True):
    by: Actor
    seat: int
    reason: str


class CommitteeSeated(DisputeFact, frozen=True, kw_only=True):
    """These hear the appeal, the chair first; `by` has named them, for this dispute or for its event. What was voted
    before in another committee does not count."""

    by: Actor
    members: tuple[Actor, ...]
    reason: str = ""


class MotionMade(DisputeFact, frozen=True, kw_only=True):
    """A member of the committee puts a ruling to the vote."""

    by: Actor
    rule: str
    reasons: str
    measures: tuple[Measure, ...] = ()
    upheld: bool = False


class VoteCast(DisputeFact, frozen=True, kw_only=True):
    """A member's one voice for a motion, counted from 1, instead of what they said before."""

    by: Actor
    motion: int
    reason: str


Fact = (
    DisputeRaised
    | DisputeWithdrawn
    | ArbiterAssigned
    | WhatIfMade
    | RuledOn
    | RulingAppealed
    | CommitteeSeated
    | MotionMade
    | VoteCast
)
