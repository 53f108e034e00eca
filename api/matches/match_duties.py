"""Steps of matches that the service takes automatically: its own decisions, time-outs and deadlines."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from api.http.guards import Caller
from api.http.writer import OneWriter
from api.matches import commands, queries
from api.matches.schemas import OwedShown
from domain.matches.aggregate import Match
from domain.matches.play.deadlines import pass_deadline
from projections.platform.clock import now


@dataclass(frozen=True)
class MatchDuties:
    """Steps of matches that the service takes automatically: its own decisions, time-outs and deadlines."""

    _writer: OneWriter
    bots: tuple[str, ...]

    async def read_duty(self, match_id: UUID) -> OwedShown:
        """Return the first decision that the service has to take; without a seat if there is none."""
        return await self._writer.read_log(queries.read_owed, match_id)

    async def take_owed(
        self, match_id: UUID, caller: Caller, action: object, expected_version: int, seat: int | None
    ) -> OwedShown:
        """Take a decision of the service or one of its bots; return the next one, without a seat if none is owed.

        Raises as `commands.act` does.
        """
        return await self._writer.execute(
            commands.take_owed, match_id, caller, seat, action, expected_version=expected_version, at=now()
        )

    async def time_out(self, match_id: UUID, seat: int, expected_version: int) -> Match:
        """Time a seat out, and apply the table's policy (a bot that plays on, a skipped turn or resignation).

        Raises `StaleVersion` unless the match is at this version, `TimeOutRefused` if time is left.
        """
        return await self._writer.execute(
            commands.time_out, match_id, seat, self.bots, expected_version=expected_version, at=now()
        )

    async def pass_deadline(self, match_id: UUID, expected_version: int) -> Match:
        """Apply the deadlines of a match that have passed, if any; raise `StaleVersion` at another version."""
        return await self._writer.execute(pass_deadline, match_id, expected_version=expected_version, at=now())
