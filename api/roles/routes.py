"""Roles and the audit trail."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from uuid import UUID

import msgspec
from litestar import Router, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody

from api.accounts.people import People
from api.disputes.wire import AuditLine, AuditShown, ChangeRole, GrantShown, RecordShown, RolesShown
from api.matches.service import MatchService, now
from api.matches.showing import names_of
from api.roles import commands
from api.roles.service import grants_page, holds_in, require
from api.web.errors import problems
from api.web.guards import Caller, requires_caller
from api.web.paging import Before, Limit
from domain.matches.records import record_digest
from domain.roles import commands as role_commands
from domain.roles.state import Roles
from projections import roles as projections_roles
from projections.paging import LIMIT

HEADING: Final = frozenset({"type", "by", "role", "event", "match"})
"""What of a fact every line shows; the rest are its details."""


def show_roles(
    roles: Roles, caller: Caller, people: People, limit: int = LIMIT, before: int | None = None
) -> RolesShown:
    """What the caller may see of the roles: all who organises there, else the own."""
    own = caller.person.id if caller.person else ""
    page = grants_page(
        roles, lambda g: g.person == own or holds_in(roles, caller, "organiser", g.scope or None), limit, before
    )
    names = names_of(people, (g.person for g in page.items))
    listed = [GrantShown(g.person, names[g.person], g.role, g.scope or None, g.since) for g in page.items]
    return RolesShown(tuple(listed), next=page.next)


@get("/roles", guards=[requires_caller], responses=problems(400, 401))
async def list_roles(
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    people: NamedDependency[People],
    before: Before = None,
    limit: Limit = LIMIT,
) -> RolesShown:
    """Who holds which role, the newest grants first: for organisers and operators; everybody else sees the own."""
    return show_roles(await matches.roles(), caller, people, limit, before)


@post("/roles", status_code=200, guards=[requires_caller], responses=problems(400, 401, 403, 404, 413, 422, 429))
async def change_role(
    data: JSONBody[ChangeRole],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    people: NamedDependency[People],
) -> RolesShown:
    """Give a role to somebody, or take it away; to have it so already changes nothing."""
    roles = await commands.role_changed(matches, people, caller, data)
    return show_roles(roles, caller, people)


def audit_line(line: projections_roles.TrailLine, names: Mapping[str, str]) -> AuditLine:
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


@get("/audit", guards=[requires_caller], responses=problems(400, 401, 403))
async def read_audit(
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    people: NamedDependency[People],
    event: FromQuery[str | None] = None,
    match: FromQuery[UUID | None] = None,
    before: Before = None,
    limit: Limit = LIMIT,
) -> AuditShown:
    """The audit trail, the newest first: of one tournament for its organisers, all of it for organisers of the
    service."""
    await require(matches, caller, "organiser", event)
    lines = await matches.read_model(projections_roles.lines, event=event, match_id=match, before=before, limit=limit)
    names = names_of(people, (line.by for line in lines.items))
    stream = await matches.read_log(role_commands.trail)
    head, version = (None, 0) if stream is None else (stream.head, stream.version)
    return AuditShown(tuple(audit_line(line, names) for line in lines.items), version, head, next=lines.next)


@get("/audit/file", guards=[requires_caller], responses=problems(400, 401, 403, 429), media_type="application/jsonl")
async def take_audit(caller: NamedDependency[Caller], matches: NamedDependency[MatchService]) -> bytes:
    """The whole trail as JSON Lines, for organisers of the service: a header, then every record with its digest. That
    it was taken is its last record."""
    return await matches.execute(commands.take_trail, caller, at=now())


@get("/audit/records/{version:int}", guards=[requires_caller], responses=problems(400, 401, 403, 404))
async def read_record(
    version: FromPath[int], caller: NamedDependency[Caller], matches: NamedDependency[MatchService]
) -> RecordShown:
    """One record of the trail byte for byte, so that its digest can be made again."""
    await require(matches, caller, "organiser")
    record = await matches.read_log(role_commands.trail_record, version)
    return RecordShown(
        record.stream_id,
        record.version,
        record.timestamp,
        record.previous.hex(),
        record_digest(record).hex(),
        bytes(record.body).decode(),
    )


ROUTER = Router("/", route_handlers=[list_roles, change_role, read_audit, take_audit, read_record], tags=["desk"])
