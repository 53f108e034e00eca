"""Spectators who read the stream of a match from its first entry and resume it after interruptions."""

import asyncio
import contextlib
from collections.abc import Mapping
from typing import Final

import msgspec

from domain.matches.log.entries import NO_DIGEST, TaggedBody
from ops.dev.load.client import Client, NoResponse
from ops.dev.load.journal import Broken, Followed, Journal
from ops.dev.load.tables import BotTable, PlayedTable

AGAIN_SECONDS: Final = 0.5
FIRST: Final = NO_DIGEST.hex()


class Line(msgspec.Struct, frozen=True):
    """The fields of an entry that a reader checks."""

    version: int
    previous: str
    digest: str
    body: msgspec.Raw


class Spectator:
    """A reader of streams that writes its progress and unexpected events to the journal."""

    def __init__(self, client: Client, journal: Journal, table: PlayedTable | BotTable) -> None:
        self._client, self._journal, self._table = client, journal, table
        self.read = 0
        """Number of entries, over all matches."""
        self.resumed = 0
        self._match, self._last, self._digest = "", 0, FIRST

    async def run(self) -> None:
        """Read match after match until cancelled."""
        try:
            while True:
                if not self._match:
                    self._match, self._last, self._digest = self._table.match_id, 0, FIRST
                with contextlib.suppress(NoResponse):
                    await self._follow()
                self.resumed += bool(self._match)
                await asyncio.sleep(AGAIN_SECONDS)
        finally:
            self._note()

    async def _follow(self) -> None:
        """Read the stream of the current match after the last entry.

        At the match's end, note it and choose the next.
        """
        header = f"Last-Event-ID: {self._last}"
        async for event in self._client.events(f"/api/matches/{self._match}/stream", header=header):
            if "data" in event and self._take(event):
                self._note()
                self._match, self._last = "", 0
                return

    def _take(self, event: Mapping[str, str]) -> bool:
        """Check an entry against the previous one, writing a fault to the journal.

        Returns whether the match has ended.
        """
        line = msgspec.json.decode(event["data"], type=Line)
        if event.get("id") != str(line.version) or line.version != self._last + 1:
            self._journal.write(Broken(self._match, f"version {line.version} after {self._last}"))
        elif line.previous != self._digest:
            self._journal.write(Broken(self._match, f"version {line.version} does not match the previous digest"))
        self._last, self._digest = line.version, line.digest
        self.read += 1
        return msgspec.json.decode(line.body, type=TaggedBody).type == "match_ended"

    def _note(self) -> None:
        if self._last:
            self._journal.write(Followed(self._match, 1, self._last, self._digest))
