"""The rating changes of a player in order of time, read from the latest on."""

from collections.abc import Sequence
from typing import Annotated, Final, NamedTuple

import msgspec
from sqlalchemy import bindparam, select

from domain.kernel.values import Value
from domain.matches.facts import Actor
from domain.ratings.ladder import Pool
from projections.platform.database import Row
from projections.platform.paging import KEY_MAX, LIMIT
from projections.platform.store import ReadStore
from projections.ratings.effects import RESULT_EFFECT, RatingChange, rating_change_of
from projections.ratings.tables import RATING_CHANGES, RATING_MOVES, RATING_PLAYERS
from projections.ratings.writing import key_of

HISTORY_MAX: Final = 2_000
"""Latest changes of a player in a file."""
PLOTTED_MAX: Final = 300
"""Latest changes of a player that are read for a page, enough for a plot."""
LAST_CHANGE: Final = 2**62

PLAYERS: Final = RATING_PLAYERS.c
CHANGES: Final = RATING_CHANGES.c
MOVES: Final = RATING_MOVES.c
READ_NUMBERS: Final = select(PLAYERS.title, PLAYERS.seats, PLAYERS.number).where(PLAYERS.player == bindparam("player"))
LAST_UNTIL: Final = (
    select(CHANGES.number)
    .where(
        CHANGES.title == bindparam("title"), CHANGES.seats == bindparam("seats"), CHANGES.ended <= bindparam("ended")
    )
    .order_by(CHANGES.ended.desc(), CHANGES.match_id.desc())
    .limit(1)
)
READ_LATEST: Final = (
    select(CHANGES.ended, CHANGES.match_id, CHANGES.detail)
    .select_from(RATING_MOVES)
    .join(RATING_CHANGES, CHANGES.number == MOVES.change)
    .where(MOVES.player == bindparam("number"), MOVES.change <= bindparam("last"))
    .order_by(MOVES.change.desc())
    .limit(bindparam("limit"))
)
"""The latest changes in one pool, in which numbers are in order of time."""


class HistoryPosition(NamedTuple):
    """A position in a history: after the first `seen` changes that ended in this microsecond."""

    ended: Annotated[int, msgspec.Meta(ge=0, le=KEY_MAX)]
    seen: Annotated[int, msgspec.Meta(ge=1, le=1_000)]


class HistoryPage(Value, frozen=True):
    """Changes, latest first, and the position after which the next page starts; None on the last page."""

    changes: tuple[RatingChange, ...]
    next: HistoryPosition | None


def history_page(
    store: ReadStore, player: Actor, limit: int = LIMIT, after: HistoryPosition | None = None
) -> HistoryPage:
    """Return a page of a player's rating changes in all pools, latest first; empty for an unknown player."""
    seen = 0 if after is None else after.seen
    rows = _latest(store, player, limit + seen + 1, None if after is None else after.ended)
    is_seen = 0
    while is_seen < min(seen, len(rows)) and after is not None and rows[is_seen][0] == after.ended:
        is_seen += 1
    page = rows[is_seen : is_seen + limit]
    changes = tuple(rating_change_of(RESULT_EFFECT.decode(detail), player) for _, _, detail in page)
    if len(rows) <= is_seen + limit:
        return HistoryPage(changes, None)
    ended = page[-1][0]
    return HistoryPage(changes, HistoryPosition(ended, sum(row[0] == ended for row in rows[: is_seen + limit])))


def history_of(store: ReadStore, player: Actor, limit: int = HISTORY_MAX) -> tuple[RatingChange, ...]:
    """Return a player's latest rating changes in all pools, oldest first."""
    rows = _latest(store, player, limit, None)
    return tuple(rating_change_of(RESULT_EFFECT.decode(detail), player) for _, _, detail in reversed(rows))


def histories(store: ReadStore, pool: Pool, players: Sequence[Actor]) -> dict[Actor, tuple[RatingChange, ...]]:
    """Return the latest rating changes of several players in a pool, oldest first."""
    return {
        player: tuple(
            rating_change_of(RESULT_EFFECT.decode(detail), player)
            for _, _, detail in reversed(_latest(store, player, PLOTTED_MAX, None, pool))
        )
        for player in players
    }


def _latest(store: ReadStore, player: Actor, limit: int, until: int | None, pool: Pool | None = None) -> list[Row]:
    """Return a player's latest changes up to a time in microseconds, latest first, in all pools or in one."""
    found = list[Row]()
    for title, seats, number in store.rows(READ_NUMBERS, player=player):
        in_pool = Pool(title, seats)
        if pool not in {None, in_pool}:
            continue
        last = LAST_CHANGE
        if until is not None:
            last = next((row[0] for row in store.rows(LAST_UNTIL, **key_of(in_pool), ended=until)), -1)
        found += store.rows(READ_LATEST, number=number, last=last, limit=limit)
    found.sort(key=lambda row: (row[0], row[1]), reverse=True)
    return found[:limit]
