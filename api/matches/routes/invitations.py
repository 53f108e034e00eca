"""Routes of invitations to private tables: create, list, revoke, accept."""

from __future__ import annotations

from uuid import UUID

from litestar import Router, delete, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, JSONBody

from api.http.access import declare_access
from api.http.errors import problems
from api.http.guards import BY_PLAYERS, Caller, requires_person
from api.http.limits import SIGN_IN_LIMIT
from api.http.paging import Before, Limit
from api.matches.invitation_service import InvitationService, provide_invitations
from api.matches.schemas import AcceptedInvitation, AcceptInvitation, InvitationsShown, MadeInvitation
from projections.platform.paging import LIMIT


@declare_access("seat", "or the creator of the table")
@post(
    "/matches/{match_id:uuid}/invitations",
    guards=[requires_person],
    responses=problems(400, 401, 403, 404, 409, 413, 429),
)
async def invite_to_match(match_id: FromPath[UUID], invitations: NamedDependency[InvitationService]) -> MadeInvitation:
    """Create an invitation to a private table of the caller; its secret is only in this response."""
    invitation, secret = await invitations.invite(match_id)
    return MadeInvitation(invitation.id, secret, f"/invitation#{secret}", invitation.created)


@declare_access("seat", "or the creator of the table")
@get("/matches/{match_id:uuid}/invitations", guards=[requires_person], responses=problems(400, 401, 403, 404))
async def list_invitations(
    match_id: FromPath[UUID],
    invitations: NamedDependency[InvitationService],
    before: Before = None,
    limit: Limit = LIMIT,
) -> InvitationsShown:
    """List a page of the valid invitations to a table of the caller, latest first."""
    page = await invitations.list(match_id, limit, before)
    return InvitationsShown(tuple(page.items), next=page.next)


@declare_access("seat", "or the creator of the table")
@delete(
    "/matches/{match_id:uuid}/invitations/{invitation:str}",
    guards=[requires_person],
    responses=problems(400, 401, 403, 404, 429),
)
async def take_back_invitation(
    match_id: FromPath[UUID], invitation: FromPath[str], invitations: NamedDependency[InvitationService]
) -> None:
    """Revoke an invitation and the access it granted."""
    await invitations.revoke(match_id, invitation)


@declare_access("signed in", "with the secret of the invitation")
@post("/invitations", guards=[requires_person], opt=SIGN_IN_LIMIT, responses=problems(400, 401, 404, 413, 429))
async def accept_invitation(
    data: JSONBody[AcceptInvitation], caller: NamedDependency[Caller], invitations: NamedDependency[InvitationService]
) -> AcceptedInvitation:
    """Accept an invitation by its secret: the caller may then see the table and take a seat."""
    return AcceptedInvitation(await invitations.accept(data.secret, caller.actor))


ROUTER = Router(
    "/",
    route_handlers=[invite_to_match, list_invitations, take_back_invitation, accept_invitation],
    dependencies={"invitations": Provide(provide_invitations, sync_to_thread=False)},
    opt=BY_PLAYERS,
    tags=["matches"],
)
