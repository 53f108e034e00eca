"""API routes of roles and the audit trail."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from uuid import UUID

import msgspec
from litestar import Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, FromQuery, JSONBody

from api.accounts.display_names import names_of
from api.accounts.service import AccountService
from api.http.access import declare_access
from api.http.errors import problems
from api.http.guards import BY_ADMIN, BY_OFFICIALS, Caller, requires_caller
from api.http.paging import Before, Limit
from api.roles.grants import grants_page, has_role_in
from api.roles.schemas import AuditLine, AuditShown, ChangeRole, GrantShown, RecordShown, RolesShown
from api.roles.service import RoleService, provide_roles
from domain.matches.log.records import record_digest
from domain.roles.state import Roles
from projections.platform.paging import LIMIT
from projections.roles import TrailLine

HEADING: Final = frozenset({"type", "by", "role", "event", "match", "named"})
"""Fields of a fact that are not details of its line: each line shows them, or (`named`) none does."""


def show_roles(
    roles: Roles, caller: Caller, accounts: AccountService, limit: int = LIMIT, before: int | None = None
) -> RolesShown:
    """Return the roles that the caller may see, latest first: their own, and as organiser all of the event."""
    own_id = caller.person.id if caller.person else ""
    page = grants_page(
        roles,
        lambda grant: grant.person == own_id or has_role_in(roles, caller, "organiser", grant.scope or None),
        limit,
        before,
    )
    names = names_of(accounts, (grant.person for grant in page.items))
    listed = [
        GrantShown(grant.person, names[grant.person], grant.role, grant.scope or None, grant.since)
        for grant in page.items
    ]
    return RolesShown(tuple(listed), next=page.next)


@declare_access("signed in", "the caller's; all: organisers")
@get("/roles", guards=[requires_caller], responses=problems(400, 401))
async def list_roles(roles: NamedDependency[RoleService], before: Before = None, limit: Limit = LIMIT) -> RolesShown:
    """List roles, latest grants first: all for organisers and operators, otherwise the caller's."""
    return show_roles(await roles.load_roles(), roles.caller, roles.accounts, limit, before)


@declare_access("official", "organisers, within their tournament or league")
@post("/roles", status_code=200, guards=[requires_caller], responses=problems(400, 401, 403, 404, 413, 422, 429))
async def change_role(data: JSONBody[ChangeRole], roles: NamedDependency[RoleService]) -> RolesShown:
    """Grant or revoke a role; idempotent."""
    return show_roles(await roles.change(data), roles.caller, roles.accounts)


def audit_line(line: TrailLine, names: Mapping[str, str]) -> AuditLine:
    """Convert a line of the audit trail; `details` are the fields of its fact that no other field has."""
    fact = msgspec.to_builtins(line.fact, str_keys=True)
    return AuditLine(
        version=line.version,
        at=line.at,
        kind=line.kind,
        by=line.by,
        name=names[line.by],
        role=line.role,
        event=line.event or None,
        match_id=line.match_id,
        details={key: value for key, value in fact.items() if key not in HEADING},
        digest=line.digest,
    )


@declare_access("official", "organisers")
@get("/audit", opt=BY_OFFICIALS, guards=[requires_caller], responses=problems(400, 401, 403))
async def read_audit(
    roles: NamedDependency[RoleService],
    event: FromQuery[str | None] = None,
    match: FromQuery[UUID | None] = None,
    before: Before = None,
    limit: Limit = LIMIT,
) -> AuditShown:
    """Return the audit trail, latest first: of an event to its organisers, all to organisers of the service.

    `match` selects the lines about one match. Version and digest are of the whole trail. Raise `RoleMissing` for
    others.
    """
    found = await roles.trail_lines(event, limit, before, match)
    names = names_of(roles.accounts, (line.by for line in found.items))
    version, head = await roles.trail_head()
    return AuditShown(tuple(audit_line(line, names) for line in found.items), version, head, next=found.next)


@declare_access("official", "organisers of the service")
@get(
    "/audit/file",
    opt=BY_OFFICIALS,
    guards=[requires_caller],
    responses=problems(400, 401, 403, 429),
    media_type="application/jsonl",
)
async def take_audit(roles: NamedDependency[RoleService]) -> bytes:
    """Export the whole audit trail as JSON Lines: a header, then every record with its digest.

    For organisers of the service; raise `RoleMissing` for others. The export is its last record.
    """
    return await roles.export_trail()


@declare_access("official", "organisers")
@get("/audit/records/{version:int}", opt=BY_OFFICIALS, guards=[requires_caller], responses=problems(400, 401, 403, 404))
async def read_record(version: FromPath[int], roles: NamedDependency[RoleService]) -> RecordShown:
    """Return one record of the audit trail byte for byte, so that its digest can be verified.

    Raise `RoleMissing` unless an organiser of the service, `NoSuchEntry` if there is no such record.
    """
    record = await roles.trail_record(version)
    return RecordShown(
        record.stream_id,
        record.version,
        record.timestamp,
        record.previous.hex(),
        record_digest(record).hex(),
        bytes(record.body).decode(),
    )


ROUTER = Router(
    "/",
    route_handlers=[list_roles, change_role, read_audit, take_audit, read_record],
    dependencies={"roles": Provide(provide_roles, sync_to_thread=False)},
    opt=BY_ADMIN,
    tags=["desk"],
)
