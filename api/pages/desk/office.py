"""Pages of the office: who holds which role, the audit trail, the tree of a match's forks."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, URLEncodedBody

from api.accounts import People
from api.desk import asking, branching, events
from api.desk.wire import ChangeRole, ForkShown
from api.guards import Caller, requires_person
from api.pages.browser import Form, PageRequest, back_to, page
from api.roles import held, require, roles_of
from api.showing import names_of
from api.tables import Tables, now
from domain.desk import office
from domain.desk.errors import RoleMissing
from domain.desk.roles import EVERYWHERE, Role
from domain.kernel.messages import N_
from domain.match.application import Matches
from domain.match.errors import LogFault
from projections import audit

LINES_SHOWN: Final = 100
ROLE_WORDS: Final = {
    "annotator": N_("annotator"),
    "arbiter": N_("arbiter"),
    "head_arbiter": N_("head arbiter"),
    "organiser": N_("organiser"),
    "operator": N_("operator"),
}
AUDIT_WORDS: Final = {
    "role_changed": N_("changed a role"),
    "hidden_seen": N_("saw hidden information"),
    "running_forked": N_("forked a running match"),
    "ruling_made": N_("ruled"),
    "dispute_taken": N_("took up a dispute"),
    "log_exported": N_("exported a log"),
    "log_imported": N_("imported a log"),
    "audit_read": N_("exported the trail"),
}


class RoleForm(Form, frozen=True):
    person: str
    role: Role
    event: str = ""
    granted: str = "yes"


@get("/desk", guards=[requires_person])
async def desk_page(
    request: PageRequest, caller: NamedDependency[Caller], tables: NamedDependency[Tables]
) -> Response[str]:
    """The rooms of the desk that are open to the reader."""
    known = await tables.roles()
    own = roles_of(known, caller)
    person = caller.person.id if caller.person else ""
    in_events = [grant for grant in known.grants if grant.person == person and grant.scope != EVERYWHERE]
    context = {
        "roles": own,
        "everywhere": {grant.role for grant in known.grants if (grant.person, grant.scope) == (person, EVERYWHERE)},
        "in_events": in_events,
        "events": await events.names(tables, (grant.scope for grant in in_events)),
        "role_words": ROLE_WORDS,
        "may_audit": held(known, caller, "organiser") or "organiser" in own,
    }
    return page(request, "desk/desk.html", context)


@get("/desk/roles", guards=[requires_person])
async def roles_page(
    request: PageRequest,
    caller: NamedDependency[Caller],
    tables: NamedDependency[Tables],
    people: NamedDependency[People],
) -> Response[str]:
    """Who holds which role, and the form that changes it."""
    known = await tables.roles()
    if not ({"organiser", "operator"} & set(roles_of(known, caller))):
        raise RoleMissing("roles are for organisers and operators")
    grants = [grant for grant in known.grants if held(known, caller, "organiser", grant.scope or None)]
    names = names_of(people, [person for grant in grants for person in (grant.person, grant.by)])
    context = {
        "grants": grants,
        "names": names,
        "role_words": ROLE_WORDS,
        "events": await events.names(tables, (grant.scope for grant in grants)),
        "offered": await events.offered(tables, known, caller),
        "is_operator": held(known, caller, "operator"),
    }
    return page(request, "desk/roles.html", context)


@post("/desk/roles", guards=[requires_person], status_code=200)
async def change_role(
    request: PageRequest,
    data: URLEncodedBody[RoleForm],
    caller: NamedDependency[Caller],
    tables: NamedDependency[Tables],
    people: NamedDependency[People],
) -> Response[Any]:
    """Give a role, or take it away."""
    wanted = ChangeRole(data.person, data.role, data.event.strip() or None, data.granted == "yes")
    await asking.role_changed(tables, people, caller, wanted)
    return back_to("/desk/roles", request)


@get("/desk/audit", guards=[requires_person])
async def audit_page(
    request: PageRequest,
    caller: NamedDependency[Caller],
    tables: NamedDependency[Tables],
    people: NamedDependency[People],
    event: FromQuery[str] = "",
    before: FromQuery[int | None] = None,
    check: FromQuery[bool] = False,
) -> Response[str]:
    """The audit trail, the newest first: of an event for its organisers; all of it for those of the house, who may have
    its chain checked."""
    known = await tables.roles()
    is_whole, own = held(known, caller, "organiser"), events.organised(known, caller)
    event = event or ("" if is_whole or not own else own[-1])
    await require(tables, caller, "organiser", event or None)
    lines = await tables.read(audit.lines, event=event or None, before=before, limit=LINES_SHOWN)
    stream = await tables.ask(office.trail)
    told = [msgspec.to_builtins(line.fact, str_keys=True) for line in lines]
    people_named = [line.by for line in lines] + [fact["person"] for fact in told if "person" in fact]
    context = {
        "lines": list(zip(lines, told, strict=True)),
        "names": names_of(people, people_named),
        "words": AUDIT_WORDS,
        "role_words": ROLE_WORDS,
        "head": stream.head if stream else None,
        "count": stream.version if stream else 0,
        "event": event,
        "events": await events.names(tables, (line.event for line in lines)),
        "offered": await events.offered(tables, known, caller, event),
        "next": lines[-1].version if len(lines) == LINES_SHOWN else None,
        "is_whole": is_whole,
        "checked": await tables.ask(trail_checked) if check else None,
    }
    return page(request, "desk/audit.html", context)


def trail_checked(matches: Matches) -> str:
    """What is wrong with the chain, in a sentence; empty when it holds."""
    try:
        office.check_trail(matches)
    except LogFault as fault:
        return str(fault)
    return ""


@post("/desk/audit/file", guards=[requires_person], status_code=200)
async def take_audit(caller: NamedDependency[Caller], tables: NamedDependency[Tables]) -> Response[bytes]:
    """The whole trail as a file that is kept; that it was taken is its last record."""
    content = await tables.write(asking.take_trail, caller, at=now())
    headers = {"Content-Disposition": 'attachment; filename="audit.jsonl"'}
    return Response(content, media_type="application/jsonl", headers=headers)


class Branch(msgspec.Struct, frozen=True):
    """A line of the tree and what comes from it."""

    line: ForkShown
    branches: tuple[Branch, ...]


def grown(lines: tuple[ForkShown, ...], parent: UUID | None) -> tuple[Branch, ...]:
    """The tree from its lines; a line whose parent the reader does not see hangs from the root."""
    known = {line.line for line in lines}
    return tuple(
        Branch(line, grown(lines, line.line))
        for line in lines
        if (line.parent if line.parent in known else None if line.parent is None else lines[0].line) == parent
        and line.line != parent
    )


@get("/tables/{match_id:uuid}/forks")
async def forks_page(
    request: PageRequest,
    match_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    tables: NamedDependency[Tables],
    people: NamedDependency[People],
) -> Response[str]:
    """The tree of forks a match stands in."""
    tree = await branching.tree(tables, people, match_id, caller)
    match = await tables.get(match_id)
    context = {"tree": grown(tree.lines, None), "match": match, "count": len(tree.lines)}
    return page(request, "desk/forks.html", context)


HANDLERS: Final = (desk_page, roles_page, change_role, audit_page, take_audit, forks_page)
