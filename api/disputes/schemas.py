"""Requests and responses about disputes and rulings."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec

from api.http.structs import Listing, RequestStruct, ResponseStruct, Short, ShortGiven
from api.matches.schemas import KnownView
from domain.kernel.texts import ONE_LINE
from domain.matches.apply import SEATS_MAX
from domain.matches.rulings.measures import MatchVoided, Measure, PointsTaken, ResultSet, SeatWarned, TimeTaken

Words = Annotated[str, msgspec.Meta(min_length=1, max_length=4_000)]
Rule = Annotated[str, msgspec.Meta(min_length=1, max_length=200, pattern=ONE_LINE)]
EntryNumber = Annotated[int, msgspec.Meta(ge=1, le=2**31)]


class RaiseDispute(RequestStruct, frozen=True):
    """A dispute about entry `entry` of a match, with its reason."""

    entry: EntryNumber
    reason: Words


class AppealRuling(RequestStruct, frozen=True):
    """An appeal with its reason."""

    reason: Words


class HandOver(RequestStruct, frozen=True):
    """Another arbiter, by id or name, and a note for them."""

    person: ShortGiven
    note: Words


class MakeWhatIf(RequestStruct, frozen=True):
    """A what-if: bots by name for the seats, `me` for the arbiter's; without seats, bots only."""

    entry: EntryNumber
    seats: Annotated[tuple[Short, ...], msgspec.Meta(max_length=SEATS_MAX)] | None = None


class ResumeFrom(RequestStruct, frozen=True, tag_field="type", tag="line_resumed"):
    """The match resumes from entry `version` with fresh luck, on a new line that replaces this one."""

    version: EntryNumber


WantedMeasure = SeatWarned | PointsTaken | TimeTaken | ResumeFrom | ResultSet | MatchVoided


class GiveRuling(RequestStruct, frozen=True):
    """A ruling: the rule applied, the reasons, and the measures; `upheld` on appeal only.

    `expectedVersion`: refused if the dispute has another version. `by`: the arbiter, if the service calls.
    """

    rule: Rule
    reasons: Words
    measures: Annotated[tuple[WantedMeasure, ...], msgspec.Meta(max_length=16)] = ()
    upheld: bool = False
    expected_version: int | None = None
    by: str | None = None


class MatchStandingShown(ResponseStruct, frozen=True):
    """A summary of the match; `clocks`: milliseconds left per seat, if clocks run."""

    line: UUID
    version: int
    status: str
    scores: tuple[int, ...]
    ranking: tuple[int, ...]
    penalties: tuple[int, ...]
    clocks: tuple[int, ...]


class MeasureShown(ResponseStruct, frozen=True):
    """A measure as in the log, with its description."""

    measure: Measure
    text: str


class RulingShown(ResponseStruct, frozen=True):
    """A ruling; `motion`: the motion of a committee that became it, or 0."""

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


class WhatIfShown(ResponseStruct, frozen=True):
    """A what-if."""

    line: UUID
    entry: int
    by: str


class AppealShown(ResponseStruct, frozen=True):
    """An appeal."""

    by: str
    name: str
    seat: int
    reason: str
    at: datetime


class MemberShown(ResponseStruct, frozen=True):
    """A member of a committee."""

    id: str
    name: str


class VoteShown(ResponseStruct, frozen=True):
    """A vote of a member."""

    by: str
    name: str
    motion: int
    reason: str
    at: datetime


class MotionShown(ResponseStruct, frozen=True):
    """A motion of a member."""

    number: int
    by: str
    name: str
    at: datetime
    rule: str
    reasons: str
    measures: tuple[MeasureShown, ...]
    upheld: bool
    voices: int


class HearingShown(ResponseStruct, frozen=True):
    """The committee of an appeal, chair first.

    Motions and votes are visible to members until the decision is announced, then to everyone who sees the dispute.
    `decides`: the motion with a majority, or 0.
    """

    members: tuple[MemberShown, ...]
    named_by: MemberShown
    reason: str
    is_member: bool
    is_chair: bool
    motions: tuple[MotionShown, ...]
    votes: tuple[VoteShown, ...]
    decides: int


class DisputeShown(ResponseStruct, frozen=True, kw_only=True):
    """A dispute.

    `match`: first line of the match; `line`: the disputed line; `officialLine`: the line that counts now. `dueAt`: due
    time of the ruling. `appealableUntil`: end of the appeal period. `handedBy`: name of the arbiter who handed it over,
    with a `note` for arbiters. `mayRule`: the caller may rule now.
    """

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
    """Disputes, waiting ones first, then latest first; a page may hold fewer than requested."""

    disputes: tuple[DisputeShown, ...]


class TimedShown(ResponseStruct, frozen=True):
    """An entry with its author and the time left per seat after it."""

    version: int
    at: datetime
    seat: int | None
    kind: str
    left_ms: tuple[int, ...]


class FaultShown(ResponseStruct, frozen=True):
    """A fault found by the audit."""

    entry: int | None
    kind: str
    why: str


class ExaminedShown(ResponseStruct, frozen=True):
    """The audit of the whole log: every action decided again, every draw repeated."""

    is_good: bool
    fault: FaultShown | None
    entries: int
    head: str | None
    actions_checked: int
    draws_checked: int
    openings_checked: int


class EvidenceShown(ResponseStruct, frozen=True):
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


class RulingInLog(ResponseStruct, frozen=True):
    """A ruling in the log of a match; `counts` is false once an appeal has replaced it."""

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


class RulingsShown(ResponseStruct, frozen=True):
    """The rulings of a match, and its result after them."""

    match_id: UUID
    status: str
    replaced_by: UUID | None
    scores: tuple[int, ...]
    ranking: tuple[int, ...] | None
    penalties: tuple[int, ...]
    rulings: tuple[RulingInLog, ...]
