"""The form of the prizes of a division."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath

from api.contests.prize_forms import PRIZES, SPLITS, PrizesForm, rows_of
from api.contests.prize_schemas import SetDivisionPrizes
from api.http.form_pages import forms_of, handle_form
from api.http.guards import requires_person
from api.http.page_responses import PageRequest, redirect_after_form, render_page
from api.leagues import awards
from api.leagues.pages.leagues import league_path
from api.leagues.service import OrganisedLeague, provide_league, provide_leagues
from domain.leagues.plan import LeagueRefused


def prizes_path(league_id: UUID, division: int) -> str:
    """Return the path of the form of the prizes of a division, counted from 1."""
    return f"{league_path(league_id)}/desk/prizes/{division}"


@get("/{division:int}")
async def prizes_page(
    request: PageRequest, league: NamedDependency[OrganisedLeague], division: FromPath[int]
) -> Response[Any]:
    """Show the organiser's form of the prizes of a division; raise `LeagueRefused` without a season or division."""
    return await show_prizes(request, league, division)


async def show_prizes(request: PageRequest, league: OrganisedLeague, division: int) -> Response[Any]:
    """Render the form of prizes; raise `LeagueRefused` without a season or such a division."""
    stream = await league.service.stream(league.id)
    if stream.state.season is None:
        raise LeagueRefused("the league has no season yet")
    shown = await awards.season_awards(league.service, stream, stream.state.season.number)
    if not 1 <= division <= len(shown.divisions):
        raise LeagueRefused(f"the season has divisions 1 to {len(shown.divisions)}, not {division}")
    prizes = shown.divisions[division - 1].prizes
    context = {
        "shown": await league.encode(stream),
        "season": stream.state.season,
        "divisions": shown.divisions,
        "division": division,
        "prizes": prizes,
        "prize_rows": rows_of(prizes),
        "splits": SPLITS,
        "forms": forms_of(request, PRIZES),
    }
    return render_page(request, "leagues/prizes.html", context)


@post("/{division:int}")
async def set_prizes(
    request: PageRequest, league: NamedDependency[OrganisedLeague], division: FromPath[int]
) -> Response[Any]:
    """Change the prizes of a division as an organiser who does not play, and show the form again, with any faults."""

    async def do(form: PrizesForm) -> Response[Any]:
        wanted = SetDivisionPrizes(form.prizes(), form.reason, division=division)
        await awards.set_prizes(league, wanted)
        return redirect_after_form(prizes_path(league.id, division), request)

    return await handle_form(request, PRIZES, do, lambda: show_prizes(request, league, division))


HANDLERS: Final[tuple[Any, ...]] = (
    Router(
        "/leagues/{league_id:uuid}/desk/prizes",
        route_handlers=[prizes_page, set_prizes],
        guards=[requires_person],
        dependencies={
            "league": Provide(provide_league),
            "leagues": Provide(provide_leagues, sync_to_thread=False),
        },
    ),
)
