"""The hint service: requests, tasks and results of workers, and pauses of bots."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any, Final, Literal
from uuid import UUID

import msgspec
from litestar import Request
from litestar.di import NamedDependency
from litestar.exceptions import ClientException, NotFoundException

from api.hints.positions import last_choice, require_hints, task_of
from api.http.app_state import AppKey
from api.http.guards import Caller
from api.matches.callers import own_seat
from api.matches.schemas import ForkMatch
from api.matches.service import MatchService
from domain.hints import Advice, HintTask, Kind
from domain.matches.aggregate import Match, require_running, seats_to_act
from domain.matches.errors import HintsRefused
from domain.matches.log.entries import microseconds
from projections.hints import Hints, RequestedHint
from projections.platform.clock import now

HINTS: Final = AppKey[Hints]("hints")
HOLD: Final = timedelta(seconds=30)
"""Time for which bots wait for a person who blundered and may take back."""
Stage = Literal["none", "waiting", "done"]


class HintRequest(msgspec.Struct, frozen=True):
    """A request about a position, and its result."""

    version: int
    stage: Stage
    advice: Advice | None = None


class Verdict(msgspec.Struct, frozen=True):
    """The cost of the last choice, and the options after it."""

    sought: HintRequest
    take_back_to: int | None
    is_held: bool
    """Whether the bots wait for a decision."""
    is_kept: bool
    """Whether a blunder was kept."""


class CurrentHints(msgspec.Struct, frozen=True):
    """The current hints for a person."""

    match: Match
    seat: int
    is_asked: bool
    """Whether it is the seat's turn."""
    hint: HintRequest
    verdict: Verdict | None


class HintService:
    """Hints, for one caller."""

    def __init__(self, tables: MatchService, hints: Hints, caller: Caller) -> None:
        self.tables = tables
        self._hints = hints
        self._caller = caller

    async def load_current(self, match_id: UUID) -> CurrentHints:
        """Return the known hints; request a verdict on the last choice if needed.

        Raise `HintsRefused` for a match without hints, `NotSeated` or `NotHeld` for a caller without a seat.
        """
        match = await self.tables.reading.get(match_id)
        seat = own_seat(match, self._caller)
        require_hints(match)
        last_entry = await self.tables.writer.read_log(last_choice, match_id, seat)
        verdict = None
        if last_entry is not None:
            requested = await asyncio.to_thread(self._hints.find, match_id, last_entry.version, "verdict")
            if requested is None:
                await asyncio.to_thread(self._hints.request_hint, match_id, last_entry.version, "verdict", seat)
                requested = RequestedHint(seat, None)
            is_held = await asyncio.to_thread(self._hints.holds, match_id, match.version - 1, now_us())
            verdict = Verdict(
                encode_request(last_entry.version, requested), last_entry.take_back_to, is_held, requested.is_kept
            )
        hint = encode_request(match.version, await asyncio.to_thread(self._hints.find, match_id, match.version, "hint"))
        return CurrentHints(match, seat, seat in seats_to_act(match), hint, verdict)

    async def request_hint(self, match_id: UUID) -> None:
        """Request a hint for the caller's turn; raise `HintsRefused` if it is not, or the table has no hints.

        Raise `NotSeated` or `NotHeld` without a seat, `NotRunning` or `MatchOver` for another match.
        """
        match = await self.tables.reading.get(match_id)
        seat = own_seat(match, self._caller)
        require_hints(match)
        require_running(match)
        if seat not in seats_to_act(match):
            raise HintsRefused(f"seat {seat} has no decision to make now")
        await asyncio.to_thread(self._hints.request_hint, match_id, match.version, "hint", seat)

    async def keep_choice(self, match_id: UUID) -> None:
        """Keep the last choice, so that the bots continue; raise `HintsRefused` for a match without hints.

        Nothing happens if they do not wait. Raise `NotSeated` or `NotHeld` without a seat.
        """
        match = await self.tables.reading.get(match_id)
        own_seat(match, self._caller)
        require_hints(match)
        await asyncio.to_thread(self._hints.release, match_id, match.version - 1)

    async def fork(self, match_id: UUID, new_id: UUID) -> None:
        """Fork the match from before the last choice, with the same bots and new luck.

        Raise `HintsRefused` if there is no such choice or no hints, `NotSeated` or `NotHeld` without a seat.
        """
        standing = await self.load_current(match_id)
        if standing.verdict is None:
            raise HintsRefused(f"seat {standing.seat} has made no recent decision with alternatives")
        await self.tables.seating.fork(match_id, self._caller, ForkMatch(standing.verdict.sought.version), new_id)

    async def load_task(self, match_id: UUID, version: int, kind: Kind) -> HintTask:
        """Return a position as its seat sees it, for a worker.

        Raise `NotFoundException` if it is not requested, or has its result already.
        """
        requested = await asyncio.to_thread(self._hints.find, match_id, version, kind)
        task = None
        if requested is not None and requested.document is None:
            task = await self.tables.writer.read_log(task_of, match_id, version, kind, requested.seat)
        if task is None:
            raise NotFoundException(f"no {kind} was requested at entry {version} of match {match_id}")
        return task

    async def store_result(self, match_id: UUID, version: int, kind: Kind, document: str) -> None:
        """Store a worker's result; bots wait after a blunder that can be taken back.

        Raise `ClientException` if it is unreadable; a result that is not requested, or a second one, is ignored.
        """
        try:
            advice = msgspec.json.decode(document, type=Advice)
        except msgspec.MsgspecError as fault:
            raise ClientException(f"invalid advice: {fault}") from fault
        requested = await asyncio.to_thread(self._hints.find, match_id, version, kind)
        held_until = 0
        if kind == "verdict" and requested is not None and advice.is_blunder:
            last_entry = await self.tables.writer.read_log(last_choice, match_id, requested.seat)
            is_mendable = (
                last_entry is not None and last_entry.version == version and last_entry.take_back_to is not None
            )
            held_until = now_us() + HOLD // timedelta(microseconds=1) if is_mendable else 0
        await asyncio.to_thread(self._hints.store_hint, match_id, version, kind, document.encode(), held_until)

    async def has_waiting_bots(self, match_id: UUID) -> bool:
        """Return whether the bots of the match wait until the last choice is taken back or confirmed."""
        match = await self.tables.reading.get(match_id)
        return match.table.has_hints and await asyncio.to_thread(
            self._hints.holds, match_id, match.version - 1, now_us()
        )


def encode_request(version: int, found: RequestedHint | None) -> HintRequest:
    """Convert a request and its result; "none" without a request, or if it was given up."""
    if found is None or found.is_given_up:
        return HintRequest(version, "none")
    if found.document is None:
        return HintRequest(version, "waiting")
    return HintRequest(version, "done", msgspec.json.decode(found.document, type=Advice))


def now_us() -> int:
    """Return the current time in microseconds since the epoch."""
    return microseconds(now())


def provide_hints(
    request: Request[Caller, Any, Any], caller: NamedDependency[Caller], matches: NamedDependency[MatchService]
) -> HintService:
    """Provide the service for the caller."""
    return HintService(matches, HINTS.of(request), caller)
