"""Commands of roles and the audit trail, run on the writer's thread."""

from __future__ import annotations

from datetime import datetime
from typing import Final
from uuid import UUID

from api.http.guards import Caller
from api.roles.openers import openers_of
from domain.eventstore.application import Matches
from domain.matches.errors import LogFault, Tampered
from domain.matches.facts import SERVICE, Actor, Table
from domain.roles import commands
from domain.roles.audit_file import trail_bytes
from domain.roles.rating import require_rater
from domain.roles.state import Role, Roles

OFFICIAL_ROLES: Final[tuple[Role, ...]] = ("organiser", "arbiter")


def acting(matches: Matches, caller: Caller, at: datetime) -> Actor:
    """Return the actor of the caller; if an operator's role is not recorded yet, it is recorded first."""
    if caller.person is not None and caller.is_operator:
        commands.sync_operators(matches, (caller.person.id,), at=at)
    return caller.actor


def change_role(
    matches: Matches, person: str, role: Role, caller: Caller, *, granted: bool, scope: str, at: datetime
) -> Roles:
    """Grant or revoke a role and return all roles; an operator's own role is recorded first. Repeating is harmless.

    Raise `RoleRefused` if the caller may not, if the role cannot be given, or to revoke an opener.
    """
    by = acting(matches, caller, at)
    openers = openers_of(matches, scope)
    return commands.change_role(matches, person, role, by=by, granted=granted, at=at, scope=scope, openers=openers)


def require_rating(matches: Matches, table: Table, opener: Actor | None, caller: Caller, *, at: datetime) -> None:
    """Raise `RatedWithoutOrganiser` for a plan with rated tables unless the event's opener organises the service.

    `opener` None: the caller opens the event now.
    """
    by = acting(matches, caller, at)
    require_rater(commands.roles_of(matches), table, opener or by)


def name_official(matches: Matches, event_id: UUID, person: Actor, *, at: datetime) -> None:
    """Make a person organiser and arbiter of an event, as named by its opener."""
    for role in OFFICIAL_ROLES:
        commands.change_role(matches, person, role, by=SERVICE, granted=True, at=at, scope=str(event_id))


def export_trail(matches: Matches, caller: Caller, *, at: datetime) -> int:
    """Record that the caller exports the audit trail, and return the version to export.

    Raise `RoleMissing` unless an organiser or operator of the whole service.
    """
    return commands.record_trail_export(matches, by=acting(matches, caller, at), at=at)


def trail_file(matches: Matches, upto: int) -> bytes:
    """Return the audit trail as a file; not for the writer's thread, because it grows."""
    return trail_bytes(commands.read_trail(matches, upto))


def find_trail_fault(matches: Matches) -> str:
    """Return the fault in the hash chain as a sentence; empty if it is intact."""
    try:
        commands.check_trail(matches)
    except LogFault as fault:
        return str(fault)
    except Tampered as forged:
        # The transparency tree names the changed record; the chain only shows its successor.
        return forged.why
    return ""
