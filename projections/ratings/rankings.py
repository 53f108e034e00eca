"""Queries of ratings: ranking lists of today and of any month, ratings and history of players."""

from collections.abc import Iterable
from typing import Final
from uuid import UUID

from sqlalchemy import and_, bindparam, func, select, tuple_

from domain.kernel.values import replace
from domain.matches.facts import Actor
from domain.matches.log.entries import microseconds
from domain.ratings.ladder import Pool, RankingLine, Rated, RatedResult, end_of_month, ranking
from domain.ratings.models import BASE, model_of
from domain.ratings.rules import RatingRules
from projections.platform.store import ReadStore
from projections.ratings.effects import (
    RATED,
    RESULT_EFFECT,
    RatingChange,
    list_rating_changes,
    rating_after,
)
from projections.ratings.ladders import READ_RULES, RESULT, rules_from
from projections.ratings.rating_slices import TIP, tip_of, values_of
from projections.ratings.tables import RATING_CHANGES, RATING_MOVES, RATING_PLAYERS, RATING_POOLS, RATING_RESULTS
from projections.ratings.writing import key_of

POOLS: Final = RATING_POOLS.c
RESULTS: Final = RATING_RESULTS.c
PLAYERS: Final = RATING_PLAYERS.c
CHANGES: Final = RATING_CHANGES.c
MOVES: Final = RATING_MOVES.c
PLACE: Final = tuple_(RESULTS.ended, RESULTS.match_id)

READ_POOLS: Final = (
    select(POOLS.title, POOLS.seats, POOLS.results).where(POOLS.results > 0).order_by(POOLS.title, POOLS.seats)
)
READ_TIPS: Final = select(
    POOLS.title, POOLS.seats, POOLS.ended, POOLS.match_id, POOLS.back_ended, POOLS.back_match
).order_by(POOLS.title, POOLS.seats)
RESULTS_OF_POOL: Final = (
    select(func.count())
    .select_from(RATING_RESULTS)
    .where(RESULTS.title == bindparam("title"), RESULTS.seats == bindparam("seats"))
)
COUNT_AFTER: Final = RESULTS_OF_POOL.where(PLACE > TIP)
COUNT_SINCE: Final = RESULTS_OF_POOL.where(PLACE >= TIP)
COUNT_RESULTS: Final = select(func.count()).select_from(RATING_RESULTS)
READ_RESULTS: Final = select(RESULTS.detail).order_by(RESULTS.ended, RESULTS.match_id)
READ_OF_MATCH: Final = (
    select(CHANGES.detail)
    .select_from(RATING_RESULTS)
    .join(
        RATING_CHANGES,
        and_(
            CHANGES.title == RESULTS.title,
            CHANGES.seats == RESULTS.seats,
            CHANGES.ended == RESULTS.ended,
            CHANGES.match_id == RESULTS.match_id,
        ),
    )
    .where(RESULTS.match_id == bindparam("match_id"))
)
"""The changes of a match, found by its position in the pool.

An index by match id would write a database page for every row.
"""

IS_PLAYER: Final = PLAYERS.player == bindparam("player")
OF_POOL: Final = and_(PLAYERS.title == bindparam("title"), PLAYERS.seats == bindparam("seats"))
HAS_PLAYED: Final = select(PLAYERS.player).where(IS_PLAYER).limit(1)
READ_PLAYERS: Final = select(PLAYERS.detail).where(OF_POOL).order_by(PLAYERS.player)
READ_RATINGS: Final = (
    select(PLAYERS.title, PLAYERS.seats, PLAYERS.detail).where(IS_PLAYER).order_by(PLAYERS.title, PLAYERS.seats)
)
LAST_BEFORE: Final = (
    select(CHANGES.number)
    .where(
        CHANGES.title == bindparam("title"),
        CHANGES.seats == bindparam("seats"),
        tuple_(CHANGES.ended, CHANGES.match_id) < TIP,
    )
    .order_by(CHANGES.ended.desc(), CHANGES.match_id.desc())
    .limit(1)
)
NUMBER: Final = select(PLAYERS.number).where(OF_POOL, IS_PLAYER).scalar_subquery()
LAST_OF_PLAYER: Final = (
    select(func.max(MOVES.change)).where(MOVES.change <= bindparam("last"), MOVES.player == NUMBER).scalar_subquery()
)
READ_STANDING: Final = select(CHANGES.detail).where(CHANGES.number == LAST_OF_PLAYER)
"""The last change of a player up to a number."""
LAST_OF_EACH: Final = (
    select(func.max(MOVES.change))
    .where(MOVES.player == PLAYERS.number, MOVES.change <= bindparam("last"))
    .correlate(RATING_PLAYERS)
    .scalar_subquery()
)
READ_ALL_STANDING: Final = (
    select(PLAYERS.player, CHANGES.detail)
    .select_from(RATING_PLAYERS)
    .join(RATING_CHANGES, CHANGES.number == LAST_OF_EACH)
    .where(OF_POOL)
    .order_by(CHANGES.number)
)
"""The last change of every player in a pool up to a number."""


def pools(store: ReadStore) -> dict[Pool, int]:
    """Return the pools with rated results and their numbers of results."""
    return {Pool(title, seats): results for title, seats, results in store.rows(READ_POOLS)}


def pending(store: ReadStore) -> int:
    """Return the number of results that are not rated yet or must be rated again."""
    return sum(pending_by_pool(store).values())


def pending_by_pool(store: ReadStore) -> dict[Pool, int]:
    """Return the number of results that are not rated yet or must be rated again, for each pool."""
    counts = dict[Pool, int]()
    for title, seats, ended, match_id, back_ended, back_match in store.rows(READ_TIPS):
        pool = Pool(title, seats)
        if back_ended is None:
            ((counts[pool],),) = store.rows(COUNT_AFTER, **key_of(pool), ended=ended, match_id=match_id)
        else:
            ((counts[pool],),) = store.rows(COUNT_SINCE, **key_of(pool), ended=back_ended, match_id=back_match)
    return counts


def has_played(store: ReadStore, player: Actor) -> bool:
    """Return whether a match of the player was ever rated."""
    return bool(store.rows(HAS_PLAYED, player=player))


def players(store: ReadStore, pool: Pool) -> tuple[Rated, ...]:
    """Return all ratings of a pool, each as of the player's last match."""
    return tuple(RATED.decode(row[0]) for row in store.rows(READ_PLAYERS, **key_of(pool)))


def players_at(store: ReadStore, pool: Pool, period: int) -> tuple[Rated, ...]:
    """Return all ratings of a pool at the end of a month; `period`: year × 12 + month - 1.

    Empty if the pool had no ratings yet.
    """
    return tuple(
        rating_after(RESULT_EFFECT.decode(detail), player)
        for last in last_change_in(store, pool, period)
        for player, detail in store.rows(READ_ALL_STANDING, last=last, **key_of(pool))
    )


def last_change_in(store: ReadStore, pool: Pool, period: int) -> tuple[int, ...]:
    """Return the number of the last change of a pool up to the end of a month; empty if there was none."""
    end = microseconds(end_of_month(period))
    return tuple(number for (number,) in store.rows(LAST_BEFORE, **key_of(pool), ended=end, match_id=""))


def ratings_of(store: ReadStore, player: Actor) -> dict[Pool, Rated]:
    """Return a player's ratings by pool."""
    rows = store.rows(READ_RATINGS, player=player)
    return {Pool(title, seats): RATED.decode(detail) for title, seats, detail in rows}


def rules_in(store: ReadStore) -> RatingRules:
    """Return the rules of rating with their dates."""
    return rules_from(store.rows(READ_RULES))


def ratings_after(store: ReadStore, result: RatedResult) -> tuple[Rated, ...]:
    """Return the ratings of a match's players after it, without duplicates, in order of seats.

    Players whose rating is pending are left out.
    """
    found = {change.after.player: change.after for change in rating_changes_by(store, result.match_id)}
    return tuple(found[player] for player in dict.fromkeys(result.players) if player in found)


def rating_changes_by(store: ReadStore, match_id: UUID) -> tuple[RatingChange, ...]:
    """Return the rating changes by a match, sorted by player id; empty while they are pending."""
    found = [
        change
        for (detail,) in store.rows(READ_OF_MATCH, match_id=str(match_id))
        for change in list_rating_changes(RESULT_EFFECT.decode(detail))
    ]
    return tuple(sorted(found, key=lambda change: change.after.player))


def ratings_before(store: ReadStore, result: RatedResult) -> tuple[Rated, ...]:
    """Return the ratings of a match's players before it, in order of seats, with their previous meetings.

    Players without a rating are left out.
    """
    found, key = list[Rated](), key_of(result.pool)
    met = {change.after.player: change.met for change in rating_changes_by(store, result.match_id)}
    for (last,) in store.rows(LAST_BEFORE, **key, **values_of(tip_of(result))):
        for player in dict.fromkeys(result.players):
            rated_opponents = tuple(each for each in met.get(player, ()) if each.matches)
            for (detail,) in store.rows(READ_STANDING, last=last, **key, player=player):
                found.append(replace(rating_after(RESULT_EFFECT.decode(detail), player), met=rated_opponents))
    return tuple(found)


def results(store: ReadStore) -> tuple[RatedResult, ...]:
    """Return all results in rating order."""
    return tuple(RESULT.decode(row[0]) for row in store.rows(READ_RESULTS))


def result_count(store: ReadStore) -> int:
    """Return the number of results."""
    return int(store.rows(COUNT_RESULTS)[0][0])


def list_rated(rated: Iterable[Rated], period: int) -> tuple[RankingLine, ...]:
    """Rank people and bots separately, people before bots, each as `ranking`."""
    players = tuple(rated)
    model = model_of(BASE)
    people = ranking(model, (player for player in players if not player.is_bot), period)
    return (*people, *ranking(model, (player for player in players if player.is_bot), period))


def list_now(store: ReadStore, pool: Pool, period: int) -> tuple[RankingLine, ...]:
    """Return the current ranking list of a pool."""
    return list_rated(players(store, pool), period)


def list_at(store: ReadStore, pool: Pool, period: int) -> tuple[RankingLine, ...]:
    """Return the ranking list at the end of a month."""
    return list_rated(players_at(store, pool, period), period)


def points_of(store: ReadStore, pool: Pool, player: Actor) -> int:
    """Return a player's rating points in a pool; 0 without a rating."""
    rated = ratings_of(store, player).get(pool)
    return 0 if rated is None else model_of(BASE).points(rated.skill)


def list_player_rankings(store: ReadStore, player: Actor, period: int) -> dict[Pool, RankingLine]:
    """Return a player's line in every ranking list on which they are rated; empty for an unknown player."""
    return {
        pool: line
        for pool in ratings_of(store, player)
        # None is found if the player's last result was taken back since the pools were read.
        for line in list_now(store, pool, period)
        if line.rated.player == player
    }
