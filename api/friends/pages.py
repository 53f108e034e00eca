"""Pages of friends, challenges, mutes and blocks."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import quote
from uuid import UUID

from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath
from litestar.response import Redirect

from api.friends.schemas import ChallengePerson, SetVisible
from api.friends.service import FriendService, provide_friends
from api.http.form_pages import forms_of, handle_form
from api.http.forms import BUTTON, Form, read_form
from api.http.guards import requires_person
from api.http.ids import Ids
from api.http.limits import CREATES
from api.http.page_responses import SEE_OTHER, PageRequest, origin_of, redirect_after_form, render_page
from api.http.qr import qr_code
from api.http.structs import RequestStruct, Short
from api.talk.pages import BOUNDARY, PEOPLE
from api.talk.service import TalkService, provide_talk
from domain.matches.errors import NotAllowed
from domain.roles.errors import NoSuchPerson


class FollowForm(RequestStruct, frozen=True):
    """A person by id or name; `there`: the form is on the person's page and returns to it."""

    person: Short
    there: bool = False

    @property
    def back(self) -> str:
        """The path to return to."""
        return f"/players/{quote(self.person, safe='')}" if self.there else PEOPLE


class ChallengeForm(RequestStruct, frozen=True):
    """The title of a new table for two."""

    title: Short


FOLLOW: Final = Form("follow", FollowForm, beside={NoSuchPerson: "person", NotAllowed: "person"})
UNFOLLOW: Final = Form("button", FollowForm)
VISIBLE: Final = Form("button", SetVisible)
CHALLENGE_ANEW: Final = Form("button", ChallengeForm)
CHALLENGE: Final = Form("challenge", ChallengePerson, beside={NoSuchPerson: "person", NotAllowed: "person"})


async def show_people(request: PageRequest, friends: FriendService, talk: TalkService) -> Response[str]:
    """Render the page of friends, with the reader's mutes and blocks."""
    context = {
        "shown": await friends.show(),
        "boundaries": talk.boundaries(),
        "own": friends.person.id,
        "forms": forms_of(request, FOLLOW, BOUNDARY),
    }
    return render_page(request, "friends/people.html", context)


@get(PEOPLE, guards=[requires_person])
async def people_page(
    request: PageRequest, friends: NamedDependency[FriendService], talk: NamedDependency[TalkService]
) -> Response[str]:
    """Show followed people, challenges, mutes and blocks."""
    return await show_people(request, friends, talk)


@post(f"{PEOPLE}/following", guards=[requires_person], status_code=200)
async def follow(
    request: PageRequest, friends: NamedDependency[FriendService], talk: NamedDependency[TalkService]
) -> Response[Any]:
    """Follow a person, and redirect to the page of the form; after a rejection show the page of friends.

    Rejected are unknown people, oneself, people who block the reader, and more than `FOLLOWED_MAX`.
    """

    async def do(form: FollowForm) -> Response[Any]:
        await friends.follow(form.person)
        return redirect_after_form(form.back, request)

    return await handle_form(request, FOLLOW, do, lambda: show_people(request, friends, talk))


@post(f"{PEOPLE}/following/end", guards=[requires_person], status_code=200)
async def unfollow(request: PageRequest, friends: NamedDependency[FriendService]) -> Response[Any]:
    """Stop following a person, and redirect to the page of the form; raise `NoSuchPerson` if unknown.

    Nothing happens if the reader does not follow them.
    """
    form = await read_form(request, UNFOLLOW)
    await friends.unfollow(form.person)
    return redirect_after_form(form.back, request)


@post(f"{PEOPLE}/presence", guards=[requires_person], status_code=200)
async def set_visible(request: PageRequest, friends: NamedDependency[FriendService]) -> Response[Any]:
    """Show or hide the reader's presence."""
    await friends.set_visible(visible=(await read_form(request, VISIBLE)).visible)
    return redirect_after_form(PEOPLE, request)


@post("/challenges/{challenge_id:uuid}/dropping", guards=[requires_person], status_code=200)
async def drop_challenge(
    request: PageRequest, challenge_id: FromPath[UUID], friends: NamedDependency[FriendService]
) -> Response[Any]:
    """Decline a challenge, or withdraw the reader's; then redirect to the page of friends.

    `challenge_id`: its match. All challenges to or from the reader for that match go; nothing happens if there is none.
    """
    await read_form(request, BUTTON)
    await friends.drop_challenge(challenge_id)
    return redirect_after_form(PEOPLE, request)


async def show_inviting(request: PageRequest, match_id: UUID, friends: FriendService) -> Response[str]:
    """Render the people whom the reader could invite to a table, and its link with a QR code.

    The reader's right to invite is not checked.
    """
    match, shown = await friends.tables.reading.get_current(match_id), await friends.show()
    link = f"{origin_of(request)}/tables/{match_id}"
    context = {
        "match": match,
        "shown": shown,
        "forms": forms_of(request, CHALLENGE),
        "link": link,
        "drawn": qr_code(link),
    }
    return render_page(request, "friends/challenge.html", context)


@get("/tables/{match_id:uuid}/challenges", guards=[requires_person])
async def challenge_page(
    request: PageRequest, match_id: FromPath[UUID], friends: NamedDependency[FriendService]
) -> Response[str]:
    """Show people whom the reader could challenge to an open table."""
    return await show_inviting(request, match_id, friends)


@post("/tables/{match_id:uuid}/challenges", guards=[requires_person], status_code=200)
async def challenge(
    request: PageRequest, match_id: FromPath[UUID], friends: NamedDependency[FriendService]
) -> Response[Any]:
    """Challenge a person to the table, and redirect to its page of challenges; a rejected form is shown again.

    Refused with `NotSeated`, `NotOpen`, `NotAllowed`, `Blocked`, `OwnBlock` or 429 as the service.
    """

    async def do(form: ChallengePerson) -> Response[Any]:
        await friends.challenge(match_id, form.person)
        return redirect_after_form(f"/tables/{match_id}/challenges", request)

    return await handle_form(request, CHALLENGE, do, lambda: show_inviting(request, match_id, friends))


@post("/players/{name:str}/challenges", guards=[requires_person], status_code=SEE_OTHER, opt=CREATES)
async def challenge_anew(
    request: PageRequest, name: FromPath[str], friends: NamedDependency[FriendService], ids: NamedDependency[Ids]
) -> Redirect:
    """Challenge a person from their page to a new private table of the form's title, and redirect to it.

    Raise the errors of `FriendService.challenge_anew`.
    """
    form = await read_form(request, CHALLENGE_ANEW)
    match = await friends.challenge_anew(ids.new(), form.title, name)
    return Redirect(f"/tables/{match.id}", status_code=SEE_OTHER)


HANDLERS: Final = (
    Router(
        "/",
        route_handlers=[
            people_page,
            follow,
            unfollow,
            set_visible,
            drop_challenge,
            challenge_page,
            challenge,
            challenge_anew,
        ],
        dependencies={
            "friends": Provide(provide_friends, sync_to_thread=False),
            "talk": Provide(provide_talk, sync_to_thread=False),
        },
    ),
)
