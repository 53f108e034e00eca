"""Ratings by title and number of seats, rated in order of time; a change undoes all later results.

New and changed results are noted at once, and undone and rated in slices afterwards, so that a match voided a year
later delays no one. The effects of a result are stored with it and used to undo it.
"""

from collections.abc import Sequence
from typing import Final

import msgspec
from sqlalchemy import and_, bindparam, delete, func, select, tuple_, update

from domain.matches.log.entries import microseconds
from domain.ratings.clock_classes import ClockClass, clock_class_of
from domain.ratings.counting import result_of
from domain.ratings.facts import RATINGS, RATINGS_STREAM, FairPlayBegan
from domain.ratings.ladder import Pool, RatedResult
from domain.ratings.rules import RatingRules
from projections.follow import FollowedRecord, FollowedStep, LogEvent, moment
from projections.matches import outcomes
from projections.platform.database import Row
from projections.platform.merging import Merge
from projections.platform.statements import insert_row
from projections.platform.store import Transaction
from projections.platform.tables import by_name
from projections.ratings.months import FILL_MONTHS, FORGET_MONTHS
from projections.ratings.rating_slices import (
    SLICE,
    TIP,
    PoolProgress,
    encoded,
    rate,
    read_progress,
    tip_of,
    undo_results,
    values_of,
    write_progress,
)
from projections.ratings.tables import (
    RATING_CHANGES,
    RATING_COUNTS,
    RATING_LINES,
    RATING_MEETINGS,
    RATING_MONTHS,
    RATING_MOVES,
    RATING_OUTCOMES,
    RATING_PLAYERS,
    RATING_POOLS,
    RATING_RESTS,
    RATING_RESULTS,
    RATING_RULES,
)
from projections.ratings.writing import key_of

NAME: Final = "ratings"
SHAPE: Final = "12"
OWN_OUTCOMES: Final = outcomes.OutcomeTables(RATING_OUTCOMES, RATING_LINES)
"""Outcomes as of this consumer's offset."""
TABLES: Final = by_name(
    RATING_OUTCOMES,
    RATING_LINES,
    RATING_RULES,
    RATING_RESULTS,
    RATING_POOLS,
    RATING_PLAYERS,
    RATING_CHANGES,
    RATING_MOVES,
    RATING_MEETINGS,
    RATING_MONTHS,
    RATING_COUNTS,
    RATING_RESTS,
)
FILLS: Final = FILL_MONTHS
MERGED: Final = {"rating_pools": Merge()}
COMMON: Final = RATINGS_STREAM
COMMON_TABLES: Final = ("rating_rules",)

BEGIN_RULES: Final = insert_row(RATING_RULES)
READ_RULES: Final = select(func.min(RATING_RULES.c.fair_since), func.min(RATING_RULES.c.revised_since))

OF_POOL: Final = and_(RATING_PLAYERS.c.title == bindparam("title"), RATING_PLAYERS.c.seats == bindparam("seats"))
NUMBERS_OF_POOL: Final = select(RATING_PLAYERS.c.number).where(OF_POOL)
FORGET: Final = (
    delete(RATING_MOVES).where(RATING_MOVES.c.player.in_(NUMBERS_OF_POOL)),
    delete(RATING_MEETINGS).where(RATING_MEETINGS.c.player.in_(NUMBERS_OF_POOL)),
    delete(RATING_CHANGES).where(
        RATING_CHANGES.c.title == bindparam("title"), RATING_CHANGES.c.seats == bindparam("seats")
    ),
    delete(RATING_PLAYERS).where(OF_POOL),
    *FORGET_MONTHS,
)

RESULTS: Final = RATING_RESULTS.c
IS_RESULT: Final = RESULTS.match_id == bindparam("match_id")
READ_RESULT: Final = select(RESULTS.detail).where(IS_RESULT)
PUT_RESULT: Final = insert_row(RATING_RESULTS)
PUT_HEAD: Final = update(RATING_RESULTS).where(IS_RESULT).values(head=bindparam("last"))
DROP_RESULT: Final = delete(RATING_RESULTS).where(IS_RESULT)
READ_NEXT: Final = (
    select(RESULTS.ended, RESULTS.match_id, RESULTS.detail)
    .where(
        RESULTS.title == bindparam("title"),
        RESULTS.seats == bindparam("seats"),
        tuple_(RESULTS.ended, RESULTS.match_id) > TIP,
    )
    .order_by(RESULTS.ended, RESULTS.match_id)
    .limit(bindparam("limit"))
)
READ_POOLS: Final = select(RATING_POOLS.c.title, RATING_POOLS.c.seats).order_by(
    RATING_POOLS.c.title, RATING_POOLS.c.seats
)
RESULT: Final = msgspec.json.Decoder(RatedResult)


def follow_all(transaction: Transaction, events: Sequence[LogEvent]) -> None:
    """Note new and changed results by the rules in force, of which dates in this batch count for all its results."""
    steps = [event for event in events if isinstance(event, FollowedStep)]
    for event in events:
        if isinstance(event, FollowedRecord) and RATINGS.owns(event.record):
            date, fact = microseconds(event.record.timestamp), RATINGS.read(event.record)
            is_fair = isinstance(fact, FairPlayBegan)
            transaction.change(
                BEGIN_RULES, fair_since=date if is_fair else None, revised_since=None if is_fair else date
            )
    follow(transaction, steps)


def rules_from(rows: Sequence[Row]) -> RatingRules:
    """Return the rating rules from the rows of `READ_RULES`."""
    ((fair, revised),) = rows
    return RatingRules(None if fair is None else moment(fair), None if revised is None else moment(revised))


def follow(transaction: Transaction, steps: Sequence[FollowedStep]) -> None:
    """Note new and changed results of matches by the rules in force; ratings follow in deferred work."""
    rules = rules_from(transaction.rows(READ_RULES))
    outcomes.follow(transaction, steps, OWN_OUTCOMES)
    for line_id in dict.fromkeys(str(step.line_id) for step in steps):
        for (root,) in transaction.rows(OWN_OUTCOMES.read_root, line_id=line_id):
            for (detail,) in transaction.rows(OWN_OUTCOMES.read, match_id=root):
                outcome = outcomes.OUTCOME.decode(detail)
                clock = clock_class_of(outcome.clock)
                note(transaction, root, result_of(outcome, rules), head=outcome.head, clock=clock)


def note(
    transaction: Transaction,
    match_id: str,
    result: RatedResult | None,
    *,
    head: str = "",
    clock: ClockClass = "",
) -> None:
    """Note the current result of a match, None if it does not count for ratings.

    If it has changed, the old and the new one are marked to be rated again; of an unchanged one only the head of its
    line is stored.
    """
    rows = transaction.rows(READ_RESULT, match_id=match_id)
    previous = RESULT.decode(rows[0][0]) if rows else None
    if previous == result:
        if previous is not None:
            transaction.change(PUT_HEAD, match_id=match_id, last=head)
        return
    if previous is not None:
        mark_for_undo(transaction, previous)
        transaction.change(DROP_RESULT, match_id=match_id)
    if result is not None:
        mark_for_undo(transaction, result)
        transaction.change(
            PUT_RESULT,
            match_id=match_id,
            **key_of(result.pool),
            ended=microseconds(result.ended_at),
            detail=encoded(result),
            head=head,
            clock=clock,
        )


def mark_for_undo(transaction: Transaction, result: RatedResult) -> None:
    """Mark the result and all later ones of its pool to be undone, unless the pool has not reached it.

    The progress of an unknown pool is created.
    """
    progress, tip = read_progress(transaction, result.pool), tip_of(result)
    if progress is None:
        write_progress(transaction, result.pool, PoolProgress())
    elif progress.tip >= tip:
        write_progress(transaction, result.pool, progress._replace(back=min(tip, progress.back or tip)))


def reset_pool(transaction: Transaction, pool: Pool) -> None:
    """Delete all ratings of the pool, to rate it from the start."""
    for statement in FORGET:
        transaction.change(statement, **key_of(pool))
    write_progress(transaction, pool, PoolProgress())


def do_deferred_work(transaction: Transaction) -> bool:
    """Undo or rate the next slice of a pool; return False if all pools are up to date."""
    for title, seats in transaction.rows(READ_POOLS):
        pool = Pool(title, seats)
        progress = read_progress(transaction, pool)
        assert progress is not None
        if progress.back is not None:
            undo_results(transaction, pool, progress, progress.back)
            return True
        rows = transaction.rows(READ_NEXT, **key_of(pool), **values_of(progress.tip), limit=SLICE)
        if rows:
            results = [((ended, match_id), RESULT.decode(detail)) for ended, match_id, detail in rows]
            rate(transaction, pool, results, progress)
            return True
    return False
