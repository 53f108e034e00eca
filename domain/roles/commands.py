"""Commands about roles, each one transaction that includes the audit trail."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final
from uuid import UUID

from domain.matches.errors import NoSuchEntry
from domain.matches.facts import SERVICE, Actor
from domain.matches.log.records import Record, Stream, check_records
from domain.matches.transaction import MatchReader, MatchWriter, Transaction
from domain.roles.audit import (
    AUDIT,
    AUDIT_STREAM,
    AuditFact,
    AuditRead,
    EventActed,
    LogExported,
    LogImported,
    RoleChanged,
)
from domain.roles.errors import RoleMissing, RoleRefused
from domain.roles.state import (
    EVERYWHERE,
    NOBODY,
    ROLES,
    ROLES_STREAM,
    Grant,
    Role,
    RoleGranted,
    Roles,
    grant,
    may_grant,
    official_keys,
    revoke,
    with_openers,
)

HEADS: Final[tuple[Role, ...]] = ("head_arbiter", "operator")
ARBITERS: Final[tuple[Role, ...]] = ("arbiter", *HEADS)
OFFICIALS: Final[tuple[Role, ...]] = ("operator", "head_arbiter", "arbiter", "organiser")
REASON_MAX: Final = 1_000
"""Characters of a reason in the trail; the record it names holds all of it."""


def roles_of(matches: MatchReader) -> Roles:
    """Return the current roles."""
    stream = matches.streams.find(ROLES, ROLES_STREAM)
    return NOBODY if stream is None else stream.state


def roles_in(batch: Transaction) -> Roles:
    """Return the roles within a transaction."""
    stream = batch.find(ROLES, ROLES_STREAM)
    return NOBODY if stream is None else stream.state


def official_keys_in(batch: Transaction, person: Actor) -> tuple[str, ...]:
    """Return the keys that a holder of a role signs with, within a transaction."""
    return official_keys(roles_in(batch), person)


def append_to_trail(batch: Transaction, *facts: AuditFact) -> None:
    """Append facts to the audit trail."""
    batch.record(AUDIT, AUDIT_STREAM, *facts)


def acting_role(roles: Roles, person: Actor, scope: str, *candidates: Role) -> Role | None:
    """Return the first of the wanted roles that a person holds in the scope or everywhere; None if they hold none.

    The service is always "operator", even if that is not wanted. Roles that imply a wanted one do not count.
    """
    if person == SERVICE:
        return "operator"
    held_roles = {grant.role for grant in roles.grants if grant.person == person and grant.scope in (EVERYWHERE, scope)}
    return next((role for role in candidates if role in held_roles), None)


def official_role(roles: Roles, person: Actor, scope: str) -> Role:
    """Return a person's highest role in a tournament or league; its opener is an organiser without a grant."""
    return acting_role(roles, person, scope, *OFFICIALS) or "organiser"


def audit_fact(batch: Transaction, by: Actor, event_id: UUID, act: str, record: int, reason: str) -> EventActed:
    """Return the audit fact of an official's act, with their highest role and the reason cut to `REASON_MAX`.

    `record` is the version of the event's record.
    """
    event = str(event_id)
    role = official_role(roles_in(batch), by, event)
    return EventActed(by=by, role=role, event=event, act=act, record=record, reason=reason[:REASON_MAX])


def trail(matches: MatchReader) -> Stream[None] | None:
    """Return the stream of the audit trail, or None if it is empty."""
    return matches.streams.find(AUDIT, AUDIT_STREAM)


def trail_record(matches: MatchReader, version: int) -> Record:
    """Return one record of the audit trail by version; raise `NoSuchEntry` if it has none."""
    records = matches.streams.records(AUDIT_STREAM, version - 1, 1) if version > 0 else ()
    if not records:
        raise NoSuchEntry(f"the audit trail has no record {version}")
    return records[0]


def check_trail(matches: MatchReader) -> bytes:
    """Return the trail's head after recomputing every digest; `LogFault` names the first bad record."""
    return check_records(matches.streams.records(AUDIT_STREAM))


def export_trail(matches: MatchWriter, *, by: Actor, at: datetime) -> tuple[Record, ...]:
    """Return the whole trail to an organiser of the service; its last record is this export."""
    return read_trail(matches, record_trail_export(matches, by=by, at=at))


def record_trail_export(matches: MatchWriter, *, by: Actor, at: datetime) -> int:
    """Record the export of the audit trail and return the record's version.

    Raise `RoleMissing` unless `by` is an organiser or operator everywhere.
    """

    def compose(batch: Transaction) -> int:
        role = acting_role(roles_of(matches), by, EVERYWHERE, "organiser", "operator")
        if role is None:
            raise RoleMissing(f"{by!r} is not an organiser of this service")
        trail = batch.find(AUDIT, AUDIT_STREAM)
        upto = 1 if trail is None else trail.version + 1
        append_to_trail(batch, AuditRead(by=by, role=role, upto=upto))
        return upto

    return matches.transact(compose, at=at)


def read_trail(matches: MatchReader, upto: int) -> tuple[Record, ...]:
    """Return the records of the trail up to that version."""
    return matches.streams.records(AUDIT_STREAM, 0, upto)


def change_role(
    matches: MatchWriter,
    person: Actor,
    role: Role,
    *,
    by: Actor,
    granted: bool,
    at: datetime,
    scope: str = EVERYWHERE,
    openers: tuple[Grant, ...] = (),
) -> Roles:
    """Grant or revoke a role, recorded in the audit trail; no change if it is so already.

    Raise `RoleRefused` if `by` may not, if the role cannot be given, or to revoke an opener. `openers` organise
    the scope without a grant, because they opened it; an opener's own role is recorded with their first grant.
    """

    def compose(batch: Transaction) -> Roles:
        granted_roles = roles_in(batch)
        roles = with_openers(granted_roles, openers)
        if not granted and any((each.person, each.role, each.scope) == (person, role, scope) for each in openers):
            raise RoleRefused(f"{person!r} created the event and always keeps the role {role}")
        keys = tuple(each.key for each in batch.keys_of(person))
        fact = grant(roles, person, role, by, scope, keys) if granted else revoke(roles, person, role, by, scope)
        if fact is None:
            return roles
        acting = acting_role(roles, by, scope, "organiser", "operator")
        assert acting is not None, "whoever may grant holds one of these"
        if not may_grant(granted_roles, by, role, scope):
            # A proof derives all rights from these records, so the opener's own right is recorded too.
            batch.record(ROLES, ROLES_STREAM, RoleGranted(by, "organiser", SERVICE, scope))
        append_to_trail(
            batch, RoleChanged(by=by, role=acting, event=scope, person=person, changed=role, granted=granted)
        )
        return batch.record(ROLES, ROLES_STREAM, fact).state

    return matches.transact(compose, at=at)


def sync_operators(matches: MatchWriter, operators: Iterable[Actor], *, at: datetime) -> None:
    """Grant the role of operator everywhere to people who do not have it, in the name of the service.

    It records operators appointed while the service was down; no one loses the role.
    """
    for person in operators:
        if roles_of(matches).find_grant(person, "operator", EVERYWHERE) is None:
            change_role(matches, person, "operator", by=SERVICE, granted=True, at=at)


def note_export(matches: MatchWriter, match_id: UUID, *, by: Actor, whole: bool, at: datetime) -> None:
    """Record in the audit trail that an operator exported a running match with more than its reader could see.

    `whole`: with all hidden information. The caller checks the role.
    """

    def compose(batch: Transaction) -> None:
        match = batch.match(match_id)
        event = match.table.event_id
        append_to_trail(
            batch, LogExported(by=by, role="operator", event=event, match=match.id, version=match.version, whole=whole)
        )

    matches.transact(compose, at=at)


def note_import(matches: MatchWriter, match_id: UUID, head: str, *, by: Actor, at: datetime) -> None:
    """Record the import of a match."""
    fact = LogImported(by=by, role="operator", match=match_id, head=head)
    matches.transact(lambda batch: append_to_trail(batch, fact), at=at)
