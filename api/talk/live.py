"""A room while it is looked at: what was said is drawn once for all who read the same language."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple, cast

import msgspec
from litestar import Litestar

from api.accounts.service import ACCOUNTS
from api.http.admission import is_welcome
from api.http.bells import Ear, Topic
from api.http.browser import PageRequest
from api.http.channels import CHANNELS, tell
from api.http.languages import language_of, speaking
from api.http.outlets import Chunk, Outlet, encode_event, shared
from api.talk.store import Message
from api.talk.talking import TALK, topic_of
from domain.talk import PHRASES, Room

SHOWN: Final = 60
"""So many of the newest messages stand on a page that changes."""
CALM_SECONDS: Final = 0.03
LOOKED_SECONDS: Final = 1.0
"""Longest delay until the stream notices that a reader lost access to the room or muted an account."""
KEPT: Final = 64
EVENT: Final = "talk"
BEATS: Final = Chunk(encode_event("{}", event="beat"))


class Line(NamedTuple):
    """A message as it is drawn."""

    id: str
    by: str
    html: str


class LineSent(msgspec.Struct, frozen=True):
    id: str
    by: str
    html: str


class Said(msgspec.Struct, frozen=True):
    """What an event holds: lines that are new or changed, in order, and those that are gone; `whole`: there are no
    others."""

    lines: tuple[LineSent, ...]
    gone: tuple[str, ...] = ()
    whole: bool = False


def draw_lines(app: Litestar, language: str, messages: Sequence[Message], names: Mapping[str, str]) -> list[Line]:
    """The messages in a language, without anything that is one reader's own."""
    engine: Any = app.template_engine
    template = engine.engine.get_template("talk/line.html")
    with speaking(language):
        return [
            Line(each.id, each.person, template.render(message=each, name=names[each.person], phrases=PHRASES))
            for each in messages
        ]


def encode_lines(lines: Sequence[Line], gone: Sequence[str] = (), *, whole: bool = False) -> bytes:
    said = Said(tuple(LineSent(*line) for line in lines), tuple(gone), whole)
    return encode_event(msgspec.json.encode(said).decode(), event=EVENT)


class TalkFrame(NamedTuple):
    number: int
    lines: Sequence[Line]
    gone: Sequence[str]
    chunk: Chunk
    """For who hears everybody."""


class TalkSource:
    """A room in one language."""

    calm_seconds = CALM_SECONDS
    kept_max = KEPT

    def __init__(self, app: Litestar, room: Room, language: str) -> None:
        self._app = app
        self._room = room
        self._language = language
        self._seen: tuple[Message, ...] | None = None
        self.lines = dict[str, Line]()
        self.number = 0

    def topics(self) -> Sequence[Topic]:
        return (topic_of(self._room),)

    async def look(self, _: Ear, __: frozenset[Topic]) -> Sequence[TalkFrame]:
        talk = TALK.of(self._app)
        found = await asyncio.to_thread(talk.store.said, self._room, SHOWN)
        seen = tuple(reversed(found.items))
        if seen == self._seen:
            return []
        had = {each.id: each for each in self._seen or ()}
        fresh = [each for each in seen if had.get(each.id) != each]
        accounts = ACCOUNTS.of(self._app)
        with speaking(self._language):
            names = await accounts.names_beside(each.person for each in fresh)
        drawn = {line.id: line for line in draw_lines(self._app, self._language, fresh, names)}
        is_first, self._seen = self._seen is None, seen
        gone = [id for id in had if id not in {each.id for each in seen}]
        self.lines = {each.id: drawn.get(each.id) or self.lines[each.id] for each in seen}
        if is_first:
            return []
        self.number += 1
        lines = list(drawn.values())
        return [TalkFrame(self.number, lines, gone, shared(encode_lines(lines, gone)))]

    async def is_urgent(self, _: frozenset[Topic], __: frozenset[Topic]) -> bool:
        return False


class TalkReader:
    """A page on which a room is looked at."""

    def __init__(self, request: PageRequest, room: Room) -> None:
        self._request = request
        self._room = room
        self._talk = TALK.of(request)
        self._unheard = frozenset[str]()
        self._looked_at = -LOOKED_SECONDS

    async def follow(self, outlet: Outlet) -> None:
        """Until the reader may read no more, or is too slow: the page comes back then, and gets all of it."""
        channels = CHANNELS.of(self._request)
        language = language_of(self._request)
        make = partial(TalkSource, self._request.app, self._room, language)
        with channels.joined(("talk", self._room, language), make) as channel:
            await channel.begun()
            if not await self._may_go_on():
                return
            source, begun = cast("TalkSource", channel.source), channel.number
            heard = [line for line in source.lines.values() if line.by not in self._unheard]
            await outlet.give(Chunk(encode_lines(heard, whole=True)))
            await tell(channel, begun, outlet, self._may_go_on, self._chunk, BEATS)

    async def _may_go_on(self) -> bool:
        if not await is_welcome(self._request):
            return False
        if (at := asyncio.get_running_loop().time()) - self._looked_at < LOOKED_SECONDS:
            return True
        caller = self._request.user
        self._unheard, self._looked_at = await self._talk.unheard(caller.person_id), at
        return True

    def _chunk(self, frames: Sequence[TalkFrame]) -> Chunk:
        """Several frames as one, without the lines of those whom the reader does not hear."""
        authors = {line.by for frame in frames for line in frame.lines}
        if len(frames) == 1 and authors.isdisjoint(self._unheard):
            return frames[0].chunk
        lines = {line.id: line for frame in frames for line in frame.lines if line.by not in self._unheard}
        gone = [id for frame in frames for id in frame.gone]
        return Chunk(encode_lines(list(lines.values()), gone))
