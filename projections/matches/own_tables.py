"""The unfinished matches of a player in the order of the time left, from the lists and the clocks of matches."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from domain.kernel.values import Value
from domain.matches.facts import Actor
from projections.matches import clocks, lobby
from projections.matches.lobby import LobbyRow
from projections.platform.paging import Page
from projections.platform.store import ReadStore

TABLES_MAX: Final = 5_000
"""Number of unfinished matches of a player that are put in order, the ones that wait for the player first."""


class OwnTable(Value, frozen=True):
    """A match of a player; `ends`: when the time of the player's turn is over, None without a running clock."""

    row: LobbyRow
    ends: datetime | None = None


def list_own_tables(store: ReadStore, player: Actor, limit: int, offset: int = 0) -> Page[OwnTable]:
    """Return a page of a player's unfinished matches; `offset` and the key of the next page count the matches before.

    Matches that wait for the player come first, the least time left before others and matches without a clock last;
    then the other matches, latest opened first.
    """
    rows = lobby.list_unfinished_page(store, player, TABLES_MAX).items
    ends = find_ends(store, player, [row for row in rows if row.waits_for(player)])
    waiting = sorted(
        (row for row in rows if row.waits_for(player)),
        key=lambda row: (row.match_id not in ends, ends.get(row.match_id, row.at)),
    )
    ordered = [*waiting, *(row for row in rows if not row.waits_for(player))]
    last = offset + limit
    tables = tuple(OwnTable(row, ends.get(row.match_id)) for row in ordered[offset:last])
    return Page(tables, last if last < len(ordered) else None)


def find_ends(store: ReadStore, player: Actor, rows: Sequence[LobbyRow]) -> dict[UUID, datetime]:
    """Return when the running clocks of a player are over, by match; the earliest, if several of their clocks run."""
    seats = {row.match_id: row.seats for row in rows}
    ends = dict[UUID, datetime]()
    for clock in clocks.running(store, list(seats)):
        if clock.deadline is not None and seats[clock.match_id][clock.seat].actor == player:
            ends.setdefault(clock.match_id, clock.deadline)
    return ends
