"""The matches of each player in the order of their list, latest opened first."""

from collections.abc import Mapping
from typing import Final

from sqlalchemy import bindparam, delete, select, tuple_

from projections.matches.lobby_tables import LOBBY, LOBBY_HISTORIES, LOBBY_PLAYERS
from projections.platform.fills import Fill, FillTransaction
from projections.platform.statements import insert_new

ROWS: Final = LOBBY.c
PLAYERS: Final = LOBBY_PLAYERS.c
SEATED: Final = LOBBY.join(LOBBY_PLAYERS, PLAYERS.match_id == ROWS.match_id)
HISTORY: Final = LOBBY_HISTORIES.c
WRITE_HISTORY: Final = insert_new(LOBBY_HISTORIES)
FORGET_HISTORY: Final = delete(LOBBY_HISTORIES).where(
    HISTORY.player == bindparam("player"), HISTORY.opened == bindparam("opened")
)
FILL_SLICE: Final = 2_000
READ_SEATED: Final = (
    select(PLAYERS.match_id, PLAYERS.player, ROWS.opened)
    .select_from(SEATED)
    .where(tuple_(PLAYERS.player, PLAYERS.match_id) > tuple_(bindparam("player"), bindparam("match_id")))
    .order_by(PLAYERS.player, PLAYERS.match_id)
    .limit(bindparam("limit"))
)
READ_PLAYER: Final = (
    select(ROWS.detail)
    .select_from(LOBBY_HISTORIES.join(LOBBY, ROWS.match_id == HISTORY.match_id))
    .where(HISTORY.player == bindparam("player"), HISTORY.opened < bindparam("before"))
    .order_by(HISTORY.opened.desc())
    .limit(bindparam("limit"))
)
READ_PLAYER_UNFILLED: Final = (
    select(ROWS.detail)
    .select_from(SEATED)
    .where(PLAYERS.player == bindparam("player"), ROWS.opened < bindparam("before"))
    .order_by(ROWS.opened.desc())
    .limit(bindparam("limit"))
)
"""The same while `LOBBY_HISTORIES` is being filled."""


def fill_histories(transaction: FillTransaction, reached: str, limit: int = FILL_SLICE) -> str | None:
    """Fill at most `limit` rows of the histories from the lists of players, after a pair of match and player."""
    match_id, _, player = reached.partition(" ")
    rows = transaction.rows(READ_SEATED, player=player, match_id=match_id, limit=limit)
    for match_id, player, opened in rows:
        transaction.change(WRITE_HISTORY, player=player, opened=opened, match_id=match_id)
    return f"{rows[-1][0]} {rows[-1][1]}" if rows else None


FILL_HISTORIES: Final[Mapping[str, Fill]] = {"lobby_histories": fill_histories}
