"""Public pages of clubs, and the forms of their members."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide

from api.clubs.club_service import ClubOfCaller, provide_club
from api.clubs.pages.forms import ANSWER, FOUND, JOIN
from api.clubs.routes import Part
from api.clubs.schemas import ClubShown, FoundClub, JoinClub
from api.clubs.service import ClubService, provide_clubs
from api.http.cursors import Cursor
from api.http.form_pages import forms_of, handle_form
from api.http.forms import BUTTON, read_form
from api.http.guards import requires_person
from api.http.ids import Ids
from api.http.limits import CREATES
from api.http.page_responses import PageRequest, redirect_after_form, render_page
from api.http.paging import Before, Limit
from domain.clubs.facts import Admission
from domain.clubs.state import Standing
from domain.kernel.messages import N_
from projections.platform.paging import LIMIT

ADMISSION_WORDS: Final[Mapping[Admission, str]] = {
    "request": N_("by request"),
    "open": N_("open to everyone"),
    "invitation": N_("by invitation only"),
}
STANDING_WORDS: Final[Mapping[Standing, str]] = {
    "": "",
    "removed": N_("removed from the club"),
    "asked": N_("request sent"),
    "invited": N_("invited"),
    "member": N_("member"),
    "organiser": N_("organiser"),
    "owner": N_("owner of the club"),
}
STATUS_WORDS: Final[Mapping[str, str]] = {
    "": N_("no season yet"),
    "registering": N_("registration open"),
    "running": N_("in progress"),
    "ended": N_("ended"),
    "closed": N_("over"),
}
"""Status of tournaments and seasons."""
WORDS: Final = {
    "admission_words": ADMISSION_WORDS,
    "standing_words": STANDING_WORDS,
    "event_status_words": STATUS_WORDS,
}


def path_of(club_id: UUID) -> str:
    """Return the path of the page of a club."""
    return f"/clubs/{club_id}"


@get("/clubs")
async def clubs_page(
    request: PageRequest,
    clubs: NamedDependency[ClubService],
    name: Part = "",
    before: Cursor = None,
    limit: Limit = LIMIT,
) -> Response[Any]:
    """List the reader's clubs, and open clubs by name, with a form to found one."""
    return await show_clubs(request, clubs, name, limit, before)


async def show_clubs(
    request: PageRequest, clubs: ClubService, part: str = "", limit: int = LIMIT, before: str | None = None
) -> Response[Any]:
    """Render the list of clubs."""
    listed, following = await clubs.list(part, limit, before)
    context = WORDS | {
        "own": await clubs.own() if clubs.caller.person else (),
        "clubs": listed,
        "next": following,
        "part": part,
        "limit": limit,
        "forms": forms_of(request, FOUND),
    }
    return render_page(request, "clubs/clubs.html", context)


@post("/clubs", guards=[requires_person], status_code=200, opt=CREATES)
async def found(request: PageRequest, clubs: NamedDependency[ClubService], ids: NamedDependency[Ids]) -> Response[Any]:
    """Found a club and redirect to its page; refused as `ClubService.found`."""

    async def do(form: FoundClub) -> Response[Any]:
        stream = await clubs.found(ids.new(), form)
        return redirect_after_form(path_of(stream.id), request)

    return await handle_form(request, FOUND, do, lambda: show_clubs(request, clubs))


@get("/")
async def club_page(
    request: PageRequest, club: NamedDependency[ClubOfCaller], before: Before = None, limit: Limit = LIMIT
) -> Response[Any]:
    """Show a club: members, events and leagues, and the reader's relation to it; raise `NoSuchStream` if unknown."""
    return await show_club(request, club, limit, before)


async def show_club(
    request: PageRequest, club: ClubOfCaller, limit: int = LIMIT, before: int | None = None
) -> Response[Any]:
    """Render the page of a club."""
    context = await load_club(club, limit, before) | {"forms": forms_of(request, JOIN)}
    return render_page(request, "clubs/club.html", context)


async def load_club(club: ClubOfCaller, limit: int = LIMIT, before: int | None = None) -> dict[str, Any]:
    """Return the values of a club that its pages show; raise `NoSuchStream` if it is unknown."""
    stream, service = await club.read(), club.service
    shown = await service.show(stream)
    members = await service.members(stream.state, limit, before)
    tournaments, leagues = [await service.events(club.id, kind) for kind in ("tournament", "league")]
    return WORDS | {
        "shown": shown,
        "members": members.items,
        "next": members.next,
        "limit": limit,
        "tournaments": tournaments,
        "leagues": leagues,
        "organises": organises(shown),
        "is_owner": shown.standing == "owner" or service.caller.is_operator,
    }


def organises(shown: ClubShown) -> bool:
    """Return whether the caller may see requests and invitations of an open club."""
    return shown.requests is not None and shown.is_open


@post("/membership", guards=[requires_person], status_code=200)
async def join(request: PageRequest, club: NamedDependency[ClubOfCaller]) -> Response[Any]:
    """Join a club or ask its organisers, and show its page; refused as `ClubOfCaller.join`."""

    async def do(form: JoinClub) -> Response[Any]:
        await club.join(form.message)
        return redirect_after_form(path_of(club.id), request)

    return await handle_form(request, JOIN, do, lambda: show_club(request, club))


@post("/leave", guards=[requires_person], status_code=200)
async def leave(request: PageRequest, club: NamedDependency[ClubOfCaller]) -> Response[Any]:
    """Leave a club or withdraw the request, and show its page; raise `ClubRefused` for strangers."""
    await read_form(request, BUTTON)
    await club.leave()
    return redirect_after_form(path_of(club.id), request)


@post("/invitation", guards=[requires_person], status_code=200)
async def answer(request: PageRequest, club: NamedDependency[ClubOfCaller]) -> Response[Any]:
    """Accept or decline the reader's invitation, and show the club; raise `ClubRefused` without one."""
    await club.answer_invitation(accept=(await read_form(request, ANSWER)).accept)
    return redirect_after_form(path_of(club.id), request)


CLUBS: Final = {"clubs": Provide(provide_clubs, sync_to_thread=False)}
ONE: Final = {"club": Provide(provide_club, sync_to_thread=False)}
HANDLERS: Final = (
    Router("/", route_handlers=[clubs_page, found], dependencies=CLUBS),
    Router("/clubs/{club_id:uuid}", route_handlers=[club_page, join, leave, answer], dependencies=CLUBS | ONE),
)
