"""Rating the results of a pool in order of time, and undoing them, in slices."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain, combinations
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import Select, and_, bindparam, column, delete, func, select, tuple_, values

from domain.matches.facts import Actor
from domain.matches.log.entries import microseconds
from domain.ratings.fairness import STRANGERS, Meetings
from domain.ratings.ladder import Ladder, Pair, Pool, Rated, RatedResult, pair_of, period_of
from domain.ratings.models import BASE, model_of
from domain.ratings.update import QUICK
from projections.platform.database import Row
from projections.platform.statements import Sized, any_of, in_sizes, insert_rows, upsert, upsert_rows
from projections.platform.store import Transaction
from projections.platform.tables import NUMBER, TEXT
from projections.ratings.effects import RATED, RESULT_EFFECT, list_rating_changes, rate_result, rating_after
from projections.ratings.months import Course, courses_of, write_courses
from projections.ratings.tables import RATING_CHANGES, RATING_MEETINGS, RATING_MOVES, RATING_PLAYERS, RATING_POOLS
from projections.ratings.writing import batches, key_of, put_rows

Tip = tuple[int, str]
"""A position in rating order: microseconds and match id."""

BEGINNING: Final = (-(2**62), "")
SLICE: Final = 2_000
"""The number of results rated, or taken back, in one transaction."""

TIP: Final = tuple_(bindparam("ended", type_=NUMBER), bindparam("match_id", type_=TEXT))

POOLS: Final = RATING_POOLS.c
READ_REACHED: Final = select(POOLS.ended, POOLS.match_id, POOLS.results, POOLS.back_ended, POOLS.back_match).where(
    POOLS.title == bindparam("title"), POOLS.seats == bindparam("seats")
)
PUT_REACHED: Final = upsert(RATING_POOLS)

CHANGES: Final = RATING_CHANGES.c
CHANGES_OF_POOL: Final = and_(CHANGES.title == bindparam("title"), CHANGES.seats == bindparam("seats"))
PLACE: Final = tuple_(CHANGES.ended, CHANGES.match_id)
NEWEST_FIRST: Final = (
    select(CHANGES.ended, CHANGES.match_id)
    .where(CHANGES_OF_POOL)
    .order_by(CHANGES.ended.desc(), CHANGES.match_id.desc())
)
NEWEST: Final = NEWEST_FIRST.where(PLACE >= TIP).limit(bindparam("limit"))
LAST: Final = NEWEST_FIRST.where(PLACE < TIP).limit(1)
READ_SINCE: Final = (
    select(CHANGES.number, CHANGES.detail)
    .where(CHANGES_OF_POOL, PLACE >= TIP)
    .order_by(CHANGES.ended, CHANGES.match_id)
)
DROP_SINCE: Final = delete(RATING_CHANGES).where(CHANGES_OF_POOL, PLACE >= TIP)
LAST_CHANGE: Final = select(func.coalesce(func.max(CHANGES.number), 0))
PUT_CHANGES: Final = partial(insert_rows, RATING_CHANGES)

PLAYERS: Final = RATING_PLAYERS.c
SOME_OF_POOL: Final = and_(
    PLAYERS.title == bindparam("title"), PLAYERS.seats == bindparam("seats"), PLAYERS.player.in_(any_of("players"))
)
READ_PLAYERS: Final = select(PLAYERS.player, PLAYERS.number, PLAYERS.detail).where(SOME_OF_POOL)
LAST_PLAYER: Final = select(func.coalesce(func.max(PLAYERS.number), 0))
PUT_PLAYERS: Final = partial(upsert_rows, RATING_PLAYERS, kept=("number",))
DROP_PLAYERS: Final = delete(RATING_PLAYERS).where(SOME_OF_POOL)

MOVES: Final = RATING_MOVES.c
LAST_MOVE: Final = (
    select(func.max(MOVES.change))
    .where(MOVES.player == PLAYERS.number, MOVES.change < bindparam("since"))
    .correlate(RATING_PLAYERS)
    .scalar_subquery()
)
FORMER: Final = select(CHANGES.detail).where(CHANGES.number == LAST_MOVE).correlate(RATING_PLAYERS).scalar_subquery()
READ_FORMER: Final = select(PLAYERS.player, FORMER).where(SOME_OF_POOL)
"""Players, and the last result of each before a number."""
PUT_MOVES: Final = partial(insert_rows, RATING_MOVES)
DROP_MOVES: Final = delete(RATING_MOVES).where(MOVES.change >= bindparam("since"), MOVES.player.in_(any_of("players")))

MEETINGS: Final = RATING_MEETINGS.c
PUT_MEETINGS: Final = partial(upsert_rows, RATING_MEETINGS)
DROP_MEETINGS: Final = delete(RATING_MEETINGS).where(
    MEETINGS.player == bindparam("player"), MEETINGS.other.in_(any_of("others"))
)


def read_meetings(count: int) -> Select[Any]:
    """Return the statement that reads (player, other, detail) of `count` pairs; None for a pair that never met.

    The outer join looks up each pair by key; with `(player, other) IN (…)` SQLite would read all meetings.
    """
    columns = (column("player", NUMBER), column("other", NUMBER))
    pairs = values(*columns, name="pairs").data(
        [tuple(bindparam(f"{each.name}_{number}", type_=NUMBER) for each in columns) for number in range(count)]
    )
    requested = pairs.cte()
    is_pair = and_(MEETINGS.player == requested.c.player, MEETINGS.other == requested.c.other)
    return select(requested.c.player, requested.c.other, MEETINGS.detail).outerjoin_from(
        requested, RATING_MEETINGS, is_pair
    )


TOGETHER: Final = msgspec.json.Decoder(Meetings)
encoded: Final = msgspec.json.Encoder().encode
"""Encode a value with its fields in declared order.

No value contains a mapping or set, whose order would have to be fixed.
"""

Numbered = tuple[int, int]
"""A pair of player numbers, the smaller first."""
Numbers = Mapping[Actor, int]
"""Numbers of a pool's players; meetings are stored by number."""


class PoolProgress(NamedTuple):
    """The progress of a pool: its last rated result, their number, and the first result to undo, if any."""

    tip: Tip = BEGINNING
    results: int = 0
    back: Tip | None = None


def tip_of(result: RatedResult) -> Tip:
    """Return the position of a result in rating order."""
    return microseconds(result.ended_at), str(result.match_id)


def values_of(tip: Tip) -> dict[str, Any]:
    """Return the values of `TIP`."""
    return {"ended": tip[0], "match_id": tip[1]}


def read_progress(transaction: Transaction, pool: Pool) -> PoolProgress | None:
    """Return the progress of a pool, or None if it is unknown."""
    for ended, match_id, results, back_ended, back_match in transaction.rows(READ_REACHED, **key_of(pool)):
        return PoolProgress((ended, match_id), results, None if back_ended is None else (back_ended, back_match))
    return None


def write_progress(transaction: Transaction, pool: Pool, progress: PoolProgress) -> None:
    """Store the progress of a pool."""
    back_ended, back_match = progress.back or (None, None)
    back = {"back_ended": back_ended, "back_match": back_match}
    transaction.change(PUT_REACHED, **key_of(pool), **values_of(progress.tip), results=progress.results, **back)


def undo_results(transaction: Transaction, pool: Pool, progress: PoolProgress, back: Tip) -> None:
    """Undo the latest slice of results from `back` on, restore players and meetings, and store the progress.

    If more than `SLICE` results are affected, the rest stays to be undone.
    """
    key = key_of(pool)
    latest = transaction.rows(NEWEST, **key, **values_of(back), limit=SLICE + 1)
    undone, since = latest[:SLICE], back
    if len(latest) > SLICE:
        since = undone[-1][0], undone[-1][1]
    players, meetings = set[Actor](), dict[Pair, Meetings]()
    rows = transaction.rows(READ_SINCE, **key, **values_of(since))
    for _, detail in rows:
        for change in list_rating_changes(RESULT_EFFECT.decode(detail)):
            players.add(change.after.player)
            for opponent in change.met:
                meetings.setdefault(pair_of(change.after.player, opponent.player), opponent.meetings)
    if rows:
        numbers, _ = known_players(transaction, pool, sorted(players))
        restore_meetings(transaction, numbers, meetings)
        former = restore_players(transaction, pool, numbers, rows[0][0])
        first_month = period_of(RESULT_EFFECT.decode(rows[0][1]).ended_at)
        courses = {player: Course(first_month, [former[player]] if player in former else []) for player in players}
        write_courses(transaction, pool, courses)
    transaction.change(DROP_SINCE, **key, **values_of(since))
    last = [(ended, match_id) for ended, match_id in transaction.rows(LAST, **key, **values_of(since))]
    next_back = back if len(latest) > SLICE else None
    write_progress(
        transaction, pool, PoolProgress(last[0] if last else BEGINNING, progress.results - len(undone), next_back)
    )


def restore_players(transaction: Transaction, pool: Pool, numbers: Numbers, since: int) -> dict[Actor, Rated]:
    """Restore players to their last change before number `since`, and return their ratings.

    Players without one are deleted, and references to later changes.
    """
    key, restored = key_of(pool), list[Rated]()
    for batch in batches(sorted(numbers)):
        transaction.change(DROP_MOVES, since=since, players=[numbers[player] for player in batch])
        former = transaction.rows(READ_FORMER, since=since, **key, players=batch)
        rated = [rating_after(RESULT_EFFECT.decode(detail), player) for player, detail in former if detail is not None]
        put_players(transaction, pool, numbers, rated)
        restored += rated
        unrated = [player for player, detail in former if detail is None]
        if unrated:
            transaction.change(DROP_PLAYERS, **key, players=unrated)
    return {rated.player: rated for rated in restored}


def restore_meetings(transaction: Transaction, numbers: Numbers, meetings: Mapping[Pair, Meetings]) -> None:
    """Restore the meetings of pairs to these; pairs that had never met are deleted."""
    pairs = {pair: order_numbers(numbers, pair) for pair in meetings}
    put_meetings(
        transaction, {pair: numbered for pair, numbered in pairs.items() if meetings[pair] != STRANGERS}, meetings
    )
    deleted: dict[int, list[int]] = {}
    for pair, (player, other) in pairs.items():
        if meetings[pair] == STRANGERS:
            deleted.setdefault(player, []).append(other)
    for player, others in deleted.items():
        for batch in batches(others):
            transaction.change(DROP_MEETINGS, player=player, others=batch)


def rate(
    transaction: Transaction, pool: Pool, results: Sequence[tuple[Tip, RatedResult]], progress: PoolProgress
) -> None:
    """Rate these results, the next of the pool in order, and store changes, players, meetings and progress."""
    # A full slice means a recount; the running service rates a few results with the library's model.
    key, model = (pool.title, pool.seats), QUICK if len(results) == SLICE else model_of(BASE)
    players = sorted({player for _, result in results for player in result.players})
    numbers, rated = known_players(transaction, pool, players)
    pairs = {
        pair: order_numbers(numbers, pair)
        for _, result in results
        if result.fair
        for pair in combinations(sorted(set(result.players)), 2)
    }
    ladder = Ladder(model, rated, known_meetings(transaction, pairs))
    changes, moves, after = list[Row](), list[tuple[int, int]](), list[tuple[Actor, Rated]]()
    ((last,),) = transaction.rows(LAST_CHANGE)
    for number, (tip, result) in enumerate(results, last + 1):
        effect = rate_result(ladder, result)
        changes.append((number, *key, *tip, max([step.points for step in effect.steps]), encoded(effect)))
        moves += [(numbers[step.player], number) for step in effect.steps]
        after += [(step.player, step.after) for step in effect.steps]
    affected = sorted({player for _, result in results for player in result.affected_players})
    put_players(transaction, pool, numbers, [ladder.rated[player] for player in affected])
    put_meetings(transaction, pairs, ladder.together)
    write_courses(transaction, pool, courses_of(after, {each.player: each for each in rated}))
    put_rows(transaction, PUT_CHANGES, changes)
    # Rows that are adjacent in the table are written together.
    put_rows(transaction, PUT_MOVES, sorted(moves))
    write_progress(transaction, pool, PoolProgress(results[-1][0], progress.results + len(results)))


def known_players(transaction: Transaction, pool: Pool, players: Sequence[Actor]) -> tuple[Numbers, list[Rated]]:
    """Return numbers of all players, new ones included, and the ratings of rated ones.

    New players are numbered after the last, by id; nothing is stored.
    """
    numbers, rated = dict[Actor, int](), list[Rated]()
    for batch in batches(players):
        for player, number, detail in transaction.rows(READ_PLAYERS, **key_of(pool), players=batch):
            numbers[player] = number
            rated.append(RATED.decode(detail))
    if len(numbers) < len(players):
        ((last,),) = transaction.rows(LAST_PLAYER)
        numbers |= {player: number for number, player in enumerate(sorted({*players} - {*numbers}), last + 1)}
    return numbers, rated


def put_players(transaction: Transaction, pool: Pool, numbers: Numbers, players: Sequence[Rated]) -> None:
    """Write the ratings of players."""
    key = (pool.title, pool.seats)
    put_rows(
        transaction, PUT_PLAYERS, [(*key, rated.player, numbers[rated.player], encoded(rated)) for rated in players]
    )


def order_numbers(numbers: Numbers, pair: Pair) -> Numbered:
    """Return the numbers of a pair, the smaller first."""
    first, second = numbers[pair[0]], numbers[pair[1]]
    return (first, second) if first < second else (second, first)


def known_meetings(transaction: Transaction, pairs: Mapping[Pair, Numbered]) -> dict[Pair, Meetings]:
    """Return the known meetings of pairs; pairs that never met are left out."""
    found, pairs_by_numbers = dict[Pair, Meetings](), {numbered: pair for pair, numbered in pairs.items()}
    for batch in in_sizes(sorted(pairs_by_numbers)):
        for player, other, detail in transaction.rows(Sized(read_meetings, len(batch)), *chain.from_iterable(batch)):
            if detail is not None:
                found[pairs_by_numbers[player, other]] = TOGETHER.decode(detail)
    return found


def put_meetings(transaction: Transaction, pairs: Mapping[Pair, Numbered], meetings: Mapping[Pair, Meetings]) -> None:
    """Write the meetings of pairs."""
    put_rows(
        transaction, PUT_MEETINGS, sorted([(*numbered, encoded(meetings[pair])) for pair, numbered in pairs.items()])
    )
