"""Rankings and ratings for responses and pages."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from api.accounts.display_names import Names, names_of
from api.accounts.service import AccountService
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
from domain.ratings.ladder import Pool, RankingLine, Rated, month_of, period_of
from domain.ratings.leaving import LeavingHabit
from domain.ratings.model import NoSuchRanking
from domain.ratings.models import BASE
from projections.platform.paging import LIMIT, Page, end_of, page_of
from projections.platform.store import ReadStore
from projections.ratings import early_leavers, rankings
from projections.ratings.effects import RatingChange

EVERYBODY: Final = 2**31
"""Limit of an unpaginated list."""
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
        provisional=rated.is_provisional,
        inactive=rated.is_inactive(period),
    )


async def load_pools(matches: MatchService) -> PoolsShown:
    """Return the pools with rankings, and the number of results that are not counted yet."""
    found = await matches.writer.read_model(rankings.pools)
    pools = tuple(PoolShown(pool.title, pool.seats, results) for pool, results in found.items())
    return PoolsShown(BASE, pools, await matches.writer.read_model(rankings.pending))


async def load_ranking(
    matches: MatchService,
    accounts: AccountService,
    pool: Pool,
    month: str,
    at: datetime,
    limit: int = EVERYBODY,
    before: int | None = None,
) -> RankingShown:
    """Return the ranking of a pool: a page of people by place, and all bots separately (on every page).

    Empty for a pool without results. Raise `NoSuchRanking` for an unknown month.
    """
    period = parse_period(month, at)
    is_now = period == period_of(at)
    listing = await matches.writer.read_model(rankings.list_now if is_now else rankings.list_at, pool, period)
    page = people_page([line for line in listing if not is_bot(line.rated.player)], limit, before)
    lines = (*page.items, *(line for line in listing if is_bot(line.rated.player)))
    names = await asyncio.to_thread(names_of, accounts, [line.rated.player for line in lines])
    people_and_bots: tuple[list[RatedShown], list[RatedShown]] = ([], [])
    for line in lines:
        people_and_bots[is_bot(line.rated.player)].append(encode_rated(line, names, period))
    return RankingShown(
        pool.title, pool.seats, month_of(period), tuple(people_and_bots[0]), tuple(people_and_bots[1]), next=page.next
    )


def people_page(lines: Sequence[RankingLine], limit: int, before: int | None) -> Page[RankingLine]:
    """Return a page of a ranking; the cursor of a line is the number of lines after it."""
    numbered = [(len(lines) - number, line) for number, line in enumerate(lines, start=1)]
    page = page_of([each for each in numbered if each[0] < end_of(before)], limit, lambda each: each[0])
    return page.of([line for _, line in page.items])


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
    before: int | None = None,
) -> PlayerPage:
    """Return a player's ratings by pool and title, a page of rating changes, and a person's record of left matches.

    Private matches are named only with `is_own`. Empty for a player who has played nothing rated.
    """
    ratings = await matches.writer.read_model(rankings.ratings_of, player.id)
    lines = await matches.writer.read_model(rankings.list_player_rankings, player.id, period_of(at))
    names = {player.id: player.name}
    own_ratings = [
        PlayerRating(pool.title, pool.seats, encode_rated(line, names, period_of(at))) for pool, line in lines.items()
    ]
    history = await matches.writer.read_model(rankings.history_page, player.id, limit, before)
    moves = tuple(encode_rating_change(each, is_own) for each in history.items)
    leaving = (
        None
        if is_bot(player.id)
        else encode_leaving(await matches.writer.read_model(early_leavers.of_player, player.id))
    )
    return PlayerPage(
        player, tuple(own_ratings), overall_ratings(ratings.items(), lines), moves, leaving, next=history.next
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
