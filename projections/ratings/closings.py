"""The ratings and results from which the months of ranking lists are closed."""

from collections.abc import Iterator
from typing import Final, cast

from sqlalchemy import bindparam, select, tuple_

from domain.matches.facts import Actor
from domain.matches.log.entries import microseconds
from domain.rankings.content import ListLine, ResultLine
from domain.rankings.counting import CountedResult, ListCount, count_list, line_of_result, lines_of, months_of
from domain.rankings.rule import RankingRule
from domain.ratings.clock_classes import ClockClass
from domain.ratings.filters import is_plain
from domain.ratings.ladder import Pool, RatedResult, end_of_month
from domain.ratings.model import MILLION
from domain.ratings.models import BASE, model_of
from projections.platform.store import ReadStore
from projections.ratings import rankings
from projections.ratings.effects import RESULT_EFFECT, ResultEffect
from projections.ratings.ladders import RESULT
from projections.ratings.rating_slices import BEGINNING, TIP, values_of
from projections.ratings.tables import RATING_CHANGES, RATING_POOLS, RATING_RESULTS
from projections.ratings.writing import key_of

RESULTS: Final = RATING_RESULTS.c
CHANGES: Final = RATING_CHANGES.c
SLICE: Final = 2_000
"""The number of results that are read at once."""

OF_TITLE: Final = RESULTS.title == bindparam("title")
READ_UNFILTERED: Final = (
    select(RESULTS.detail, RESULTS.head, RESULTS.clock)
    .where(OF_TITLE, RESULTS.seats == bindparam("seats"), RESULTS.ended < bindparam("end"))
    .order_by(RESULTS.ended, RESULTS.match_id)
)
READ_SIZES: Final = select(RATING_POOLS.c.seats).where(RATING_POOLS.c.title == bindparam("title"))
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


def count_stored(
    store: ReadStore, rule: RankingRule, period: int, members: frozenset[Actor] = frozenset()
) -> ListCount:
    """Count the list of a month.

    A list of a title and table size has the stored ratings; another one is rated from its results, from the beginning.
    """
    pool = rule.results.pool
    if not is_plain(pool):
        return count_list(rule, results_for(store, rule, period), period, members)
    results = tuple(result_lines(store, pool, period))
    return ListCount(results, list_lines(store, rule, period, members), months_of(results))


def list_lines(store: ReadStore, rule: RankingRule, period: int, members: frozenset[Actor]) -> tuple[ListLine, ...]:
    """Return the lines of a month from the stored ratings."""
    rated = rankings.players_at(store, rule.results.pool, period)
    return lines_of(model_of(BASE), (each for each in rated if rule.people.lists(each.player, members)), period, rule)


def result_lines(store: ReadStore, pool: Pool, period: int) -> Iterator[ResultLine]:
    """Yield the lines of all results of a pool up to the end of a month, in rating order."""
    tip, end = BEGINNING, microseconds(end_of_month(period))
    while rows := store.rows(READ_CHANGES, **key_of(pool), end=end, **values_of(tip), limit=SLICE):
        for *_, effect, result, head in rows:
            yield line_of(RESULT_EFFECT.decode(effect), RESULT.decode(result), head)
        tip = rows[-1][:2]


def line_of(effect: ResultEffect, result: RatedResult, head: str) -> ResultLine:
    """Return the line of a result with this effect."""
    weights = effect.weights or (MILLION,) * len(effect.steps)
    by_player = dict(zip((step.player for step in effect.steps), weights, strict=True))
    return line_of_result(result, head, tuple(by_player.get(each, 0) for each in dict.fromkeys(result.players)))


def results_for(store: ReadStore, rule: RankingRule, period: int) -> Iterator[CountedResult]:
    """Yield the results that a list with a separate pool counts, up to the end of a month."""
    filter_, end = rule.results, microseconds(end_of_month(period))
    sizes = (
        (filter_.seats,)
        if filter_.seats
        else tuple(seats for (seats,) in store.rows(READ_SIZES, title=filter_.list_title))
    )
    for seats in sizes:
        for detail, head, clock in store.rows(READ_UNFILTERED, title=filter_.list_title, seats=seats, end=end):
            result = RESULT.decode(detail)
            if filter_.selects(result, cast("ClockClass", clock)):
                yield CountedResult(filter_.result_in_pool(result), head)
