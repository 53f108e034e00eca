"""Choosing an action in advance: the page keeps it and sends it when its turn comes."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath

from api.http.guards import Caller, requires_person
from api.http.languages import language_of, say, use_language
from api.http.page_responses import PageRequest, render_page
from api.matches.responses import seat_names, seats_of
from api.matches.schemas import LegalAction
from api.matches.service import MatchService
from api.site.pages.fragments import group_buttons
from api.titles.sentences import with_names


@get("/tables/{match_id:uuid}/ahead", guards=[requires_person])
async def ahead(
    request: PageRequest,
    match_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
) -> Response[Any]:
    """Show the buttons of the actions that the reader's seat can already choose before its turn; none if uncertain.

    Raise `NotSeated` or `NotHeld` without a seat.
    """
    match, actions = await matches.reading.actions_ahead(match_id, caller)
    names = seat_names(seats_of(match, await matches.reading.names_at(match)))
    describe = match.definition.rules.describe
    with use_language(language_of(request)):
        legal = [LegalAction(each.action, say(with_names(describe(each.seen, each.action), names))) for each in actions]
        groups = group_buttons(legal, matches.drawings[match.title])
    return render_page(request, "site/table/ahead.html", {"groups": groups})


HANDLERS: Final = (ahead,)
