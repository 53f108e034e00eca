"""The live stream of a match for programs: its entries, each redacted for the reader, without a gap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from litestar.response.sse import ServerSentEventMessage

from api.matches.service import MatchService
from api.web.bells import Ear, Topic
from api.web.guards import Caller

STREAM_BATCH: Final = 100


class Entries:
    """The entries of a match after a version, an event each. The version is the event's id, so that a reader can go on
    from there."""

    calm_seconds = 0.0

    def __init__(self, matches: MatchService, match_id: UUID, caller: Caller, after: int) -> None:
        self._tables = matches
        self._match_id = match_id
        self._caller = caller
        self._after = after

    def topics(self) -> Sequence[Topic]:
        return (self._match_id,)

    async def news(self, ear: Ear, _: frozenset[Topic]) -> Sequence[ServerSentEventMessage]:
        shown = await self._tables.entries(self._match_id, self._caller, self._after, STREAM_BATCH)
        first = self._after + 1
        self._after += len(shown.entries)
        if shown.more:
            ear.hear(self._match_id)
        return [
            ServerSentEventMessage(bytes(line), event="entry", id=version)
            for version, line in enumerate(shown.entries, first)
        ]

    async def is_urgent(self, _: frozenset[Topic], __: frozenset[Topic]) -> bool:
        return True

    def beat(self) -> ServerSentEventMessage:
        return ServerSentEventMessage(None, comment="still here")
