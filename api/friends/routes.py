"""API routes of friends: follows, presence and challenges."""

from __future__ import annotations

from uuid import UUID

from litestar import Router, delete, get, post, put
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, JSONBody

from api.friends.schemas import ChallengePerson, FriendsShown, SetVisible
from api.friends.service import FriendService, provide_friends
from api.http.access import declare_access
from api.http.errors import problems
from api.http.guards import BY_PLAYERS, requires_person


@declare_access("signed in", "the caller's")
@get("/friends", guards=[requires_person], responses=problems(401))
async def list_friends(friends: NamedDependency[FriendService]) -> FriendsShown:
    """List followed people with their presence, and open challenges."""
    return await friends.show()


@declare_access("signed in", "except blocked accounts")
@put("/friends/{person:str}", status_code=204, guards=[requires_person], responses=problems(400, 401, 403, 404, 429))
async def follow(person: FromPath[str], friends: NamedDependency[FriendService]) -> None:
    """Follow a person by id or name. People who follow each other are friends."""
    await friends.follow(person)


@delete("/friends/{person:str}", guards=[requires_person], responses=problems(400, 401, 404, 429))
async def unfollow(person: FromPath[str], friends: NamedDependency[FriendService]) -> None:
    """Stop following a person."""
    await friends.unfollow(person)


@declare_access("signed in", "the caller")
@put("/me/presence", status_code=204, guards=[requires_person], responses=problems(400, 401, 413, 429))
async def set_visible(data: JSONBody[SetVisible], friends: NamedDependency[FriendService]) -> None:
    """Show or hide the caller's presence."""
    await friends.set_visible(visible=data.visible)


@declare_access("seat", "or the creator of the table")
@post(
    "/matches/{match_id:uuid}/challenges",
    status_code=204,
    guards=[requires_person],
    responses=problems(400, 401, 403, 404, 409, 413, 429),
)
async def challenge(
    data: JSONBody[ChallengePerson], match_id: FromPath[UUID], friends: NamedDependency[FriendService]
) -> None:
    """Challenge a person to an open table of the caller; for a private table, also invite them.

    Raise `NotSeated`, `NotOpen`, `NotAllowed` for oneself or too many, `Blocked`, `OwnBlock`, `NoSuchPerson`, or 429.
    """
    await friends.challenge(match_id, data.person)


@declare_access("signed in", "the caller's")
@delete("/challenges/{challenge_id:uuid}", guards=[requires_person], responses=problems(400, 401, 404, 429))
async def drop_challenge(challenge_id: FromPath[UUID], friends: NamedDependency[FriendService]) -> None:
    """Decline a challenge, or withdraw one of the caller's; it is identified by its match."""
    await friends.drop_challenge(challenge_id)


ROUTER = Router(
    "/",
    route_handlers=[list_friends, follow, unfollow, set_visible, challenge, drop_challenge],
    dependencies={"friends": Provide(provide_friends, sync_to_thread=False)},
    opt=BY_PLAYERS,
    tags=["friends"],
)
