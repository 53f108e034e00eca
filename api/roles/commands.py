"""What handlers of roles need of the log in more than one call; run on the writer's thread."""

from __future__ import annotations

import asyncio
from datetime import datetime

from api.accounts.people import People
from api.disputes.commands import acting
from api.disputes.wire import ChangeRole
from api.matches.service import MatchService, now
from api.roles.service import scope_of
from api.web.guards import Caller
from domain.matches.application import Matches
from domain.roles import commands
from domain.roles.audit_file import trail_bytes
from domain.roles.errors import NoSuchPerson
from domain.roles.state import Role, Roles


def change_role(
    matches: Matches, person: str, role: Role, caller: Caller, *, granted: bool, scope: str, at: datetime
) -> Roles:
    """A role is given or taken; an operator by the account is one in the records first."""
    by = acting(matches, caller, at)
    return commands.change_role(matches, person, role, by=by, granted=granted, at=at, scope=scope)


async def role_changed(matches: MatchService, people: People, caller: Caller, wanted: ChangeRole) -> Roles:
    """A role for somebody named by id or name, in the records and, an operator's, with the account."""
    person = people.find(wanted.person) or people.by_name(wanted.person)
    if person is None:
        raise NoSuchPerson(f"no account has the id or name {wanted.person!r}")
    scope = scope_of(wanted.event)
    roles = await matches.execute(
        change_role, person.id, wanted.role, caller, granted=wanted.granted, scope=scope, at=now()
    )
    if wanted.role == "operator":
        await asyncio.to_thread(people.set_role, person.id, "operator" if wanted.granted else "player")
    return roles


def take_trail(matches: Matches, caller: Caller, *, at: datetime) -> bytes:
    """The audit trail as a file, which is kept in the trail itself."""
    return trail_bytes(commands.take_trail(matches, by=acting(matches, caller, at), at=at))
