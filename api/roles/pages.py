"""Pages of officials: who holds which role, the audit trail, the tree of a match's forks."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

import msgspec
from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, FromQuery

from api.disputes.record import KINDS
from api.matches.service import MatchService
from api.matches.showing import names_of
from api.matches.wire import ForkShown
from api.roles import scopes
from api.roles.grants import grants_page, holds_in, roles_of
from api.roles.service import RoleService, provide_roles
from api.roles.wire import ChangeRole
from api.tournaments.acts import ACT_WORDS
from api.web.browser import PageRequest, back_to, page
from api.web.form_pages import answer_form, forms_of
from api.web.forms import BUTTON, Form, read_form
from api.web.guards import Caller, requires_person
from api.web.paging import Before, Limit
from domain.kernel.messages import N_
from domain.roles.errors import NoSuchPerson, RoleMissing
from domain.roles.state import EVERYWHERE
from projections.platform.paging import LIMIT

ROLE_WORDS: Final = {
    "annotator": N_("annotator"),
    "arbiter": N_("arbiter"),
    "head_arbiter": N_("head arbiter"),
    "organiser": N_("organiser"),
    "operator": N_("operator"),
}
AUDIT_WORDS: Final = {
    "role_changed": N_("changed a role"),
    "event_acted": N_("decided in an event"),
    "conflict_met": N_("plays there and was refused"),
    "integrity_seen": N_("looked at figures of fair play"),
    "hidden_seen": N_("saw hidden information"),
    "running_forked": N_("forked a running match"),
    **KINDS,
    "log_exported": N_("exported a log"),
    "log_imported": N_("imported a log"),
    "talk_exported": N_("took a chat as a file"),
    "message_removed": N_("removed a message"),
    "audit_read": N_("exported the trail"),
}


ROLE: Final = Form("role", ChangeRole, beside={NoSuchPerson: "person"})


@get("/desk", guards=[requires_person])
async def organising_page(request: PageRequest, roles: NamedDependency[RoleService]) -> Response[str]:
    """The pages of organisers and arbiters that are open to the reader."""
    known, caller = await roles.known(), roles.caller
    own = roles_of(known, caller)
    person = caller.person.id if caller.person else ""
    in_events = [grant for grant in known.grants if grant.person == person and grant.scope != EVERYWHERE]
    context = {
        "roles": own,
        "everywhere": {grant.role for grant in known.grants if (grant.person, grant.scope) == (person, EVERYWHERE)},
        "in_events": in_events,
        "events": await scopes.names(roles.tables, (grant.scope for grant in in_events)),
        "role_words": ROLE_WORDS,
        "may_audit": holds_in(known, caller, "organiser") or "organiser" in own,
        "may_measure": holds_in(known, caller, "arbiter") or bool({"arbiter", "head_arbiter"} & set(own)),
    }
    return page(request, "roles/officials.html", context)


@get("/desk/roles", guards=[requires_person])
async def roles_page(
    request: PageRequest,
    roles: NamedDependency[RoleService],
    event: FromQuery[str] = "",
    before: Before = None,
    limit: Limit = LIMIT,
) -> Response[str]:
    """Who holds which role, and the form that changes it, of an event if one is named."""
    return await show_roles(request, roles, limit, before, event)


async def show_roles(
    request: PageRequest, roles: RoleService, limit: int = LIMIT, before: int | None = None, event: str = ""
) -> Response[str]:
    known, caller = await roles.known(), roles.caller
    if not ({"organiser", "operator"} & set(roles_of(known, caller))):
        raise RoleMissing("roles are for organisers and operators")
    found = grants_page(known, lambda grant: holds_in(known, caller, "organiser", grant.scope or None), limit, before)
    grants = found.items
    names = names_of(roles.accounts, [person for grant in grants for person in (grant.person, grant.by)])
    context = {
        "forms": forms_of(request, ROLE),
        "grants": grants,
        "next": found.next,
        "limit": limit,
        "names": names,
        "role_words": ROLE_WORDS,
        "events": await scopes.names(roles.tables, (grant.scope for grant in grants)),
        "offered": await scopes.list_scopes(roles.tables, known, caller),
        "event": event,
        "held": (await roles.tables.reading.roles()).grants,
        "is_operator": holds_in(known, caller, "operator"),
    }
    return page(request, "roles/roles.html", context)


@post("/desk/roles", guards=[requires_person], status_code=200)
async def change_role(request: PageRequest, roles: NamedDependency[RoleService]) -> Response[Any]:
    """Give a role, or take it away."""

    async def do(wanted: ChangeRole) -> Response[Any]:
        await roles.change(wanted)
        return back_to("/desk/roles", request)

    return await answer_form(request, ROLE, do, lambda: show_roles(request, roles))


@get("/desk/audit", guards=[requires_person])
async def audit_page(
    request: PageRequest,
    roles: NamedDependency[RoleService],
    event: FromQuery[str] = "",
    before: Before = None,
    limit: Limit = LIMIT,
    check: FromQuery[bool] = False,
) -> Response[str]:
    """The audit trail, the newest first: of a tournament for its organisers; all of it for organisers of the service,
    who may have its chain checked."""
    known, caller = await roles.known(), roles.caller
    is_whole, own = holds_in(known, caller, "organiser"), scopes.organised_scopes(known, caller)
    event = event or ("" if is_whole or not own else own[-1])
    found = await roles.lines(event or None, limit, before)
    lines = found.items
    count, head = await roles.head()
    told = [msgspec.to_builtins(line.fact, str_keys=True) for line in lines]
    people_named = [line.by for line in lines]
    people_named += [fact[who] for fact in told for who in ("person", "author") if who in fact]
    context = {
        "lines": list(zip(lines, told, strict=True)),
        "names": names_of(roles.accounts, people_named),
        "words": AUDIT_WORDS,
        "act_words": ACT_WORDS,
        "role_words": ROLE_WORDS,
        "head": head,
        "count": count,
        "event": event,
        "events": await scopes.names(roles.tables, (line.event for line in lines)),
        "offered": await scopes.list_scopes(roles.tables, known, caller, event),
        "next": found.next,
        "limit": limit,
        "is_whole": is_whole,
        "checked": await roles.fault_of_trail() if check else None,
    }
    return page(request, "roles/audit.html", context)


@post("/desk/audit/file", guards=[requires_person], status_code=200)
async def take_audit(request: PageRequest, roles: NamedDependency[RoleService]) -> Response[bytes]:
    """The whole trail as a file that is kept; that it was taken is its last record."""
    await read_form(request, BUTTON)
    content = await roles.take_trail()
    headers = {"Content-Disposition": 'attachment; filename="audit.jsonl"'}
    return Response(content, media_type="application/jsonl", headers=headers)


class Branch(msgspec.Struct, frozen=True):
    """A line of the tree and what comes from it."""

    line: ForkShown
    branches: tuple[Branch, ...]


def build_tree(lines: tuple[ForkShown, ...], parent: UUID | None) -> tuple[Branch, ...]:
    """The tree from its lines; a line whose parent the reader does not see hangs from the root."""
    known = {line.line for line in lines}
    return tuple(
        Branch(line, build_tree(lines, line.line))
        for line in lines
        if (line.parent if line.parent in known else None if line.parent is None else lines[0].line) == parent
        and line.line != parent
    )


def oldest_first(lines: tuple[ForkShown, ...]) -> tuple[ForkShown, ...]:
    """The line at the root, and then the forks as they were made."""
    return (*lines[:1], *reversed(lines[1:]))


@get("/tables/{match_id:uuid}/forks")
async def forks_page(
    request: PageRequest,
    match_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    before: Before = None,
    limit: Limit = LIMIT,
) -> Response[str]:
    """The tree of forks a match stands in."""
    tree = await matches.reading.forks(match_id, caller, limit, before)
    match = await matches.reading.get(match_id)
    context = {
        "tree": build_tree(oldest_first(tree.lines), None),
        "match": match,
        "count": len(tree.lines),
        "next": tree.next,
        "limit": limit,
    }
    return page(request, "matches/forks.html", context)


HANDLERS: Final = (
    Router(
        "/",
        route_handlers=[organising_page, roles_page, change_role, audit_page, take_audit, forks_page],
        dependencies={"roles": Provide(provide_roles, sync_to_thread=False)},
    ),
)
