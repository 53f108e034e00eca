"""Ratings per title and table size, each result rated in order of time; a change takes back what was rated after it.

What is to be rated is noted as the log goes on; taking back and rating are done slice by slice after that, so that a
match voided a year later holds nobody up. What a result did is kept beside it, and what it did is taken back by that.
"""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from domain.matches.log.entries import microseconds
from domain.ratings.counting import result_of
from domain.ratings.facts import RATINGS, RATINGS_STREAM, FairPlayBegan
from domain.ratings.ladder import Pool, RatedResult
from domain.ratings.rules import RatingRules
from projections.follow import FollowedStep, Happening, Recorded, moment
from projections.matches import outcomes
from projections.platform.database import Row
from projections.platform.merging import Merge
from projections.platform.statements import Statement
from projections.platform.store import Transaction
from projections.ratings.playing import SLICE, Reached, encoded, put_reached, rate, reached_by, take_back, tip_of

NAME: Final = "ratings"
SHAPE: Final = "10"
TABLES: Final = {
    "rating_outcomes": outcomes.TABLES["outcomes"].replace("{outcomes}", "{rating_outcomes}"),
    "rating_lines": outcomes.TABLES["outcome_lines"].replace("{outcome_lines}", "{rating_lines}"),
    "rating_rules": """CREATE TABLE {rating_rules} (fair_since INTEGER, revised_since INTEGER)""",
    "rating_results": """CREATE TABLE {rating_results} (match_id TEXT PRIMARY KEY, title TEXT NOT NULL,
        seats INTEGER NOT NULL, ended INTEGER NOT NULL, detail BLOB NOT NULL)""",
    "rating_pools": """CREATE TABLE {rating_pools} (title TEXT NOT NULL, seats INTEGER NOT NULL,
        ended INTEGER NOT NULL, match_id TEXT NOT NULL, results INTEGER NOT NULL, back_ended INTEGER, back_match TEXT,
        PRIMARY KEY (title, seats))""",
    "rating_players": """CREATE TABLE {rating_players} (title TEXT NOT NULL, seats INTEGER NOT NULL,
        player TEXT NOT NULL, number INTEGER NOT NULL, detail BLOB NOT NULL, PRIMARY KEY (title, seats, player))""",
    "rating_changes": """CREATE TABLE {rating_changes} (number INTEGER PRIMARY KEY, title TEXT NOT NULL,
        seats INTEGER NOT NULL, ended INTEGER NOT NULL, match_id TEXT NOT NULL, best INTEGER NOT NULL,
        detail BLOB NOT NULL)""",
    "rating_moves": """CREATE TABLE {rating_moves} (player INTEGER NOT NULL, change INTEGER NOT NULL,
        PRIMARY KEY (player, change)) WITHOUT ROWID""",
    "rating_meetings": """CREATE TABLE {rating_meetings} (player INTEGER NOT NULL, other INTEGER NOT NULL,
        detail BLOB NOT NULL, PRIMARY KEY (player, other)) WITHOUT ROWID""",
}
"""A player of a pool has a number, and so has what a result changed, in the order of rating; what there are several
rows of for every result goes by these alone. `best`: the most points that somebody had afterwards."""
INDEXES: Final = (
    "CREATE INDEX rating_results_in_order ON rating_results (title, seats, ended, match_id)",
    "CREATE UNIQUE INDEX rating_changes_in_order ON rating_changes (title, seats, ended, match_id)",
    "CREATE UNIQUE INDEX rating_players_by_number ON rating_players (number)",
    "CREATE INDEX rating_players_by_name ON rating_players (player)",
)

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


class Within(Transaction):
    """The outcomes as of this follower's own position, in tables of its own."""

    def __init__(self, transaction: Transaction) -> None:
        self._outer = transaction

    def rows(self, statement: Statement, /, *values: Any, **named: Any) -> list[Row]:
        return self._outer.rows(rename_tables(statement), *values, **named)

    def change(self, statement: Statement, /, *values: Any, **named: Any) -> int:
        return self._outer.change(rename_tables(statement), *values, **named)


def rename_tables(statement: Statement) -> Statement:
    assert isinstance(statement, str)
    return statement.replace("{outcomes}", "{rating_outcomes}").replace("{outcome_lines}", "{rating_lines}")


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
    rules, within = rules_from(transaction.rows(READ_RULES)), Within(transaction)
    outcomes.follow(within, steps)
    for line_id in dict.fromkeys(str(step.line_id) for step in steps):
        for (root,) in within.rows(outcomes.READ_ROOT, line_id):
            for (detail,) in within.rows(outcomes.READ_OWN, root):
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
