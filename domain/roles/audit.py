"""The audit trail: who used a role for what. One append-only stream, each record chained to the one before."""

from typing import Final
from uuid import UUID

from domain.kernel.values import Value, tagger
from domain.matches.facts import Actor
from domain.matches.log.records import Ledger
from domain.roles.state import Role

AUDIT_STREAM: Final = UUID("6c0e5b0a-33a5-5b1e-9c0e-000000000002")
WHY_MAX: Final = 500


class Used(Value, frozen=True, tag_field="type", tag=tagger("audit"), omit_defaults=True, kw_only=True):
    """Base of what is kept: `by` did it as a holder of `role`, in a tournament (`event`) or none."""

    by: Actor
    role: Role
    event: str = ""


class RoleChanged(Used, frozen=True, kw_only=True):
    """Somebody was given a role or lost it."""

    person: Actor
    changed: Role
    granted: bool


class HiddenSeen(Used, frozen=True, kw_only=True):
    """Hidden information of a running match was looked at, as it stood after entry `version`."""

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
    """A ruling was given; of a committee: with so many voices of its members."""

    match: UUID
    dispute: UUID
    ruling: UUID
    on_appeal: bool = False
    voices: int = 0
    members: int = 0


class CommitteeNamed(Used, frozen=True, kw_only=True):
    """These hear the appeals of an event, or that of one dispute, the chair first; without anybody a head arbiter
    does."""

    people: tuple[Actor, ...]
    match: UUID | None = None
    dispute: UUID | None = None
    reason: str = ""


class DisputeTaken(Used, frozen=True, kw_only=True):
    """An arbiter looks after a dispute from now on."""

    match: UUID
    dispute: UUID


class DisputeHandedOver(Used, frozen=True, kw_only=True):
    """An arbiter has given a dispute to another one, who looks after it from now on."""

    match: UUID
    dispute: UUID
    person: Actor


class LogExported(Used, frozen=True, kw_only=True):
    """The log of a match was taken; `whole` with everything hidden in it while the match went on."""

    match: UUID
    version: int
    whole: bool


class LogImported(Used, frozen=True, kw_only=True):
    match: UUID
    head: str


class AuditRead(Used, frozen=True, kw_only=True):
    """The trail itself was taken as a file, up to this record: `upto` is its own number."""

    upto: int


class ConflictMet(Used, frozen=True, kw_only=True):
    """Somebody who plays there tried to use the role, and was refused."""

    what: str
    match: UUID | None = None


class EventActed(Used, frozen=True, kw_only=True):
    """An organiser decided something in a tournament or league: `record` is that of the event which says what."""

    act: str
    record: int
    reason: str = ""


class IntegritySeen(Used, frozen=True, kw_only=True):
    """The figures of the integrity screen were shown: for all accounts there, for one `person`, or for the players of a
    match. `named`: the accounts in the rows that were shown.
    """

    person: Actor = ""
    match: UUID | None = None
    named: tuple[Actor, ...] = ()


class TalkExported(Used, frozen=True, kw_only=True):
    """What was said in a `room` was taken as a file: so many messages."""

    room: str
    messages: int
    match: UUID | None = None


class MessageRemoved(Used, frozen=True, kw_only=True):
    """A message of `author` was taken out of a `room`."""

    room: str
    message: str
    author: Actor
    reason: str = ""
    match: UUID | None = None


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
)

AUDIT: Final[Ledger[AuditFact]] = Ledger("audit", AuditFact)
