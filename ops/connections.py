"""Bounds on the requests of one connection: their size, their time, their rate, and the time of unread responses.

Uvicorn has settings for idle connections between requests and for the number of all (`timeout_keep_alive`,
`limit_concurrency`), but none for a request that is half sent, for its headers or for a reader who takes nothing.
Behind a proxy the proxy does the same (`ops/hosting`).
"""

from __future__ import annotations

import asyncio
import resource
from collections.abc import Mapping
from enum import Enum, auto
from functools import partial
from ipaddress import ip_network
from typing import Any, Final, NoReturn

from httptools import HttpParserError, HttpParserUpgrade
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from projections.platform.networks import is_within, network_of
from projections.platform.settings import Settings

HEAD_BYTES_MAX: Final = 32 * 1024
"""Most bytes of a URL and header fields together, and of chunk extensions or trailers in a row; as nginx by default."""
URL_BYTES_MAX: Final = 8 * 1024
FIELDS_MAX: Final = 100
PIPELINED_MAX: Final = 64
"""Most requests that may wait on one connection for the response to an earlier request."""
LARGE_READ_BYTES: Final = 64 * 1024
BODY_RATE: Final = 5_000
"""Bytes of a body that extend its time by a second."""
READ_RATE: Final = 1_000
"""Bytes per second that a reader must take of a response: less than a modem, because a whole hall shares one uplink."""
UNREAD_SECONDS: Final = 5.0
"""Time after which an unread response counts as a connection that waits for its peer."""
WAITING_MAX: Final = 4_000
"""Most connections of one server that wait for their peer; each needs a descriptor and some kilobytes."""
CHECK_SECONDS: Final = 1.0
REASONS: Final[Mapping[int, bytes]] = {
    400: b"the request is not HTTP/1.1\n",
    408: b"the request was not sent in time\n",
    414: b"a URL has at most %d bytes\n" % URL_BYTES_MAX,
    431: b"a request has at most %d header fields and %d bytes of them\n" % (FIELDS_MAX, HEAD_BYTES_MAX),
}


def refusal(status: int) -> bytes:
    """Return the response, as bytes, with which a connection of this status ends; it closes the connection."""
    reason = REASONS[status]
    head = b"content-type: text/plain; charset=utf-8\r\nconnection: close\r\ncontent-length: %d\r\n\r\n" % len(reason)
    return STATUS_LINE[status] + head + reason


class RequestRefused(Exception):
    """The parser must not read on: the request is above a bound."""


class Connections:
    """The connections of a server, and a list of connections that wait for their peer, the longest unchanged first.

    A peer is awaited for the rest of a request, or to read a response. Beyond a bound the oldest connection is ended
    instead of refusing the new one: people behind the address of an attacker send their requests at once, and are never
    the oldest for long.
    """

    def __init__(self, settings: Settings, waiting_max: int | None = None) -> None:
        """`waiting_max`: by default `WAITING_MAX`, or half of the files this process may open if that is less."""
        self._address_max = settings.unfinished_per_address
        self._trusted = [ip_network(each) for each in settings.proxies]
        limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 2
        self._waiting_max = min(WAITING_MAX, limit) if waiting_max is None else waiting_max
        shortest = min(settings.header_seconds, settings.body_seconds, settings.send_seconds)
        self._interval = min(CHECK_SECONDS, shortest / 4)
        self._is_checking = False
        self._checked_at = 0.0
        self._open: dict[PatientProtocol, None] = {}
        self._waiting: dict[PatientProtocol, None] = {}
        self._by_network: dict[str, dict[PatientProtocol, None]] = {}
        """The waiting connections of each network that is no proxy's."""
        self._untrusted: dict[PatientProtocol, None] = {}

    def network(self, client: tuple[str, int] | None) -> str:
        """Return the network that a peer is counted by; empty for unix sockets (None) and trusted proxies."""
        if client is None or not client[0]:
            return ""
        return "" if is_within(client[0], self._trusted) else network_of(client[0])

    def open(self, connection: PatientProtocol) -> None:
        """Add a new connection to the periodic check of all connections, and start that check if it is not running.

        A request costs no timer.
        """
        self._open[connection] = None
        if not self._is_checking:
            self._is_checking = True
            self._checked_at = connection.loop.time()
            connection.loop.call_later(self._interval, self._check, connection.loop)

    def close(self, connection: PatientProtocol) -> None:
        """Forget a connection that is closed."""
        self.stop_waiting(connection)
        self._open.pop(connection, None)

    def _check(self, loop: asyncio.AbstractEventLoop) -> None:
        """Check all open connections for slow peers, and schedule the next check while there are any."""
        now = loop.time()
        elapsed, self._checked_at = now - self._checked_at, now
        for connection in tuple(self._open):
            connection.check(now, elapsed)
        self._is_checking = bool(self._open)
        if self._is_checking:
            loop.call_later(self._interval, self._check, loop)

    def wait(self, connection: PatientProtocol) -> None:
        """List a connection behind all others that wait for their peer; end the oldest if there are too many.

        The bounds are for its network and for the server. For the latter, connections of proxies are ended last: each
        may carry requests of many people.
        """
        self.stop_waiting(connection)
        self._waiting[connection] = None
        if connection.network:
            self._untrusted[connection] = None
            waiting = self._by_network.setdefault(connection.network, {})
            waiting[connection] = None
            if self._address_max and len(waiting) > self._address_max:
                next(iter(waiting)).give_up()
        if len(self._waiting) > self._waiting_max:
            next(iter(self._untrusted or self._waiting)).give_up()

    def stop_waiting(self, connection: PatientProtocol) -> None:
        """Remove a connection from the list: its request is complete, its response is read, or it is closed."""
        self._waiting.pop(connection, None)
        self._untrusted.pop(connection, None)
        waiting = self._by_network.get(connection.network)
        if waiting is not None:
            waiting.pop(connection, None)
            if not waiting:
                del self._by_network[connection.network]


class WaitState(Enum):
    """The part of an exchange for which a connection waits for its peer."""

    NOTHING = auto()
    HEADERS = auto()
    BODY = auto()
    READER = auto()


class PatientProtocol(HttpToolsProtocol):
    """Uvicorn's protocol, which ends a connection whose peer sends or reads too slowly, or sends too much of a head.

    A peer has a time for the headers, from the connection or from the first byte of a later request on; for each piece
    of a body, and for the whole body by its length. A reader has a least rate.
    """

    def __init__(self, *args: Any, connections: Connections, settings: Settings, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.network = ""
        self._connections = connections
        self._settings = settings
        self._awaited = self._listed = WaitState.NOTHING
        self._has_begun = False
        self._refused_with = 400
        self._idle_bytes = 0
        """Bytes since the last complete head or piece of a body: an incomplete head, chunk extensions, trailers."""
        self._body_bytes = 0
        self._since = self._received_at = 0.0
        self._is_last = False
        self._is_unread = False
        self._unread_since: float | None = None
        self._window: tuple[float, int] | None = None
        """When the reader's rate was last checked, and the unread bytes then."""

    def connection_made(self, transport: Any) -> None:
        """Register the connection and wait for its headers."""
        super().connection_made(transport)
        self.network = self._connections.network(self.client)
        self._connections.open(self)
        self._await(WaitState.HEADERS)
        self._list()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._connections.close(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse bytes as they arrive.

        Answer requests that are not HTTP or have too large a head with a refusal, and close. These leave no line in the
        log. After a request for an upgrade nothing more is read.
        """
        self._unset_keepalive_if_required()
        if self._is_last:
            return
        self._idle_bytes += len(data)
        try:
            self.parser.feed_data(data)
        except HttpParserUpgrade:
            # No route takes upgrades, so the request is answered as any other. The parser takes its body for another
            # protocol; read as requests, a proxy's next request would get the response to it.
            self._is_last = True
            self.cycle.keep_alive = False
        except HttpParserError:
            self._refuse(self._refused_with)
            return
        if self._idle_bytes > HEAD_BYTES_MAX:
            self._refuse(431)
            return
        if self._awaited is WaitState.NOTHING and self._is_idle():
            # Line breaks, or the rest of a body after its response: uvicorn's timer for idle connections is unset.
            self._await(WaitState.HEADERS)
        self._list()
        if len(data) >= LARGE_READ_BYTES and not self.flow.read_paused:
            # The loop otherwise reads up to 32 times before it serves other connections.
            self.flow.pause_reading()
            self.loop.call_soon(self._read_on)

    def on_message_begin(self) -> None:
        """Note the start of a request, and start the timeout of its headers unless it is running."""
        super().on_message_begin()
        self._has_begun = True
        self._body_bytes = 0
        if self._awaited is not WaitState.HEADERS:
            self._await(WaitState.HEADERS)

    def on_url(self, url: bytes) -> None:
        """Collect a part of the URL; refuse the request with 414 if it is too long."""
        super().on_url(url)
        if len(self.url) > URL_BYTES_MAX:
            self._stop_parsing(414)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Add a header field, or refuse the request with 431 if there are too many.

        A trailer field is dropped; it must not appear among the headers of a running request.
        """
        if self._awaited is WaitState.BODY:
            return
        if len(self.headers) >= FIELDS_MAX:
            self._stop_parsing(431)
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Refuse headers that are too large with 431, and too many pipelined requests with 400; wait for the body."""
        if len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > HEAD_BYTES_MAX:
            self._stop_parsing(431)
        self._idle_bytes = 0
        super().on_headers_complete()
        if len(self.pipeline) > PIPELINED_MAX:
            self._stop_parsing(400)
        self._await(WaitState.BODY)

    def on_body(self, body: bytes) -> None:
        """Pass on a piece of the body; count it and its time unless the response is complete already."""
        self._idle_bytes = 0
        if not self.cycle.response_complete:
            self._body_bytes += len(body)
            self._received_at = self.loop.time()
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Stop waiting for the request."""
        self._idle_bytes = 0
        self._has_begun = False
        self._awaited = WaitState.NOTHING
        super().on_message_complete()

    def resume_writing(self) -> None:
        """Restart the measurement of the reader's rate."""
        self._window = None
        super().resume_writing()

    def give_up(self) -> None:
        """End a connection that has waited too long: abort it at unread bytes, answer 408 within a request.

        A connection with nothing left to wait for only leaves the list.
        """
        if self.transport.get_write_buffer_size():
            self._awaited = WaitState.NOTHING
            self._connections.stop_waiting(self)
            self.transport.abort()
        elif self._awaited is WaitState.NOTHING:
            # The reader has taken everything since the last check.
            self._listed = WaitState.NOTHING
            self._connections.stop_waiting(self)
        else:
            self._refuse(408)

    def check(self, now: float, elapsed: float) -> None:
        """End the connection if its peer is too slow; `elapsed`: seconds since the last check."""
        if self._is_late(now, elapsed):
            self.give_up()
        self._check_reader(now)
        self._list()

    def _await(self, part: WaitState) -> None:
        """Begin to wait for a part of a request."""
        self._awaited = part
        self._since = self._received_at = self.loop.time()

    def _list(self) -> None:
        """List a connection that waits for its peer behind all others, or remove it if it no longer waits.

        A connection that waits for the same part as before stays in its place.
        """
        state = self._awaited
        if state is WaitState.NOTHING and self._is_unread:
            state = WaitState.READER
        if state is self._listed:
            return
        self._listed = state
        if state is WaitState.NOTHING:
            self._connections.stop_waiting(self)
        else:
            self._connections.wait(self)

    def _is_idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _stop_parsing(self, status: int) -> NoReturn:
        """Raise `RequestRefused`, after which `data_received` refuses the request with this status."""
        self._refused_with = status
        raise RequestRefused

    def _refuse(self, status: int) -> None:
        """Close the connection, with a response if part of a request has arrived and no other is being answered.

        A body that is still being read ends for the application as a lost connection.
        """
        state, self._awaited = self._awaited, WaitState.NOTHING
        self._connections.stop_waiting(self)
        if self.transport.is_closing():
            return
        is_idle = self._is_idle()
        if state is WaitState.BODY and not is_idle:
            is_idle = not self.cycle.response_started and not self.pipeline
            # The application then reads the end of the connection, and its response is dropped.
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if is_idle and (self._has_begun or status != 408):
            self.transport.write(refusal(status))
        self.transport.close()

    def _read_on(self) -> None:
        """Read again after other connections were served."""
        if not self.transport.is_closing():
            self.flow.resume_reading()

    def _is_late(self, now: float, elapsed: float) -> bool:
        """Return whether the peer sends the headers or the body of a request too slowly.

        Time in which the application does not read is not counted.
        """
        if self._awaited is WaitState.NOTHING or self.transport.is_closing():
            return False
        if self.flow.read_paused:
            # The application does not read yet, so the peer cannot send.
            self._since += elapsed
            self._received_at = now
            return False
        waiting_seconds = now - self._since
        if self._awaited is WaitState.HEADERS:
            return waiting_seconds > self._settings.header_seconds
        seconds = self._settings.body_seconds
        return now - self._received_at > seconds or waiting_seconds > seconds + self._body_bytes / BODY_RATE

    def _check_reader(self, now: float) -> None:
        """Abort the connection if the peer reads the response below the least rate, even if it is closing."""
        unread_bytes, seconds = self.transport.get_write_buffer_size(), self._settings.send_seconds
        if not unread_bytes:
            self._unread_since = self._window = None
            self._is_unread = False
            return
        if self._unread_since is None:
            self._unread_since = now
        self._is_unread = now - self._unread_since > min(UNREAD_SECONDS, seconds / 4)
        if self._window is None:
            self._window = now, unread_bytes
        elif now - self._window[0] > seconds:
            if unread_bytes > self._window[1] - seconds * READ_RATE:
                self.transport.abort()
            self._window = now, unread_bytes


def protocol_for(settings: Settings) -> Mapping[str, Any]:
    """Return the arguments of `uvicorn.Config` for a server with these bounds on its connections and no WebSockets."""
    connections = Connections(settings)
    return {
        "http": partial(PatientProtocol, connections=connections, settings=settings),
        # No route here takes WebSockets.
        "ws": "none",
    }
