"""A match read again, entry by entry: the board as it stood, its narration, points through time, forks from here."""

from __future__ import annotations

import asyncio
from typing import Any, Final
from uuid import UUID

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.enums import MediaType
from litestar.params import FromPath, FromQuery

from api.matches.pages.fragments import out_of_band
from api.matches.pages.replay_beside import PANELS
from api.matches.pages.replay_forking import FORK, ForkWithSeats, players_of
from api.matches.pages.replay_place import ReplayPlace
from api.matches.pages.replay_reading import ShownEntry, has_all_words, overview, shown_at
from api.matches.service import MatchService
from api.matches.wire import ForkMatch
from api.web.browser import PageRequest, back_to, csrf_of, is_htmx, page, person_of, render
from api.web.form_pages import answer_form, forms_of
from api.web.forms import Form, read_form, sent_fields, sent_number
from api.web.guards import Caller, requires_person
from api.web.headers import PERSONAL
from api.web.ids import Ids
from api.web.inputs import MaybeNumber
from api.web.languages import language_of
from api.web.preferences import preferences_of
from api.web.unchanged import holds, tag_of, unchanged
from api.web.wire import Asked, Seat
from projections.settings import Settings

PIECES: Final = {
    "replay-entry": "matches/replay/entry.html",
    "replay-steps": "matches/replay/steps.html",
    "replay-told": "matches/replay/told.html",
    "replay-fork": "matches/replay/fork.html",
    "seats": "matches/table/seats.html",
    "trust": "matches/table/trust.html",
}
"""The pieces of the page itself that change from entry to entry, by the id of their place, and their templates."""
VARY: Final = f"{PERSONAL['Vary']}, HX-Request"
"""One address has the page for a reader, and its pieces for the page's own script."""


def replay_path(match_id: UUID) -> str:
    return f"/tables/{match_id}/replay"


async def beside(request: PageRequest, shown: ShownEntry) -> dict[str, str]:
    """The panels of other rooms that have something to say of this entry."""
    place = ReplayPlace(
        shown.shown.match_id, shown.shown.title, shown.version, shown.last, shown.seat, shown.names, shown.is_open
    )
    made = {}
    for panel in PANELS:
        context = await panel.context(request, place)
        html = "" if context is None else render(request, panel.template, {**context, "place": place})
        made[f"beside-{panel.name}"] = html
    return made


def context_of(shown: ShownEntry, csrf: str) -> dict[str, Any]:
    """What every piece is drawn from; board and players find what they find at the table."""
    base = replay_path(shown.shown.match_id)
    return {
        "page": shown,
        "match": shown.shown,
        "names": shown.names,
        "view": shown.view,
        "csrf": csrf,
        "base": base,
        "is_replay": True,
    }


async def draw_pieces(request: PageRequest, shown: ShownEntry) -> dict[str, str]:
    """The page's own pieces that change from entry to entry, by the id of their place."""
    forms = {"forms": forms_of(request, FORK)}

    def pieces() -> dict[str, str]:
        drawing, context = shown.drawing, context_of(shown, csrf_of(request)) | forms
        if shown.view is not None:
            context |= drawing.picture(shown.view)
        made = {name: render(request, template, context) for name, template in PIECES.items()}
        if shown.view is None:
            first, *rest = (name for name, _ in drawing.templates)
            return made | {first: render(request, "matches/replay/nothing.html", context)} | dict.fromkeys(rest, "")
        return made | {name: render(request, template, context) for name, template in drawing.templates}

    return await asyncio.to_thread(pieces)


@get("/tables/{match_id:uuid}/replay")
async def replay_page(
    request: PageRequest,
    match_id: FromPath[UUID],
    matches: NamedDependency[MatchService],
    at: MaybeNumber = None,
    seat: FromQuery[str] = "",
) -> Response[Any]:
    """The match after an entry, through somebody's eyes; for the page's own script the changing pieces alone. Of a
    match that is over nothing changes but what stands beside it: whoever holds the answer gets no other."""
    shown = await shown_at(matches, match_id, at, seat, request.user)
    panels = await beside(request, shown)
    tag = await tag_of_entry(request, matches, shown, panels)
    answer: Response[Any]
    if tag and holds(request, tag):
        answer = unchanged(tag)
    else:
        answer = await draw_entry(request, matches, shown, panels)
        answer.headers |= {"ETag": tag} if tag else {}
    answer.headers["Vary"] = VARY
    return answer


async def tag_of_entry(request: PageRequest, matches: MatchService, shown: ShownEntry, panels: dict[str, str]) -> str:
    """The entity tag of an entry of a match that is over; nothing while it goes on or before its words are there.
    The board is not drawn for it. The panels are: nobody here knows what they are made of, and they are small."""
    if not shown.is_over or not await has_all_words(matches, shown):
        return ""
    reader = (person_of(request), csrf_of(request), language_of(request), preferences_of(request))
    asked = (is_htmx(request), request.url.query)
    return await asyncio.to_thread(tag_of, "replay", shown.made_of, panels, matches.bots, reader, asked)


async def show_replay(
    request: PageRequest, matches: MatchService, match_id: UUID, at: int | None, seat: str = ""
) -> Response[str]:
    """The replay where one of its forms was refused."""
    shown = await shown_at(matches, match_id, at, seat, request.user)
    return await draw_entry(request, matches, shown, await beside(request, shown))


async def draw_entry(
    request: PageRequest, matches: MatchService, shown: ShownEntry, panels: dict[str, str]
) -> Response[str]:
    made = await draw_pieces(request, shown) | panels
    if is_htmx(request):
        return Response(out_of_band(made), media_type=MediaType.HTML)
    context = context_of(shown, csrf_of(request))
    context |= {"made": made, "all": await overview(matches, shown), "panels": PANELS}
    return page(request, "matches/replay/page.html", context)


@post("/tables/{match_id:uuid}/replay/fork", guards=[requires_person], status_code=200)
async def fork_here(
    request: PageRequest,
    match_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    settings: NamedDependency[Settings],
    ids: NamedDependency[Ids],
) -> Response[Any]:
    """A new match that begins as this one stood after the entry that was shown."""

    async def do(wanted: ForkWithSeats) -> Response[Any]:
        new_id = ids.new()
        fork = ForkMatch(wanted.at, wanted.luck, wanted.own_luck)
        await matches.fork(match_id, caller, fork, new_id, players_of(wanted, settings.bots, caller))
        return back_to(f"/tables/{new_id}", request)

    async def again() -> Response[str]:
        return await show_replay(request, matches, match_id, sent_number(await sent_fields(request), "at"))

    return await answer_form(request, FORK, do, again)


class SeatForm(Asked, frozen=True):
    seat: Seat


SEAT: Final = Form("button", SeatForm)


@post("/tables/{match_id:uuid}/sit-in", guards=[requires_person], status_code=200)
async def sit_in(
    request: PageRequest,
    match_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
) -> Response[Any]:
    """Sit down on a seat of a fork that is still free."""
    seat = (await read_form(request, SEAT)).seat
    await matches.replace_seat(match_id, caller, seat, caller.actor)
    return back_to(f"/tables/{match_id}", request)


HANDLERS: Final = (replay_page, fork_here, sit_in)
