"""The page of the audit trail, with texts from all subjects that write to it."""

from __future__ import annotations

from typing import Final

import msgspec
from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromQuery

from api.accounts.display_names import names_of
from api.disputes.record import KINDS
from api.http.forms import BUTTON, read_form
from api.http.guards import requires_person
from api.http.names import ROLE_WORDS
from api.http.page_responses import PageRequest, render_page
from api.http.paging import Before, Limit
from api.roles import scopes
from api.roles.grants import has_role_in
from api.roles.service import RoleService, provide_roles
from api.tournaments.acts import ACT_WORDS
from domain.kernel.messages import N_
from projections.platform.paging import LIMIT

AUDIT_WORDS: Final = {
    "role_changed": N_("changed a role"),
    "event_acted": N_("made a decision in an event"),
    "conflict_met": N_("refused for conflict of interest"),
    "integrity_seen": N_("viewed fair-play data"),
    "hidden_seen": N_("viewed hidden information"),
    "running_forked": N_("forked a match in progress"),
    **KINDS,
    "log_exported": N_("exported a log"),
    "log_imported": N_("imported a log"),
    "talk_exported": N_("exported a chat"),
    "message_removed": N_("removed a message"),
    "audit_read": N_("exported the audit trail"),
}


@get("/desk/audit", guards=[requires_person])
async def audit_page(
    request: PageRequest,
    roles: NamedDependency[RoleService],
    event: FromQuery[str] = "",
    before: Before = None,
    limit: Limit = LIMIT,
    check: FromQuery[bool] = False,
) -> Response[str]:
    """Show the audit trail, latest first: of one event to its organisers, all of it to organisers of the service.

    Without `event`, organisers of events only see one of theirs. `check` also verifies the whole hash chain. Raise
    `RoleMissing` for others.
    """
    current, caller = await roles.load_roles(event), roles.caller
    is_whole, own_scopes = has_role_in(current, caller, "organiser"), scopes.organised_scopes(current, caller)
    event = event or ("" if is_whole or not own_scopes else own_scopes[-1])
    found = await roles.trail_lines(event or None, limit, before)
    lines = found.items
    count, head = await roles.trail_head()
    facts = [msgspec.to_builtins(line.fact, str_keys=True) for line in lines]
    people_named = [line.by for line in lines]
    people_named += [fact[key] for fact in facts for key in ("person", "author") if key in fact]
    context = {
        "lines": list(zip(lines, facts, strict=True)),
        "names": names_of(roles.accounts, people_named),
        "words": AUDIT_WORDS,
        "act_words": ACT_WORDS,
        "role_words": ROLE_WORDS,
        "head": head,
        "count": count,
        "event": event,
        "events": await scopes.load_scope_names(roles.writer, (line.event for line in lines)),
        "offered": await scopes.list_scopes(roles.writer, current, caller, event),
        "next": found.next,
        "limit": limit,
        "is_whole": is_whole,
        "checked": await roles.find_trail_fault() if check else None,
    }
    return render_page(request, "site/audit.html", context)


@post("/desk/audit/file", guards=[requires_person], status_code=200)
async def take_audit(request: PageRequest, roles: NamedDependency[RoleService]) -> Response[bytes]:
    """Download the whole audit trail; the download is recorded in it. Raise `RoleMissing` unless an organiser."""
    await read_form(request, BUTTON)
    content = await roles.export_trail()
    headers = {"Content-Disposition": 'attachment; filename="audit.jsonl"'}
    return Response(content, media_type="application/jsonl", headers=headers)


HANDLERS: Final = (
    Router(
        "/",
        route_handlers=[audit_page, take_audit],
        dependencies={"roles": Provide(provide_roles, sync_to_thread=False)},
    ),
)
