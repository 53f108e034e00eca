"""The page and forms of the organisers of a club."""

from __future__ import annotations

from typing import Any, Final

from litestar import Response, Router, get, post
from litestar.di import NamedDependency

from api.clubs.club_service import ClubOfCaller
from api.clubs.pages.clubs import CLUBS, ONE, load_club, path_of
from api.clubs.pages.forms import (
    CHANGE,
    EVENT,
    EVENT_BUTTON,
    INVITE,
    PERSON,
    REMOVE,
    REQUEST,
    ROLE,
    EventForm,
    NamedPerson,
    RemoveForm,
)
from api.clubs.schemas import ChangeClub, FoundClub
from api.http.form_pages import forms_of, handle_form
from api.http.forms import BUTTON, read_form
from api.http.guards import requires_person
from api.http.page_responses import PageRequest, redirect_after_form, render_page
from api.http.paging import Before, Limit
from domain.clubs.errors import NotOfClub
from projections.platform.paging import LIMIT


@get("/", guards=[requires_person])
async def desk_page(
    request: PageRequest, club: NamedDependency[ClubOfCaller], before: Before = None, limit: Limit = LIMIT
) -> Response[Any]:
    """Show requests, members and forms to organisers; raise `NotOfClub` for others, `NoSuchStream` if unknown."""
    return await show_desk(request, club, limit, before)


async def show_desk(
    request: PageRequest, club: ClubOfCaller, limit: int = LIMIT, before: int | None = None
) -> Response[Any]:
    """Render the page of the organisers of a club."""
    context = await load_club(club, limit, before)
    if not context["organises"]:
        raise NotOfClub("only organisers of the club can administer it, as long as it is open")
    context |= {"forms": forms_of(request, CHANGE, INVITE, REMOVE, EVENT)}
    return render_page(request, "clubs/desk.html", context)


def back_to_desk(request: PageRequest, club: ClubOfCaller) -> Response[Any]:
    """Redirect to the page of the organisers."""
    return redirect_after_form(f"{path_of(club.id)}/desk", request)


@post("/details", guards=[requires_person], status_code=200)
async def change(request: PageRequest, club: NamedDependency[ClubOfCaller]) -> Response[Any]:
    """Change name, description and way to join, and show the club; refused as `ClubOfCaller.change`."""

    async def do(form: FoundClub) -> Response[Any]:
        await club.change(ChangeClub(form.name, form.about, form.admission))
        return redirect_after_form(path_of(club.id), request)

    return await handle_form(request, CHANGE, do, lambda: show_desk(request, club))


@post("/invitations", guards=[requires_person], status_code=200)
async def invite(request: PageRequest, club: NamedDependency[ClubOfCaller]) -> Response[Any]:
    """Invite a person; refused as `ClubOfCaller.invite`."""

    async def do(form: NamedPerson) -> Response[Any]:
        await club.invite(form.person)
        return back_to_desk(request, club)

    return await handle_form(request, INVITE, do, lambda: show_desk(request, club))


@post("/invitations/taking-back", guards=[requires_person], status_code=200)
async def withdraw_invitation(request: PageRequest, club: NamedDependency[ClubOfCaller]) -> Response[Any]:
    """Withdraw an invitation; raise `ClubRefused` if there is none."""
    await club.withdraw_invitation((await read_form(request, PERSON)).person)
    return back_to_desk(request, club)


@post("/requests", guards=[requires_person], status_code=200)
async def answer_request(request: PageRequest, club: NamedDependency[ClubOfCaller]) -> Response[Any]:
    """Accept or decline a request; raise `ClubRefused` if there is none, or if the club is full."""
    form = await read_form(request, REQUEST)
    await club.answer_request(form.person, accept=form.accept)
    return back_to_desk(request, club)


@post("/removals", guards=[requires_person], status_code=200)
async def remove(request: PageRequest, club: NamedDependency[ClubOfCaller]) -> Response[Any]:
    """Remove a member with a reason; refused as `domain.clubs.membership.remove`."""

    async def do(form: RemoveForm) -> Response[Any]:
        await club.remove(form.person, form.reason)
        return back_to_desk(request, club)

    return await handle_form(request, REMOVE, do, lambda: show_desk(request, club))


@post("/roles", guards=[requires_person], status_code=200)
async def give_role(request: PageRequest, club: NamedDependency[ClubOfCaller]) -> Response[Any]:
    """Make a member an organiser, or the reverse; raise `NotOfClub` for others than the owner."""
    form = await read_form(request, ROLE)
    await club.give_role(form.person, form.role)
    return back_to_desk(request, club)


@post("/owner", guards=[requires_person], status_code=200)
async def hand_over(request: PageRequest, club: NamedDependency[ClubOfCaller]) -> Response[Any]:
    """Hand the club over to a member; raise `NotOfClub` for others than the owner and operators."""
    await club.hand_over((await read_form(request, PERSON)).person)
    return back_to_desk(request, club)


@post("/events", guards=[requires_person], status_code=200)
async def add_event(request: PageRequest, club: NamedDependency[ClubOfCaller]) -> Response[Any]:
    """Add a tournament or league to the list; refused as `ClubOfCaller.add_event`."""

    async def do(form: EventForm) -> Response[Any]:
        await club.add_event(form.event_id)
        return back_to_desk(request, club)

    return await handle_form(request, EVENT, do, lambda: show_desk(request, club))


@post("/events/removal", guards=[requires_person], status_code=200)
async def remove_event(request: PageRequest, club: NamedDependency[ClubOfCaller]) -> Response[Any]:
    """Remove an event from the list; raise `ClubRefused` if it is not listed."""
    await club.remove_event((await read_form(request, EVENT_BUTTON)).event_id)
    return back_to_desk(request, club)


@post("/closing", guards=[requires_person], status_code=200)
async def close(request: PageRequest, club: NamedDependency[ClubOfCaller]) -> Response[Any]:
    """Close the club for good and show it; raise `NotOfClub` for others than the owner and operators."""
    await read_form(request, BUTTON)
    await club.close()
    return redirect_after_form(path_of(club.id), request)


HANDLERS: Final = (
    Router(
        "/clubs/{club_id:uuid}/desk",
        route_handlers=[
            desk_page,
            change,
            invite,
            withdraw_invitation,
            answer_request,
            remove,
            give_role,
            hand_over,
            add_event,
            remove_event,
            close,
        ],
        dependencies=CLUBS | ONE,
    ),
)
