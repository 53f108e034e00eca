"""What requests about disputes and rulings, and their answers, look like."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec

from api.http.wire import Asked, Listing, Short, ShortGiven, Wire
from api.matches.wire import KnownView
from domain.kernel.texts import ONE_LINE
from domain.matches.apply import SEATS_MAX
from domain.matches.rulings.measures import MatchVoided, Measure, PointsTaken, ResultSet, SeatWarned, TimeTaken

Words = Annotated[str, msgspec.Meta(min_length=1, max_length=4_000)]
Rule = Annotated[str, msgspec.Meta(min_length=1, max_length=200, pattern=ONE_LINE)]
EntryNumber = Annotated[int, msgspec.Meta(ge=1, le=2**31)]


class RaiseDispute(Asked, frozen=True):
    """An objection to entry `entry` of a match, with its reason."""

    entry: EntryNumber
    reason: Words


class AppealRuling(Asked, frozen=True):
    reason: Words


class HandOver(Asked, frozen=True):
    """Another arbiter, by id or name, and what they should know."""

    person: ShortGiven
    note: Words


class MakeWhatIf(Asked, frozen=True):
    """A fork beside the dispute: bots by name for the seats, `me` for the arbiter's own; without seats, bots alone."""

    entry: EntryNumber
    seats: Annotated[tuple[Short, ...], msgspec.Meta(max_length=SEATS_MAX)] | None = None


class ResumeFrom(Asked, frozen=True, tag_field="type", tag="line_resumed"):
    """The match goes on from entry `version` with fresh luck, as a new line that takes this one's place."""

    version: EntryNumber


WantedMeasure = SeatWarned | PointsTaken | TimeTaken | ResumeFrom | ResultSet | MatchVoided


class GiveRuling(Asked, frozen=True):
    """A ruling: the rule relied on, the reasons, what it changes; nothing without measures. `upheld` on appeal only.

    With `expectedVersion`, only as long as the dispute stands there. The service names the arbiter in `by`.
    """

    rule: Rule
    reasons: Words
    measures: Annotated[tuple[WantedMeasure, ...], msgspec.Meta(max_length=16)] = ()
    upheld: bool = False
    expected_version: int | None = None
    by: str | None = None


class MatchStandingShown(Wire, frozen=True):
    """How the match stood; `clocks`: the milliseconds every seat had left, where clocks run."""

    line: UUID
    version: int
    status: str
    scores: tuple[int, ...]
    ranking: tuple[int, ...]
    penalties: tuple[int, ...]
    clocks: tuple[int, ...]


class MeasureShown(Wire, frozen=True):
    """A measure as it stands in the log, and the sentence that says it."""

    measure: Measure
    text: str


class RulingShown(Wire, frozen=True):
    """A ruling: who gave it, when, relying on what, why, and what it changed; `motion`: the one of its
    committee, 0 where none decided."""

    ruling: UUID
    by: str
    name: str
    role: str
    at: datetime
    rule: str
    reasons: str
    measures: tuple[MeasureShown, ...]
    upheld: bool
    before: MatchStandingShown
    after: MatchStandingShown
    line: UUID | None
    motion: int


class WhatIfShown(Wire, frozen=True):
    line: UUID
    entry: int
    by: str


class AppealShown(Wire, frozen=True):
    by: str
    name: str
    seat: int
    reason: str
    at: datetime


class MemberShown(Wire, frozen=True):
    id: str
    name: str


class VoteShown(Wire, frozen=True):
    by: str
    name: str
    motion: int
    reason: str
    at: datetime


class MotionShown(Wire, frozen=True):
    number: int
    by: str
    name: str
    at: datetime
    rule: str
    reasons: str
    measures: tuple[MeasureShown, ...]
    upheld: bool
    voices: int


class HearingShown(Wire, frozen=True):
    """The committee of an appeal, the chair first. Motions and votes are for its members until the decision is
    announced, then for everybody who sees the dispute; `decides`: the motion with the majority, 0 where none has it."""

    members: tuple[MemberShown, ...]
    named_by: MemberShown
    reason: str
    is_member: bool
    is_chair: bool
    motions: tuple[MotionShown, ...]
    votes: tuple[VoteShown, ...]
    decides: int


class DisputeShown(Wire, frozen=True, kw_only=True):
    """A dispute. `match` is the line the match began as, `line` the one it was raised on, `officialLine` what counts
    now; `dueAt`: by when a ruling should come, `appealableUntil`: how long one that came can be appealed; `handedBy`:
    the name of who gave it to its arbiter, with a `note` for arbiters; `mayRule`: the caller is the arbiter, or on
    appeal the head arbiter, who is wanted now."""

    id: UUID
    version: int
    match: UUID
    line: UUID
    official_line: UUID
    entry: int
    seat: int
    by: str
    name: str
    reason: str
    event: str | None
    raised_at: datetime
    status: str
    arbiter: str | None
    arbiter_name: str | None
    what_ifs: tuple[WhatIfShown, ...]
    rulings: tuple[RulingShown, ...]
    appeal: AppealShown | None
    hearing: HearingShown | None
    due_at: datetime | None
    appealable_until: datetime | None
    handed_by: str | None
    note: str
    may_rule: bool


class DisputesShown(Listing, frozen=True):
    """Disputes, those that wait for a ruling first, then the newest; a page may hold fewer than were asked for."""

    disputes: tuple[DisputeShown, ...]


class TimedShown(Wire, frozen=True):
    """An entry, who made it, and what every seat had left after it."""

    version: int
    at: datetime
    seat: int | None
    kind: str
    left_ms: tuple[int, ...]


class FaultShown(Wire, frozen=True):
    entry: int | None
    kind: str
    why: str


class ExaminedShown(Wire, frozen=True):
    """The audit of the whole log: every action decided again, every draw made again."""

    is_good: bool
    fault: FaultShown | None
    entries: int
    head: str | None
    actions_checked: int
    draws_checked: int
    openings_checked: int


class EvidenceShown(Wire, frozen=True):
    """The position after an entry of a disputed line, as arbiters see it."""

    dispute: UUID
    line: UUID
    entry: int
    entries: int
    status: str
    phase: str
    to_act: tuple[int, ...]
    knew: tuple[KnownView, ...]
    clocks: tuple[TimedShown, ...]
    audit: ExaminedShown


class RulingInLog(Wire, frozen=True):
    """A ruling as it stands in the log of a match; `counts` unless another replaced it on appeal."""

    version: int
    at: datetime
    ruling: str
    dispute: str
    by: str
    name: str
    entry: int
    rule: str
    reasons: str
    measures: tuple[MeasureShown, ...]
    appeal_of: str | None
    upheld: bool
    counts: bool


class RulingsShown(Wire, frozen=True):
    """The rulings of a match, and what it counts as after them."""

    match_id: UUID
    status: str
    replaced_by: UUID | None
    scores: tuple[int, ...]
    ranking: tuple[int, ...] | None
    penalties: tuple[int, ...]
    rulings: tuple[RulingInLog, ...]
