"""Pages of rankings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery

from api.accounts.service import AccountService
from api.http.browser import PageRequest, page
from api.http.charts import Plot, draw_points
from api.http.clock import now
from api.http.paging import Before, Limit
from api.matches.service import MatchService
from api.ratings.routes import pool_named
from api.ratings.service import pools_shown, ranking_shown
from api.ratings.wire import RankingShown
from domain.ratings.ladder import INACTIVE_PERIODS, PROVISIONAL_MATCHES, Pool, month_of, period_of
from projections.platform.paging import LIMIT
from projections.platform.settings import Settings
from projections.ratings import rankings
from projections.ratings.told import Moved

PLOTTED: Final = 5
"""Number of best players in the chart."""
MONTHS_LISTED: Final = 24


@get("/rankings")
async def rankings_page(
    request: PageRequest, matches: NamedDependency[MatchService], settings: NamedDependency[Settings]
) -> Response[Any]:
    """List all rankings and the rules of rating."""
    context = {"shown": await pools_shown(matches), "correspondence_max": settings.rated_correspondence_max}
    return page(request, "ratings/rankings.html", context)


@get("/rankings/{title:str}/{seats:int}")
async def ranking_page(
    request: PageRequest,
    title: FromPath[str],
    seats: FromPath[int],
    matches: NamedDependency[MatchService],
    accounts: NamedDependency[AccountService],
    month: FromQuery[str] = "",
    before: Before = None,
    limit: Limit = LIMIT,
) -> Response[Any]:
    """Show a ranking, of today or of a month, with a chart of the best players."""
    pool, at = pool_named(matches.titles, title, seats), now()
    shown = await ranking_shown(matches, accounts, pool, month, at, limit, before)
    present = period_of(at)
    context = {
        "shown": shown,
        "pools": (await pools_shown(matches)).pools,
        "months": [month_of(period) for period in range(present, present - MONTHS_LISTED, -1)],
        "is_now": shown.month == month_of(present),
        "plot": await way_of_the_best(matches, pool, shown) if before is None else None,
        "limit": limit,
        "provisional_matches": PROVISIONAL_MATCHES,
        "inactive_periods": INACTIVE_PERIODS,
    }
    return page(request, "ratings/ranking.html", context)


async def way_of_the_best(matches: MatchService, pool: Pool, shown: RankingShown) -> Plot | None:
    """Return the chart of the best players; None if nothing can be drawn."""
    best = [line.player for line in shown.people if line.place][:PLOTTED] or [line.player for line in shown.bots]
    found = await matches.writer.read_model(rankings.histories, pool, [player.id for player in best[:PLOTTED]])
    return draw_points([(player.name, points_of(found[player.id])) for player in best[:PLOTTED]])


def points_of(history: Iterable[Moved]) -> list[Any]:
    """Return the points over time of a history."""
    return [(moved.ended_at, moved.points) for moved in history]


HANDLERS: Final[tuple[Any, ...]] = (rankings_page, ranking_page)
