"""The ratings and results from which the months of ranking lists are closed.

A count reads everything in one snapshot, so that lines and results belong together whatever is rated meanwhile.
"""

from collections.abc import Iterator
from typing import Final, cast

from sqlalchemy import Select, bindparam, select, tuple_

from domain.matches.facts import Actor
from domain.matches.log.entries import microseconds
from domain.rankings.content import ListLine, ResultLine
from domain.rankings.counting import CountedResult, ListCount, count_list, line_of_result, lines_of, months_of
from domain.rankings.errors import MonthNotReady
from domain.rankings.rule import RankingRule
from domain.ratings.clock_classes import ClockClass
from domain.ratings.filters import ResultFilter, is_plain
from domain.ratings.ladder import Ladder, Pool, Rated, RatedResult, end_of_month
from domain.ratings.models import BASE, model_of
from domain.ratings.update import QUICK
from projections.platform.database import Row
from projections.platform.store import ReadStore
from projections.ratings import ladders, rankings
from projections.ratings.effects import RESULT_EFFECT, ResultEffect, rating_after
from projections.ratings.ladders import RESULT
from projections.ratings.rankings import LAST_OF_EACH, OF_POOL, last_change_in
from projections.ratings.rating_slices import BEGINNING, TIP, values_of
from projections.ratings.tables import RATING_CHANGES, RATING_PLAYERS, RATING_POOLS, RATING_RESULTS
from projections.ratings.writing import key_of

RESULTS: Final = RATING_RESULTS.c
CHANGES: Final = RATING_CHANGES.c
PLAYERS: Final = RATING_PLAYERS.c
POOLS: Final = RATING_POOLS.c
SLICE: Final = 2_000
"""The number of results or players that are read at once, so that no query takes long."""

READ_UNFILTERED: Final = (
    select(RESULTS.ended, RESULTS.match_id, RESULTS.detail, RESULTS.head, RESULTS.clock)
    .where(RESULTS.title == bindparam("title"), RESULTS.seats == bindparam("seats"), RESULTS.ended < bindparam("end"))
    .where(tuple_(RESULTS.ended, RESULTS.match_id) > TIP)
    .order_by(RESULTS.ended, RESULTS.match_id)
    .limit(bindparam("limit"))
)
READ_SIZES: Final = select(POOLS.seats).where(POOLS.title == bindparam("title")).order_by(POOLS.seats)
READ_PROGRESS: Final = (
    select(POOLS.seats, POOLS.ended, POOLS.match_id, POOLS.results, POOLS.back_ended, POOLS.back_match)
    .where(POOLS.title == bindparam("title"))
    .order_by(POOLS.seats)
)
READ_CHANGES: Final = (
    select(CHANGES.ended, CHANGES.match_id, CHANGES.detail, RESULTS.detail, RESULTS.head)
    .select_from(RATING_CHANGES)
    .join(RATING_RESULTS, RESULTS.match_id == CHANGES.match_id)
    .where(CHANGES.title == bindparam("title"), CHANGES.seats == bindparam("seats"), CHANGES.ended < bindparam("end"))
    .where(tuple_(CHANGES.ended, CHANGES.match_id) > TIP)
    .order_by(CHANGES.ended, CHANGES.match_id)
    .limit(bindparam("limit"))
)
"""The rated results of a pool in rating order, with their effects."""
READ_STANDING: Final = (
    select(PLAYERS.player, CHANGES.detail)
    .select_from(RATING_PLAYERS)
    .join(RATING_CHANGES, CHANGES.number == LAST_OF_EACH)
    .where(OF_POOL, PLAYERS.player > bindparam("after"))
    .order_by(PLAYERS.player)
    .limit(bindparam("limit"))
)
"""The last change up to a number of the next players."""


def stamp_of(store: ReadStore, rule: RankingRule) -> tuple[object, ...]:
    """Return a value that differs once results of the title, or their ratings, may differ."""
    return store.least_offset(ladders.NAME), tuple(store.rows(READ_PROGRESS, title=rule.results.list_title))


def require_ready(store: ReadStore, rule: RankingRule, position: int) -> None:
    """Raise `MonthNotReady` unless all results up to a position of the log are read, and rated if the list needs it."""
    offset = store.least_offset(ladders.NAME)
    if offset < position:
        raise MonthNotReady(f"results are read up to position {offset} of the log, not yet to {position}")
    pool = rule.results.pool
    if is_plain(pool) and (count := rankings.pending_by_pool(store).get(pool, 0)):
        raise MonthNotReady(f"{count} results of {pool.title!r} with {pool.seats} seats are not rated yet")


def count_month(
    store: ReadStore, rule: RankingRule, period: int, position: int, members: frozenset[Actor] = frozenset()
) -> ListCount:
    """Count the list of a month that is over; raise `MonthNotReady` as `require_ready`."""
    with store.snapshot():
        require_ready(store, rule, position)
        return count_here(store, rule, period, members)


def count_stored(
    store: ReadStore, rule: RankingRule, period: int, members: frozenset[Actor] = frozenset()
) -> ListCount:
    """Count the list of a month.

    A list of a title and table size has the stored ratings; another one is rated from its results, from the beginning.
    """
    with store.snapshot():
        return count_here(store, rule, period, members)


def count_here(store: ReadStore, rule: RankingRule, period: int, members: frozenset[Actor]) -> ListCount:
    """Count the list of a month in the snapshot of the caller."""
    pool = rule.results.pool
    if not is_plain(pool):
        return count_list(rule, results_for(store, rule.results, period), period, members)
    results = tuple(result_lines(store, pool, period))
    return ListCount(results, list_lines(store, rule, period, members), months_of(results))


def count_lines(
    store: ReadStore, rule: RankingRule, period: int, members: frozenset[Actor] = frozenset()
) -> tuple[ListLine, ...]:
    """Return only the lines of the list of a month, in less time."""
    with store.snapshot():
        if is_plain(rule.results.pool):
            return list_lines(store, rule, period, members)
        ladder = Ladder(QUICK)
        for each in sorted(results_for(store, rule.results, period), key=lambda each: each.result.key):
            ladder.apply_result(each.result)
    listed = (rated for rated in ladder.rated.values() if rule.people.lists(rated.player, members))
    return lines_of(QUICK, listed, period, rule)


def list_lines(store: ReadStore, rule: RankingRule, period: int, members: frozenset[Actor]) -> tuple[ListLine, ...]:
    """Return the lines of a month from the stored ratings."""
    rated = ratings_in(store, rule.results.pool, period)
    return lines_of(model_of(BASE), (each for each in rated if rule.people.lists(each.player, members)), period, rule)


def ratings_in(store: ReadStore, pool: Pool, period: int) -> Iterator[Rated]:
    """Yield all ratings of a pool at the end of a month, in order of players."""
    for last in last_change_in(store, pool, period):
        after = ""
        while rows := store.rows(READ_STANDING, last=last, **key_of(pool), after=after, limit=SLICE):
            yield from (rating_after(RESULT_EFFECT.decode(detail), player) for player, detail in rows)
            after = rows[-1][0]


def result_lines(store: ReadStore, pool: Pool, period: int) -> Iterator[ResultLine]:
    """Yield the lines of all results of a pool up to the end of a month, in rating order."""
    for *_, effect, result, head in slices_of(store, READ_CHANGES, pool, period):
        yield line_of(RESULT_EFFECT.decode(effect), RESULT.decode(result), head)


def line_of(effect: ResultEffect, result: RatedResult, head: str) -> ResultLine:
    """Return the line of a result with this effect."""
    return line_of_result(result, head, effect.weight_by_player)


def results_for(store: ReadStore, filter_: ResultFilter, period: int) -> Iterator[CountedResult]:
    """Yield the results that a list counts, up to the end of a month, by table size."""
    title = filter_.list_title
    sizes = (filter_.seats,) if filter_.seats else tuple(seats for (seats,) in store.rows(READ_SIZES, title=title))
    for seats in sizes:
        for *_, detail, head, clock in slices_of(store, READ_UNFILTERED, Pool(title, seats), period):
            result = RESULT.decode(detail)
            if filter_.selects(result, cast("ClockClass", clock)):
                yield CountedResult(filter_.result_in_pool(result), head)


def slices_of(store: ReadStore, statement: Select[Row], pool: Pool, period: int) -> Iterator[Row]:
    """Yield the rows of a pool up to the end of a month; each begins with the end and the id of a match."""
    tip, end = BEGINNING, microseconds(end_of_month(period))
    while rows := store.rows(statement, **key_of(pool), end=end, **values_of(tip), limit=SLICE):
        yield from rows
        tip = rows[-1][:2]
