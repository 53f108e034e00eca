"""Ratings per title and table size, each result rated in order of time; a change goes back to the last checkpoint.

What is to be rated is noted as the log goes on; the rating itself is done slice by slice after that, so that a match
voided a year later holds nobody up.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec

from domain.kernel.values import Value, replace
from domain.matches.facts import Actor
from domain.matches.log import microseconds
from domain.ratings.counting import result_of
from domain.ratings.facts import RATINGS, RATINGS_STREAM
from domain.ratings.ladder import Change, Ladder, Pool, Rated, RatedResult
from domain.ratings.model import RatingModel
from domain.ratings.models import BASE, model_of
from projections.database import Row
from projections.follow import FollowedStep, Happening, Recorded, moment
from projections.matches import outcomes
from projections.merging import Merge
from projections.store import Transaction

NAME: Final = "ratings"
SHAPE: Final = "3"
TABLES: Final = {
    "rating_outcomes": outcomes.TABLES["outcomes"].replace("{outcomes}", "{rating_outcomes}"),
    "rating_lines": outcomes.TABLES["outcome_lines"].replace("{outcome_lines}", "{rating_lines}"),
    "rating_rules": """CREATE TABLE {rating_rules} (fair_since INTEGER NOT NULL)""",
    "rating_results": """CREATE TABLE {rating_results} (match_id TEXT PRIMARY KEY, title TEXT NOT NULL,
        seats INTEGER NOT NULL, ended INTEGER NOT NULL, detail BLOB NOT NULL)""",
    "rating_pools": """CREATE TABLE {rating_pools} (title TEXT NOT NULL, seats INTEGER NOT NULL,
        ended INTEGER NOT NULL, match_id TEXT NOT NULL, results INTEGER NOT NULL, PRIMARY KEY (title, seats))""",
    "rating_players": """CREATE TABLE {rating_players} (title TEXT NOT NULL, seats INTEGER NOT NULL,
        player TEXT NOT NULL, detail BLOB NOT NULL, PRIMARY KEY (title, seats, player))""",
    "rating_changes": """CREATE TABLE {rating_changes} (title TEXT NOT NULL, seats INTEGER NOT NULL,
        ended INTEGER NOT NULL, match_id TEXT NOT NULL, player TEXT NOT NULL, points INTEGER NOT NULL,
        detail BLOB NOT NULL, PRIMARY KEY (match_id, player))""",
    "rating_checkpoints": """CREATE TABLE {rating_checkpoints} (title TEXT NOT NULL, seats INTEGER NOT NULL,
        ended INTEGER NOT NULL, match_id TEXT NOT NULL, results INTEGER NOT NULL, detail BLOB NOT NULL,
        PRIMARY KEY (title, seats, results))""",
}
INDEXES: Final = (
    "CREATE INDEX rating_results_in_order ON rating_results (title, seats, ended, match_id)",
    "CREATE INDEX rating_changes_of_player ON rating_changes (player, ended)",
    "CREATE INDEX rating_changes_in_order ON rating_changes (title, seats, ended, match_id)",
)

MERGED: Final = {"rating_pools": Merge(("title", "seats"))}
COMMON: Final = RATINGS_STREAM
COMMON_TABLES: Final = ("rating_rules",)

SLICE: Final = 500
"""The number of results rated in one transaction."""
CHECKPOINT: Final = 1_000
"""All ratings of a pool are saved after this many results."""
BEGINNING: Final = (-(2**62), "")

BEGIN_FAIR_PLAY: Final = "INSERT INTO {rating_rules} (fair_since) VALUES (?)"
FORGET: Final = (
    "DELETE FROM {rating_checkpoints} WHERE title = ? AND seats = ? AND (ended > ? OR (ended = ? AND match_id > ?))",
    "DELETE FROM {rating_changes} WHERE title = ? AND seats = ? AND (ended > ? OR (ended = ? AND match_id > ?))",
)
"""What came after a moment."""

ROWS: Final = 500
"""The number of rows written or read by one statement: databases take some thousands of values at a time."""
READ_PLAYERS: Final = "SELECT detail FROM {rating_players} WHERE title = ? AND seats = ? AND player IN (?)"
PUT_PLAYERS: Final = (
    "INSERT INTO {rating_players} (title, seats, player, detail) VALUES"
    " ON CONFLICT (title, seats, player) DO UPDATE SET detail = excluded.detail"
)
PUT_CHANGES: Final = "INSERT INTO {rating_changes} (title, seats, ended, match_id, player, points, detail) VALUES"

RATED: Final = msgspec.json.Decoder(Rated)
ALL_RATED: Final = msgspec.json.Decoder(tuple[Rated, ...])
RESULT: Final = msgspec.json.Decoder(RatedResult)

Tip = tuple[int, str]


class Moved(Value, frozen=True):
    """What one match did to a player's rating, as history shows it."""

    match_id: UUID
    pool: Pool
    ended_at: datetime
    place: int
    points: int
    points_before: int
    after: Rated
    public: bool = True


MOVED: Final = msgspec.json.Decoder(Moved)


class Within(Transaction):
    """The outcomes as of this follower's own position, in tables of its own."""

    def __init__(self, transaction: Transaction) -> None:
        self._outer = transaction

    def rows(self, statement: str, *values: object) -> list[Row]:
        return self._outer.rows(rename_tables(statement), *values)

    def change(self, statement: str, *values: object) -> int:
        return self._outer.change(rename_tables(statement), *values)


def rename_tables(statement: str) -> str:
    return statement.replace("{outcomes}", "{rating_outcomes}").replace("{outcome_lines}", "{rating_lines}")


def follow_all(transaction: Transaction, happenings: Sequence[Happening]) -> None:
    """Notes every result that is new or another than before, and since when the rules of fair play hold."""
    steps = [happening for happening in happenings if isinstance(happening, FollowedStep)]
    for happening in happenings:
        if isinstance(happening, Recorded) and RATINGS.owns(happening.record):
            transaction.change(BEGIN_FAIR_PLAY, microseconds(happening.record.timestamp))
    follow(transaction, steps)


def fair_since(transaction: Transaction) -> datetime | None:
    """The moment from which the rules of fair play hold; None while they do not."""
    ((since,),) = transaction.rows("SELECT MIN(fair_since) FROM {rating_rules}")
    return None if since is None else moment(since)


def follow(transaction: Transaction, steps: Sequence[FollowedStep]) -> None:
    """The same of matches alone."""
    since, within = fair_since(transaction), Within(transaction)
    outcomes.follow(within, steps)
    for line_id in dict.fromkeys(str(step.line_id) for step in steps):
        for (root,) in within.rows(outcomes.READ_ROOT, line_id):
            for (detail,) in within.rows(outcomes.READ_OWN, root):
                note(transaction, root, result_of(outcomes.OUTCOME.decode(detail), since))


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
        if pool_tip(transaction, result.pool) == (BEGINNING, 0):
            put_tip(transaction, result.pool, BEGINNING, 0)
        transaction.change(
            "INSERT INTO {rating_results} (match_id, title, seats, ended, detail) VALUES (?, ?, ?, ?, ?)",
            match_id,
            result.pool.title,
            result.pool.seats,
            microseconds(result.ended_at),
            msgspec.json.encode(result, order="deterministic"),
        )


def tip_of(result: RatedResult) -> Tip:
    return microseconds(result.ended_at), str(result.match_id)


def go_back(transaction: Transaction, result: RatedResult) -> None:
    """The pool stands again as at its last checkpoint before the result, unless it has not come so far."""
    title, seats = result.pool.title, result.pool.seats
    reached, _ = pool_tip(transaction, result.pool)
    if reached < tip_of(result):
        return
    rows = transaction.rows(
        "SELECT ended, match_id, results, detail FROM {rating_checkpoints}"
        " WHERE title = ? AND seats = ? AND (ended < ? OR (ended = ? AND match_id < ?)) ORDER BY results DESC LIMIT 1",
        title,
        seats,
        tip_of(result)[0],
        *tip_of(result),
    )
    ended, match_id, results, detail = rows[0] if rows else (*BEGINNING, 0, b"[]")
    go_back_to(transaction, result.pool, (ended, match_id), results, ALL_RATED.decode(detail))


def begin_again(transaction: Transaction, pool: Pool) -> None:
    """The pool as if nothing had been rated yet."""
    go_back_to(transaction, pool, BEGINNING, 0, ())


def go_back_to(transaction: Transaction, pool: Pool, tip: Tip, results: int, known: Sequence[Rated]) -> None:
    """Nothing after the tip has been rated, and these are the ratings as of it."""
    title, seats, (ended, match_id) = pool.title, pool.seats, tip
    for forget in FORGET:
        transaction.change(forget, title, seats, ended, ended, match_id)
    transaction.change("DELETE FROM {rating_players} WHERE title = ? AND seats = ?", title, seats)
    put_rated(transaction, pool, known)
    put_tip(transaction, pool, tip, results)


def go_on(transaction: Transaction) -> bool:
    """Rates the next slice of one pool that is behind; whether there was one."""
    for title, seats in transaction.rows("SELECT title, seats FROM {rating_pools} ORDER BY title, seats"):
        pool = Pool(title, seats)
        (ended, match_id), results = pool_tip(transaction, pool)
        rows = transaction.rows(
            "SELECT detail FROM {rating_results} WHERE title = ? AND seats = ?"
            " AND (ended > ? OR (ended = ? AND match_id > ?)) ORDER BY ended, match_id LIMIT ?",
            title,
            seats,
            ended,
            ended,
            match_id,
            SLICE,
        )
        if rows:
            rate(transaction, pool, [RESULT.decode(row[0]) for row in rows], results)
            return True
    return False


def rate(transaction: Transaction, pool: Pool, results: Sequence[RatedResult], rated_before: int) -> None:
    """These results, the next of the pool in order."""
    model = model_of(BASE)
    ladder = Ladder(model, known_players(transaction, pool, results))
    touched, moved = set[Actor](), list[Row]()
    for number, result in enumerate(results, rated_before + 1):
        for change in ladder.play(result):
            moved.append(moved_row(model, result, change))
            touched.add(change.after.player)
        if number % CHECKPOINT == 0:
            put_players(transaction, pool, ladder, touched)
            put_checkpoint(transaction, pool, tip_of(result), number)
    put_players(transaction, pool, ladder, touched)
    put_rows(transaction, PUT_CHANGES, moved)
    put_tip(transaction, pool, tip_of(results[-1]), rated_before + len(results))


def put_players(transaction: Transaction, pool: Pool, ladder: Ladder, touched: set[Actor]) -> None:
    """What has changed since this was last called: of everybody the last state alone."""
    put_rated(transaction, pool, [ladder.rated[player] for player in sorted(touched)])
    touched.clear()


def known_players(transaction: Transaction, pool: Pool, results: Sequence[RatedResult]) -> Iterator[Rated]:
    players = list(dict.fromkeys(player for result in results for player in result.players))
    for start in range(0, len(players), ROWS):
        some = players[start : start + ROWS]
        statement = READ_PLAYERS.replace("IN (?)", f"IN ({', '.join('?' * len(some))})")
        for (detail,) in transaction.rows(statement, pool.title, pool.seats, *some):
            yield RATED.decode(detail)


def pool_tip(transaction: Transaction, pool: Pool) -> tuple[Tip, int]:
    """The last result rated, and how many have been."""
    rows = transaction.rows(
        "SELECT ended, match_id, results FROM {rating_pools} WHERE title = ? AND seats = ?", pool.title, pool.seats
    )
    return ((rows[0][0], rows[0][1]), rows[0][2]) if rows else (BEGINNING, 0)


def put_tip(transaction: Transaction, pool: Pool, tip: Tip, results: int) -> None:
    transaction.change(
        "INSERT INTO {rating_pools} (title, seats, ended, match_id, results) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (title, seats) DO UPDATE SET ended = excluded.ended, match_id = excluded.match_id,"
        " results = excluded.results",
        pool.title,
        pool.seats,
        *tip,
        results,
    )


def put_rows(transaction: Transaction, statement: str, rows: Sequence[Row]) -> None:
    """Rows of one table, many in one statement: one after the other, most of the time would go into saying so."""
    for start in range(0, len(rows), ROWS):
        some = rows[start : start + ROWS]
        marks = f"({', '.join('?' * len(some[0]))})"
        transaction.change(
            statement.replace("VALUES", f"VALUES {', '.join([marks] * len(some))}"),
            *(cell for row in some for cell in row),
        )


def put_rated(transaction: Transaction, pool: Pool, known: Sequence[Rated]) -> None:
    rows = [
        (pool.title, pool.seats, rated.player, msgspec.json.encode(rated, order="deterministic")) for rated in known
    ]
    put_rows(transaction, PUT_PLAYERS, rows)


def moved_row(model: RatingModel, result: RatedResult, change: Change) -> Row:
    """What one match did to a player, as it is stored."""
    moved = Moved(
        match_id=result.match_id,
        pool=result.pool,
        ended_at=result.ended_at,
        place=change.place,
        points=model.points(change.after.skill),
        points_before=model.points(change.before.skill),
        # Whom somebody has met stands with their rating; beside every change it would be written again and again.
        after=replace(change.after, met=()),
        public=result.public,
    )
    detail = msgspec.json.encode(moved, order="deterministic")
    return (result.pool.title, result.pool.seats, *tip_of(result), change.after.player, moved.points, detail)


def put_checkpoint(transaction: Transaction, pool: Pool, tip: Tip, results: int) -> None:
    rows = transaction.rows(
        "SELECT detail FROM {rating_players} WHERE title = ? AND seats = ? ORDER BY player", pool.title, pool.seats
    )
    transaction.change(
        "INSERT INTO {rating_checkpoints} (title, seats, ended, match_id, results, detail) VALUES (?, ?, ?, ?, ?, ?)",
        pool.title,
        pool.seats,
        *tip,
        results,
        b"[" + b",".join(bytes(row[0]) for row in rows) + b"]",
    )
