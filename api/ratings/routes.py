"""API routes of rankings and players."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Final

from litestar import Response, Router, get
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter
from litestar.response import Stream

from api.accounts.names import shown_name
from api.accounts.service import AccountService
from api.http.access import declare_access
from api.http.cursors import Cursor
from api.http.errors import problems
from api.http.guards import Caller
from api.http.paging import Limit
from api.matches.responses import show_player_or_empty
from api.matches.schemas import PlayerShown
from api.matches.service import MatchService
from api.ratings.schemas import PlayerPage, PoolsShown, RankingShown, RatedShown
from api.ratings.service import (
    encode_rating_change,
    load_player,
    load_pools,
    load_ranking,
    month_of_list,
    stream_ranking,
)
from domain.kernel.title import Titles
from domain.matches.errors import UnknownActor
from domain.matches.facts import is_bot
from domain.matches.seats.opening import check_player
from domain.ratings.ladder import PROGRAMS, Pool
from domain.ratings.model import NoSuchRanking
from domain.roles.errors import NoSuchPerson
from domain.tournaments.imports import csv_of, csv_of_rows
from projections.platform.clock import now
from projections.platform.paging import LIMIT
from projections.ratings import rating_history
from projections.ratings.monthly_rankings import ListedMonth

SEATS_MIN: Final = 2
SEATS_MAX: Final = 5

Month = Annotated[str, QueryParameter(max_length=7, description="a month, such as 2026-11 (default: today)")]


def find_pool(titles: Titles, title: str, seats: int) -> Pool:
    """Return the pool of a title and table size; raise `NoSuchRanking` if unknown.

    The title may have the suffix of the rankings that include bot accounts.
    """
    if title.removesuffix(PROGRAMS) not in titles or not SEATS_MIN <= seats <= SEATS_MAX:
        raise NoSuchRanking(f"no leaderboard for {title!r} with {seats} seats")
    return Pool(title, seats)


async def find_player(accounts: AccountService, name: str) -> PlayerShown:
    """Return a person by id or current name, or a bot by its full name; raise `NoSuchPerson` if unknown.

    Of a bot only the form of the name is checked, not that it has played.
    """
    if is_bot(name):
        try:
            check_player(name)
        except UnknownActor as error:
            raise NoSuchPerson(str(error)) from error
        player = show_player_or_empty(name, {})
        assert player is not None
        return player
    found = await asyncio.to_thread(accounts.get_by_id_or_name, name)
    return PlayerShown("person", found.id, shown_name(found.name, is_guest=False, is_bot=found.is_bot))


@get("/rankings", responses=problems(401))
async def list_pools(matches: NamedDependency[MatchService]) -> PoolsShown:
    """List titles and table sizes with rated players."""
    return await load_pools(matches)


@get("/rankings/{title:str}/{seats:int}", responses=problems(400, 401, 404))
async def get_ranking(
    title: FromPath[str],
    seats: FromPath[int],
    matches: NamedDependency[MatchService],
    accounts: NamedDependency[AccountService],
    month: Month = "",
    before: Cursor = None,
    limit: Limit = LIMIT,
) -> RankingShown:
    """Return a ranking, of today or of the end of a month; bots are listed separately.

    Raise `NoSuchRanking` (404) for unknown titles, table sizes and months.
    """
    listed = month_of_list(find_pool(matches.titles, title, seats), month, now())
    return await load_ranking(matches, accounts, listed, limit, before, month)


@get("/rankings/{title:str}/{seats:int}/list.csv", responses=problems(400, 401, 404), media_type="text/csv")
async def export_ranking(
    title: FromPath[str],
    seats: FromPath[int],
    matches: NamedDependency[MatchService],
    accounts: NamedDependency[AccountService],
    month: Month = "",
) -> Stream:
    """Return a whole ranking as CSV, of today or of the end of a month: people, then bots.

    Raise `NoSuchRanking` for an unknown title, table size or month.
    """
    listed = month_of_list(find_pool(matches.titles, title, seats), month, now())
    return Stream(ranking_parts(matches, accounts, listed), media_type="text/csv")


HEADING: Final = ("place", "kind", "player", "name", "points", "mean", "deviation", "matches", "wins", "best", "month")


async def ranking_parts(matches: MatchService, accounts: AccountService, listed: ListedMonth) -> AsyncIterator[bytes]:
    """Yield the parts of a ranking as CSV, with a heading."""
    yield csv_of(HEADING, ())
    async for lines in stream_ranking(matches, accounts, listed):
        yield csv_of_rows(map(ranking_cells, lines))


def ranking_cells(line: RatedShown) -> list[str]:
    """Return the cells of a line of a ranking for CSV."""
    player_cells = [str(line.place or ""), line.player.kind, line.player.id, line.player.name]
    rating_cells = [str(line.points), f"{line.mean:.4f}", f"{line.deviation:.4f}"]
    return [*player_cells, *rating_cells, str(line.matches), str(line.wins), str(line.best), line.month]


@declare_access("anybody", "ids of private matches: the player only")
@get("/players/{name:str}", responses=problems(400, 401, 404))
async def get_player(
    name: FromPath[str],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    accounts: NamedDependency[AccountService],
    before: Cursor = None,
    limit: Limit = LIMIT,
) -> PlayerPage:
    """Return a player's ratings and rated matches, latest first; raise `NoSuchPerson` if unknown.

    A person is named by name or id, a bot by its full name. Private matches are named only to the player.
    """
    player = await find_player(accounts, name)
    is_own = caller.person is not None and caller.person.id == player.id
    return await load_player(matches, player, now(), is_own=is_own, limit=limit, before=before)


@declare_access("anybody", "ids of private matches: the player only")
@get("/players/{name:str}/history.csv", responses=problems(400, 401, 404), media_type="text/csv")
async def export_history(
    name: FromPath[str],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    accounts: NamedDependency[AccountService],
) -> Response[str]:
    """Return a player's rated matches and rating changes as CSV; private matches are named only to the player.

    Raise `NoSuchPerson` if unknown.
    """
    player = await find_player(accounts, name)
    is_own = caller.person is not None and caller.person.id == player.id
    moves = await matches.writer.read_model(rating_history.history_of, player.id)
    heading = ["ended", "title", "seats", "place", "points", "before", "match"]
    rows = [
        [each.ended_at.isoformat(), each.title, each.seats, each.place, each.points, each.points_before, each.match_id]
        for each in (encode_rating_change(change, is_own) for change in moves)
    ]
    return Response(csv_of(heading, rows).decode(), media_type="text/csv")


ROUTER: Final = Router(
    "/",
    route_handlers=[list_pools, get_ranking, export_ranking, get_player, export_history],
    tags=["rankings"],
)
