"""Views of matches for their players and for spectators, from the read models or the log."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Final, TypeVar
from uuid import UUID

import msgspec

from api.accounts.display_names import Names, names_of, people_in
from api.accounts.service import AccountService
from api.http.etags import tag_of
from api.http.guards import Caller
from api.http.writer import OneWriter
from api.matches import access, forks, queries
from api.matches.bots import bot_actor, default_bot, named_bot
from api.matches.callers import own_seat, seat_of_caller
from api.matches.guidance import guidance_of
from api.matches.invitations import Invitations
from api.matches.queries import Bounds
from api.matches.response_cache import EncodedResponse, ResponseCache, insert_legal_actions
from api.matches.responses import show_fold, show_rows
from api.matches.schemas import EntriesShown, ForksShown, LegalActions, MatchShown
from api.matches.score_analysis import ScoreAnalysis, analyse_match
from api.titles.drawing import Drawings
from domain.eventstore.application import Matches
from domain.kernel.refusals import Refusal
from domain.lessons.guidance import Guidance
from domain.matches.aggregate import ArbitrationState, Match, legal_actions
from domain.matches.facts import Actor
from domain.matches.forks.lineage import list_past_players
from domain.matches.play.foresight import FutureChoice, WhyFinal, why_final
from domain.roles.commands import roles_of
from domain.roles.state import Roles
from projections.matches import boards, lobby, seat_views
from projections.matches.lobby import LobbyRow
from projections.platform.paging import LIMIT
from projections.platform.store import ReadStore

R = TypeVar("R")
PROJECTION_WAIT_SECONDS: Final = 0.25
"""The longest wait for a version in the read models, before the log is folded instead (DESIGN §5)."""
IMPORTED_CACHED_MAX: Final = 100_000
"""The number of matches whose origin (a file or this service) is cached."""
SCORE_ANALYSES_CACHED_MAX: Final = 1_000
"""The number of cached explanations of a final score, of a few kilobytes each."""
SHOWN_FROM: Final = (lobby.NAME, boards.NAME, seat_views.NAME)
"""The read models that a match is shown from."""


class MatchReading:
    """Views of matches for their players and for spectators."""

    def __init__(
        self,
        matches: Matches,
        writer: OneWriter,
        accounts: AccountService,
        drawings: Drawings,
        invitations: Invitations,
        bots: tuple[str, ...],
    ) -> None:
        self._matches = matches
        self._writer = writer
        self._accounts = accounts
        self._invitations = invitations
        self.drawings: Final = drawings
        self.bots: Final = bots
        self._imported: dict[UUID, bool] = {}
        self._score_analyses: dict[UUID, tuple[str, ScoreAnalysis | None]] = {}
        """Each with the head it was made for. Pages of all languages use the same one."""
        self._responses = ResponseCache(writer.readers)
        self.recorded_reads: Final[set[tuple[Actor, UUID]]] = set()
        """Pairs of reader and line that the audit trail already lists."""

    async def get(self, match_id: UUID) -> Match:
        """Return the current state of the match; raise `NoSuchMatch` or `Tampered`."""
        return await self._writer.read_log(Matches.get, match_id)

    async def guidance(self, match: Match) -> Guidance | None:
        """Return the current guidance of a practice match, `None` for other matches."""
        return await self._writer.read_log(guidance_of, match) if match.practice else None

    def bot_named(self, name: str) -> Actor:
        """Return the bot of this service with the given name; raise `UnknownActor` if there is none."""
        return bot_actor(self.bots, name)

    async def bot_for(self, match_id: UUID, name: str = "") -> Actor:
        """Return the bot with this name; without a name the default bot of the title. Raises as `named_bot`."""
        return named_bot(self.bots, name, (await self.get(match_id)).definition)

    def default_bot(self, match: Match) -> Actor:
        """Return the bot that replaces a player who hands over without naming one; raise `BotCannotPlay`."""
        return default_bot(self.bots, match.definition)

    def count_cache_uses(self) -> tuple[int, int]:
        """Return the hits and misses of the cache of responses."""
        return self._responses.hits, self._responses.misses

    async def roles(self) -> Roles:
        """Return the current holders of all roles."""
        return await self._writer.read_log(roles_of)

    async def final_by(self, match_id: UUID, caller: Caller, version: int, action: object) -> WhyFinal | None:
        """Return why an action of the caller will be final; `None` if it can be taken back or is an obvious end.

        Also None if the action is illegal, `version` is outdated, the caller has no seat, or the match is for practice
        or without take-backs.
        """
        match = await self.get_current(match_id)
        seat = seat_of_caller(match, caller)
        if seat is None or match.version != version or not match.table.take_backs or match.practice:
            return None
        if self.drawings[match.title].closes(action) or action not in legal_actions(match, seat):
            return None
        return await asyncio.to_thread(why_final, match, seat, action)

    def docket(self, match_id: UUID) -> ArbitrationState | None:
        """Return the disputes and rulings of a line if they are in memory; do not read the store."""
        match = self._matches.lines.get_cached(match_id)
        return None if match is None else match.docket

    async def is_imported(self, match_id: UUID) -> bool:
        """Return whether an existing match was imported from a file; cached, because it never changes."""
        imported = self._imported.get(match_id)
        if imported is None:
            if len(self._imported) >= IMPORTED_CACHED_MAX:
                self._imported.clear()
            imported = self._imported[match_id] = await self._writer.read_log(Matches.is_imported, match_id)
        return imported

    async def is_retired(self, match_id: UUID) -> bool:
        """Return whether the rules version of the match is retired; constant while the service runs."""
        match = self._matches.lines.get_cached(match_id)
        return (await self.get(match_id) if match is None else match).is_retired

    async def tag_at(self, match: Match, caller: Caller) -> str:
        """Return the entity tag of a match for a caller.

        It changes with head, seat, docket, table options and names.
        """
        names = await self.names_at(match)
        tag_inputs = (match.id, match.head, seat_of_caller(match, caller), match.docket, match.table, names)
        return await asyncio.to_thread(tag_of, *tag_inputs, await self.is_imported(match.id))

    async def encode(self, match: Match, caller: Caller, *, legal: bool = False) -> MatchShown:
        """Return the caller's view of a folded match; with `legal`, also the legal actions of their seat."""
        names, seat = await self.names_at(match), seat_of_caller(match, caller)
        response = show_fold(match, seat, names, await self.is_imported(match.id))
        if not legal or seat is None:
            return response
        actions = await self._writer.read_log(lambda _: queries.legal_at(match, seat))
        return msgspec.structs.replace(response, legal_actions=actions)

    async def names_at(self, match: Match) -> Names:
        """Return the current names of the people at a table and of those who began there, in the reader's language."""
        starters = (starter.actor for starter in match.starters)
        return await self._accounts.load_names(people_in((*(info.actor for info in match.seats), *starters)))

    async def get_current(self, match_id: UUID) -> Match:
        """Return the current state of the match, from memory if no other process writes and the match is cached."""
        cached = None if self._writer.notifier.others_append else self._matches.lines.get_cached(match_id)
        return await self.get(match_id) if cached is None else cached

    def find_cached(self, match_id: UUID) -> Match | None:
        """Return the match from memory, `None` if it is not cached."""
        return self._matches.lines.get_cached(match_id)

    async def encode_for(self, match: Match, caller: Caller) -> EncodedResponse:
        """Return the view of the caller as JSON, with its entity tag."""
        names, seat = await self.names_at(match), seat_of_caller(match, caller)
        return await self._responses.match(match, seat, names, imported=await self.is_imported(match.id))

    async def match_bytes(self, match: Match, caller: Caller, *, legal: bool = False) -> bytes:
        """Return the caller's view of the match as cached JSON; with `legal`, also the legal actions of their seat."""
        seat, content = seat_of_caller(match, caller), (await self.encode_for(match, caller)).content
        if not legal or seat is None:
            return content
        return insert_legal_actions(content, (await self._responses.legal(match, seat)).content)

    async def legal_bytes(self, match: Match, caller: Caller) -> bytes:
        """Return the legal actions of the caller's seat as JSON; raise `NotSeated` or `NotHeld` without a seat."""
        return (await self._responses.legal(match, own_seat(match, caller))).content

    async def show(self, match_id: UUID, caller: Caller, at_least: int | None = None) -> MatchShown:
        """Return the match from the read models, or folded from the log if they are behind; raise `NoSuchMatch`.

        Only `at_least` makes it wait, up to `PROJECTION_WAIT_SECONDS`, for rows of that version or later. For a caller
        with a device token the log is always folded.
        """

        async def from_rows() -> MatchShown | None:
            response = await self._from_rows(match_id, caller)
            return response if response is not None and response.version >= (at_least or 0) else None

        load = from_rows if at_least is None else partial(self.wait_for, from_rows, match_id, SHOWN_FROM)
        response = None if caller.held else await load()
        return response or await self.encode(await self.get(match_id), caller)

    async def wait_for(
        self,
        load: Callable[[], Awaitable[R | None]],
        match_id: UUID,
        projections: Sequence[str],
        seconds: float = PROJECTION_WAIT_SECONDS,
    ) -> R | None:
        """Call `load` now and whenever one of these projections of the match advances, until it returns a value.

        After `seconds`, returns the result of a last call, which may be None.
        """
        deadline = asyncio.get_running_loop().time() + seconds
        with self._writer.notifier.subscribe(*((name, str(match_id)) for name in projections)) as subscriber:
            while (found := await load()) is None:
                if not await subscriber.wait(deadline - asyncio.get_running_loop().time()):
                    return await load()
        return found

    async def _from_rows(self, match_id: UUID, caller: Caller) -> MatchShown | None:
        """Return the match from the rows of the read models; None if one is missing or their versions differ."""
        row, board, seat_view = await self._writer.read_model(
            _rows, match_id, caller.person.id if caller.person else ""
        )
        if (
            row is None
            or board is None
            or len({row.version, board.version, seat_view.version if seat_view else row.version}) > 1
        ):
            return None
        names = await self._accounts.load_names(people_in(seat.actor for seat in row.seats))
        imported, retired = await self.is_imported(match_id), await self.is_retired(match_id)
        return show_rows(row, board, seat_view, names, imported=imported, retired=retired)

    async def score_analysis(self, match: Match) -> ScoreAnalysis | None:
        """Return the analysis of all final scores; None before the end or if the title has no sources of points."""
        if match.status != "ended":
            return None
        cached = self._score_analyses.get(match.id)
        if cached is None or cached[0] != match.head:
            if len(self._score_analyses) >= SCORE_ANALYSES_CACHED_MAX:
                self._score_analyses.clear()
            cached = self._score_analyses[match.id] = (match.head, await self._writer.read_log(analyse_match, match))
        return cached[1]

    async def require_access(self, match_id: UUID, caller: Caller) -> None:
        """Raise `NoSuchMatch` if the match is private and the caller may not see it.

        Players, past ones too, the opener, officials, invited people and operators may.
        """
        cached = self._matches.lines.get_cached(match_id)
        if caller.is_operator:
            return
        if cached is not None and (cached.table.public or seat_of_caller(cached, caller) is not None):
            return
        if caller.person is None or not self._invitations.is_invited(match_id, caller.person.id):
            await self._writer.read_log(access.require_access, match_id, caller)

    async def get_at(self, match_id: UUID, version: int) -> Match:
        """Return the state of the match after an entry, without any check of rights; raise `NoSuchEntry`."""
        return await self._writer.read_log(Matches.at, match_id, version)

    async def position(self, match_id: UUID, version: int, caller: Caller) -> Match:
        """Return the state of the match after an entry; raise `NoSuchEntry`, or `NotAllowed` if not yet readable."""
        return await self._writer.read_log(queries.position_for, match_id, version, caller)

    async def legal_actions(self, match_id: UUID, caller: Caller) -> LegalActions:
        """Return the legal actions of the caller's seat; raise `NotSeated` or `NotHeld` without a seat."""
        return await self._writer.read_log(queries.legal_actions_of, match_id, caller)

    async def explain(self, match_id: UUID, part: str, caller: Caller) -> tuple[Match, Refusal | None]:
        """Return the match, and why the caller's seat has no action at a part of the board; `None` if it has one.

        Raises as `queries.explain`, such as `NotSeated`.
        """
        return await self._writer.read_log(queries.explain, match_id, part, caller)

    async def actions_ahead(self, match_id: UUID, caller: Caller) -> tuple[Match, tuple[FutureChoice, ...]]:
        """Return the match, and the actions that the caller's seat can choose before its turn; raise `NotSeated`."""
        return await self._writer.read_log(queries.actions_ahead, match_id, caller)

    async def entries(self, match_id: UUID, caller: Caller, after: int, limit: int) -> EntriesShown:
        """Return at most `limit` entries after a version that the caller may read, redacted for the caller."""
        return await self._writer.read_log(queries.entries_for, match_id, caller, after, limit)

    async def encode_entries(
        self, match_id: UUID, caller: Caller, after: int, limit: int, if_none_match: str | None
    ) -> tuple[str, bytes | None]:
        """Return the entity tag and the entries as JSON; None instead of the JSON if `if_none_match` contains the tag.

        The entries follow version `after` and are redacted for the caller.
        """
        return await self._writer.read_log(queries.encode_entries_for, match_id, caller, after, limit, if_none_match)

    async def entries_at(self, match_id: UUID, seat: int | None, after: int, limit: int) -> EntriesShown:
        """Return at most `limit` entries after a version, redacted for a seat or for spectators (`None`)."""
        return await self._writer.read_log(queries.entries_at, match_id, seat, after, limit)

    async def readable_until(self, match_id: UUID, caller: Caller) -> int:
        """Return the version of the last entry that the caller may read."""
        return await self._writer.read_log(queries.readable_until, match_id, caller)

    async def bounds(self, match_id: UUID, caller: Caller) -> Bounds:
        """Return the match, the last entry that the caller may see in a replay, and two flags (`queries.bounds_of`)."""
        return await self._writer.read_log(queries.bounds_of, match_id, caller)

    async def scores_through(self, match_id: UUID) -> list[tuple[int, ...]]:
        """Return the points after each entry, secret ones included; only for a match whose secrets are open."""
        return await self._writer.read_log(queries.scores_through, match_id)

    async def forks(self, match_id: UUID, caller: Caller, limit: int = LIMIT, before: int | None = None) -> ForksShown:
        """Return a page of the match's tree of forks: the root on every page, then forks, latest first.

        Forks are left out unless `forks.may_see` holds. Raises `NoSuchMatch` for an unknown match.
        """
        await self.get(match_id)
        root, page, rows = await self._writer.read_model(forks.read_family, match_id, limit, before)
        roles = await self.roles()
        past_players = await self._writer.read_log(list_past_players, match_id)
        visible = [
            fork
            for fork in page.items
            if forks.may_see(fork, rows.get(fork.line_id), match_id, roles, past_players, caller)
        ]
        names = names_of(self._accounts, (fork.by for fork in visible))
        root_row = rows.get(root)
        encoded_root = () if root_row is None else (forks.encode_fork(None, root_row, names),)
        encoded_forks = (forks.encode_fork(fork, rows[fork.line_id], names) for fork in visible)
        return ForksShown(root, (*encoded_root, *encoded_forks), next=page.next)


def _rows(
    store: ReadStore, match_id: UUID, player: Actor
) -> tuple[LobbyRow | None, boards.Board | None, seat_views.SeatView | None]:
    """Return the match's lobby row, its board, and the seat view of the player; each None if missing."""
    row = lobby.get(store, match_id)
    seat = next((index for index, seat in enumerate(row.seats) if seat.actor == player), None) if row else None
    seat_view = seat_views.get(store, match_id, seat) if seat is not None else None
    return row, boards.get(store, match_id), seat_view
