"""The live stream of a match: all entries in order, redacted once per audience."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, NamedTuple
from uuid import UUID

from litestar.connection import ASGIConnection

from api.http.channels import CHANNELS, Channel, send_frames
from api.http.guards import Caller
from api.http.notifier import Subscriber, Topic
from api.http.preferences import decode_preferences
from api.http.stream_access import has_stream_access
from api.http.stream_responses import Chunk, StreamOutput, compress_chunk, encode_event
from api.matches.presence import PRESENCE, Visit
from api.matches.schemas import EntriesShown
from api.matches.service import MatchService
from domain.matches.aggregate import Match, seat_of

STREAM_BATCH: Final = 100
BUFFER_MAX: Final = 64
"""Maximum number of entries a reader may lag behind."""
HEARTBEAT: Final = Chunk(b": still here\r\n\r\n")


class Audience(NamedTuple):
    """Readers who see the same entries of a match."""

    match_id: UUID
    seat: int | None
    alone: Caller | None
    """Set where rulings superseded a part, because readers may then see different parts."""


class EntryFrame(NamedTuple):
    """An entry as a server-sent event, with its version as event id for resumption."""

    number: int
    chunk: Chunk


class EntrySource:
    """The entries of a match for one audience."""

    calm_seconds = 0.0

    def __init__(self, matches: MatchService, audience: Audience) -> None:
        # Not tied to the first listener: a spectator may take a seat later, which must not affect the others.
        self._matches = matches
        self._audience = audience
        self._has_begun = False
        self.number = 0
        self.buffer_max = BUFFER_MAX

    def topics(self) -> Sequence[Topic]:
        """Return the topics that announce new entries."""
        return (self._audience.match_id,)

    async def poll(self, _: Subscriber, __: frozenset[Topic]) -> Sequence[EntryFrame]:
        """Return the frames of the entries since the last call; the first call returns none.

        It only sets the start: the match's version, or the last version that the audience may read.
        """
        match = await self._matches.reading.get_current(self._audience.match_id)
        if not self._has_begun:
            self._has_begun = True
            sole_reader = self._audience.alone
            self.number = (
                match.version
                if sole_reader is None
                else await self._matches.reading.readable_until(match.id, sole_reader)
            )
            return []
        frames, number = list[EntryFrame](), self.number
        while number < match.version:
            batch = await self._read(number)
            frames += encode_entries(batch.entries, number, self._audience)
            number += len(batch.entries)
            if not batch.more:
                break
        # After the end, visibility depends on forks, so later readers must not get cached frames.
        self.buffer_max = 0 if match.is_over else BUFFER_MAX
        self.number = number
        return frames

    async def _read(self, after: int) -> EntriesShown:
        """Return the next `STREAM_BATCH` entries for the audience."""
        match_id, seat, sole_reader = self._audience
        if sole_reader is not None:
            return await self._matches.reading.entries(match_id, sole_reader, after, STREAM_BATCH)
        return await self._matches.reading.entries_at(match_id, seat, after, STREAM_BATCH)

    async def is_urgent(self, _: frozenset[Topic], __: frozenset[Topic]) -> bool:
        """Return True: entries are sent without delay."""
        return True


def encode_entries(lines: Sequence[Any], after: int, audience: Audience) -> list[EntryFrame]:
    """Encode entries as server-sent events; the first has the version `after + 1`.

    Events for spectators are shared and compressed, events for a seat are not.
    """
    make: Callable[[bytes], Chunk] = compress_chunk if audience.seat is None else Chunk
    return [
        EntryFrame(version, make(encode_event(bytes(line).decode(), event="entry", id=str(version))))
        for version, line in enumerate(lines, after + 1)
    ]


class EntryReader:
    """A client that follows a match from a version on."""

    def __init__(
        self,
        connection: ASGIConnection[Any, Caller, Any, Any],
        matches: MatchService,
        match_id: UUID,
        caller: Caller,
        after: int,
    ) -> None:
        self._connection = connection
        self._matches = matches
        self._match_id = match_id
        self._caller = caller
        self._after = after

    async def follow(self, output: StreamOutput) -> None:
        """Stream entries until access ends or the client is too slow; clients resume from their last version.

        When the caller's seat or the audience changes, the stream continues with the new audience.
        """
        channels = CHANNELS.of(self._connection)
        while await has_stream_access(self._connection):
            match = await self._matches.reading.get_current(self._match_id)
            audience = self._audience(match)
            sees_the_same = partial(self._sees_the_same, match, audience)
            with (
                self._count_as_present(audience),
                channels.join(audience, partial(EntrySource, self._matches, audience)) as channel,
            ):
                await channel.wait_until_started()
                if not await self._catch_up(channel, audience, output, sees_the_same):
                    continue
                number = await send_frames(channel, self._after, output, sees_the_same, chunk_of, HEARTBEAT)
            if number is None:
                return
            self._after = number

    @contextmanager
    def _count_as_present(self, audience: Audience) -> Iterator[None]:
        """Count the player as present while the stream is open, unless they have hidden their presence."""
        person, presence = self._caller.person, PRESENCE.of(self._connection)
        visibility = decode_preferences(person.preferences or "").presence if person is not None else "hidden"
        if person is None or audience.seat is None or visibility == "hidden":
            yield
            return
        with presence.visit(audience.match_id, Visit(person.id, "player")):
            yield

    async def _sees_the_same(self, match: Match, audience: Audience) -> bool:
        """Return whether the caller still has access and still belongs to the same audience."""
        if not await has_stream_access(self._connection):
            return False
        # Check last, without awaiting afterwards: the seat may have changed during the access check.
        current = self._matches.reading.find_cached(self._match_id) or match
        return self._audience(current) == audience

    async def _catch_up(
        self,
        channel: Channel[EntryFrame],
        audience: Audience,
        output: StreamOutput,
        may_continue: Callable[[], Awaitable[bool]],
    ) -> bool:
        """Send the entries from the store up to the start of the channel, or a heartbeat if there are none.

        Return False if `may_continue` fails, before anything further is sent.
        """
        is_first = True
        while channel.frames_after(self._after) is None:
            batch = await self._matches.reading.entries(self._match_id, self._caller, self._after, STREAM_BATCH)
            frames = encode_entries(batch.entries, self._after, audience)
            if not await may_continue():
                return False
            if frames:
                await output.send(chunk_of(frames))
                self._after, is_first = frames[-1].number, False
            if not batch.more:
                break
        if is_first and not channel.frames_after(self._after):
            await output.send(HEARTBEAT)
        return True

    def _audience(self, match: Match) -> Audience:
        """Return the match, the caller's seat, and for a superseded match the caller as its only reader."""
        is_replaced = match.docket.superseded_by is not None
        return Audience(match.id, seat_of(match, self._caller.person_id), self._caller if is_replaced else None)


def chunk_of(frames: Sequence[EntryFrame]) -> Chunk:
    """Concatenate the events of several entries; compressed only if all of them are."""
    chunks = [frame.chunk for frame in frames]
    if len(chunks) == 1:
        return chunks[0]
    packed = b"".join(chunk.packed for chunk in chunks) if all(chunk.packed for chunk in chunks) else b""
    return Chunk(b"".join(chunk.plain for chunk in chunks), packed)
