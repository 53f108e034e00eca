"""Pages of rankings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery

from api.accounts.service import AccountService
from api.http.charts import RatingChart, draw_ratings
from api.http.cursors import Cursor
from api.http.page_responses import PageRequest, render_page
from api.http.paging import Limit
from api.matches.service import MatchService
from api.ratings.routes import find_pool
from api.ratings.schemas import RankingShown
from api.ratings.service import load_pools, load_ranking, month_of_list
from domain.ratings.ladder import Pool, month_of, period_of
from domain.ratings.terms import INACTIVE_PERIODS, PROVISIONAL_MATCHES
from projections.platform.clock import now
from projections.platform.paging import LIMIT
from projections.platform.settings import Settings
from projections.ratings import rating_history
from projections.ratings.effects import RatingChange

PLOTTED_MAX: Final = 5
"""Number of best players in the chart."""
MONTHS_LISTED: Final = 24


@get("/rankings")
async def rankings_page(
    request: PageRequest, matches: NamedDependency[MatchService], settings: NamedDependency[Settings]
) -> Response[Any]:
    """List all rankings and the rules of rating."""
    context = {"shown": await load_pools(matches), "correspondence_max": settings.rated_correspondence_max}
    return render_page(request, "ratings/rankings.html", context)


@get("/rankings/{title:str}/{seats:int}")
async def ranking_page(
    request: PageRequest,
    title: FromPath[str],
    seats: FromPath[int],
    matches: NamedDependency[MatchService],
    accounts: NamedDependency[AccountService],
    month: FromQuery[str] = "",
    before: Cursor = None,
    limit: Limit = LIMIT,
) -> Response[Any]:
    """Show a ranking, of today or of a month; its first page has a chart of the best players.

    Raise `NoSuchRanking` for an unknown title, table size or month.
    """
    pool, at = find_pool(matches.titles, title, seats), now()
    ranking = await load_ranking(matches, accounts, month_of_list(pool, month, at), limit, before, month)
    current_period = period_of(at)
    context = {
        "shown": ranking,
        "pools": (await load_pools(matches)).pools,
        "months": [month_of(period) for period in range(current_period, current_period - MONTHS_LISTED, -1)],
        "is_now": ranking.month == month_of(current_period),
        "plot": await chart_best_players(matches, pool, ranking) if before is None else None,
        "limit": limit,
        "provisional_matches": PROVISIONAL_MATCHES,
        "inactive_periods": INACTIVE_PERIODS,
    }
    return render_page(request, "ratings/ranking.html", context)


async def chart_best_players(matches: MatchService, pool: Pool, ranking: RankingShown) -> RatingChart | None:
    """Return the chart of at most `PLOTTED_MAX` best people, or bots if there are none; None if it is empty."""
    best = [line.player for line in ranking.people if line.place][:PLOTTED_MAX] or [
        line.player for line in ranking.bots
    ]
    found = await matches.writer.read_model(
        rating_history.histories, pool, [player.id for player in best[:PLOTTED_MAX]]
    )
    return draw_ratings([(player.name, points_of(found[player.id])) for player in best[:PLOTTED_MAX]])


def points_of(history: Iterable[RatingChange]) -> list[Any]:
    """Return the points over time of a history."""
    return [(change.ended_at, change.points) for change in history]


HANDLERS: Final[tuple[Any, ...]] = (rankings_page, ranking_page)
