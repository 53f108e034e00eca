"""Rankings and ratings for responses and pages."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from datetime import datetime
from typing import Final

from api.accounts.display_names import Names, names_of
from api.accounts.service import AccountService
from api.http.cursors import decode_cursor, encode_cursor
from api.matches.responses import show_player
from api.matches.schemas import PlayerShown
from api.matches.service import MatchService
from api.ratings.schemas import (
    LeavingShown,
    MovedShown,
    OverallShown,
    PlayerPage,
    PlayerRating,
    PoolShown,
    PoolsShown,
    RankingShown,
    RatedShown,
)
from domain.matches.facts import Actor, is_bot
from domain.ratings.ladder import Order, Pool, RankingLine, Rated, month_of, period_of
from domain.ratings.leaving import LeavingHabit
from domain.ratings.model import NoSuchRanking
from domain.ratings.models import BASE
from projections.platform.paging import LIMIT
from projections.platform.store import ReadStore
from projections.ratings import early_leavers, monthly_rankings, rankings, rating_history
from projections.ratings.effects import RatingChange
from projections.ratings.monthly_rankings import ListedMonth
from projections.ratings.rating_history import HistoryPosition

PART: Final = 500
"""The lines of a ranking that are read at once for a file."""
MONTHS_FROM: Final = 2000 * 12
"""The earliest month of a ranking."""


def seeding_of(store: ReadStore, title: str, seats: int, actor: Actor) -> int:
    """Return a player's points in a pool; 0 for a newcomer."""
    return max(0, rankings.points_of(store, Pool(title, seats), actor))


def parse_period(month: str, at: datetime) -> int:
    """Return the period of a month such as `2026-11`, by default today's.

    Raise `NoSuchRanking` for other texts, months to come and months before `MONTHS_FROM`.
    """
    if not month:
        return period_of(at)
    year, dash, number = month.partition("-")
    if dash and year.isdecimal() and number.isdecimal() and len(year) == 4 and 1 <= int(number) <= 12:
        period = int(year) * 12 + int(number) - 1
        if MONTHS_FROM <= period <= period_of(at):
            return period
    raise NoSuchRanking(f"no leaderboard for {month!r}; expected a past or current month such as 2026-11")


def encode_rated(line: RankingLine, names: Names, period: int) -> RatedShown:
    """Convert a line of a ranking."""
    rated = line.rated
    return RatedShown(
        place=line.place,
        player=show_player(rated.player, names),
        points=line.points,
        mean=rated.skill.mean,
        deviation=rated.skill.deviation,
        matches=rated.matches,
        wins=rated.wins,
        best=rated.best,
        month=month_of(rated.last_period),
        provisional=rated.is_provisional(),
        inactive=rated.is_inactive(period),
    )


async def load_pools(matches: MatchService) -> PoolsShown:
    """Return the pools with rankings, and the number of results that are not counted yet."""
    found = await matches.writer.read_model(rankings.pools)
    pools = tuple(PoolShown(pool.title, pool.seats, results) for pool, results in found.items())
    return PoolsShown(BASE, pools, await matches.writer.read_model(rankings.pending))


def month_of_list(pool: Pool, month: str, at: datetime) -> ListedMonth:
    """Return the list of a pool and month, by default today's; raise `NoSuchRanking` for an unknown month."""
    period = parse_period(month, at)
    return ListedMonth(pool, period, is_now=period == period_of(at))


async def load_ranking(
    matches: MatchService,
    accounts: AccountService,
    listed: ListedMonth,
    limit: int,
    before: str | None,
    requested_month: str,
) -> RankingShown:
    """Return the ranking of a pool: a page of people by place, and all bots separately (on every page).

    Empty for a pool without results. A page of a past month may be shorter than `limit`. Raise `ValidationException`
    for a wrong cursor.
    """
    pool, period = listed.pool, listed.period
    name = f"ranking {pool.title} {pool.seats} {requested_month}"
    after = decode_cursor(name, Order, before)
    page = await matches.writer.read_model(monthly_rankings.people_page, listed, limit, after)
    bots = await matches.writer.read_model(monthly_rankings.bots_of, listed)
    return RankingShown(
        pool.title,
        pool.seats,
        month_of(period),
        await encode_lines(accounts, page.lines, period),
        await encode_lines(accounts, bots, period),
        next=encode_cursor(name, page.next),
    )


async def encode_lines(accounts: AccountService, lines: Sequence[RankingLine], period: int) -> tuple[RatedShown, ...]:
    """Convert lines of a ranking, with names in the language of the reader."""
    names = await asyncio.to_thread(names_of, accounts, [line.rated.player for line in lines])
    return tuple(encode_rated(line, names, period) for line in lines)


async def stream_ranking(
    matches: MatchService, accounts: AccountService, listed: ListedMonth
) -> AsyncIterator[tuple[RatedShown, ...]]:
    """Yield all lines of a ranking in parts: people, then bots."""
    after: Order | None = None
    while True:
        page = await matches.writer.read_model(monthly_rankings.people_page, listed, PART, after)
        yield await encode_lines(accounts, page.lines, listed.period)
        after = page.next
        if after is None:
            break
    bots = await matches.writer.read_model(monthly_rankings.bots_of, listed)
    yield await encode_lines(accounts, bots, listed.period)


def encode_rating_change(change: RatingChange, is_own: bool) -> MovedShown:
    """Convert a rating change; the match is hidden if private, except for the player."""
    pool = change.pool
    match_id = change.match_id if change.public or is_own else None
    return MovedShown(
        match_id, pool.title, pool.seats, change.ended_at, change.place, change.points, change.points_before
    )


async def load_player(
    matches: MatchService,
    player: PlayerShown,
    at: datetime,
    *,
    is_own: bool,
    limit: int = LIMIT,
    before: str | None = None,
) -> PlayerPage:
    """Return a player's ratings by pool and title, a page of rating changes, and a person's record of left matches.

    Private matches are named only with `is_own`. Empty for a player who has played nothing rated. Raise
    `ValidationException` for a wrong cursor.
    """
    ratings = await matches.writer.read_model(rankings.ratings_of, player.id)
    lines = await matches.writer.read_model(monthly_rankings.lines_of_player, player.id, period_of(at))
    names = {player.id: player.name}
    own_ratings = [
        PlayerRating(pool.title, pool.seats, encode_rated(line, names, period_of(at))) for pool, line in lines.items()
    ]
    name = f"history {player.id}"
    after = decode_cursor(name, HistoryPosition, before)
    history = await matches.writer.read_model(rating_history.history_page, player.id, limit, after)
    moves = tuple(encode_rating_change(each, is_own) for each in history.changes)
    leaving = (
        None
        if is_bot(player.id)
        else encode_leaving(await matches.writer.read_model(early_leavers.of_player, player.id))
    )
    return PlayerPage(
        player,
        tuple(own_ratings),
        overall_ratings(ratings.items(), lines),
        moves,
        leaving,
        next=encode_cursor(name, history.next),
    )


def encode_leaving(habit: LeavingHabit) -> LeavingShown:
    """Convert the record of left matches."""
    return LeavingShown(
        matches=habit.matches,
        left=habit.left_count,
        share=habit.share,
        timed_out=habit.timed_out,
        resigned=habit.resigned,
        no_show=habit.no_show,
        abandoned=habit.abandoned,
    )


def overall_ratings(ratings: Iterable[tuple[Pool, Rated]], lines: dict[Pool, RankingLine]) -> tuple[OverallShown, ...]:
    """Return a rating per title over all table sizes, weighted by matches and rounded."""
    matches: dict[str, int] = {}
    weighted_points: dict[str, int] = {}
    for pool, rated in ratings:
        matches[pool.title] = matches.get(pool.title, 0) + rated.matches
        weighted_points[pool.title] = weighted_points.get(pool.title, 0) + rated.matches * lines[pool].points
    return tuple(OverallShown(title, round(weighted_points[title] / count), count) for title, count in matches.items())
