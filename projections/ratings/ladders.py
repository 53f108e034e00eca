"""Ratings per title and table size, each result rated in order of time; a change takes back what was rated after it.

What is to be rated is noted as the log goes on; taking back and rating are done slice by slice after that, so that a
match voided a year later holds nobody up. What a result did is kept beside it, and what it did is taken back by that.
"""

from collections.abc import Sequence
from typing import Final

import msgspec
from sqlalchemy import Column, Index

from domain.matches.log.entries import microseconds
from domain.ratings.counting import result_of
from domain.ratings.facts import RATINGS, RATINGS_STREAM, FairPlayBegan
from domain.ratings.ladder import Pool, RatedResult
from domain.ratings.rules import RatingRules
from projections.follow import FollowedStep, Happening, Recorded, moment
from projections.matches import outcomes
from projections.platform.database import Row
from projections.platform.merging import Merge
from projections.platform.store import Transaction
from projections.platform.tables import BYTES, NUMBER, TEXT, by_name, read_model
from projections.ratings.playing import SLICE, Reached, encoded, put_reached, rate, reached_by, take_back, tip_of

NAME: Final = "ratings"
SHAPE: Final = "10"
RATING_OUTCOMES: Final = outcomes.outcome_table("rating_outcomes")
RATING_LINES: Final = outcomes.line_table("rating_lines")
RATING_RULES: Final = read_model(
    "rating_rules",
    Column("fair_since", NUMBER),
    Column("revised_since", NUMBER),
)
RATING_RESULTS: Final = read_model(
    "rating_results",
    Column("match_id", TEXT, primary_key=True),
    Column("title", TEXT, nullable=False),
    Column("seats", NUMBER, nullable=False),
    Column("ended", NUMBER, nullable=False),
    Column("detail", BYTES, nullable=False),
)
RATING_POOLS: Final = read_model(
    "rating_pools",
    Column("title", TEXT, primary_key=True),
    Column("seats", NUMBER, primary_key=True),
    Column("ended", NUMBER, nullable=False),
    Column("match_id", TEXT, nullable=False),
    Column("results", NUMBER, nullable=False),
    Column("back_ended", NUMBER),
    Column("back_match", TEXT),
)
RATING_PLAYERS: Final = read_model(
    "rating_players",
    Column("title", TEXT, primary_key=True),
    Column("seats", NUMBER, primary_key=True),
    Column("player", TEXT, primary_key=True),
    Column("number", NUMBER, nullable=False),
    Column("detail", BYTES, nullable=False),
)
RATING_CHANGES: Final = read_model(
    "rating_changes",
    Column("number", NUMBER, primary_key=True),
    Column("title", TEXT, nullable=False),
    Column("seats", NUMBER, nullable=False),
    Column("ended", NUMBER, nullable=False),
    Column("match_id", TEXT, nullable=False),
    Column("best", NUMBER, nullable=False),
    Column("detail", BYTES, nullable=False),
)
RATING_MOVES: Final = read_model(
    "rating_moves",
    Column("player", NUMBER, primary_key=True),
    Column("change", NUMBER, primary_key=True),
    sqlite_with_rowid=False,
)
RATING_MEETINGS: Final = read_model(
    "rating_meetings",
    Column("player", NUMBER, primary_key=True),
    Column("other", NUMBER, primary_key=True),
    Column("detail", BYTES, nullable=False),
    sqlite_with_rowid=False,
)
OWN_OUTCOMES: Final = outcomes.OutcomeTables(RATING_OUTCOMES, RATING_LINES)
"""The outcomes as of this follower's own position."""
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
)
"""A player of a pool has a number, and so has what a result changed, in the order of rating; what there are several
rows of for every result goes by these alone. `best`: the most points that somebody had afterwards."""
Index(
    "rating_results_in_order",
    RATING_RESULTS.c.title,
    RATING_RESULTS.c.seats,
    RATING_RESULTS.c.ended,
    RATING_RESULTS.c.match_id,
)
Index(
    "rating_changes_in_order",
    RATING_CHANGES.c.title,
    RATING_CHANGES.c.seats,
    RATING_CHANGES.c.ended,
    RATING_CHANGES.c.match_id,
    unique=True,
)
Index("rating_players_by_number", RATING_PLAYERS.c.number, unique=True)
Index("rating_players_by_name", RATING_PLAYERS.c.player)

MERGED: Final = {"rating_pools": Merge(("title", "seats"))}
COMMON: Final = RATINGS_STREAM
COMMON_TABLES: Final = ("rating_rules",)

BEGIN_RULES: Final = "INSERT INTO {rating_rules} (fair_since, revised_since) VALUES (?, ?)"
READ_RULES: Final = "SELECT MIN(fair_since), MIN(revised_since) FROM {rating_rules}"
FORGET: Final = (
    "DELETE FROM {rating_moves} WHERE player IN (SELECT number FROM {rating_players} WHERE title = ? AND seats = ?)",
    "DELETE FROM {rating_meetings} WHERE player IN (SELECT number FROM {rating_players} WHERE title = ? AND seats = ?)",
    "DELETE FROM {rating_changes} WHERE title = ? AND seats = ?",
    "DELETE FROM {rating_players} WHERE title = ? AND seats = ?",
)
READ_NEXT: Final = (
    "SELECT ended, match_id, detail FROM {rating_results} WHERE title = ? AND seats = ?"
    " AND (ended, match_id) > (?, ?) ORDER BY ended, match_id LIMIT ?"
)
RESULT: Final = msgspec.json.Decoder(RatedResult)


def follow_all(transaction: Transaction, happenings: Sequence[Happening]) -> None:
    """Note every result that is new or has changed, and the dates of the rules."""
    steps = [happening for happening in happenings if isinstance(happening, FollowedStep)]
    for happening in happenings:
        if isinstance(happening, Recorded) and RATINGS.owns(happening.record):
            date, fact = microseconds(happening.record.timestamp), RATINGS.read(happening.record)
            transaction.change(BEGIN_RULES, *((date, None) if isinstance(fact, FairPlayBegan) else (None, date)))
    follow(transaction, steps)


def rules_from(rows: Sequence[Row]) -> RatingRules:
    """Return the rules of rating out of the answer to `READ_RULES`."""
    ((fair, revised),) = rows
    return RatingRules(None if fair is None else moment(fair), None if revised is None else moment(revised))


def follow(transaction: Transaction, steps: Sequence[FollowedStep]) -> None:
    """The same of matches alone."""
    rules = rules_from(transaction.rows(READ_RULES))
    outcomes.follow(transaction, steps, OWN_OUTCOMES)
    for line_id in dict.fromkeys(str(step.line_id) for step in steps):
        for (root,) in transaction.rows(OWN_OUTCOMES.read_root, line_id=line_id):
            for (detail,) in transaction.rows(OWN_OUTCOMES.read, match_id=root):
                note(transaction, root, result_of(outcomes.OUTCOME.decode(detail), rules))


def note(transaction: Transaction, match_id: str, result: RatedResult | None) -> None:
    """The result of a match as it counts now."""
    known = transaction.rows("SELECT detail FROM {rating_results} WHERE match_id = ?", match_id)
    before = RESULT.decode(known[0][0]) if known else None
    if before == result:
        return
    if before is not None:
        go_back(transaction, before)
        transaction.change("DELETE FROM {rating_results} WHERE match_id = ?", match_id)
    if result is not None:
        go_back(transaction, result)
        transaction.change(
            "INSERT INTO {rating_results} (match_id, title, seats, ended, detail) VALUES (?, ?, ?, ?, ?)",
            match_id,
            result.pool.title,
            result.pool.seats,
            microseconds(result.ended_at),
            encoded(result),
        )


def go_back(transaction: Transaction, result: RatedResult) -> None:
    """The result and all that was rated after it will be taken back, unless the pool has not come so far."""
    reached, tip = reached_by(transaction, result.pool), tip_of(result)
    if reached is None:
        put_reached(transaction, result.pool, Reached())
    elif reached.tip >= tip:
        put_reached(transaction, result.pool, reached._replace(back=min(tip, reached.back or tip)))


def begin_again(transaction: Transaction, pool: Pool) -> None:
    """The pool as if nothing had been rated yet."""
    for forget in FORGET:
        transaction.change(forget, pool.title, pool.seats)
    put_reached(transaction, pool, Reached())


def go_on(transaction: Transaction) -> bool:
    """Takes back or rates the next slice of one pool that is not as it should be; whether there was one."""
    for title, seats in transaction.rows("SELECT title, seats FROM {rating_pools} ORDER BY title, seats"):
        pool = Pool(title, seats)
        reached = reached_by(transaction, pool)
        assert reached is not None
        if reached.back is not None:
            take_back(transaction, pool, reached, reached.back)
            return True
        rows = transaction.rows(READ_NEXT, title, seats, *reached.tip, SLICE)
        if rows:
            results = [((ended, match_id), RESULT.decode(detail)) for ended, match_id, detail in rows]
            rate(transaction, pool, results, reached)
            return True
    return False
