"""What requests about disputes and roles, and their answers, look like."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import msgspec

from api.matches.wire import AnyView, Asked, Listing, Wire
from domain.matches.facts import MatchVoided, Measure, PointsTaken, ResultSet, SeatWarned, TimeTaken
from domain.roles.state import SCOPE_MAX, Role

Event = Annotated[str, msgspec.Meta(min_length=1, max_length=SCOPE_MAX)]

# Roles and the audit trail


class ChangeRole(Asked, frozen=True):
    """A role for a person (id or name), everywhere or in one event; `granted: false` takes it away."""

    person: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    role: Role
    event: Event | None = None
    granted: bool = True


class GrantShown(Wire, frozen=True):
    person: str
    name: str
    role: Role
    event: str | None
    since: datetime


class RolesShown(Listing, frozen=True):
    """Who holds which role, the newest grants first."""

    roles: tuple[GrantShown, ...]


class AuditLine(Wire, frozen=True):
    """One line of the audit trail: what `kind` of thing somebody did, by which role, and the details of that kind."""

    version: int
    at: datetime
    kind: str
    by: str
    name: str
    role: str
    event: str | None
    match_id: UUID | None
    details: dict[str, Any]
    digest: str


class AuditShown(Listing, frozen=True):
    """Lines of the trail, the newest first; `head` is the digest of its newest record."""

    lines: tuple[AuditLine, ...]
    version: int
    head: str | None


class RecordShown(Wire, frozen=True):
    """A record as stored: with `docs/log.md` at hand, anybody can repeat its digest."""

    stream: UUID
    version: int
    timestamp: datetime
    previous: str
    digest: str
    body: str


# Disputes and rulings

Words = Annotated[str, msgspec.Meta(min_length=1, max_length=4_000)]
Rule = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
EntryNumber = Annotated[int, msgspec.Meta(ge=1, le=2**31)]


class RaiseDispute(Asked, frozen=True):
    """An objection to entry `entry` of a match, with its reason."""

    entry: EntryNumber
    reason: Words


class AppealRuling(Asked, frozen=True):
    reason: Words


class MakeWhatIf(Asked, frozen=True):
    """A fork beside the dispute: bots by name for the seats, `me` for the arbiter's own; without seats, bots alone."""

    entry: EntryNumber
    seats: tuple[str, ...] | None = None


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
    """A ruling: who gave it, when, relying on what, why, and what it changed."""

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


class DisputeShown(Wire, frozen=True, kw_only=True):
    """A dispute. `match` is the line the match began as, `line` the one it was raised on, `officialLine` what counts
    now; `mayRule`: the caller is the arbiter, or on appeal the head arbiter, who is wanted now."""

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
    may_rule: bool


class DisputesShown(Listing, frozen=True):
    """Disputes, those that wait for a ruling first, then the newest; a page may hold fewer than were asked for."""

    disputes: tuple[DisputeShown, ...]


class KnownView(Wire, frozen=True):
    """What a seat knew at a moment; without a seat, what everybody did."""

    seat: int | None
    view: AnyView | None
    legal_actions: tuple[str, ...]


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


# Forks


class ForkShown(Wire, frozen=True):
    """A line of a match's tree: where it left its parent, by whom, with which luck, how it stands; `whatIf`: it is for
    arbiters alone."""

    line: UUID
    parent: UUID | None
    version: int
    luck: str | None
    by: str | None
    name: str | None
    at: datetime | None
    ruling: str | None
    what_if: bool
    status: str
    entries: int
    official: bool
    scores: tuple[int, ...]
    ranking: tuple[int, ...] | None


class ForksShown(Listing, frozen=True):
    """The tree of forks a match stands in: the line at its `root`, then a page of the others, the newest first."""

    root: UUID
    lines: tuple[ForkShown, ...]
