"""The matches as handlers use them: commands one after the other on the writer's thread, reads beside it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Concatenate, Final, ParamSpec, TypeVar
from uuid import UUID

from api.accounts.people import People
from api.matches.showing import people_in, show_fold, show_listed, show_rows
from api.matches.wire import Lobby, MatchShown
from api.titles.drawing import Drawings
from api.web.bells import Bells
from api.web.guards import Caller
from api.web.threads import ContextThreads
from domain.matches.aggregate import Docket, Match, seat_of
from domain.matches.application import Matches
from domain.matches.facts import Actor
from domain.roles.commands import roles_of
from domain.roles.state import Roles
from projections.matches import boards, farms, lobby
from projections.matches.lobby import LobbyRow
from projections.paging import Page, page_of
from projections.store import ReadStore

P = ParamSpec("P")
R = TypeVar("R")

READERS: Final = 4
PROJECTION_WAIT_SECONDS: Final = 0.25
"""How long a reader who asks for a version waits for the read models before the log is folded (DESIGN §5)."""
LOOKED_THROUGH: Final = 100
"""The number of matches of one state that are read at once for a list over several states."""
IMPORTED_KEPT: Final = 100_000
"""The number of matches for which it is remembered whether they came from a file."""
SHOWN_FROM: Final = (lobby.NAME, boards.NAME, farms.NAME)
"""The read models that a match is shown from."""


def now() -> datetime:
    """The time of receipt, read once per request, here."""
    return datetime.now(UTC)


class MatchService:
    """The service of matches. The event loop never waits for the disk; on the threads, too, names are said in the
    caller's language."""

    def __init__(self, matches: Matches, reads: ReadStore, people: People, bells: Bells, drawings: Drawings) -> None:
        self._matches = matches
        self.titles: Final = matches.titles
        self.drawings: Final = drawings
        self._reads = reads
        self._people = people
        self.bells: Final = bells
        self._writer = ContextThreads(1, "writer")
        self._imported: dict[UUID, bool] = {}
        self.looked: Final[set[tuple[Actor, UUID]]] = set()
        """Whose look at which line is kept in the audit trail already."""
        self._readers = ContextThreads(READERS, "reader")

    def close(self) -> None:
        self._writer.shutdown()
        self._readers.shutdown()

    async def execute(self, command: Callable[Concatenate[Matches, P], R], *args: P.args, **kwargs: P.kwargs) -> R:
        """A command on the writer's thread; those who wait for what it appends are woken."""
        return await self._write(partial(command, self._matches, *args, **kwargs))

    async def read_model(self, query: Callable[Concatenate[ReadStore, P], R], *args: P.args, **kwargs: P.kwargs) -> R:
        """A question to the read models."""
        run = partial(query, self._reads, *args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(self._readers, run)

    async def _write(self, command: Callable[[], R]) -> R:
        """Those who wait for what a command appends are woken after the one who sent it, even if that one has gone."""
        done = self._writer.submit(command)
        answer = asyncio.wrap_future(done)
        done.add_done_callback(lambda _: self.bells.ring_noted())
        return await answer

    async def read_log(self, query: Callable[Concatenate[Matches, P], R], *args: P.args, **kwargs: P.kwargs) -> R:
        """A question to the log, beside the writer; a question about one match takes its id first."""
        run = partial(query, self._matches, *args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(self._readers, run)

    async def roles(self) -> Roles:
        """Who holds which role now."""
        return await self.read_log(roles_of)

    def docket(self, match_id: UUID) -> Docket | None:
        """What rulings made of a line, if that is known without a look into the store."""
        match = self._matches.lines.recall(match_id)
        return None if match is None else match.docket

    async def get(self, match_id: UUID) -> Match:
        """The match as it stands."""
        return await self.read_log(Matches.get, match_id)

    async def is_imported(self, match_id: UUID) -> bool:
        """Whether a match that is there came from a file: read from the log's store once, because it never changes."""
        known = self._imported.get(match_id)
        if known is None:
            if len(self._imported) >= IMPORTED_KEPT:
                self._imported.clear()
            known = self._imported[match_id] = await self.read_log(Matches.is_imported, match_id)
        return known

    async def encode(self, match: Match, caller: Caller) -> MatchShown:
        """A match just changed, as its caller sees it."""
        names = self._people.names(people_in(info.actor for info in match.seats))
        return show_fold(match, seat_of_caller(match, caller), names, await self.is_imported(match.id))

    async def show(self, match_id: UUID, caller: Caller, at_least: int | None = None) -> MatchShown:
        """The match from the read models; folded from the log when they are behind what was asked for."""
        wanted = at_least or 0

        async def from_rows() -> MatchShown | None:
            shown = await self._from_rows(match_id, caller)
            return shown if shown is not None and shown.version >= wanted else None

        shown = await (from_rows() if at_least is None else self.until(from_rows, match_id, SHOWN_FROM))
        return shown or await self.encode(await self.get(match_id), caller)

    async def until(
        self,
        look: Callable[[], Awaitable[R | None]],
        match_id: UUID,
        followers: Sequence[str],
        seconds: float = PROJECTION_WAIT_SECONDS,
    ) -> R | None:
        """What a look finds, or the next one after read models of the match have advanced; nothing after a while."""
        until = asyncio.get_running_loop().time() + seconds
        with self.bells.listening(*((name, str(match_id)) for name in followers)) as ear:
            while (found := await look()) is None:
                if not await ear.rings(until - asyncio.get_running_loop().time()):
                    return await look()
        return found

    async def _from_rows(self, match_id: UUID, caller: Caller) -> MatchShown | None:
        row, board, farm = await self.read_model(_rows, match_id, caller.person.id if caller.person else "")
        if row is None or board is None or len({row.version, board.version, farm.version if farm else row.version}) > 1:
            return None
        names = self._people.names(people_in(seat.actor for seat in row.seats))
        return show_rows(row, board, farm, names, await self.is_imported(match_id))

    async def lobby(self, status: str | None, limit: int, before: int | None) -> Lobby:
        """Public matches, the newest first."""
        return await self._list(await self.read_model(lobby.matches, status, limit, before))

    async def lobby_among(self, statuses: Sequence[str], title: str, limit: int, before: int | None) -> Lobby:
        """Public matches in one of those states, of one title or of all, the newest first."""
        parts = [await self.read_model(lobby.matches, status, LOOKED_THROUGH, before) for status in statuses]
        # A state of which there is more is known down to the last row read; further down nothing can be said yet.
        known_to = max((part.next for part in parts if part.next is not None), default=None)
        rows = [row for part in parts for row in part.items if title in ("", row.title)]
        found = sorted((row for row in rows if row.opened >= (known_to or 0)), key=lambda row: -row.opened)
        page = page_of(found, limit, lambda row: row.opened)
        return await self._list(Page(page.items, known_to if page.next is None else page.next))

    async def lobby_of(self, player: Actor, limit: int) -> Lobby:
        """The matches of a player, public or not."""
        return await self._list(await self.read_model(lobby.matches_of, player, limit))

    async def _list(self, page: Page[LobbyRow]) -> Lobby:
        names = self._people.names(people_in(seat.actor for row in page.items for seat in row.seats))
        listed = [show_listed(row, names, await self.is_imported(row.match_id)) for row in page.items]
        return Lobby(tuple(listed), next=page.next)


def _rows(
    store: ReadStore, match_id: UUID, player: Actor
) -> tuple[LobbyRow | None, boards.Board | None, farms.Farm | None]:
    """What the read models hold of a match, with the farm of the player if one sits there."""
    row = lobby.get(store, match_id)
    seat = next((index for index, seat in enumerate(row.seats) if seat.actor == player), None) if row else None
    farm = farms.get(store, match_id, seat) if seat is not None else None
    return row, boards.get(store, match_id), farm


def seat_of_caller(match: Match, caller: Caller) -> int | None:
    """The caller's own seat, if the caller sits at the match."""
    return seat_of(match, caller.person.id) if caller.person else None
