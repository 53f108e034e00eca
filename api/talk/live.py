"""Live chat rooms, rendered once for all readers of a language."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple, cast

import msgspec
from litestar import Litestar

from api.accounts.service import ACCOUNTS
from api.http.channels import CHANNELS, send_frames
from api.http.languages import language_of, use_language
from api.http.notifier import Subscriber, Topic
from api.http.page_responses import PageRequest
from api.http.stream_access import has_stream_access
from api.http.stream_responses import Chunk, StreamOutput, compress_chunk, encode_event
from api.talk.state import TALK, topic_of
from api.talk.store import Message
from domain.talk import PHRASES, Room

LINES_MAX: Final = 60
"""Number of latest messages on a live page."""
CALM_SECONDS: Final = 0.03
LOOKED_SECONDS: Final = 1.0
"""Longest delay until the stream notices that a reader lost access to the room or muted an account."""
FRAMES_KEPT_MAX: Final = 64
EVENT: Final = "talk"
BEATS: Final = Chunk(encode_event("{}", event="beat"))


class RenderedLine(NamedTuple):
    """A rendered message."""

    id: str
    by: str
    html: str


class LineSent(msgspec.Struct, frozen=True):
    """A rendered message in an event."""

    id: str
    by: str
    html: str


class LinesUpdate(msgspec.Struct, frozen=True):
    """Data of an event: new or changed lines in order, and removed ones; `whole`: the list is complete."""

    lines: tuple[LineSent, ...]
    gone: tuple[str, ...] = ()
    whole: bool = False


def draw_lines(
    app: Litestar, language: str, messages: Sequence[Message], names: Mapping[str, str]
) -> list[RenderedLine]:
    """Render messages in a language, without values of single readers."""
    engine: Any = app.template_engine
    template = engine.engine.get_template("talk/line.html")
    with use_language(language):
        return [
            RenderedLine(each.id, each.person, template.render(message=each, name=names[each.person], phrases=PHRASES))
            for each in messages
        ]


def encode_lines(lines: Sequence[RenderedLine], removed_ids: Sequence[str] = (), *, whole: bool = False) -> bytes:
    """Encode an event with lines."""
    update = LinesUpdate(tuple(LineSent(*line) for line in lines), tuple(removed_ids), whole)
    return encode_event(msgspec.json.encode(update).decode(), event=EVENT)


class TalkFrame(NamedTuple):
    """A change of a room."""

    number: int
    lines: Sequence[RenderedLine]
    gone: Sequence[str]
    chunk: Chunk
    """The encoded event for readers who mute no one."""


class TalkSource:
    """A room in one language."""

    calm_seconds = CALM_SECONDS
    buffer_max = FRAMES_KEPT_MAX

    def __init__(self, app: Litestar, room: Room, language: str) -> None:
        self._app = app
        self._room = room
        self._language = language
        self._last_messages: tuple[Message, ...] | None = None
        self.lines = dict[str, RenderedLine]()
        self.number = 0

    def topics(self) -> Sequence[Topic]:
        """Return the topic of the room."""
        return (topic_of(self._room),)

    async def poll(self, _: Subscriber, __: frozenset[Topic]) -> Sequence[TalkFrame]:
        """Return a frame with new, changed and vanished lines among the latest `LINES_MAX`, or nothing.

        The first call only loads the lines.
        """
        talk = TALK.of(self._app)
        found = await asyncio.to_thread(talk.store.list_messages, self._room, LINES_MAX)
        messages = tuple(reversed(found.items))
        if messages == self._last_messages:
            return []
        previous = {each.id: each for each in self._last_messages or ()}
        changed = [each for each in messages if previous.get(each.id) != each]
        accounts = ACCOUNTS.of(self._app)
        with use_language(self._language):
            names = await accounts.load_names(each.person for each in changed)
        rendered = {line.id: line for line in draw_lines(self._app, self._language, changed, names)}
        is_first, self._last_messages = self._last_messages is None, messages
        removed_ids = [id for id in previous if id not in {each.id for each in messages}]
        self.lines = {each.id: rendered.get(each.id) or self.lines[each.id] for each in messages}
        if is_first:
            return []
        self.number += 1
        lines = list(rendered.values())
        return [TalkFrame(self.number, lines, removed_ids, compress_chunk(encode_lines(lines, removed_ids)))]

    async def is_urgent(self, _: frozenset[Topic], __: frozenset[Topic]) -> bool:
        """Return false: no message is urgent."""
        return False


class TalkReader:
    """A page that shows a room."""

    def __init__(self, request: PageRequest, room: Room) -> None:
        self._request = request
        self._room = room
        self._talk = TALK.of(request)
        self._muted = frozenset[str]()
        self._checked_at = -LOOKED_SECONDS

    async def follow(self, output: StreamOutput) -> None:
        """Send all lines, then frames, until the reader loses access or is too slow; the page then reconnects.

        Lines of people whom the reader mutes or blocks are left out.
        """
        channels = CHANNELS.of(self._request)
        language = language_of(self._request)
        make_source = partial(TalkSource, self._request.app, self._room, language)
        with channels.join(("talk", self._room, language), make_source) as channel:
            await channel.wait_until_started()
            if not await self._may_continue():
                return
            source, first_number = cast("TalkSource", channel.source), channel.number
            visible_lines = [line for line in source.lines.values() if line.by not in self._muted]
            await output.send(Chunk(encode_lines(visible_lines, whole=True)))
            await send_frames(channel, first_number, output, self._may_continue, self._chunk, BEATS)

    async def _may_continue(self) -> bool:
        """Return whether the reader may still read; look up at intervals the people whom the reader mutes."""
        if not await has_stream_access(self._request):
            return False
        if (current_time := asyncio.get_running_loop().time()) - self._checked_at < LOOKED_SECONDS:
            return True
        caller = self._request.user
        self._muted, self._checked_at = await self._talk.muted_people(caller.person_id), current_time
        return True

    def _chunk(self, frames: Sequence[TalkFrame]) -> Chunk:
        """Return several frames as one, without lines of muted people."""
        authors = {line.by for frame in frames for line in frame.lines}
        if len(frames) == 1 and authors.isdisjoint(self._muted):
            return frames[0].chunk
        lines = {line.id: line for frame in frames for line in frame.lines if line.by not in self._muted}
        removed_ids = [id for frame in frames for id in frame.gone]
        return Chunk(encode_lines(list(lines.values()), removed_ids))
