"""A page that changes while it is looked at: what its stream sends, and when it has something new.

The stream is the only way by which an open page changes, so that nothing older ever comes after something newer. Every
event names in its id what the page then shows; a page that lost its stream says so when it comes back, and gets the
rest.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final
from uuid import UUID

import msgspec
from litestar.response.sse import ServerSentEventMessage

from api.matches.acting import now
from api.matches.callers import seat_of_caller
from api.matches.pages.fragments import (
    Composed,
    actions_of,
    compose_folded,
    digests,
    fragments,
    join_digests,
    news,
    retold,
    told_fragments,
)
from api.matches.service import MatchService
from api.web.bells import MISSED, Ear, Topic
from api.web.browser import PageRequest, csrf_of, render
from api.web.guards import Caller
from domain.matches.aggregate import Match, seats_to_act
from projections.matches import replay

CALM_SECONDS: Final = 0.15
"""What others do is not sent more often than this: bots can be quicker than eyes."""
BEAT: Final = "beat"
"""An event that says only that the connection is alive."""


class Changed(msgspec.Struct, frozen=True):
    """What an event of the stream holds: the pieces that are new, and the time of the service, for the clocks."""

    version: int
    now: int
    parts: Mapping[str, str]


def milliseconds() -> int:
    return int(now().timestamp() * 1000)


def encode_message(version: int, new: Mapping[str, str], have: Mapping[str, str]) -> ServerSentEventMessage:
    """The event with what is new; its id says what the page has then."""
    data = msgspec.json.encode(Changed(version, milliseconds(), new)).decode()
    return ServerSentEventMessage(data, event="table", id=f"{version}~{join_digests(have)}")


def beat() -> ServerSentEventMessage:
    return ServerSentEventMessage("{}", event=BEAT)


async def draw_fragments(request: PageRequest, page: Composed) -> dict[str, str]:
    """What this reader is shown, as fragments; drawn on a thread, because it takes a while."""
    return await asyncio.to_thread(fragments, renderer(request), page, csrf_of(request))


def renderer(request: PageRequest) -> Any:
    def render_fragment(template: str, context: Mapping[str, Any]) -> str:
        return render(request, template, context)

    return render_fragment


class TableScene:
    """A table as its reader sees it. First the position is sent, then its words, when they have caught up."""

    calm_seconds = CALM_SECONDS

    def __init__(
        self,
        request: PageRequest,
        matches: MatchService,
        match_id: UUID,
        have: Mapping[str, str],
        caller: Caller | None = None,
        shows: Callable[[str], bool] = lambda _: True,
    ) -> None:
        self._request = request
        self._tables = matches
        self._caller = request.user if caller is None else caller
        self._csrf = csrf_of(request)
        self._shows = shows
        self._page: Composed | None = None
        self.match_id = match_id
        self.have = dict(have)

    def topics(self) -> Sequence[Topic]:
        return (self.match_id, (replay.NAME, str(self.match_id)))

    @property
    def version(self) -> int:
        """The version of the match that the reader was shown last."""
        return self._page.shown.version if self._page else 0

    async def news(self, _: Ear, heard: frozenset[Topic]) -> Sequence[ServerSentEventMessage]:
        new = await self.changes(heard)
        return [encode_message(self.version, new, self.have)] if new else []

    async def changes(self, heard: frozenset[Topic]) -> dict[str, str]:
        """The pieces that are new to the reader."""
        if self._page is None or not heard or await self._has_moved_on(self._page, heard):
            self._page = await compose_folded(self._tables, self.match_id, self._caller)
            made = await draw_fragments(self._request, self._page)
            return self._new(made, digests(made, self._csrf))
        if self._page.is_told:
            return {}
        self._page = await retold(self._tables, self._page, self._caller)
        told = await asyncio.to_thread(told_fragments, renderer(self._request), self._page, self._csrf)
        return self._new(told, self.have | digests(told, self._csrf))

    async def _has_moved_on(self, page: Composed, heard: frozenset[Topic]) -> bool:
        if MISSED in heard:
            return (await self._tables.get(self.match_id)).version != page.shown.version
        return self.match_id in heard

    def _new(self, made: Mapping[str, str], have: Mapping[str, str]) -> dict[str, str]:
        had, self.have = self.have, {name: digest for name, digest in have.items() if self._shows(name)}
        return news({name: html for name, html in made.items() if self._shows(name)}, had, self.have)

    async def is_urgent(self, rung: frozenset[Topic], heard: frozenset[Topic]) -> bool:
        """The reader has acted or is asked, the table rests or is over; or the words of what is shown have come."""
        assert self._page is not None
        if {self.match_id, MISSED} & rung:
            return is_urgent(await self._tables.get(self.match_id), self._page, self._caller)
        return not self._page.is_told and self.match_id not in heard

    def beat(self) -> ServerSentEventMessage:
        return beat()


class PartsScene:
    """Parts of a page that are made anew when one of their topics rings; only what is new is sent."""

    def __init__(
        self,
        request: PageRequest,
        topics: Sequence[Topic],
        make: Callable[[], Awaitable[Mapping[str, str]]],
        have: Mapping[str, str],
        calm_seconds: float,
    ) -> None:
        self._csrf = csrf_of(request)
        self._topics = topics
        self._make = make
        self.calm_seconds = calm_seconds
        self.have = dict(have)

    def topics(self) -> Sequence[Topic]:
        return self._topics

    async def news(self, _: Ear, __: frozenset[Topic]) -> Sequence[ServerSentEventMessage]:
        new = await self.changes()
        return [encode_message(0, new, self.have)] if new else []

    async def changes(self) -> dict[str, str]:
        """The parts that are new to the reader."""
        made = await self._make()
        had, self.have = self.have, digests(made, self._csrf)
        return news(made, had, self.have)

    async def is_urgent(self, _: frozenset[Topic], __: frozenset[Topic]) -> bool:
        return False

    def beat(self) -> ServerSentEventMessage:
        return beat()


def is_urgent(match: Match, page: Composed, caller: Caller) -> bool:
    """The reader has acted since the page was made, or is asked, or the table rests or is over."""
    seat = seat_of_caller(match, caller)
    has_acted = actions_of(match, seat) != page.own_actions
    return has_acted or match.status != page.shown.status or seat in seats_to_act(match)
