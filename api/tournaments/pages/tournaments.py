"""Public pages: list of tournaments, a tournament, standings, crosstable, people and record."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Final

from litestar import Response, Router, get
from litestar.di import NamedDependency, Provide
from litestar.params import FromQuery, QueryParameter

from api.disputes.record import records_context
from api.http.page_responses import PageRequest, person_of, render_page
from api.http.paging import Before, Limit
from api.matches.pages.clocks import CLOCKS
from api.matches.pages.terms import describe_clock
from api.tournaments.acts import ACT_WORDS
from api.tournaments.pages.context import TournamentContext, page_texts, provide_context
from api.tournaments.pages.live import standings_stream, tournament_stream
from api.tournaments.responses import show_lines
from api.tournaments.schemas import TournamentListed
from api.tournaments.service import TournamentService
from domain.standings.contest import ROUNDS_MAX
from projections.platform.paging import LIMIT, Page

OWN: Final = 20
LINES_DRAWN: Final = 400
"""Lines of the crosstable shown at first."""


@get("/events")
async def tournaments_page(
    request: PageRequest,
    tournaments: NamedDependency[TournamentService],
    mine: FromQuery[bool] = False,
    before: Before = None,
    limit: Limit = LIMIT,
) -> Response[str]:
    """List tournaments, latest first, and on the first page the reader's own; with `mine` only these."""
    person = person_of(request)
    found: Page[TournamentListed] = Page(()) if mine else await tournaments.reading.list(None, limit, before)
    own: Page[TournamentListed] = Page(())
    if person is not None and (mine or before is None):
        own = await tournaments.reading.list_of(person.id, limit if mine else OWN, before)
    context = {
        "events": found.items,
        "own": own,
        "mine": mine,
        "next": found.next,
        "limit": limit,
        "clocks": {name: describe_clock(clock) for name, clock in CLOCKS.items()},
        **page_texts(),
    }
    return render_page(request, "tournaments/tournaments.html", context)


@get("/")
async def tournament_page(
    page: NamedDependency[TournamentContext],
    number: Annotated[int, QueryParameter(name="round", ge=0, le=ROUNDS_MAX)] = 0,
) -> Response[str]:
    """Show a tournament: description, standings and the latest rounds, or one round; updated by a stream."""
    return await page.render_overview(number)


@get("/standings")
async def standings_page(page: NamedDependency[TournamentContext]) -> Response[str]:
    """Show the standings with every tie-break."""
    event = await page.tournaments.reading.get(page.id)
    context = await page.context(event)
    context["standings"] = await page.standings(event)
    return page.render("standings", context)


@get("/crosstable")
async def crosstable_page(page: NamedDependency[TournamentContext], whole: FromQuery[bool] = False) -> Response[str]:
    """Show the crosstable; only the first `LINES_DRAWN` lines unless `whole` is set."""
    event = await page.tournaments.reading.get(page.id)
    context = await page.context(event)
    render_lines = partial(show_lines, first=None if whole else LINES_DRAWN)
    context["lines"], context["count"] = await page.tournaments.reading.render(event, render_lines)
    return page.render("crosstable", context)


@get("/people")
async def people_page(page: NamedDependency[TournamentContext]) -> Response[str]:
    """Show the participants: playing, waiting and withdrawn."""
    return await page.render_participants()


@get("/record")
async def record_page(
    page: NamedDependency[TournamentContext], of: FromQuery[str] = "", before: Before = None, limit: Limit = LIMIT
) -> Response[str]:
    """Show a page of the acts of organisers and arbiters with their reasons, latest first.

    With `of=arbiters` only acts of arbiters; otherwise, on later pages (`before`), only acts of organisers.
    """
    context = await page.context(await page.tournaments.reading.get(page.id))
    acts = partial(page.tournaments.reading.record, page.id)
    records = await records_context(acts, page.tables, page.accounts, str(page.id), of, limit, before)
    return page.render("record", {**context, **records, "act_words": ACT_WORDS})


HANDLERS: Final[tuple[Any, ...]] = (
    tournaments_page,
    Router(
        "/events/{event_id:uuid}",
        route_handlers=[
            tournament_page,
            tournament_stream,
            standings_page,
            standings_stream,
            crosstable_page,
            people_page,
            record_page,
        ],
        dependencies={"page": Provide(provide_context, sync_to_thread=False)},
    ),
)
