"""What results do to the ratings of a pool, slice by slice: rated in order of time, taken back by what is kept."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations
from typing import Final, NamedTuple, TypeVar

import msgspec

from domain.matches.facts import Actor
from domain.matches.log.entries import microseconds
from domain.ratings.fairness import STRANGERS, Together
from domain.ratings.ladder import Ladder, Pair, Pool, Rated, RatedResult, pair_of
from domain.ratings.models import BASE, model_of
from domain.ratings.update import QUICK
from projections.platform.database import Row
from projections.platform.store import Transaction
from projections.ratings.told import RATED, TOLD, after_of, all_moved, told_by

Some = TypeVar("Some")
Tip = tuple[int, str]
"""A place in the order of rating: microseconds and a match."""

BEGINNING: Final = (-(2**62), "")
SLICE: Final = 2_000
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
    "SELECT ended, match_id FROM {rating_changes} WHERE title = ? AND seats = ?"
    " AND (ended, match_id) >= (?, ?) ORDER BY ended DESC, match_id DESC LIMIT ?"
)
LAST: Final = (
    "SELECT ended, match_id FROM {rating_changes} WHERE title = ? AND seats = ?"
    " AND (ended, match_id) < (?, ?) ORDER BY ended DESC, match_id DESC LIMIT 1"
)
READ_SINCE: Final = (
    "SELECT number, detail FROM {rating_changes} WHERE title = ? AND seats = ?"
    " AND (ended, match_id) >= (?, ?) ORDER BY ended, match_id"
)
DROP_SINCE: Final = "DELETE FROM {rating_changes} WHERE title = ? AND seats = ? AND (ended, match_id) >= (?, ?)"
READ_PLAYERS: Final = (
    "SELECT player, number, detail FROM {rating_players} WHERE title = ? AND seats = ? AND player IN (?)"
)
READ_FORMER: Final = (
    "SELECT known.player, (SELECT detail FROM {rating_changes} WHERE number = (SELECT MAX(change) FROM {rating_moves}"
    " WHERE player = known.number AND change < ?)) FROM {rating_players} AS known"
    " WHERE title = ? AND seats = ? AND player IN (?)"
)
"""Players, and the last result of each before a number."""
READ_MEETINGS: Final = (
    "WITH asked (player, other) AS (VALUES (?)) SELECT known.player, known.other, known.detail"
    " FROM asked CROSS JOIN {rating_meetings} AS known"
    " WHERE known.player = asked.player AND known.other = asked.other"
)
"""Each pair is looked up by itself: asked for by `(player, other) IN (…)`, SQLite reads all meetings."""
LAST_PLAYER: Final = "SELECT COALESCE(MAX(number), 0) FROM {rating_players}"
LAST_CHANGE: Final = "SELECT COALESCE(MAX(number), 0) FROM {rating_changes}"
PUT_PLAYERS: Final = (
    "INSERT INTO {rating_players} (title, seats, player, number, detail) VALUES"
    " ON CONFLICT (title, seats, player) DO UPDATE SET detail = excluded.detail"
)
PUT_MEETINGS: Final = (
    "INSERT INTO {rating_meetings} (player, other, detail) VALUES"
    " ON CONFLICT (player, other) DO UPDATE SET detail = excluded.detail"
)
PUT_CHANGES: Final = "INSERT INTO {rating_changes} (number, title, seats, ended, match_id, best, detail) VALUES"
PUT_MOVES: Final = "INSERT INTO {rating_moves} (player, change) VALUES"
DROP_PLAYERS: Final = "DELETE FROM {rating_players} WHERE title = ? AND seats = ? AND player IN (?)"
DROP_MEETINGS: Final = "DELETE FROM {rating_meetings} WHERE player = ? AND other IN (?)"
DROP_MOVES: Final = "DELETE FROM {rating_moves} WHERE change >= ? AND player IN (?)"

TOGETHER: Final = msgspec.json.Decoder(Together)
encoded: Final = msgspec.json.Encoder().encode
"""A value as it is stored: its fields as they are declared. No value here holds a mapping or a set, whose order would
have to be asked for."""

Numbered = tuple[int, int]
"""A pair by number, the smaller first."""
Numbers = Mapping[Actor, int]
"""The players of a pool by the numbers they have in it: what is kept of two people at every table goes by these."""


class Reached(NamedTuple):
    """How far a pool is rated: the last result, how many, and from which on all has to be taken back."""

    tip: Tip = BEGINNING
    results: int = 0
    back: Tip | None = None


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
    rows = transaction.rows(READ_SINCE, *key, *since)
    for _, detail in rows:
        for moved in all_moved(TOLD.decode(detail)):
            players.add(moved.after.player)
            for met in moved.met:
                meetings.setdefault(pair_of(moved.after.player, met.player), met.together)
    if rows:
        numbers, _ = known_players(transaction, pool, sorted(players))
        restore_meetings(transaction, numbers, meetings)
        restore_players(transaction, pool, numbers, rows[0][0])
    transaction.change(DROP_SINCE, *key, *since)
    last = [(ended, match_id) for ended, match_id in transaction.rows(LAST, *key, *since)]
    left = back if len(newest) > SLICE else None
    put_reached(transaction, pool, Reached(last[0] if last else BEGINNING, reached.results - len(gone), left))


def restore_players(transaction: Transaction, pool: Pool, numbers: Numbers, since: int) -> None:
    """As the last result before that number left them; who had none is not rated."""
    key = (pool.title, pool.seats)
    for some in batches(sorted(numbers)):
        transaction.change(marked(DROP_MOVES, len(some)), since, *(numbers[player] for player in some))
        former = transaction.rows(marked(READ_FORMER, len(some)), since, *key, *some)
        put_players(
            transaction,
            pool,
            numbers,
            [after_of(TOLD.decode(detail), player) for player, detail in former if detail is not None],
        )
        gone = [player for player, detail in former if detail is None]
        if gone:
            transaction.change(marked(DROP_PLAYERS, len(gone)), *key, *gone)


def restore_meetings(transaction: Transaction, numbers: Numbers, meetings: Mapping[Pair, Together]) -> None:
    pairs = {pair: numbered(numbers, pair) for pair in meetings}
    put_meetings(transaction, {pair: both for pair, both in pairs.items() if meetings[pair] != STRANGERS}, meetings)
    gone: dict[int, list[int]] = {}
    for pair, (player, other) in pairs.items():
        if meetings[pair] == STRANGERS:
            gone.setdefault(player, []).append(other)
    for player, others in gone.items():
        for some in batches(others):
            transaction.change(marked(DROP_MEETINGS, len(some)), player, *some)


def rate(transaction: Transaction, pool: Pool, results: Sequence[tuple[Tip, RatedResult]], reached: Reached) -> None:
    """These results, the next of the pool in order."""
    # A whole slice is a recount: what waits in the running service is a few results, and the package rates them.
    key, model = (pool.title, pool.seats), QUICK if len(results) == SLICE else model_of(BASE)
    players = sorted({player for _, result in results for player in result.players})
    numbers, known = known_players(transaction, pool, players)
    pairs = {
        pair: numbered(numbers, pair)
        for _, result in results
        if result.fair
        for pair in combinations(sorted(set(result.players)), 2)
    }
    ladder = Ladder(model, known, known_meetings(transaction, pairs))
    changes, moves = list[Row](), list[tuple[int, int]]()
    ((last,),) = transaction.rows(LAST_CHANGE)
    for number, (tip, result) in enumerate(results, last + 1):
        told = told_by(ladder, result)
        changes.append((number, *key, *tip, max([step.points for step in told.steps]), encoded(told)))
        moves += [(numbers[step.player], number) for step in told.steps]
    moved = sorted({player for _, result in results for player in result.moved})
    put_players(transaction, pool, numbers, [ladder.rated[player] for player in moved])
    put_meetings(transaction, pairs, ladder.together)
    put_rows(transaction, PUT_CHANGES, changes)
    # What stands together in the table is written together.
    put_rows(transaction, PUT_MOVES, sorted(moves))
    put_reached(transaction, pool, Reached(results[-1][0], reached.results + len(results)))


def known_players(transaction: Transaction, pool: Pool, players: Sequence[Actor]) -> tuple[Numbers, list[Rated]]:
    """All of them by number, new ones too, and how those stand who are rated."""
    numbers, known = dict[Actor, int](), list[Rated]()
    for some in batches(players):
        for player, number, detail in transaction.rows(marked(READ_PLAYERS, len(some)), pool.title, pool.seats, *some):
            numbers[player] = number
            known.append(RATED.decode(detail))
    if len(numbers) < len(players):
        ((last,),) = transaction.rows(LAST_PLAYER)
        numbers |= {player: number for number, player in enumerate(sorted({*players} - {*numbers}), last + 1)}
    return numbers, known


def put_players(transaction: Transaction, pool: Pool, numbers: Numbers, players: Sequence[Rated]) -> None:
    key = (pool.title, pool.seats)
    put_rows(
        transaction, PUT_PLAYERS, [(*key, rated.player, numbers[rated.player], encoded(rated)) for rated in players]
    )


def numbered(numbers: Numbers, pair: Pair) -> Numbered:
    """The two by number, the smaller first."""
    one, other = numbers[pair[0]], numbers[pair[1]]
    return (one, other) if one < other else (other, one)


def known_meetings(transaction: Transaction, pairs: Mapping[Pair, Numbered]) -> dict[Pair, Together]:
    """How often those had met who sit at one table now."""
    found, asked = dict[Pair, Together](), {both: pair for pair, both in pairs.items()}
    for some in batches(sorted(asked)):
        statement = READ_MEETINGS.replace("VALUES (?)", f"VALUES {', '.join(['(?, ?)'] * len(some))}")
        for player, other, detail in transaction.rows(statement, *chain.from_iterable(some)):
            found[asked[player, other]] = TOGETHER.decode(detail)
    return found


def put_meetings(transaction: Transaction, pairs: Mapping[Pair, Numbered], together: Mapping[Pair, Together]) -> None:
    """How often these have met now."""
    put_rows(transaction, PUT_MEETINGS, sorted([(*both, encoded(together[pair])) for pair, both in pairs.items()]))


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
