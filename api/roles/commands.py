"""Changes of roles and uses of the audit trail: small functions that the service runs on the writer's thread."""

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
    """In whose name the caller acts by a role; an operator by the account is one in the records first."""
    if caller.person is not None and caller.is_operator:
        commands.sync_operators(matches, (caller.person.id,), at=at)
    return caller.actor


def change_role(
    matches: Matches, person: str, role: Role, caller: Caller, *, granted: bool, scope: str, at: datetime
) -> Roles:
    """A role is given or taken; an operator by the account is one in the records first."""
    by = acting(matches, caller, at)
    openers = openers_of(matches, scope)
    return commands.change_role(matches, person, role, by=by, granted=granted, at=at, scope=scope, openers=openers)


def require_rating(matches: Matches, table: Table, opener: Actor | None, caller: Caller, *, at: datetime) -> None:
    """Reject a plan with rated tables unless the opener of the event organises for the service; None: the caller opens
    it now."""
    by = acting(matches, caller, at)
    require_rater(commands.roles_of(matches), table, opener or by)


def name_official(matches: Matches, event_id: UUID, person: Actor, *, at: datetime) -> None:
    """Whom the opener of a tournament or league names beside them: they organise and arbitrate it."""
    for role in OFFICIAL_ROLES:
        commands.change_role(matches, person, role, by=SERVICE, granted=True, at=at, scope=str(event_id))


def take_trail(matches: Matches, caller: Caller, *, at: datetime) -> int:
    """That the caller takes the trail is kept in it first; the version up to which they may have it."""
    return commands.grant_trail(matches, by=acting(matches, caller, at), at=at)


def trail_file(matches: Matches, upto: int) -> bytes:
    """The audit trail as a file; it only ever grows longer, so this is nothing for the writer's thread."""
    return trail_bytes(commands.read_trail(matches, upto))


def fault_of_trail(matches: Matches) -> str:
    """What is wrong with the chain, in a sentence; empty when it holds."""
    try:
        commands.check_trail(matches)
    except LogFault as fault:
        return str(fault)
    except Tampered as forged:
        # The tree has taken the record up: it knows which was changed, where the chain shows the one after it.
        return forged.why
    return ""
