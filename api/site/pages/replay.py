"""The replay of a match by entry: board, narration, points over time, and forks."""

from __future__ import annotations

import asyncio
from typing import Any, Final
from uuid import UUID

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.enums import MediaType
from litestar.params import FromPath, FromQuery

from api.http.etags import has_tag, not_modified, tag_of
from api.http.form_pages import forms_of, handle_form
from api.http.forms import Form, read_form, sent_fields, sent_number
from api.http.fragments import out_of_band
from api.http.guards import Caller, requires_person
from api.http.headers import PERSONAL
from api.http.ids import Ids
from api.http.inputs import MaybeNumber, WholeNumber
from api.http.languages import language_of
from api.http.limits import CREATES
from api.http.page_responses import PageRequest, csrf_of, is_htmx, person_of, redirect_after_form, render, render_page
from api.http.preferences import preferences_of
from api.http.structs import RequestStruct, Seat
from api.matches.pages.replay_entry import ShownEntry, has_all_narration, load_entry
from api.matches.pages.replay_forking import FORK, ForkWithSeats, players_of
from api.matches.pages.replay_overview import OVERVIEWS
from api.matches.pages.replay_position import Notes, ReplayPosition, RequestedPosition
from api.matches.schemas import ForkMatch
from api.matches.service import MATCHES, MatchService
from api.site.pages.replay_panels import PANELS, notes_of
from api.studies.pages.panel import position_of
from projections.platform.settings import Settings

FRAGMENTS: Final = {
    "replay-entry": "site/replay/entry.html",
    "replay-steps": "site/replay/steps.html",
    "replay-compare": "site/replay/compare.html",
    "replay-fork": "site/replay/fork.html",
    "seats": "site/table/seats.html",
    "trust": "site/table/trust.html",
}
"""Templates of the changing fragments by element id."""
LIST_TEMPLATE: Final = "replay-told"
"""Element id of the list of entries, a separate fragment because it is long and rarely changes."""
VARY: Final = f"{PERSONAL['Vary']}, HX-Request"
"""The same URL serves the page, and its fragments to the page's script."""


class ReplayData(msgspec.Struct, frozen=True):
    """The data of a replay position: the entry, panels and notes."""

    shown: ShownEntry
    place: ReplayPosition
    panels: dict[str, str]
    notes: Notes
    has_list: bool
    """Whether the list of entries is rendered too."""


async def load_replay_data(
    request: PageRequest, matches: MatchService, match_id: UUID, requested: RequestedPosition, *, has_list: bool
) -> ReplayData:
    """Load the data of a replay position; the notes of panels only with `has_list`.

    Raise `NoSuchMatch`, `NoSuchEntry`, or `StudyRefused` for a variation that does not exist.
    """
    variation_step = await position_of(request, match_id, requested)
    entry = await load_entry(matches, match_id, requested, request.user, variation_step)
    position = ReplayPosition(
        entry.shown.match_id,
        entry.shown.title,
        entry.version,
        entry.last,
        entry.seat,
        entry.names,
        entry.is_open,
        requested,
        variation_step,
        entry.state,
    )
    notes = await notes_of(request, position) if has_list else {}
    return ReplayData(entry, position, await render_panels(request, position), notes, has_list)


async def render_panels(request: PageRequest, position: ReplayPosition) -> dict[str, str]:
    """Return the rendered panels of other subjects about this entry, by element id; empty HTML for an unused panel."""
    panels = {}
    for panel in PANELS:
        context = await panel.context(request, position)
        html = "" if context is None else render(request, panel.template, {**context, "place": position})
        panels[f"beside-{panel.name}"] = html
    return panels


def context_of(entry: ShownEntry, csrf: str) -> dict[str, Any]:
    """Return the context of all fragments, with the names that table templates use."""
    base = f"/tables/{entry.shown.match_id}/replay"
    return {
        "page": entry,
        "match": entry.shown,
        "names": entry.names,
        "view": entry.view,
        "csrf": csrf,
        "base": base,
        "is_replay": True,
    }


async def draw_pieces(request: PageRequest, read: ReplayData) -> dict[str, str]:
    """Render the changing fragments by element id; without a view, the board's are a notice and empty ones."""
    entry, replay_context = read.shown, {"forms": forms_of(request, FORK), "replay_place": read.place}

    def pieces() -> dict[str, str]:
        drawing, context = entry.drawing, context_of(entry, csrf_of(request)) | replay_context
        if entry.view is not None:
            context |= drawing.picture(entry.view)
        fragments = {name: render(request, template, context) for name, template in FRAGMENTS.items()}
        if entry.view is None:
            first, *rest = (name for name, _ in drawing.templates)
            return fragments | {first: render(request, "site/replay/nothing.html", context)} | dict.fromkeys(rest, "")
        return fragments | {name: render(request, template, context) for name, template in drawing.templates}

    return await asyncio.to_thread(pieces)


@get("/tables/{match_id:uuid}/replay")
async def replay_page(
    request: PageRequest,
    match_id: FromPath[UUID],
    matches: NamedDependency[MatchService],
    at: MaybeNumber = None,
    seat: FromQuery[str] = "",
    study: FromQuery[UUID | None] = None,
    variation: WholeNumber = 0,
    step: WholeNumber = 0,
    against: MaybeNumber = None,
    whole: FromQuery[bool] = False,
) -> Response[Any]:
    """Show the match after an entry or a step of a variation, as seen by a seat; raise as `load_replay_data`.

    The page's script receives only the fragments, and with `whole` also the list of entries. For an ended match,
    conditional requests give 304 until a panel changes.
    """
    requested = RequestedPosition(at, seat, study, variation, step, against)
    read = await load_replay_data(request, matches, match_id, requested, has_list=whole or not is_htmx(request))
    tag = await tag_of_entry(request, matches, read)
    response: Response[Any]
    if tag and has_tag(request, tag):
        response = not_modified(tag)
    else:
        response = await draw_entry(request, matches, read)
        response.headers |= {"ETag": tag} if tag else {}
    response.headers["Vary"] = VARY
    return response


async def tag_of_entry(request: PageRequest, matches: MatchService, read: ReplayData) -> str:
    """Return the entity tag of an entry; empty if the match is unfinished or its narration incomplete.

    The tag includes the rendered panels, which are small and whose inputs are unknown here, but not the board.
    """
    entry = read.shown
    if not entry.is_over or not await has_all_narration(matches, entry):
        return ""
    panels_and_notes = (read.panels, sorted(read.notes.items()))
    reader = (person_of(request), csrf_of(request), language_of(request), preferences_of(request))
    query = (is_htmx(request), request.url.query)
    return await asyncio.to_thread(tag_of, "replay", entry.cache_key, panels_and_notes, matches.bots, reader, query)


async def show_replay(request: PageRequest, match_id: UUID, requested: RequestedPosition) -> Response[str]:
    """Show the replay after one of its forms was rejected; htmx does not receive the list of entries.

    Raise as `load_replay_data`, such as `NoSuchEntry`.
    """
    matches = MATCHES.of(request)
    return await draw_entry(
        request, matches, await load_replay_data(request, matches, match_id, requested, has_list=not is_htmx(request))
    )


async def draw_entry(request: PageRequest, matches: MatchService, read: ReplayData) -> Response[str]:
    """Render a replay position, as a page or as fragments for htmx; the list of entries only if it was loaded."""
    pieces = await draw_pieces(request, read) | read.panels
    context = context_of(read.shown, csrf_of(request)) | {"replay_place": read.place, "notes": read.notes}
    if read.has_list:
        overviews = OVERVIEWS.of(request)
        context["all"] = await overviews.get(matches, read.shown)
        pieces[LIST_TEMPLATE] = await asyncio.to_thread(render, request, "site/replay/told.html", context)
    if is_htmx(request):
        return Response(out_of_band(pieces), media_type=MediaType.HTML)
    return render_page(request, "site/replay/page.html", context | {"made": pieces, "panels": PANELS})


@post("/tables/{match_id:uuid}/replay/fork", guards=[requires_person], status_code=200, opt=CREATES)
async def fork_here(
    request: PageRequest,
    match_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    settings: NamedDependency[Settings],
    ids: NamedDependency[Ids],
) -> Response[Any]:
    """Fork the match after the shown entry, and redirect to the new table; a rejected form shows the replay again.

    Refused with `ForkRefused` or the other errors of `Seating.fork`.
    """

    async def do(form: ForkWithSeats) -> Response[Any]:
        new_id = ids.new()
        fork = ForkMatch(form.at, form.luck, form.own_luck)
        await matches.seating.fork(match_id, caller, fork, new_id, players_of(form, settings.bots, caller))
        return redirect_after_form(f"/tables/{new_id}", request)

    async def again() -> Response[str]:
        form = RequestedPosition(sent_number(await sent_fields(request), "at"))
        return await show_replay(request, match_id, form)

    return await handle_form(request, FORK, do, again)


class SeatForm(RequestStruct, frozen=True):
    """The form that takes a seat of a fork."""

    seat: Seat


SEAT: Final = Form("button", SeatForm)


@post("/tables/{match_id:uuid}/sit-in", guards=[requires_person], status_code=200)
async def sit_in(
    request: PageRequest,
    match_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
) -> Response[Any]:
    """Take an empty seat of a fork, and redirect to its table; raise the errors of `replace_seat`."""
    seat = (await read_form(request, SEAT)).seat
    await matches.seating.replace_seat(match_id, caller, seat, caller.actor)
    return redirect_after_form(f"/tables/{match_id}", request)


HANDLERS: Final = (replay_page, fork_here, sit_in)
