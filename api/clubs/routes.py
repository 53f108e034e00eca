"""Routes for clubs: found, join, invite, answer, give roles, list events and close."""

from __future__ import annotations

from typing import Annotated, Final
from uuid import UUID

from litestar import Response, Router, delete, get, patch, post, put
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter

from api.clubs.club_service import ClubOfCaller, provide_club
from api.clubs.schemas import (
    AnswerClub,
    ChangeClub,
    ClubEventsShown,
    ClubShown,
    ClubsShown,
    FoundClub,
    GiveClubRole,
    JoinClub,
    MembersShown,
    NamePerson,
    OwnClubs,
    RemoveMember,
)
from api.clubs.service import ClubService, provide_clubs
from api.http.access import declare_access
from api.http.cursors import Cursor
from api.http.errors import problems
from api.http.guards import BY_ORGANISERS, BY_PLAYERS, requires_person
from api.http.ids import IdempotencyKey, Ids
from api.http.limits import CREATES, TEXT_BYTES_MAX
from api.http.paging import Before, Limit
from domain.clubs.facts import EventKind
from domain.kernel.texts import ONE_LINE
from projections.platform.paging import LIMIT

READ_PROBLEMS: Final = problems(400, 401, 404)
CHANGES: Final = problems(400, 401, 403, 404, 409, 413, 422, 429)
Part = Annotated[str, QueryParameter(max_length=120, pattern=ONE_LINE, description="a part of the name")]


@get("/clubs", responses=problems(400, 401))
async def list_clubs(
    clubs: NamedDependency[ClubService], name: Part = "", before: Cursor = None, limit: Limit = LIMIT
) -> ClubsShown:
    """List open clubs by name; a page may have fewer items, because closed clubs are left out."""
    found, following = await clubs.list(name, limit, before)
    return ClubsShown(found, next=following)


@declare_access("signed in", "the caller's")
@get("/me/clubs", guards=[requires_person], responses=problems(401))
async def list_own_clubs(clubs: NamedDependency[ClubService]) -> OwnClubs:
    """List the caller's clubs, invitations and open requests."""
    return OwnClubs(await clubs.own())


@declare_access("signed in", "accounts, but no guests and bots")
@post("/clubs", guards=[requires_person], responses=CHANGES, request_max_body_size=TEXT_BYTES_MAX, opt=CREATES)
async def found_club(
    data: JSONBody[FoundClub],
    clubs: NamedDependency[ClubService],
    ids: NamedDependency[Ids],
    idempotency_key: IdempotencyKey = None,
) -> Response[ClubShown]:
    """Found a club with the caller as its owner (201); the same Idempotency-Key returns the same club.

    Raise `ClubNameTaken` or `ClubNameBlank` for a bad name, `ClubRefused` for guests and people in too many clubs.
    """
    stream = await clubs.found(ids.id_for(clubs.caller, "club", idempotency_key), data)
    return Response(await clubs.show(stream), status_code=201)


@get("/", responses=READ_PROBLEMS)
async def get_club(club: NamedDependency[ClubOfCaller]) -> ClubShown:
    """Return a club; its organisers also see requests and invitations."""
    return await club.show()


@get("/members", responses=READ_PROBLEMS)
async def list_members(
    club: NamedDependency[ClubOfCaller], before: Before = None, limit: Limit = LIMIT
) -> MembersShown:
    """List the members, latest first."""
    page = await club.service.members((await club.read()).state, limit, before)
    return MembersShown(page.items, next=page.next)


@get("/events", responses=READ_PROBLEMS)
async def list_club_events(
    club: NamedDependency[ClubOfCaller],
    kind: FromQuery[EventKind] = "tournament",
    before: Before = None,
    limit: Limit = LIMIT,
) -> ClubEventsShown:
    """List the tournaments or leagues of the club, latest first."""
    await club.read()
    page = await club.service.events(club.id, kind, limit, before)
    return ClubEventsShown(page.items, next=page.next)


@declare_access("signed in", "accounts, but no guests and bots")
@post("/membership", guards=[requires_person], responses=CHANGES, status_code=200)
async def join_club(data: JSONBody[JoinClub], club: NamedDependency[ClubOfCaller]) -> ClubShown:
    """Join an open club, accept an invitation, or ask the organisers.

    Raise `ClubRefused` for members, after a declined request or a removal, and by invitation only.
    """
    await club.join(data.message)
    return await club.show()


@declare_access("signed in", "the caller's membership or request")
@delete("/membership", guards=[requires_person], responses=CHANGES, status_code=200)
async def leave_club(club: NamedDependency[ClubOfCaller]) -> ClubShown:
    """Leave the club, or withdraw the caller's request.

    The organiser longest in office succeeds an owner who leaves; without organisers the club is closed.
    """
    await club.leave()
    return await club.show()


@declare_access("signed in", "the invited person")
@post("/invitation", guards=[requires_person], responses=CHANGES, status_code=200)
async def answer_club_invitation(data: JSONBody[AnswerClub], club: NamedDependency[ClubOfCaller]) -> ClubShown:
    """Accept or decline the caller's invitation; raise `ClubRefused` without one."""
    await club.answer_invitation(accept=data.accept)
    return await club.show()


@declare_access("own", "organisers of the club; operators")
@patch("/", guards=[requires_person], responses=CHANGES, request_max_body_size=TEXT_BYTES_MAX)
async def change_club(data: JSONBody[ChangeClub], club: NamedDependency[ClubOfCaller]) -> ClubShown:
    """Change name, description, and how people join."""
    await club.change(data)
    return await club.show()


@declare_access("own", "organisers of the club")
@post("/invitations", guards=[requires_person], responses=CHANGES)
async def invite_to_club(data: JSONBody[NamePerson], club: NamedDependency[ClubOfCaller]) -> ClubShown:
    """Invite a person; a person who has asked becomes a member at once."""
    await club.invite(data.person)
    return await club.show()


@declare_access("own", "organisers of the club")
@delete("/invitations/{person:str}", guards=[requires_person], responses=CHANGES, status_code=200)
async def withdraw_club_invitation(person: FromPath[str], club: NamedDependency[ClubOfCaller]) -> ClubShown:
    """Withdraw an open invitation."""
    await club.withdraw_invitation(person)
    return await club.show()


@declare_access("own", "organisers of the club")
@post("/requests/{person:str}", guards=[requires_person], responses=CHANGES, status_code=200)
async def answer_club_request(
    person: FromPath[str], data: JSONBody[AnswerClub], club: NamedDependency[ClubOfCaller]
) -> ClubShown:
    """Accept or decline a request; its message is deleted."""
    await club.answer_request(person, accept=data.accept)
    return await club.show()


@declare_access("own", "organisers of the club; the owner for organisers; operators")
@post("/removals", guards=[requires_person], responses=CHANGES)
async def remove_member(data: JSONBody[RemoveMember], club: NamedDependency[ClubOfCaller]) -> ClubShown:
    """Remove a member, who then needs an invitation to return; the reason is shown to that person only."""
    await club.remove(data.person, data.reason)
    return await club.show()


@declare_access("own", "the owner of the club")
@put("/roles", guards=[requires_person], responses=CHANGES)
async def give_club_role(data: JSONBody[GiveClubRole], club: NamedDependency[ClubOfCaller]) -> ClubShown:
    """Make a member an organiser, or an organiser a member."""
    await club.give_role(data.person, data.role)
    return await club.show()


@declare_access("own", "the owner of the club; operators")
@put("/owner", guards=[requires_person], responses=CHANGES)
async def hand_over_club(data: JSONBody[NamePerson], club: NamedDependency[ClubOfCaller]) -> ClubShown:
    """Make a member the owner; the owner before becomes an organiser."""
    await club.hand_over(data.person)
    return await club.show()


@declare_access("own", "the owner of the club; operators")
@delete("/", guards=[requires_person], responses=CHANGES, status_code=200)
async def close_club(club: NamedDependency[ClubOfCaller]) -> ClubShown:
    """Close the club for good; its page stays."""
    await club.close()
    return await club.show()


@declare_access("own", "organisers of both the club and the event")
@put("/events/{event_id:uuid}", guards=[requires_person], responses=CHANGES)
async def add_club_event(event_id: FromPath[UUID], club: NamedDependency[ClubOfCaller]) -> ClubShown:
    """Add a tournament or league to the list of the club."""
    await club.add_event(event_id)
    return await club.show()


@declare_access("own", "organisers of the club or of the event")
@delete("/events/{event_id:uuid}", guards=[requires_person], responses=CHANGES, status_code=200)
async def remove_club_event(event_id: FromPath[UUID], club: NamedDependency[ClubOfCaller]) -> ClubShown:
    """Remove an event from the list of the club; the event itself stays."""
    await club.remove_event(event_id)
    return await club.show()


MEMBERSHIP: Final = Router("/", route_handlers=[join_club, leave_club, answer_club_invitation], opt=BY_PLAYERS)
ADMINISTRATION: Final = Router(
    "/",
    route_handlers=[
        change_club,
        invite_to_club,
        withdraw_club_invitation,
        answer_club_request,
        remove_member,
        give_club_role,
        hand_over_club,
        close_club,
        add_club_event,
        remove_club_event,
    ],
    opt=BY_ORGANISERS,
)
ONE: Final = Router(
    "/clubs/{club_id:uuid}",
    route_handlers=[get_club, list_members, list_club_events, MEMBERSHIP, ADMINISTRATION],
    dependencies={"club": Provide(provide_club, sync_to_thread=False)},
)
ROUTER: Final = Router(
    "/",
    route_handlers=[list_clubs, list_own_clubs, found_club, ONE],
    dependencies={"clubs": Provide(provide_clubs, sync_to_thread=False)},
    opt=BY_ORGANISERS,
    tags=["clubs"],
)
