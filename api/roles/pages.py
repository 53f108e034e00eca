"""Pages of officials: start page and roles."""

from __future__ import annotations

from typing import Any, Final

from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromQuery

from api.accounts.display_names import names_of
from api.http.form_pages import forms_of, handle_form
from api.http.forms import Form
from api.http.guards import requires_person
from api.http.names import ROLE_WORDS
from api.http.page_responses import PageRequest, redirect_after_form, render_page
from api.http.paging import Before, Limit
from api.roles import scopes
from api.roles.grants import grants_page, has_role_in, roles_of
from api.roles.schemas import ChangeRole
from api.roles.service import RoleService, provide_roles
from domain.roles.errors import NoSuchPerson, RoleMissing
from domain.roles.state import EVERYWHERE
from projections.platform.paging import LIMIT

ROLE: Final = Form("role", ChangeRole, beside={NoSuchPerson: "person"})


@get("/desk", guards=[requires_person])
async def organising_page(request: PageRequest, roles: NamedDependency[RoleService]) -> Response[str]:
    """Show links to the pages of organisers and arbiters that the reader may use."""
    current, caller = await roles.load_roles(), roles.caller
    own_roles = roles_of(current, caller)
    person = caller.person.id if caller.person else ""
    in_events = [grant for grant in current.grants if grant.person == person and grant.scope != EVERYWHERE]
    context = {
        "roles": own_roles,
        "everywhere": {grant.role for grant in current.grants if (grant.person, grant.scope) == (person, EVERYWHERE)},
        "in_events": in_events,
        "events": await scopes.load_scope_names(roles.writer, (grant.scope for grant in in_events)),
        "role_words": ROLE_WORDS,
        "may_audit": has_role_in(current, caller, "organiser") or "organiser" in own_roles,
        "may_measure": has_role_in(current, caller, "arbiter") or bool({"arbiter", "head_arbiter"} & set(own_roles)),
    }
    return render_page(request, "roles/officials.html", context)


@get("/desk/roles", guards=[requires_person])
async def roles_page(
    request: PageRequest,
    roles: NamedDependency[RoleService],
    event: FromQuery[str] = "",
    before: Before = None,
    limit: Limit = LIMIT,
) -> Response[str]:
    """List roles that the reader may change, with a form, which `event` fills in; they are not limited to the event.

    Raise `RoleMissing` unless an organiser or operator.
    """
    return await show_roles(request, roles, limit, before, event)


async def show_roles(
    request: PageRequest, roles: RoleService, limit: int = LIMIT, before: int | None = None, event: str = ""
) -> Response[str]:
    """Render the page of roles that the reader may change, latest first; `event` fills in the form.

    Raise `RoleMissing` unless an organiser or operator.
    """
    current, caller = await roles.load_roles(event), roles.caller
    if not ({"organiser", "operator"} & set(roles_of(current, caller))):
        raise RoleMissing("only organisers and operators can manage roles")
    found = grants_page(
        current, lambda grant: has_role_in(current, caller, "organiser", grant.scope or None), limit, before
    )
    grants = found.items
    names = names_of(roles.accounts, [person for grant in grants for person in (grant.person, grant.by)])
    context = {
        "forms": forms_of(request, ROLE),
        "grants": grants,
        "next": found.next,
        "limit": limit,
        "names": names,
        "role_words": ROLE_WORDS,
        "events": await scopes.load_scope_names(roles.writer, (grant.scope for grant in grants)),
        "offered": await scopes.list_scopes(roles.writer, current, caller),
        "event": event,
        "held": (await roles.load_stored_roles()).grants,
        "is_operator": has_role_in(current, caller, "operator"),
    }
    return render_page(request, "roles/roles.html", context)


@post("/desk/roles", guards=[requires_person], status_code=200)
async def change_role(request: PageRequest, roles: NamedDependency[RoleService]) -> Response[Any]:
    """Grant or revoke a role, and redirect to the page of roles; a rejected form is shown there.

    Refused with `RoleRefused` if the reader may not, or for a bot account.
    """

    async def do(form: ChangeRole) -> Response[Any]:
        await roles.change(form)
        return redirect_after_form("/desk/roles", request)

    return await handle_form(request, ROLE, do, lambda: show_roles(request, roles))


HANDLERS: Final = (
    Router(
        "/",
        route_handlers=[organising_page, roles_page, change_role],
        dependencies={"roles": Provide(provide_roles, sync_to_thread=False)},
    ),
)
