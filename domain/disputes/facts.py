"""Facts of a dispute."""

from uuid import UUID

from domain.kernel.values import Value, tagger
from domain.matches.facts import Actor
from domain.matches.rulings.measures import Measure
from domain.signatures.acts import Signed


class DisputeFact(Value, frozen=True, tag_field="type", tag=tagger("dispute"), omit_defaults=True, kw_only=True):
    """Base of the facts of a dispute."""


class MatchStanding(Value, frozen=True):
    """A summary of a match; a ruling records one before and one after it."""

    line: UUID
    version: int
    status: str
    scores: tuple[int, ...] = ()
    ranking: tuple[int, ...] = ()
    penalties: tuple[int, ...] = ()
    clocks: tuple[int, ...] = ()
    """Milliseconds left per seat; empty without running clocks."""


class DisputeRaised(DisputeFact, frozen=True, kw_only=True):
    """A player disputed `entry` of a line; `match` is the first line of the match."""

    match: UUID
    line: UUID
    entry: int
    seat: int
    by: Actor
    reason: str
    event: str = ""
    signed: Signed | None = None
    """Signature over the disputed entry with a key of the seat, if it has keys."""


class DisputeWithdrawn(DisputeFact, frozen=True, kw_only=True):
    """The dispute was withdrawn."""

    by: Actor


class ArbiterAssigned(DisputeFact, frozen=True, kw_only=True):
    """An arbiter took the dispute, or got it with a note from the arbiter `handed_by`."""

    by: Actor
    handed_by: Actor = ""
    note: str = ""


class WhatIfMade(DisputeFact, frozen=True, kw_only=True):
    """An arbiter made a what-if for the dispute."""

    by: Actor
    line: UUID
    entry: int


class RuledOn(DisputeFact, frozen=True, kw_only=True):
    """A ruling, with the match before and after it.

    `line`: the line that replaces another. `motion`: number of the committee's motion, from 1.
    """

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
    """A player appealed the ruling."""

    by: Actor
    seat: int
    reason: str


class CommitteeSeated(DisputeFact, frozen=True, kw_only=True):
    """A committee, chair first, was named by `by` to hear the appeal.

    Votes of an earlier committee do not count.
    """

    by: Actor
    members: tuple[Actor, ...]
    reason: str = ""


class MotionMade(DisputeFact, frozen=True, kw_only=True):
    """A member of the committee proposed a ruling."""

    by: Actor
    rule: str
    reasons: str
    measures: tuple[Measure, ...] = ()
    upheld: bool = False


class VoteCast(DisputeFact, frozen=True, kw_only=True):
    """A member voted for a motion, numbered from 1; replaces the member's earlier vote."""

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
