"""Inviting to a private table by a link, and coming by one.

The secret stands behind the `#` of the link, which no browser sends: the page reads it there and posts it.
"""

from __future__ import annotations

from typing import Annotated, Any, Final
from uuid import UUID

from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath
from msgspec import Meta

from api.accounts.service import AccountService
from api.http.browser import SEE_OTHER, PageRequest, origin_of, page
from api.http.form_pages import answer_form, forms_of
from api.http.forms import BUTTON, Form, read_form
from api.http.guards import Caller, requires_person
from api.http.limits import MAY_MAKE_GUESTS
from api.http.paging import Before, Limit
from api.http.preferences import chosen_in
from api.http.qr import qr_code
from api.http.wire import Asked, Short
from api.matches.inviting import InvitationService, provide_invitations
from api.matches.pages.addresses import redirect_to_table
from projections.platform.paging import LIMIT
from projections.platform.settings import Settings

LINK_LENGTH_MAX: Final = 300
NO_REFERRER: Final = {"Referrer-Policy": "no-referrer"}
"""What the page of a link opens is not told where it came from."""


class TakeBackForm(Asked, frozen=True):
    invitation: Short


class AcceptForm(Asked, frozen=True):
    """The secret, or the whole link in which it stands."""

    secret: Annotated[str, Meta(min_length=1, max_length=LINK_LENGTH_MAX)]


TAKE_BACK: Final = Form("button", TakeBackForm)
ACCEPT: Final = Form("invitation", AcceptForm)


async def show_invitations(
    request: PageRequest,
    match_id: UUID,
    invitations: InvitationService,
    secret: str | None = None,
    limit: int = LIMIT,
    before: int | None = None,
) -> Response[str]:
    """The invitations to a table; a secret that was just made, in a link to send to somebody."""
    found = await invitations.list(match_id, limit, before)
    match = await invitations.matches.reading.get(match_id)
    link = None if secret is None else f"{origin_of(request)}/invitation#{secret}"
    context = {"match": match, "invitations": found.items, "next": found.next, "limit": limit, "link": link}
    context |= {"drawn": None if link is None else qr_code(link)}
    answer = page(request, "matches/invitations.html", context)
    answer.headers.update(NO_REFERRER)
    return answer


@get("/tables/{match_id:uuid}/invitations", guards=[requires_person])
async def invitations_page(
    request: PageRequest,
    match_id: FromPath[UUID],
    invitations: NamedDependency[InvitationService],
    before: Before = None,
    limit: Limit = LIMIT,
) -> Response[str]:
    """Who has been invited to a private table, for those who sit there."""
    return await show_invitations(request, match_id, invitations, limit=limit, before=before)


@post("/tables/{match_id:uuid}/invitations", guards=[requires_person], status_code=200)
async def invite(
    request: PageRequest, match_id: FromPath[UUID], invitations: NamedDependency[InvitationService]
) -> Response[str]:
    """A new link; it is shown this once."""
    await read_form(request, BUTTON)
    _, secret = await invitations.invite(match_id)
    return await show_invitations(request, match_id, invitations, secret)


@post("/tables/{match_id:uuid}/invitations/taking-back", guards=[requires_person], status_code=200)
async def take_back_invitation(
    request: PageRequest, match_id: FromPath[UUID], invitations: NamedDependency[InvitationService]
) -> Response[str]:
    """A link is good no longer."""
    asked = await read_form(request, TAKE_BACK)
    await invitations.take_back(match_id, asked.invitation)
    return await show_invitations(request, match_id, invitations)


async def show_invitation(request: PageRequest) -> Response[str]:
    answer = page(request, "matches/invitation.html", {"forms": forms_of(request, ACCEPT)})
    answer.headers.update(NO_REFERRER)
    return answer


@get("/invitation")
async def invitation_page(request: PageRequest) -> Response[str]:
    """Where the link of an invitation leads; without a script, its secret is typed."""
    return await show_invitation(request)


@post("/invitation", opt=MAY_MAKE_GUESTS, status_code=SEE_OTHER)
async def accept_invitation(
    request: PageRequest,
    caller: NamedDependency[Caller],
    accounts: NamedDependency[AccountService],
    invitations: NamedDependency[InvitationService],
    settings: NamedDependency[Settings],
) -> Response[Any]:
    """The table, for whoever has the secret; somebody unknown becomes a guest."""

    async def do(asked: AcceptForm) -> Response[Any]:
        secret = asked.secret.rpartition("#")[2].strip()
        invitations.require_good(secret)
        person, session = await accounts.person_or_guest(caller.person, chosen_in(request))
        return redirect_to_table(await invitations.accept(secret, person.id), session, settings)

    return await answer_form(request, ACCEPT, do, lambda: show_invitation(request))


HANDLERS: Final = (
    Router(
        "/",
        route_handlers=[invitations_page, invite, take_back_invitation, invitation_page, accept_invitation],
        dependencies={"invitations": Provide(provide_invitations, sync_to_thread=False)},
    ),
)
