"""The page of alternates: the list, offers of places, and the organiser's forms."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID
from zoneinfo import ZoneInfo

from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath

from api.contests.alternate_schemas import AnswerOffer, ListAlternate
from api.contests.alternates import AlternateService, provide_alternates
from api.contests.condition_forms import JOIN, JoinForm
from api.contests.condition_views import view_conditions
from api.contests.schemas import ReasonOfChange
from api.http.form_pages import forms_of, handle_form
from api.http.forms import BUTTON, EmptyForm, Form
from api.http.guards import requires_person
from api.http.languages import local_moment
from api.http.page_responses import PageRequest, redirect_after_form, render_page
from api.http.structs import RequestStruct, ShortGiven
from domain.contests.alternates import Strength
from domain.roles.errors import NoSuchPerson


class ListedPerson(RequestStruct, frozen=True):
    """An account that an organiser lists; without a `strength` its rating points count."""

    player: ShortGiven
    strength: Strength | None = None
    reason: ReasonOfChange = ""
    waive: bool = False


class RemovedPerson(RequestStruct, frozen=True):
    """An account that an organiser removes."""

    player: ShortGiven
    reason: ReasonOfChange = ""


ANSWER: Final = Form("offer", AnswerOffer)
LIST: Final = Form("alternate", ListedPerson, beside={NoSuchPerson: "player"})
REMOVE: Final = Form("removal", RemovedPerson, beside={NoSuchPerson: "player"})


def alternates_path(contest_id: UUID) -> str:
    """Return the path of the page of alternates."""
    return f"/contests/{contest_id}/alternates"


async def show_alternates(request: PageRequest, alternates: AlternateService, contest_id: UUID) -> Response[str]:
    """Render the page of alternates."""
    shown, contest = await alternates.show(contest_id), await alternates.contests.contest(contest_id)
    zone = ZoneInfo(shown.zone)
    context = {
        "contest": contest,
        "entry": await view_conditions(alternates.contests, contest),
        "is_organiser": await alternates.contests.is_organiser(contest_id),
        "shown": shown,
        "own": alternates.entrants.caller.person_id,
        "base": alternates_path(contest_id),
        "local": lambda at: local_moment(at, zone),
        "forms": forms_of(request, ANSWER, JOIN, LIST, REMOVE, BUTTON),
    }
    return render_page(request, "contests/alternates.html", context)


@get("/")
async def alternates_page(
    request: PageRequest, contest_id: FromPath[UUID], alternates: NamedDependency[AlternateService]
) -> Response[str]:
    """Show the alternates of a contest, with the offers to the reader; organisers see all offers and their forms."""
    return await show_alternates(request, alternates, contest_id)


@post("/", guards=[requires_person])
async def join(
    request: PageRequest, contest_id: FromPath[UUID], alternates: NamedDependency[AlternateService]
) -> Response[Any]:
    """Add the reader to the alternates, and redirect to the page."""

    async def do(form: JoinForm) -> Response[Any]:
        await alternates.list_person(contest_id, None, ListAlternate(password=form.password))
        return redirect_after_form(alternates_path(contest_id), request)

    return await handle_form(request, JOIN, do, lambda: show_alternates(request, alternates, contest_id))


@post("/leaving", guards=[requires_person])
async def leave(
    request: PageRequest, contest_id: FromPath[UUID], alternates: NamedDependency[AlternateService]
) -> Response[Any]:
    """Remove the reader from the alternates, and redirect to the page."""

    async def do(_: EmptyForm) -> Response[Any]:
        await alternates.remove(contest_id, None, "")
        return redirect_after_form(alternates_path(contest_id), request)

    return await handle_form(request, BUTTON, do, lambda: show_alternates(request, alternates, contest_id))


@post("/answer", guards=[requires_person])
async def answer(
    request: PageRequest, contest_id: FromPath[UUID], alternates: NamedDependency[AlternateService]
) -> Response[Any]:
    """Accept or decline an offer to the reader, and redirect to the page."""

    async def do(form: AnswerOffer) -> Response[Any]:
        await alternates.answer(contest_id, form)
        return redirect_after_form(alternates_path(contest_id), request)

    return await handle_form(request, ANSWER, do, lambda: show_alternates(request, alternates, contest_id))


@post("/list", guards=[requires_person])
async def list_person(
    request: PageRequest, contest_id: FromPath[UUID], alternates: NamedDependency[AlternateService]
) -> Response[Any]:
    """Add an account to the alternates as an organiser, and redirect to the page."""

    async def do(form: ListedPerson) -> Response[Any]:
        await alternates.list_person(contest_id, form.player, ListAlternate(form.strength, form.reason, form.waive))
        return redirect_after_form(alternates_path(contest_id), request)

    return await handle_form(request, LIST, do, lambda: show_alternates(request, alternates, contest_id))


@post("/removal", guards=[requires_person])
async def remove_person(
    request: PageRequest, contest_id: FromPath[UUID], alternates: NamedDependency[AlternateService]
) -> Response[Any]:
    """Remove an account from the alternates as an organiser, and redirect to the page."""

    async def do(form: RemovedPerson) -> Response[Any]:
        await alternates.remove(contest_id, form.player, form.reason)
        return redirect_after_form(alternates_path(contest_id), request)

    return await handle_form(request, REMOVE, do, lambda: show_alternates(request, alternates, contest_id))


HANDLERS: Final[tuple[Any, ...]] = (
    Router(
        "/contests/{contest_id:uuid}/alternates",
        route_handlers=[alternates_page, join, leave, answer, list_person, remove_person],
        dependencies={"alternates": Provide(provide_alternates, sync_to_thread=False)},
    ),
)
