"""Changes of roles and uses of the audit trail: small functions that the service runs on the writer's thread."""

from __future__ import annotations

from datetime import datetime

from api.web.guards import Caller
from domain.matches.application import Matches
from domain.matches.errors import LogFault
from domain.matches.facts import Actor
from domain.roles import commands
from domain.roles.audit_file import trail_bytes
from domain.roles.state import Role, Roles


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
    return commands.change_role(matches, person, role, by=by, granted=granted, at=at, scope=scope)


def take_trail(matches: Matches, caller: Caller, *, at: datetime) -> bytes:
    """The audit trail as a file, which is kept in the trail itself."""
    return trail_bytes(commands.take_trail(matches, by=acting(matches, caller, at), at=at))


def fault_of_trail(matches: Matches) -> str:
    """What is wrong with the chain, in a sentence; empty when it holds."""
    try:
        commands.check_trail(matches)
    except LogFault as fault:
        return str(fault)
    return ""
