"""Queries about the roles of a caller."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final
from uuid import UUID

from api.http.guards import Caller
from api.http.identity import Scope
from domain.roles import state
from domain.roles.state import EVERYWHERE, Grant, Role, Roles
from projections.platform.paging import LIMIT, Page, end_of, page_of

SCOPE_OF: Final[Mapping[Role, Scope]] = {
    "arbiter": "arbitrate",
    "head_arbiter": "arbitrate",
    "organiser": "organise",
    "operator": "admin",
}
"""The token scope that a role requires."""


def scope_of(event: UUID | str | None) -> str:
    """Return the scope of a role: an event id, or the whole service."""
    return EVERYWHERE if event is None else str(event)


def may_use(caller: Caller, role: Role) -> bool:
    """Return whether the caller's token, if any, has the scope of the role."""
    scope = SCOPE_OF.get(role)
    return scope is None or caller.may(scope)


def has_role_in(roles: Roles, caller: Caller, role: Role, event: UUID | str | None = None) -> bool:
    """Return whether the caller has the role, in an event or everywhere; operators have every role.

    A token without the permission for the role has none.
    """
    if caller.is_operator:
        return True
    if not may_use(caller, role):
        return False
    return caller.person is not None and state.holds(roles, caller.person.id, role, scope_of(event))


def grants_page(
    roles: Roles, may_see: Callable[[Grant], bool], limit: int = LIMIT, before: int | None = None
) -> Page[Grant]:
    """Return a page of visible grants, latest first; the cursor of a grant is the number of older ones."""
    numbered = [(number, grant) for number, grant in enumerate(roles.grants) if may_see(grant)]
    older = [(number, grant) for number, grant in reversed(numbered) if number < end_of(before)]
    page = page_of(older, limit, lambda each: each[0])
    return page.of([grant for _, grant in page.items])


def roles_of(roles: Roles, caller: Caller) -> tuple[Role, ...]:
    """Return every role that the caller has anywhere, sorted, for the page header; none for visitors.

    The permissions of a token do not limit them.
    """
    if caller.person is None:
        return ()
    own_roles = {grant.role for grant in roles.grants if grant.person == caller.person.id}
    return tuple(sorted(own_roles | ({"operator"} if caller.is_operator else set())))
