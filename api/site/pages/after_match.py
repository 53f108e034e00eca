"""Actions after a match: rating changes, rematch, study, and sharing.

This part depends on the reader, so the table page loads it separately from the shared HTML.
"""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

import msgspec
from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath

from api.accounts.display_names import names_of
from api.accounts.service import AccountService
from api.http.forms import Form, read_form
from api.http.guards import requires_person
from api.http.page_responses import PageRequest, redirect_after_form, render_page
from api.http.structs import RequestStruct
from api.keys.schemas import Voucher
from api.matches.pages.addresses import table_path
from api.matches.rematches import RematchService, provide_rematches
from api.matches.service import MatchService
from api.site.pages.turns import NO_STORE
from domain.analyses.report import why_unfit
from domain.matches.aggregate import Match
from domain.matches.facts import Actor
from projections.platform.clock import now
from projections.ratings import rankings


class RatingMoved(msgspec.Struct, frozen=True):
    """The rating change of a player."""

    player: Actor
    name: str
    before: int
    after: int


class RematchForm(RequestStruct, frozen=True):
    """The form that asks for or accepts a rematch."""

    own_luck: bool = False
    key: Voucher = ""


REMATCH: Final = Form("button", RematchForm)


RATING_FOLLOWS: Final = timedelta(minutes=1)
"""Time within which ratings of an ended match appear, if at all."""
REMATCH_FOLLOWS: Final = timedelta(hours=1)
"""Time for which a page keeps checking for a rematch."""


def waits_for_rating(match: Match, at: datetime, *, imported: bool) -> bool:
    """Return whether ratings of the match may still appear."""
    return match.status == "ended" and match.table.rated and not imported and at - match.timestamp < RATING_FOLLOWS


@get("/tables/{match_id:uuid}/after")
async def after_match(
    request: PageRequest,
    match_id: FromPath[UUID],
    matches: NamedDependency[MatchService],
    accounts: NamedDependency[AccountService],
    rematches: NamedDependency[RematchService],
) -> Response[str]:
    """Show what follows a match: rating changes by place, the rematch, and whether it can be analysed; never cached.

    A running match has no rating changes. Raise `NotAllowed` if too many rematches were abandoned.
    """
    match, at = await matches.reading.get(match_id), now()
    changes = await matches.writer.read_model(rankings.rating_changes_by, match_id) if match.status == "ended" else ()
    rematch = await rematches.show(match)
    accepted = rematch.accepted if rematch else ()
    names = await asyncio.to_thread(names_of, accounts, [*(each.after.player for each in changes), *accepted])
    ratings = [
        RatingMoved(each.after.player, names[each.after.player], each.points_before, each.points)
        for each in sorted(changes, key=lambda each: each.place)
    ]
    context = {
        "match": match,
        "is_analysable": match.definition.is_judged and not why_unfit(match),
        "ratings": ratings,
        "is_pending": not ratings and waits_for_rating(match, at, imported=await matches.reading.is_imported(match_id)),
        "is_watched": rematch is not None and rematch.is_open and at - match.timestamp < REMATCH_FOLLOWS,
        "rematch": rematch,
        "accepted": [names[actor] for actor in accepted],
    }
    response = render_page(request, "site/after.html", context)
    response.headers.update(NO_STORE)
    return response


@post("/tables/{match_id:uuid}/rematch", guards=[requires_person], status_code=200)
async def play_rematch(
    request: PageRequest,
    match_id: FromPath[UUID],
    rematches: NamedDependency[RematchService],
) -> Response[Any]:
    """Ask for a rematch or accept one, and redirect to its table; repeating returns to the same table.

    Raise `NotSeated` or `NotAllowed` if none is offered to the reader, and the other errors of `RematchService.accept`.
    """
    form = await read_form(request, REMATCH)
    new_match = await rematches.accept(match_id, own_luck=form.own_luck, key=form.key)
    return redirect_after_form(table_path(new_match.id), request)


HANDLERS: Final = (
    Router(
        "/",
        route_handlers=[after_match, play_rematch],
        dependencies={"rematches": Provide(provide_rematches, sync_to_thread=False)},
    ),
)
