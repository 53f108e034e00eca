"""What results do to the ratings of a pool, slice by slice: rated in order of time, taken back by what is kept."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain, combinations
from operator import itemgetter
from typing import Final, NamedTuple, TypeVar
from uuid import UUID

import msgspec

from domain.kernel.values import Value
from domain.matches.facts import Actor
from domain.matches.log import microseconds
from domain.ratings.fairness import STRANGERS, Met, Together
from domain.ratings.ladder import Change, Ladder, Pair, Pool, Rated, RatedResult, pair_of
from domain.ratings.model import RatingModel
from domain.ratings.models import BASE, model_of
from domain.ratings.update import QUICK
from projections.database import Row
from projections.store import Transaction

Some = TypeVar("Some")
Tip = tuple[int, str]
"""A place in the order of rating: microseconds and a match."""

BEGINNING: Final = (-(2**62), "")
SLICE: Final = 1_000
"""The number of results rated, or taken back, in one transaction."""
ROWS: Final = 500
"""The number of rows written or read by one statement: databases take some thousands of values at a time."""

READ_REACHED: Final = (
    "SELECT ended, match_id, results, back_ended, back_match FROM {rating_pools} WHERE title = ? AND seats = ?"
)
PUT_REACHED: Final = (
    "INSERT INTO {rating_pools} (title, seats, ended, match_id, results, back_ended, back_match)"
    " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (title, seats) DO UPDATE SET ended = excluded.ended,"
    " match_id = excluded.match_id, results = excluded.results, back_ended = excluded.back_ended,"
    " back_match = excluded.back_match"
)
NEWEST: Final = (
    "SELECT DISTINCT ended, match_id FROM {rating_changes} WHERE title = ? AND seats = ?"
    " AND (ended, match_id) >= (?, ?) ORDER BY ended DESC, match_id DESC LIMIT ?"
)
LAST: Final = (
    "SELECT ended, match_id FROM {rating_changes} WHERE title = ? AND seats = ?"
    " AND (ended, match_id) < (?, ?) ORDER BY ended DESC, match_id DESC LIMIT 1"
)
READ_SINCE: Final = (
    "SELECT player, detail FROM {rating_changes} WHERE title = ? AND seats = ?"
    " AND (ended, match_id) >= (?, ?) ORDER BY ended, match_id"
)
DROP_SINCE: Final = "DELETE FROM {rating_changes} WHERE title = ? AND seats = ? AND (ended, match_id) >= (?, ?)"
READ_PLAYERS: Final = "SELECT detail FROM {rating_players} WHERE title = ? AND seats = ? AND player IN (?)"
READ_FORMER: Final = (
    "SELECT player, (SELECT detail FROM {rating_changes} WHERE player = known.player AND title = ? AND seats = ?"
    " AND (ended, match_id) < (?, ?) ORDER BY ended DESC, match_id DESC LIMIT 1)"
    " FROM {rating_players} AS known WHERE title = ? AND seats = ? AND player IN (?)"
)
"""Players, and what the last result before a moment made of each."""
READ_MEETINGS: Final = (
    "WITH asked (player, other) AS (VALUES (?)) SELECT known.player, known.other, known.detail"
    " FROM asked CROSS JOIN {rating_meetings} AS known"
    " WHERE known.title = ? AND known.seats = ? AND known.player = asked.player AND known.other = asked.other"
)
"""Each pair is looked up by itself: asked for by `(player, other) IN (…)`, SQLite reads all meetings of the pool."""
PUT_PLAYERS: Final = (
    "INSERT INTO {rating_players} (title, seats, player, detail) VALUES"
    " ON CONFLICT (title, seats, player) DO UPDATE SET detail = excluded.detail"
)
PUT_MEETINGS: Final = (
    "INSERT INTO {rating_meetings} (title, seats, player, other, detail) VALUES"
    " ON CONFLICT (title, seats, player, other) DO UPDATE SET detail = excluded.detail"
)
PUT_CHANGES: Final = "INSERT INTO {rating_changes} (title, seats, ended, match_id, player, points, detail) VALUES"
DROP_PLAYERS: Final = "DELETE FROM {rating_players} WHERE title = ? AND seats = ? AND player IN (?)"
DROP_MEETINGS: Final = "DELETE FROM {rating_meetings} WHERE title = ? AND seats = ? AND player = ? AND other IN (?)"

RATED: Final = msgspec.json.Decoder(Rated)
TOGETHER: Final = msgspec.json.Decoder(Together)
encoded: Final = msgspec.json.Encoder().encode
"""A value as it is stored: its fields as they are declared. No value here holds a mapping or a set, whose order would
have to be asked for."""


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
    met: tuple[Met, ...] = ()
    """Everybody else at the table and how often the two had met before, where that says what the match counts."""


class Reached(NamedTuple):
    """How far a pool is rated: the last result, how many, and from which on all has to be taken back."""

    tip: Tip = BEGINNING
    results: int = 0
    back: Tip | None = None


BY_PLAYER: Final = itemgetter(4)
"""The player of a row of changes."""
MOVED: Final = msgspec.json.Decoder(Moved)


def tip_of(result: RatedResult) -> Tip:
    return microseconds(result.ended_at), str(result.match_id)


def reached_by(transaction: Transaction, pool: Pool) -> Reached | None:
    """None where nothing is known of the pool."""
    for ended, match_id, results, back_ended, back_match in transaction.rows(READ_REACHED, pool.title, pool.seats):
        return Reached((ended, match_id), results, None if back_ended is None else (back_ended, back_match))
    return None


def put_reached(transaction: Transaction, pool: Pool, reached: Reached) -> None:
    transaction.change(
        PUT_REACHED, pool.title, pool.seats, *reached.tip, reached.results, *(reached.back or (None, None))
    )


def take_back(transaction: Transaction, pool: Pool, reached: Reached, back: Tip) -> None:
    """The newest results from `back` on, one slice of them: everybody stands as before them."""
    key = (pool.title, pool.seats)
    newest = transaction.rows(NEWEST, *key, *back, SLICE + 1)
    gone, since = newest[:SLICE], back
    if len(newest) > SLICE:
        since = gone[-1][0], gone[-1][1]
    players, meetings = set[Actor](), dict[Pair, Together]()
    for player, detail in transaction.rows(READ_SINCE, *key, *since):
        players.add(player)
        for met in MOVED.decode(detail).met:
            meetings.setdefault(pair_of(player, met.player), met.together)
    restore_players(transaction, pool, sorted(players), since)
    restore_meetings(transaction, pool, meetings)
    transaction.change(DROP_SINCE, *key, *since)
    last = [(ended, match_id) for ended, match_id in transaction.rows(LAST, *key, *since)]
    left = back if len(newest) > SLICE else None
    put_reached(transaction, pool, Reached(last[0] if last else BEGINNING, reached.results - len(gone), left))


def restore_players(transaction: Transaction, pool: Pool, players: Sequence[Actor], since: Tip) -> None:
    """As the last result before that moment left them; who had none is not rated."""
    key = (pool.title, pool.seats)
    for some in batches(players):
        statement = marked(READ_FORMER, len(some))
        former = transaction.rows(statement, *key, *since, *key, *some)
        put_rows(
            transaction,
            PUT_PLAYERS,
            [(*key, player, encoded(MOVED.decode(detail).after)) for player, detail in former if detail is not None],
        )
        gone = [player for player, detail in former if detail is None]
        if gone:
            transaction.change(marked(DROP_PLAYERS, len(gone)), *key, *gone)


def restore_meetings(transaction: Transaction, pool: Pool, meetings: Mapping[Pair, Together]) -> None:
    put_meetings(transaction, pool, {pair: known for pair, known in meetings.items() if known != STRANGERS})
    gone: dict[Actor, list[Actor]] = {}
    for (player, other), known in meetings.items():
        if known == STRANGERS:
            gone.setdefault(player, []).append(other)
    for player, others in gone.items():
        for some in batches(others):
            transaction.change(marked(DROP_MEETINGS, len(some)), pool.title, pool.seats, player, *some)


def rate(transaction: Transaction, pool: Pool, results: Sequence[tuple[Tip, RatedResult]], reached: Reached) -> None:
    """These results, the next of the pool in order."""
    # A whole slice is a recount: what waits in the running service is a few results, and the package rates them.
    key, model = (pool.title, pool.seats), QUICK if len(results) == SLICE else model_of(BASE)
    players = dict.fromkeys(player for _, result in results for player in result.players)
    pairs = dict.fromkeys(
        pair for _, result in results if result.fair for pair in combinations(sorted(set(result.players)), 2)
    )
    ladder = Ladder(model, known_players(transaction, pool, list(players)), known_meetings(transaction, pool, pairs))
    moved = list[Row]()
    for tip, result in results:
        for change in ladder.play(result):
            moved.append((*key, *tip, *moved_by(model, pool, result, change)))
    # By player, so that what stands together in the index of a player's changes is written together.
    moved.sort(key=BY_PLAYER)
    put_rows(transaction, PUT_PLAYERS, [(*key, player, encoded(ladder.rated[player])) for player in sorted(players)])
    put_meetings(transaction, pool, {pair: ladder.together[pair] for pair in sorted(pairs)})
    put_rows(transaction, PUT_CHANGES, moved)
    put_reached(transaction, pool, Reached(results[-1][0], reached.results + len(results)))


def known_players(transaction: Transaction, pool: Pool, players: Sequence[Actor]) -> Iterator[Rated]:
    for some in batches(players):
        statement = marked(READ_PLAYERS, len(some))
        for (detail,) in transaction.rows(statement, pool.title, pool.seats, *some):
            yield RATED.decode(detail)


def known_meetings(transaction: Transaction, pool: Pool, pairs: Iterable[Pair]) -> dict[Pair, Together]:
    """How often those had met who sit at one table now."""
    found = dict[Pair, Together]()
    for some in batches(list(pairs)):
        statement = READ_MEETINGS.replace("VALUES (?)", f"VALUES {', '.join(['(?, ?)'] * len(some))}")
        rows = transaction.rows(statement, *chain.from_iterable(some), pool.title, pool.seats)
        found |= {(player, other): TOGETHER.decode(detail) for player, other, detail in rows}
    return found


def put_meetings(transaction: Transaction, pool: Pool, meetings: Mapping[Pair, Together]) -> None:
    rows = [(pool.title, pool.seats, *pair, encoded(together)) for pair, together in meetings.items()]
    put_rows(transaction, PUT_MEETINGS, rows)


def marked(statement: str, count: int) -> str:
    """The statement with a mark for each of so many values."""
    return statement.replace("IN (?)", f"IN ({', '.join('?' * count)})")


def batches(values: Sequence[Some]) -> Iterator[Sequence[Some]]:
    """As many at a time as one statement takes."""
    return (values[start : start + ROWS] for start in range(0, len(values), ROWS))


def put_rows(transaction: Transaction, statement: str, rows: Sequence[Row]) -> None:
    """Rows of one table, many in one statement: one after the other, most of the time would go into saying so."""
    for some in batches(rows):
        marks = f"({', '.join('?' * len(some[0]))})"
        many = statement.replace("VALUES", f"VALUES {', '.join([marks] * len(some))}")
        transaction.change(many, *chain.from_iterable(some))


def moved_by(model: RatingModel, pool: Pool, result: RatedResult, change: Change) -> Row:
    """What one match did to a player: who, to how many points, and all of it."""
    after, points = change.after, model.points(change.after.skill)
    before = model.points(change.before.skill)
    return (
        after.player,
        points,
        encoded(
            Moved(
                result.match_id,
                pool,
                result.ended_at,
                change.place,
                points,
                before,
                after,
                result.public,
                change.met,
            )
        ),
    )
