"""Lists of matches: the lobby, and the matches of a player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from api.accounts.display_names import people_in
from api.accounts.service import AccountService
from api.http.writer import OneWriter
from api.matches.match_reading import MatchReading
from api.matches.responses import show_listed
from api.matches.schemas import Lobby, MatchListed
from domain.matches.facts import Actor
from projections.matches import lobby
from projections.matches.lobby import LobbyRow
from projections.matches.own_tables import list_own_tables
from projections.platform.paging import Page, page_of
from projections.platform.store import ReadStore

SCANNED_MAX: Final = 100
"""The number of matches of one state that are read at once for a list over several states."""


@dataclass(frozen=True)
class MatchLists:
    """Lists of matches."""

    _writer: OneWriter
    _accounts: AccountService
    _reading: MatchReading

    async def lobby(self, status: str | None, limit: int, before: int | None) -> Lobby:
        """Return a page of public matches of one status or of all (None), latest first."""
        return await self._list(await self._writer.read_model(lobby.matches, status, limit, before))

    async def lobby_among(self, statuses: Sequence[str], title: str, limit: int, before: int | None) -> Lobby:
        """Return public matches in any of the states, of one title or of all titles (""), latest first.

        A page may be shorter than `limit`, even empty, although `next` is set.
        """
        parts = await self._writer.read_model(_newest, statuses, before)
        # Rows older than the last row of a state with further pages cannot be merged yet.
        known_to = max((part.next for part in parts if part.next is not None), default=None)
        rows = [row for part in parts for row in part.items if title in ("", row.title)]
        found = sorted((row for row in rows if row.opened >= (known_to or 0)), key=lambda row: -row.opened)
        page = page_of(found, limit, lambda row: row.opened)
        return await self._list(Page(page.items, known_to if page.next is None else page.next))

    async def lobby_of(self, player: Actor, limit: int, before: int | None) -> Lobby:
        """Return the unfinished matches of a player, public or private; matches waiting for the player are first."""
        return await self._list(await self._writer.read_model(lobby.list_unfinished_page, player, limit, before))

    async def own_of(self, player: Actor, limit: int, offset: int) -> tuple[Lobby, dict[UUID, datetime]]:
        """Return the unfinished matches of a player by the time left, and the ends of the player's time by match.

        `offset` and `next` are numbers of matches before the page.
        """
        page = await self._writer.read_model(list_own_tables, player, limit, offset)
        ends = {each.row.match_id: each.ends for each in page.items if each.ends is not None}
        return await self._list(page.of([each.row for each in page.items])), ends

    async def turns_of(self, player: Actor, limit: int) -> tuple[int, tuple[MatchListed, ...]]:
        """Return the number of matches that wait for a player, and the longest waiting ones."""
        count, rows = await self._writer.read_model(lobby.waiting_for, player, limit)
        return count, (await self._list(Page(rows))).matches

    async def _list(self, page: Page[LobbyRow]) -> Lobby:
        """Encode a page of lobby rows for a response, with names in the reader's language."""
        names = await self._accounts.load_names(people_in(seat.actor for row in page.items for seat in row.seats))
        tables = [show_listed(row, names, await self._is_imported(row)) for row in page.items]
        return Lobby(tuple(tables), next=page.next)

    async def _is_imported(self, row: LobbyRow) -> bool:
        """Return whether a match was imported; only a fork in a row of an earlier version needs the log."""
        imported = row.is_imported
        return await self._reading.is_imported(row.match_id) if imported is None else imported


def _newest(store: ReadStore, statuses: Sequence[str], before: int | None) -> list[Page[LobbyRow]]:
    """Return the latest public matches of each state."""
    return [lobby.matches(store, status, SCANNED_MAX, before) for status in statuses]
