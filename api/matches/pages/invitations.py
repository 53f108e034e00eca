"""Pages to invite to a private table by link, and to accept an invitation.

The secret is in the fragment of the link, which browsers do not send; a script posts it.
"""

from __future__ import annotations

from typing import Annotated, Any, Final
from uuid import UUID

from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath
from msgspec import Meta

from api.accounts.service import AccountService
from api.http.form_pages import forms_of, handle_form
from api.http.forms import BUTTON, Form, read_form
from api.http.guards import Caller, requires_person
from api.http.limits import GUEST_LIMIT
from api.http.page_responses import SEE_OTHER, PageRequest, origin_of, render_page
from api.http.paging import Before, Limit
from api.http.preferences import encode_browser_preferences
from api.http.qr import qr_code
from api.http.structs import RequestStruct, Short
from api.matches.invitation_service import InvitationService, provide_invitations
from api.matches.pages.addresses import redirect_to_table
from projections.platform.paging import LIMIT
from projections.platform.settings import Settings

LINK_LENGTH_MAX: Final = 300
NO_REFERRER: Final = {"Referrer-Policy": "no-referrer"}
"""Pages opened from the link do not learn its address."""


class TakeBackForm(RequestStruct, frozen=True):
    """The invitation to revoke."""

    invitation: Short


class AcceptForm(RequestStruct, frozen=True):
    """The secret, or the whole link that contains it."""

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
    """Render a page of the invitations; with `secret`, also the link and QR code of the invitation just created."""
    page = await invitations.list(match_id, limit, before)
    match = await invitations.matches.reading.get(match_id)
    link = None if secret is None else f"{origin_of(request)}/invitation#{secret}"
    context = {"match": match, "invitations": page.items, "next": page.next, "limit": limit, "link": link}
    context |= {"drawn": None if link is None else qr_code(link)}
    response = render_page(request, "matches/invitations.html", context)
    response.headers.update(NO_REFERRER)
    return response


@get("/tables/{match_id:uuid}/invitations", guards=[requires_person])
async def invitations_page(
    request: PageRequest,
    match_id: FromPath[UUID],
    invitations: NamedDependency[InvitationService],
    before: Before = None,
    limit: Limit = LIMIT,
) -> Response[str]:
    """Show the invitations to a private table to its players and its opener; raise `NotSeated` for others."""
    return await show_invitations(request, match_id, invitations, limit=limit, before=before)


@post("/tables/{match_id:uuid}/invitations", guards=[requires_person], status_code=200)
async def invite(
    request: PageRequest, match_id: FromPath[UUID], invitations: NamedDependency[InvitationService]
) -> Response[str]:
    """Create an invitation and show its link, which is not shown again; raise as `InvitationService.invite`."""
    await read_form(request, BUTTON)
    _, secret = await invitations.invite(match_id)
    return await show_invitations(request, match_id, invitations, secret)


@post("/tables/{match_id:uuid}/invitations/taking-back", guards=[requires_person], status_code=200)
async def take_back_invitation(
    request: PageRequest, match_id: FromPath[UUID], invitations: NamedDependency[InvitationService]
) -> Response[str]:
    """Revoke an invitation, with the access it granted, and show the remaining ones; raise `InvitationUnknown`."""
    form = await read_form(request, TAKE_BACK)
    await invitations.revoke(match_id, form.invitation)
    return await show_invitations(request, match_id, invitations)


async def show_invitation(request: PageRequest) -> Response[str]:
    """Render the form to accept an invitation."""
    response = render_page(request, "matches/invitation.html", {"forms": forms_of(request, ACCEPT)})
    response.headers.update(NO_REFERRER)
    return response


@get("/invitation")
async def invitation_page(request: PageRequest) -> Response[str]:
    """Show the target page of invitation links; without a script, the secret is typed in."""
    return await show_invitation(request)


@post("/invitation", opt=GUEST_LIMIT, status_code=SEE_OTHER)
async def accept_invitation(
    request: PageRequest,
    caller: NamedDependency[Caller],
    accounts: NamedDependency[AccountService],
    invitations: NamedDependency[InvitationService],
    settings: NamedDependency[Settings],
) -> Response[Any]:
    """Accept an invitation and redirect to its table; an anonymous visitor becomes a guest.

    For an unknown invitation the form is shown again with the error, and no guest is created.
    """

    async def do(form: AcceptForm) -> Response[Any]:
        secret = form.secret.rpartition("#")[2].strip()
        invitations.require_valid(secret)
        person, session = await accounts.person_or_guest(caller.person, encode_browser_preferences(request))
        return redirect_to_table(await invitations.accept(secret, person.id), session, settings)

    return await handle_form(request, ACCEPT, do, lambda: show_invitation(request))


HANDLERS: Final = (
    Router(
        "/",
        route_handlers=[invitations_page, invite, take_back_invitation, invitation_page, accept_invitation],
        dependencies={"invitations": Provide(provide_invitations, sync_to_thread=False)},
    ),
)
