"""What handlers of the desk ask of the log where it takes more than one call: run on the writer's thread."""

from __future__ import annotations

import asyncio
from datetime import datetime

from api.accounts import People
from api.desk.disputing import acting
from api.desk.wire import ChangeRole
from api.guards import Caller
from api.roles import scope_of
from api.tables import Tables, now
from domain.desk import office
from domain.desk.audit_file import trail_bytes
from domain.desk.errors import NoSuchPerson
from domain.desk.roles import Role, Roles
from domain.match.application import Matches


def change_role(
    matches: Matches, person: str, role: Role, caller: Caller, *, granted: bool, scope: str, at: datetime
) -> Roles:
    """A role is given or taken; an operator by the account is one in the records first."""
    by = acting(matches, caller, at)
    return office.change_role(matches, person, role, by=by, granted=granted, at=at, scope=scope)


async def role_changed(tables: Tables, people: People, caller: Caller, wanted: ChangeRole) -> Roles:
    """A role for somebody named by id or name, in the records and, an operator's, with the account."""
    person = people.find(wanted.person) or people.by_name(wanted.person)
    if person is None:
        raise NoSuchPerson(f"no account has the id or name {wanted.person!r}")
    scope = scope_of(wanted.event)
    roles = await tables.write(
        change_role, person.id, wanted.role, caller, granted=wanted.granted, scope=scope, at=now()
    )
    if wanted.role == "operator":
        await asyncio.to_thread(people.set_role, person.id, "operator" if wanted.granted else "player")
    return roles


def take_trail(matches: Matches, caller: Caller, *, at: datetime) -> bytes:
    """The audit trail as a file, which is kept in the trail itself."""
    return trail_bytes(office.take_trail(matches, by=acting(matches, caller, at), at=at))
