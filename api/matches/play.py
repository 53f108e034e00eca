"""Actions of seated players: act, take back, pause, resign."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from api.http.guards import Caller
from api.http.writer import OneWriter
from api.matches import commands
from api.matches.match_reading import MatchReading
from api.matches.schemas import AnnounceAbsence, SignedBy
from api.matches.seating import Seating
from api.matches.signatures import signed_act_of
from api.matches.signed_acts import SignedActs
from domain.eventstore.application import Matches
from domain.matches.aggregate import Match
from domain.matches.facts import PauseAsked, Resigned, Resumed, SeatReplaced, TakenBack
from domain.matches.log.entries import canonical
from domain.matches.play.absences import AbsenceAnnounced, AbsenceEnded
from projections.platform.clock import now


@dataclass(frozen=True)
class Play:
    """Actions of seated players."""

    _writer: OneWriter
    _reading: MatchReading
    _signing: SignedActs
    _seating: Seating
    bots: tuple[str, ...]

    async def act(
        self,
        match_id: UUID,
        caller: Caller,
        action: object,
        expected_version: int,
        seat: int | None = None,
        signed: SignedBy | None = None,
    ) -> Match:
        """Take an action of the caller's seat; the service names the seat.

        Raises `BadSignature` if `signed` does not verify, and as `commands.act` does.
        """
        signed_act = None
        if signed is not None:
            signed_act = await self._signing.check(signed_act_of(match_id, signed, canonical(action)))
        return await self._writer.execute(
            commands.act,
            match_id,
            caller,
            seat,
            action,
            expected_version=expected_version,
            signed=signed_act,
            at=now(),
        )

    async def take_back(self, match_id: UUID, caller: Caller, to_version: int, signed: SignedBy | None = None) -> Match:
        """Take back the actions of the caller's current turn, to version `to_version`.

        Raises `NotSeated` without a seat, `TakeBackRefused` if that is not allowed, `BadSignature` if `signed` does not
        verify.
        """
        signed_act = await self._signing.check_signed(
            match_id, caller, signed, lambda seat: TakenBack(seat, caller.actor, to_version)
        )
        return await self._writer.execute(
            commands.take_back, match_id, caller, to_version=to_version, signed=signed_act, at=now()
        )

    async def announce_absence(self, match_id: UUID, caller: Caller, request: AnnounceAbsence) -> Match:
        """Announce an absence of the caller (Unix seconds), during which the clock of their seat does not run.

        Raises `NotSeated` without a seat, `AbsenceRefused` if match or limits do not allow it, `BadSignature` if the
        signature does not verify.
        """
        first, last = request.begins, request.ends
        signed_act = await self._signing.check_signed(
            match_id, caller, request.signed, lambda seat: AbsenceAnnounced(seat, caller.actor, first, last)
        )
        return await self._writer.execute(
            commands.announce_absence, match_id, caller, first, last, signed=signed_act, at=now()
        )

    async def end_absence(self, match_id: UUID, caller: Caller, signed: SignedBy | None = None) -> Match:
        """End or cancel the absence of the caller.

        Raises `NotSeated` without a seat, `AbsenceRefused` without an absence, `BadSignature` if `signed` does not
        verify.
        """
        signed_act = await self._signing.check_signed(
            match_id, caller, signed, lambda seat: AbsenceEnded(seat, caller.actor)
        )
        return await self._writer.execute(commands.end_absence, match_id, caller, signed=signed_act, at=now())

    async def pause(self, match_id: UUID, caller: Caller, signed: SignedBy | None = None) -> Match:
        """Ask for a pause for the caller, which begins when all people have asked; the service pauses at once.

        Raises `NotSeated` without a seat, `NotRunning` or `MatchOver` unless the match is running, `PauseRefused` if
        repeated, `OneDeviceRefused` at a table of one device, `BadSignature` if `signed` does not verify.
        """
        signed_act = await self._signing.check_signed(
            match_id, caller, signed, lambda seat: PauseAsked(seat, caller.actor)
        )
        return await self._writer.execute(commands.pause, match_id, caller, signed=signed_act, at=now())

    async def withdraw_pause(self, match_id: UUID, caller: Caller, signed: SignedBy | None = None) -> Match:
        """Withdraw the caller's request for a pause.

        Raises `NotSeated` without a seat, `PauseRefused` without a request, `BadSignature` if `signed` does not verify.
        """
        signed_act = await self._signing.check_signed(
            match_id, caller, signed, lambda seat: Resumed(caller.actor, withdrawn=seat)
        )
        return await self._writer.execute(commands.withdraw_pause, match_id, caller, signed=signed_act, at=now())

    async def resume(self, match_id: UUID, caller: Caller, signed: SignedBy | None = None) -> Match:
        """Resume a paused match, for any of its players or the service; a running match: withdraw the caller's request.

        Raises `NotSeated` for others, `PauseRefused` without a pause or request, `BadSignature` if `signed` does not
        verify.
        """
        if not caller.is_service and (await self._reading.get(match_id)).status == "running":
            return await self.withdraw_pause(match_id, caller, signed)
        signed_act = await self._signing.check_signed(match_id, caller, signed, lambda _: Resumed(caller.actor))
        return await self._writer.execute(Matches.resume, match_id, caller.actor, signed=signed_act, at=now())

    async def hand_over(self, match_id: UUID, caller: Caller, signed: SignedBy | None = None) -> Match:
        """Replace the caller by the default bot of the title; raise `BotCannotPlay` if there is none.

        Raises also `NotSeated` without a seat, `BadSignature` if `signed` does not verify, and as `admit_bots`.
        """
        bot = await self._reading.bot_for(match_id)
        signed_act = await self._signing.check_signed(
            match_id, caller, signed, lambda seat: SeatReplaced(seat, caller.actor, bot)
        )
        tables = await self._seating.bot_tables(caller)
        return await self._writer.execute(
            commands.hand_over, match_id, self.bots, caller, tables, signed=signed_act, at=now()
        )

    async def resign(self, match_id: UUID, caller: Caller, signed: SignedBy | None = None) -> Match:
        """Resign the caller's seat for good; it is placed last.

        Raises `NotSeated` without a seat, `ResignRefused` if the table forbids it, `BadSignature` if `signed` does not
        verify.
        """
        signed_act = await self._signing.check_signed(
            match_id, caller, signed, lambda seat: Resigned(seat, caller.actor)
        )
        return await self._writer.execute(commands.resign, match_id, caller, signed=signed_act, at=now())
