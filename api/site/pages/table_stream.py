"""The stream of a table page: changes are rendered, encoded and compressed once for all readers with the same view.

The values of single readers are inserted when sending.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple, cast
from uuid import UUID

import msgspec

from api.http.channels import CHANNELS, send_frames
from api.http.fragments import HEARTBEAT_EVENT, Changed, changed_parts, now_ms
from api.http.guards import Caller
from api.http.languages import language_of
from api.http.notifier import Subscriber, Topic
from api.http.page_responses import PageRequest
from api.http.stream_access import has_stream_access
from api.http.stream_responses import Chunk, StreamOutput, compress_chunk, encode_event
from api.matches.service import MatchService
from api.site.pages.live import CALM_SECONDS, is_update_urgent, placeholder_values, table_topics
from api.site.pages.pictures import (
    PERSON_PLACEHOLDER,
    PICTURES,
    PLACEHOLDER_START,
    TOKEN_PLACEHOLDER,
    Picture,
    PictureCache,
    PictureKey,
    PlaceholderValues,
    picture_key,
)
from api.site.pages.presence import PresenceStream
from domain.matches.aggregate import Match
from projections.matches import replay

BUFFER_MAX: Final = 32
"""Number of buffered frames: at ten per second a reader may lag by three seconds; queued frames are merged."""
ENCODED_CACHED_MAX: Final = 16
"""Number of cached events for new or slow readers."""
HEARTBEAT: Final = Chunk(encode_event("{}", event=HEARTBEAT_EVENT))


def escape_json(text: str) -> bytes:
    """Return a text as it appears inside a JSON string."""
    return msgspec.json.encode(text)[1:-1]


PLACEHOLDERS: Final = (escape_json(TOKEN_PLACEHOLDER), escape_json(PERSON_PLACEHOLDER))


class TableFrame(NamedTuple):
    """A change from one picture to the next."""

    number: int
    version: int
    parts: Mapping[str, str]
    word: str
    chunk: Chunk


def encode_parts(picture_key: PictureKey, version: int, parts: Mapping[str, str], digests_text: str) -> Chunk:
    """Return an event with fragments, whose id describes the page after it.

    Only events for all spectators are compressed; events with placeholders for tokens, or for one seat, are not.
    """
    data = msgspec.json.encode(Changed(version, now_ms(), parts)).decode()
    event = encode_event(data, event="table", id=f"{version}~{digests_text}")
    is_for_all = (
        picture_key.seat is None
        and picture_key.alone is None
        and not any(PLACEHOLDER_START in html for html in parts.values())
    )
    return compress_chunk(event) if is_for_all else Chunk(event)


class TableSource:
    """The pictures of a table for one view. A position is sent first, its narration when available."""

    calm_seconds = CALM_SECONDS
    buffer_max = BUFFER_MAX

    def __init__(self, pictures: PictureCache, matches: MatchService, match_id: UUID, picture_key: PictureKey) -> None:
        self._pictures = pictures
        self._tables = matches
        self._match_id = match_id
        self._sight = picture_key
        self._picture: Picture | None = None
        self._encoded = dict[tuple[str, int, int], Chunk]()
        self.number = 0

    def topics(self) -> Sequence[Topic]:
        """Return the topics of the table."""
        return table_topics(self._match_id)

    async def poll(self, subscriber: Subscriber, topics: frozenset[Topic]) -> Sequence[TableFrame]:
        """Return a frame with the changed fragments, or nothing."""
        previous, picture = self._picture, await self._newest(topics)
        if not subscriber.topics.issuperset(extra := extra_topics(picture)):
            # Subscribe first and query again, so that no change in between is missed.
            subscriber.subscribe(*self.topics(), *extra)
            picture = await self._pictures.get_current(self._match_id, self._sight)
        if previous is None or picture is previous:
            self._picture = picture
            return []
        parts = changed_parts(picture.made, previous.have, picture.have)
        if not parts:
            self._picture = picture
            return []
        version = picture.page.shown.version
        chunk = await asyncio.to_thread(encode_parts, self._sight, version, parts, picture.word)
        # Without an await from here until the channel has the frame, a new reader gets either both or neither.
        self._picture, self.number = picture, self.number + 1
        self._encoded.clear()
        return [TableFrame(self.number, version, parts, picture.word, chunk)]

    async def _newest(self, topics: frozenset[Topic]) -> Picture:
        """Return the current picture; if only narration was notified, keep the version.

        A command with several entries notifies at its end.
        """
        narration_topic = (replay.NAME, str(self._match_id))
        if self._picture is None or topics != {narration_topic}:
            return await self._pictures.get_current(self._match_id, self._sight)
        return await self._pictures.update_narration(self._picture, self._sight)

    async def is_urgent(self, rung: frozenset[Topic], topics: frozenset[Topic]) -> bool:
        """Return whether to update at once."""
        assert self._picture is not None
        return await is_update_urgent(self._tables, self._picture.page, self._sight.seat, rung, topics)

    def encode_catch_up(self, shown_digests: Mapping[str, str], is_known: bool) -> Chunk:
        """Return the event that brings a new page up to date, or a heartbeat if it is.

        Without `is_known`, the page has other values in its placeholders: all fragments with placeholders are included.
        """
        assert self._picture is not None
        picture = self._picture
        parts = changed_parts(picture.made, shown_digests, picture.have)
        if not is_known:
            parts |= {name: html for name, html in picture.made.items() if PLACEHOLDER_START in html}
        if not parts:
            return HEARTBEAT
        second = int(asyncio.get_running_loop().time())
        return self._encode(parts, (".".join(parts), second, self.number), picture.page.shown.version, picture.word)

    def merge_frames(self, frames: Sequence[TableFrame]) -> Chunk:
        """Return several frames merged into one, with the last content of each fragment."""
        if len(frames) == 1:
            return frames[0].chunk
        parts = dict[str, str]()
        for frame in frames:
            parts = {name: html for name, html in parts.items() if name not in frame.parts} | dict(frame.parts)
        last = frames[-1]
        return self._encode(parts, ("", frames[0].number, last.number), last.version, last.word)

    def _encode(self, parts: Mapping[str, str], key: tuple[str, int, int], version: int, digests_text: str) -> Chunk:
        """Return the event of these fragments, cached by `key` until the picture changes or the cache is full."""
        if (chunk := self._encoded.get(key)) is None:
            if len(self._encoded) >= ENCODED_CACHED_MAX:
                self._encoded.clear()
            chunk = self._encoded[key] = encode_parts(self._sight, version, parts, digests_text)
        return chunk


def extra_topics(picture: Picture) -> Sequence[Topic]:
    """Return the topics of a table besides its match: the call for an arbiter and its disputes."""
    return () if picture.made_of.desk is None else picture.made_of.desk.streams


class TableReader:
    """A reader of a table page."""

    def __init__(
        self,
        request: PageRequest,
        matches: MatchService,
        match_id: UUID,
        shown_digests: Mapping[str, str],
        own_digest: str,
        caller: Caller,
    ) -> None:
        self._request = request
        self._caller = caller
        self._tables = matches
        self._match_id = match_id
        self._shown_digests = shown_digests
        self._own = placeholder_values(request)
        self._is_known = own_digest == self._own.digest
        self._language = language_of(request)

    async def follow(self, output: StreamOutput) -> None:
        """Send the table and presence while the page is open; the reader counts as present for that long."""
        attending = PresenceStream(self._request, self._tables, self._match_id)
        with attending.count_as_present():
            presence_task = asyncio.create_task(attending.send_events(output))
            try:
                await self._watch(output, attending.greeted)
            finally:
                presence_task.cancel()
                await asyncio.gather(presence_task, return_exceptions=True)

    async def _watch(self, output: StreamOutput, has_greeted: asyncio.Event) -> None:
        """Send frames until the reader loses access or is too slow; the page then reconnects with its state."""
        channels = CHANNELS.of(self._request)
        pictures = PICTURES.of(self._request)
        while await has_stream_access(self._request):
            match = await self._tables.reading.get_current(self._match_id)
            picture_key = self._sight(match)
            make_source = partial(TableSource, pictures, self._tables, match.id, picture_key)
            with channels.join((match.id, picture_key), make_source) as channel:
                source = cast("TableSource", channel.source)
                await channel.wait_until_started()
                # Rendering may have taken a while: a reader who lost the seat gets another view.
                sees_the_same = partial(self._sees_the_same, match, picture_key)
                if not await sees_the_same():
                    continue
                # Frames that arrive while the first fragments are sent follow them.
                first_number = channel.number
                if not channel.has_ended:
                    await output.send(
                        fill_placeholders(source.encode_catch_up(self._shown_digests, self._is_known), self._own)
                    )
                    has_greeted.set()
                number = await send_frames(
                    channel,
                    first_number,
                    output,
                    sees_the_same,
                    lambda frames: fill_placeholders(source.merge_frames(frames), self._own),  # noqa: B023  (told before the next)
                    HEARTBEAT,
                )
            if number is None:
                return
            self._shown_digests = {}

    async def _sees_the_same(self, match: Match, picture_key: PictureKey) -> bool:
        """Return whether the reader still has access and would see the same picture."""
        if not await has_stream_access(self._request):
            return False
        # Checked last and without awaiting, because the seat may have changed during the access check.
        current = self._tables.reading.find_cached(self._match_id) or match
        return self._sight(current) == picture_key

    def _sight(self, match: Match) -> PictureKey:
        return picture_key(match, self._caller, self._language)


def fill_placeholders(chunk: Chunk, values: PlaceholderValues) -> Chunk:
    """Return a chunk with the reader's values in its placeholders; compressed chunks have none."""
    if chunk.packed or PLACEHOLDERS[0][:6] not in chunk.plain:
        return chunk
    plain = chunk.plain
    for placeholder, content in zip(PLACEHOLDERS, (values.token, values.person), strict=True):
        plain = plain.replace(placeholder, escape_json(content))
    return Chunk(plain)
