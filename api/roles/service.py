"""The service of roles and the audit trail, and checks of roles for other subjects."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from litestar.di import NamedDependency

from api.accounts.display_names import replace_ids
from api.accounts.service import AccountService
from api.http.guards import Caller
from api.http.writer import OneWriter
from api.roles import commands
from api.roles.grants import has_role_in, scope_of
from api.roles.openers import implicit_roles_of, openers_of, roles_at
from api.roles.schemas import ChangeRole
from domain.matches.log.records import Record
from domain.roles import commands as role_commands
from domain.roles.errors import RoleMissing, RoleRefused
from domain.roles.state import Role, Roles, grant, with_openers
from projections import roles
from projections.platform.clock import now
from projections.platform.paging import Page
from projections.roles import TrailLine


async def roles_for(writer: OneWriter, caller: Caller, event: UUID | str | None = None) -> Roles:
    """Return all roles, of everybody, including the caller's implicit roles as an opener.

    Events opened by the caller are known once the projections have seen them; `event` also when they have not.
    """
    roles = await writer.read_log(role_commands.roles_of)
    if caller.person is None:
        return roles
    person = caller.person.id
    own_grants = [grant for grant in await writer.read_log(openers_of, str(event or "")) if grant.person == person]
    return with_openers(with_openers(roles, own_grants), await writer.read_model(implicit_roles_of, person))


async def has_role(writer: OneWriter, caller: Caller, role: Role, event: UUID | str | None = None) -> bool:
    """Return whether the caller has the role, in an event or everywhere; operators have every role.

    A role in the whole service counts in each event. A token without the permission for the role has none.
    """
    if caller.is_operator:
        return True
    if caller.person is None:
        return False
    roles = (
        await writer.read_log(role_commands.roles_of) if event is None else await writer.read_log(roles_at, str(event))
    )
    return has_role_in(roles, caller, role, event)


async def require_role(writer: OneWriter, caller: Caller, role: Role, event: UUID | str | None = None) -> None:
    """Raise `RoleMissing` unless the caller has the role."""
    if not await has_role(writer, caller, role, event):
        raise RoleMissing(f"requires the role {role.replace('_', ' ')} {'of the event' if event else 'of the service'}")


async def count_official_invitation(
    writer: OneWriter, accounts: AccountService, caller: Caller, event: str, person: str
) -> None:
    """Count the second official of a new event as an invitation, unless the person already is an organiser there.

    Raise `Blocked`, `OwnBlock` or 429 as `count_contact`.
    """
    if (await writer.read_log(role_commands.roles_of)).find_grant(person, "organiser", event) is None:
        await accounts.count_contact(caller.person_id, [person])


@dataclass(frozen=True)
class RoleService:
    """Roles and the audit trail, for one caller."""

    writer: OneWriter
    accounts: AccountService
    caller: Caller

    async def load_roles(self, event: str | None = None) -> Roles:
        """Return all roles, including the caller's implicit roles as an opener (`roles_for`)."""
        return await roles_for(self.writer, self.caller, event)

    async def load_stored_roles(self) -> Roles:
        """Return the stored roles, without implicit ones."""
        return await self.writer.read_log(role_commands.roles_of)

    async def change(self, request: ChangeRole) -> Roles:
        """Grant or revoke a role of a person named by id or name, and return all roles.

        Raise `RoleRefused` for a bot account or as `change_role`, `NoSuchPerson` if unknown. The role of operator is
        set in the account too. A new role from a caller who is no operator counts as an invitation (`Blocked`,
        `OwnBlock` or 429).
        """
        person = self.accounts.get_by_id_or_name(request.person)
        if person.is_bot and request.granted:
            raise RoleRefused(f"{person.name} is a bot account and cannot have roles")
        try:
            if request.granted and not self.caller.is_operator:
                await self._count_invitation(person.id, request.role, scope_of(request.event))
            await self.writer.execute(
                commands.change_role,
                person.id,
                request.role,
                self.caller,
                granted=request.granted,
                scope=scope_of(request.event),
                at=now(),
            )
        except RoleRefused as refusal:
            raise RoleRefused(replace_ids(str(refusal), self.accounts)) from refusal
        if request.role == "operator":
            await self.accounts.set_operator(person, is_operator=request.granted)
        return await self.load_roles()

    async def _count_invitation(self, person: str, role: Role, scope: str) -> None:
        """Count a new role as an invitation, after checking that it will be granted; a known role does not count.

        Raise `RoleRefused` if the caller may not grant it, or `Blocked`, `OwnBlock` or 429 as `count_contact`.
        """
        roles = await self.writer.read_log(roles_at, scope)
        if grant(roles, person, role, self.caller.person_id, scope) is not None:
            await self.accounts.count_contact(self.caller.person_id, [person])

    async def trail_lines(
        self, event: str | None, limit: int, before: int | None, match_id: UUID | None = None
    ) -> Page[TrailLine]:
        """Return lines of the audit trail, latest first: of an event, or all; raise `RoleMissing` unless organiser."""
        await require_role(self.writer, self.caller, "organiser", event)
        return await self.writer.read_model(roles.lines, event=event, match_id=match_id, before=before, limit=limit)

    async def trail_head(self) -> tuple[int, str | None]:
        """Return the length of the audit trail and the digest of its latest record."""
        stream = await self.writer.read_log(role_commands.trail)
        return (0, None) if stream is None else (stream.version, stream.head)

    async def trail_record(self, version: int) -> Record:
        """Return a stored record to organisers of the service; raise `RoleMissing`, or `NoSuchEntry` if none."""
        await require_role(self.writer, self.caller, "organiser")
        return await self.writer.read_log(role_commands.trail_record, version)

    async def find_trail_fault(self) -> str:
        """Return the fault in the hash chain as a sentence; empty if it is intact."""
        return await self.writer.compute(commands.find_trail_fault)

    async def export_trail(self) -> bytes:
        """Export the whole audit trail, with this export as its last record; raise `RoleMissing` unless organiser."""
        upto = await self.writer.execute(commands.export_trail, self.caller, at=now())
        return await self.writer.compute(commands.trail_file, upto)


def provide_roles(
    caller: NamedDependency[Caller], writer: NamedDependency[OneWriter], accounts: NamedDependency[AccountService]
) -> RoleService:
    """Provide the service for the caller."""
    return RoleService(writer, accounts, caller)
