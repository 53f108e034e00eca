"""Parts of a page that a stream replaces while the page is open."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from hashlib import blake2b
from typing import Final

import msgspec
from litestar.response.sse import ServerSentEventMessage

from api.http.notifier import Subscriber, Topic
from api.http.page_responses import PageRequest, csrf_of
from projections.platform.clock import now


def digests(parts: Mapping[str, str], csrf: str) -> dict[str, str]:
    """Return a short digest of each part of a page, so that a stream sends only changed parts.

    The digests are part of a URL. They are keyed with the reader's token, so that they reveal nothing about a hand.
    """
    return {
        name: blake2b(html.encode(), digest_size=4, key=csrf[:64].encode()).hexdigest() for name, html in parts.items()
    }


def join_digests(digests: Mapping[str, str]) -> str:
    """Join digests into one word; `split_digests` reverses it."""
    return ".".join(f"{name}-{value}" for name, value in digests.items())


def split_digests(text: str) -> dict[str, str]:
    """Return the digests of a word made by `join_digests`."""
    pairs = (part.partition("-") for part in text.split("."))
    return {name: value for name, _, value in pairs}


def changed_parts(
    parts: Mapping[str, str], shown_digests: Mapping[str, str], current_digests: Mapping[str, str]
) -> dict[str, str]:
    """Return the parts whose digest differs from the reader's."""
    return {name: html for name, html in parts.items() if shown_digests.get(name) != current_digests[name]}


def out_of_band(parts: Mapping[str, str]) -> str:
    """Return the parts as htmx out-of-band swaps, each for the element with its id."""
    return "".join(f'<div id="{name}" hx-swap-oob="innerHTML">{html}</div>' for name, html in parts.items())


HEARTBEAT_EVENT: Final = "beat"
"""Name of the heartbeat event."""


class Changed(msgspec.Struct, frozen=True):
    """Data of an event: the changed parts, and the server time in milliseconds for clocks."""

    version: int
    now: int
    parts: Mapping[str, str]


def now_ms() -> int:
    """Return the current time in milliseconds since the epoch."""
    return int(now().timestamp() * 1000)


def encode_message(version: int, parts: Mapping[str, str], shown_digests: Mapping[str, str]) -> ServerSentEventMessage:
    """Return the event with changed parts. Its id contains the digests of the page after the change."""
    data = msgspec.json.encode(Changed(version, now_ms(), parts)).decode()
    return ServerSentEventMessage(data, event="table", id=f"{version}~{join_digests(shown_digests)}")


def heartbeat() -> ServerSentEventMessage:
    """Return a heartbeat event."""
    return ServerSentEventMessage("{}", event=HEARTBEAT_EVENT)


class PartsView:
    """Parts of a page that are rendered again when a topic changes; only changed parts are sent."""

    def __init__(
        self,
        request: PageRequest,
        topics: Sequence[Topic],
        render_parts: Callable[[], Awaitable[Mapping[str, str]]],
        shown_digests: Mapping[str, str],
        calm_seconds: float,
    ) -> None:
        self._csrf = csrf_of(request)
        self._topics = topics
        self._render_parts = render_parts
        self.calm_seconds = calm_seconds
        self.shown_digests = dict(shown_digests)

    def topics(self) -> Sequence[Topic]:
        """Return the topics to subscribe to."""
        return self._topics

    async def next_events(self, _: Subscriber, __: frozenset[Topic]) -> Sequence[ServerSentEventMessage]:
        """Return an event with the changed parts, or nothing."""
        new = await self.changes()
        return [encode_message(0, new, self.shown_digests)] if new else []

    async def changes(self) -> dict[str, str]:
        """Render the parts and return those whose digest has changed since the last call, by element id."""
        parts = await self._render_parts()
        previous_digests, self.shown_digests = self.shown_digests, digests(parts, self._csrf)
        return changed_parts(parts, previous_digests, self.shown_digests)

    async def is_urgent(self, _: frozenset[Topic], __: frozenset[Topic]) -> bool:
        """Return false: no change is urgent."""
        return False

    def heartbeat(self) -> ServerSentEventMessage:
        """Return a heartbeat event."""
        return heartbeat()
