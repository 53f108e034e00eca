"""Pages of ranking lists: live and frozen lists, players, recounts and predictions."""

from __future__ import annotations

from typing import Any, Final

from litestar import Response, Router, get
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, FromQuery

from api.http.charts import RatingChart, draw_ratings
from api.http.page_responses import PageRequest, render_page
from api.http.paging import Before, Limit
from api.rankings.pages.calibration_chart import draw_calibration
from api.rankings.pages.names import (
    CAUSE_WORDS,
    CLOCK_WORDS,
    PART_WORDS,
    describe_months,
    describe_people,
    is_over,
    name_of_list,
    title_names,
)
from api.rankings.recounting import load_recount
from api.rankings.routes import ListPart
from api.rankings.schemas import ListHistoryShown
from api.rankings.service import KeptList, RankingService, provide_rankings
from api.ratings.routes import find_player
from domain.ratings.ladder import end_of_month, parse_month
from projections.platform.clock import now
from projections.platform.paging import LIMIT

REASONS_MAX: Final = 3
"""The number of changed results that are named for each player who moved."""
PUBLIC: Final = 36
"""Length of the id of a public match; private ones have the longer name of their digest."""


async def describe_list(service: RankingService, kept: KeptList) -> dict[str, Any]:
    """Return the values that every page of a list shows."""
    shown = await service.show(kept)
    return {
        "list": shown,
        "name": name_of_list(shown.key, shown.rule, service.standard(), title_names(service.matches.titles)),
        "is_due": is_over(shown.due, now()),
        "people_of": describe_people,
        "months_of": describe_months,
        "clock_words": CLOCK_WORDS,
        "is_administrator": await service.is_administrator(),
    }


@get("/rankings/lists/{key:str}")
async def list_page(
    request: PageRequest,
    key: FromPath[str],
    lists: NamedDependency[RankingService],
    month: FromQuery[str] = "",
    part: FromQuery[ListPart] = "",
    before: Before = None,
    limit: Limit = LIMIT,
) -> Response[Any]:
    """Show the live list, or a closed month; raise `NoSuchList` if it is unknown."""
    kept = await lists.find(key)
    shown = await lists.lines(kept, month, limit, before or 0, lambda line: part in {"", line.part})
    described = await describe_list(lists, kept)
    closing = next((each for each in described["list"].months if each.month == month), None)
    version = described["list"].rules[-1 if closing is None else closing.rule - 1]
    context = described | {
        "shown": shown,
        "closing": closing,
        "version": version,
        "part": part,
        "part_words": PART_WORDS,
        "limit": limit,
    }
    return render_page(request, "rankings/list.html", context)


@get("/rankings/lists/{key:str}/players/{name:str}")
async def history_page(
    request: PageRequest, key: FromPath[str], name: FromPath[str], lists: NamedDependency[RankingService]
) -> Response[Any]:
    """Show a player in a list: the live line, explained, and the closed months; raise `NoSuchList` if not listed."""
    kept = await lists.find(key)
    history = await lists.history(kept, await find_player(lists.accounts, name))
    context = await describe_list(lists, kept) | {"shown": history, "plot": chart_months(history)}
    return render_page(request, "rankings/history.html", context)


def chart_months(history: ListHistoryShown) -> RatingChart | None:
    """Return the chart of a player's points at the ends of months and now; None with fewer than two."""
    points = [(end_of_month(parse_month(each.month)), each.line.points) for each in history.months]
    if history.now is not None:
        points.append((now(), history.now.points))
    return draw_ratings([(history.player.name, points)])


@get("/rankings/lists/{key:str}/months/{month:str}")
async def recount_page(
    request: PageRequest,
    key: FromPath[str],
    month: FromPath[str],
    lists: NamedDependency[RankingService],
    before: Before = None,
    limit: Limit = LIMIT,
) -> Response[Any]:
    """Show the basis of a closed month, and the moves of players since; raise `NoSuchList` if it is not closed."""
    kept = await lists.find(key)
    recount = await load_recount(lists, kept, month, limit, before or 0)
    described = await describe_list(lists, kept)
    context = described | {
        "shown": recount,
        "closing": next(each for each in described["list"].months if each.month == month),
        "cause_words": CAUSE_WORDS,
        "is_public": lambda match: len(match) == PUBLIC,
        "limit": limit,
        "reasons_max": REASONS_MAX,
    }
    return render_page(request, "rankings/recount.html", context)


@get("/rankings/lists/{key:str}/calibration")
async def calibration_page(
    request: PageRequest, key: FromPath[str], lists: NamedDependency[RankingService]
) -> Response[Any]:
    """Show how well ratings predict results of a list; raise `NoSuchList` if it is unknown."""
    kept = await lists.find(key)
    calibration = await lists.calibration(kept)
    context = await describe_list(lists, kept) | {"shown": calibration, "chart": draw_calibration(calibration.bands)}
    return render_page(request, "rankings/calibration.html", context)


LISTS: Final = {"lists": Provide(provide_rankings, sync_to_thread=False)}
HANDLERS: Final = (
    Router(
        "/",
        route_handlers=[list_page, history_page, recount_page, calibration_page],
        dependencies=LISTS,
    ),
)
