"""Pages for the end of an event: the form of prizes, and the archive page with its permanent address."""

from __future__ import annotations

from typing import Any, Final

from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide

from api.contests.prize_forms import PRIZES, SPLITS, PrizesForm, format_amount, rows_of
from api.http.form_pages import forms_of, handle_form
from api.http.guards import requires_person
from api.tournaments.pages.context import TournamentContext, provide_context
from api.tournaments.pages.workbench import render_workbench
from api.tournaments.responses import show_standings_and_awards


@get("/desk/prizes", guards=[requires_person])
async def prizes_page(page: NamedDependency[TournamentContext]) -> Response[str]:
    """Show the organiser's form of prizes; raise `RoleMissing` for others."""
    return await prizes_form(page)


async def prizes_form(page: TournamentContext) -> Response[str]:
    """Render the form of prizes; raise `RoleMissing` for non-organisers."""
    event = await page.tournaments.reading.require_organiser(page.id)
    prize_context = {"prize_rows": rows_of(event.state.prizes), "splits": SPLITS, "prizes": event.state.prizes}
    return await render_workbench(page, "desk_prizes", **prize_context, forms=forms_of(page.request, PRIZES))


@post("/desk/prizes", guards=[requires_person])
async def set_prizes(page: NamedDependency[TournamentContext]) -> Response[Any]:
    """Change the prizes as an organiser who does not play in the event, and show the form again, with any faults.

    Raises `RoleMissing` for non-organisers.
    """

    async def do(form: PrizesForm) -> Response[Any]:
        await page.tournaments.plans.set_prizes(page.id, form.prizes(), form.reason)
        return page.back("/desk/prizes")

    async def again() -> Response[str]:
        return await prizes_form(page)

    await page.tournaments.reading.require_organiser(page.id)
    return await handle_form(page.request, PRIZES, do, again)


@get("/archive")
async def archive_page(page: NamedDependency[TournamentContext]) -> Response[str]:
    """Show the whole event on one page: standings, prizes, rounds, files, proof and record."""
    event = await page.tournaments.reading.get(page.id)
    context = await page.context(event)
    context["standings"], awards = await page.tournaments.reading.render(event, show_standings_and_awards)
    context["awards"] = awards
    context["won"] = {each.entry: each for each in awards.awards}
    return page.render("archive", {**context, "splits": SPLITS, "amount_text": format_amount})


HANDLERS: Final[tuple[Any, ...]] = (
    Router(
        "/events/{event_id:uuid}",
        route_handlers=[prizes_page, set_prizes, archive_page],
        dependencies={"page": Provide(provide_context, sync_to_thread=False)},
    ),
)
