"""The audit trail: every use of a role. One append-only stream of chained records."""

from typing import Final, Literal
from uuid import UUID

from domain.kernel.values import Value, tagger
from domain.matches.facts import Actor
from domain.matches.log.records import Ledger
from domain.roles.state import Role

AUDIT_STREAM: Final = UUID("6c0e5b0a-33a5-5b1e-9c0e-000000000002")


class Used(Value, frozen=True, tag_field="type", tag=tagger("audit"), omit_defaults=True, kw_only=True):
    """Base of the records: `by` acted as a holder of `role`, in a tournament (`event`) or none."""

    by: Actor
    role: Role
    event: str = ""


class RoleChanged(Used, frozen=True, kw_only=True):
    """A role was granted or revoked."""

    person: Actor
    changed: Role
    granted: bool


class HiddenSeen(Used, frozen=True, kw_only=True):
    """Hidden information of a running match was read, as of entry `version`."""

    match: UUID
    version: int
    why: str
    dispute: UUID | None = None


class RunningForked(Used, frozen=True, kw_only=True):
    """A what-if of a running match was made."""

    match: UUID
    version: int
    line: UUID
    dispute: UUID | None = None


class RulingMade(Used, frozen=True, kw_only=True):
    """A ruling was given; by a committee: with this many votes of its members."""

    match: UUID
    dispute: UUID
    ruling: UUID
    on_appeal: bool = False
    voices: int = 0
    members: int = 0


class CommitteeNamed(Used, frozen=True, kw_only=True):
    """A committee, chair first, was named for an event or one dispute; without members a head arbiter hears appeals."""

    people: tuple[Actor, ...]
    match: UUID | None = None
    dispute: UUID | None = None
    reason: str = ""


class DisputeTaken(Used, frozen=True, kw_only=True):
    """An arbiter took a dispute."""

    match: UUID
    dispute: UUID


class DisputeHandedOver(Used, frozen=True, kw_only=True):
    """An arbiter handed a dispute over to `person`."""

    match: UUID
    dispute: UUID
    person: Actor


class LogExported(Used, frozen=True, kw_only=True):
    """The log of a match was exported; `whole`: with all hidden information of a running match."""

    match: UUID
    version: int
    whole: bool


class LogImported(Used, frozen=True, kw_only=True):
    """A match was imported from a log."""

    match: UUID
    head: str


class AuditRead(Used, frozen=True, kw_only=True):
    """The trail was exported up to record `upto`, which is this one."""

    upto: int


class ConflictMet(Used, frozen=True, kw_only=True):
    """A player of the match or event tried to use the role there and was refused."""

    what: str
    match: UUID | None = None


class EventActed(Used, frozen=True, kw_only=True):
    """An organiser acted in a tournament or league; `record` is the version of the event's record."""

    act: str
    record: int
    reason: str = ""


class IntegritySeen(Used, frozen=True, kw_only=True):
    """The integrity figures were shown: for all accounts, for one `person`, or for the players of a match.

    `named`: the accounts in the rows that were shown.
    """

    person: Actor = ""
    match: UUID | None = None
    named: tuple[Actor, ...] = ()


class TalkExported(Used, frozen=True, kw_only=True):
    """The messages of a `room` were exported."""

    room: str
    messages: int
    match: UUID | None = None


class MessageRemoved(Used, frozen=True, kw_only=True):
    """A message of `author` was removed from a `room`."""

    room: str
    message: str
    author: Actor
    reason: str = ""
    match: UUID | None = None


SanctionAct = Literal["warned", "excluded", "lifted", "appeal_granted", "appeal_rejected"]


class PersonSanctioned(Used, frozen=True, kw_only=True):
    """An official sanctioned a person in a series of events, or decided about a sanction; no reason is recorded.

    `series`: `league/ID`, or `organiser/ID` or `club/ID` for the events of one.
    """

    series: str
    person: Actor
    act: SanctionAct


AuditFact = (
    RoleChanged
    | HiddenSeen
    | RunningForked
    | RulingMade
    | DisputeTaken
    | DisputeHandedOver
    | CommitteeNamed
    | LogExported
    | LogImported
    | AuditRead
    | ConflictMet
    | EventActed
    | IntegritySeen
    | TalkExported
    | MessageRemoved
    | PersonSanctioned
)

AUDIT: Final[Ledger[AuditFact]] = Ledger("audit", AuditFact)
