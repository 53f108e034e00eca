"""The report of an event: results and final boards of a round."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Final

from litestar import Response, Router, get
from litestar.di import NamedDependency, Provide
from litestar.params import QueryParameter

from api.tournaments.pages.context import TournamentContext, board_of, provide_context
from domain.standings.contest import ROUNDS_MAX

BOARDS_PER_PAGE: Final = 24
"""Boards per page."""


@get("/report")
async def report_page(
    page: NamedDependency[TournamentContext],
    number: Annotated[int, QueryParameter(name="round", ge=0, le=ROUNDS_MAX)] = 0,
    after: Annotated[int, QueryParameter(ge=0, le=10_000)] = 0,
) -> Response[str]:
    """Show a public round, by default or for an unknown number the latest, with the final boards of finished tables.

    A page has `BOARDS_PER_PAGE` tables; `after` is the number of tables to skip.
    """
    event = await page.tournaments.reading.get(page.id)
    context = await page.context(event)
    public = [each for each in context["shown"].rounds if each.is_public]
    round_ = next((each for each in public if each.round == number), public[-1] if public else None)
    tables = round_.tables[after : after + BOARDS_PER_PAGE] if round_ is not None else ()
    boards = {}
    for table in tables:
        if table.match_id is not None and table.status == "over":
            match = await page.tables.reading.get(table.match_id)
            boards[table.match_id] = await asyncio.to_thread(board_of, match, page.tables.drawings[match.title])
    next_after = after + BOARDS_PER_PAGE if round_ is not None and len(round_.tables) > after + BOARDS_PER_PAGE else 0
    report = {"round": round_, "tables": tables, "boards": boards, "public": public, "more": next_after}
    return page.render("report", {**context, **report, "standings": await page.standings(event)})


HANDLERS: Final[tuple[Any, ...]] = (
    Router(
        "/events/{event_id:uuid}",
        route_handlers=[report_page],
        dependencies={"page": Provide(provide_context, sync_to_thread=False)},
    ),
)
