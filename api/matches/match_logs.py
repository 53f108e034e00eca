"""Logs of matches as files: export and import."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from uuid import UUID

from api.http.etags import tag_of
from api.http.guards import Caller
from api.http.writer import OneWriter
from api.matches import commands
from domain.matches.aggregate import Match
from domain.matches.log.log_files import LogFile
from projections.platform.clock import now


@dataclass(frozen=True)
class MatchLogs:
    """Logs of matches as files."""

    _writer: OneWriter
    bots: tuple[str, ...]

    async def log_tag(self, match_id: UUID, caller: Caller) -> str:
        """Return the entity tag of the log for the caller, from its head, its reader and its open secrets."""
        tag_inputs = await self._writer.read_log(commands.log_for, match_id, caller)
        return await asyncio.to_thread(tag_of, "log", str(match_id), *tag_inputs)

    async def export(self, match_id: UUID, caller: Caller, seat: int | None, *, whole: bool) -> bytes:
        """Return the log file for the caller: redacted as the caller sees it, for another seat, or complete (`whole`).

        The last two are for operators (else `NotSeated` or `NotAllowed`); if the match is running, the export is
        recorded first, and `ConflictOfInterest` is raised for operators who play there.
        """
        if whole or seat is not None:
            # The grant of hidden information is recorded before it is read.
            reader, last_version = await self._writer.execute(
                commands.grant_export, match_id, caller, seat, whole=whole, at=now()
            )
            return await self._writer.read_log(commands.export, match_id, reader, last_version)
        reader = await self._writer.read_log(commands.reader_of, match_id, caller, None, whole=False)
        return await self._writer.read_log(commands.export, match_id, reader)

    async def import_log(self, log: LogFile, caller: Caller) -> Match:
        """Import a match under the id in its file; the same log again changes nothing.

        A reader thread examines the log; the writer only stores it. Raises `LogFault` for an invalid log,
        `ImportRefused` for a redacted one, another log of the same match, or an unknown bot in a running match.
        """
        audited_log = await self._writer.compute(commands.examine, log, at=now())
        return await self._writer.execute(
            commands.import_log, log.header.match, audited_log, self.bots, caller, at=now()
        )
