"""Timeouts of half-sent requests and unread responses, and the number of unfinished requests of an address.

Uvicorn has settings for idle connections between requests and for the number of all (`timeout_keep_alive`,
`limit_concurrency`), but none for a request that is half sent. Behind a proxy the proxy does the same
(`ops/hosting`).
"""

from __future__ import annotations

import asyncio
import resource
from collections.abc import Collection, Mapping
from enum import Enum, auto
from functools import partial
from ipaddress import ip_network
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from projections.networks import is_within, network_of
from projections.settings import Settings

TOO_LATE: Final = b"the request was not sent in time\n"
REFUSAL: Final = b"".join(
    (
        STATUS_LINE[408],
        b"content-type: text/plain; charset=utf-8\r\nconnection: close\r\n",
        b"content-length: %d\r\n\r\n" % len(TOO_LATE),
        TOO_LATE,
    )
)


class Unfinished:
    """The connections whose request has not arrived completely, the longest unchanged first.

    Beyond a bound the oldest is ended instead of refusing the new one: people behind the address of an attacker send
    their requests at once, and are never the oldest for long.
    """

    def __init__(self, address_max: int, trusted: Collection[str] = (), all_max: int | None = None) -> None:
        """`address_max`: 0 for any number; `trusted`: addresses and networks of proxies, which are not bounded;
        `all_max`: by default half of the files this process may open."""
        self._address_max = address_max
        self._trusted = [ip_network(each) for each in trusted]
        self._all_max = resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 2 if all_max is None else all_max
        self._all: dict[PatientProtocol, None] = {}
        self._by_network: dict[str, dict[PatientProtocol, None]] = {}

    def network(self, client: tuple[str, int] | None) -> str:
        """Return the network a peer counts for; empty for unix sockets and trusted proxies."""
        if client is None or not client[0] or not self._address_max:
            return ""
        return "" if is_within(client[0], self._trusted) else network_of(client[0])

    def begin(self, connection: PatientProtocol) -> None:
        """Add a connection, or move it behind all others; end the oldest where there are too many."""
        self.end(connection)
        self._all[connection] = None
        if connection.network:
            known = self._by_network.setdefault(connection.network, {})
            known[connection] = None
            if len(known) > self._address_max:
                next(iter(known)).give_up()
        if len(self._all) > self._all_max:
            next(iter(self._all)).give_up()

    def end(self, connection: PatientProtocol) -> None:
        """Forget a connection: its request is complete, or it is closed."""
        self._all.pop(connection, None)
        known = self._by_network.get(connection.network)
        if known is not None:
            known.pop(connection, None)
            if not known:
                del self._by_network[connection.network]


class Phase(Enum):
    """The part of a request that a connection has to send next."""

    NOTHING = auto()
    HEADERS = auto()
    BODY = auto()


class PatientProtocol(HttpToolsProtocol):
    """Uvicorn's protocol, which ends a connection whose peer stops in the middle of a request or a response.

    A peer has a time for the headers, from the connection or from the first byte of a later request on; for each piece
    of a body; and for taking some of a response. A request that arrives in one piece costs no timer.
    """

    def __init__(self, *args: Any, unfinished: Unfinished, settings: Settings, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.network = ""
        self._unfinished = unfinished
        self._settings = settings
        self._phase = self._watched = Phase.NOTHING
        self._has_sent = False
        self._received_at = 0.0
        self._late: asyncio.TimerHandle | None = None
        self._stalled: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.network = self._unfinished.network(self.client)
        self._phase = Phase.HEADERS
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_watching()
        self._stop_waiting_for_reader()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._has_sent = self._phase is not Phase.NOTHING
        self._received_at = self.loop.time()
        if self._phase is not self._watched and not self.transport.is_closing():
            self._watch()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._phase = Phase.HEADERS

    def on_headers_complete(self) -> None:
        self._phase = Phase.BODY
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._phase = Phase.NOTHING
        super().on_message_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._wait_for_reader()

    def resume_writing(self) -> None:
        self._stop_waiting_for_reader()
        super().resume_writing()

    def give_up(self) -> None:
        """Close the connection, with 408 where a part of a request has arrived and nothing else is being answered."""
        self._stop_watching()
        if self.transport.is_closing():
            return
        cycle = self.cycle
        is_idle = cycle is None or cycle.response_complete
        if self._phase is Phase.BODY and not is_idle:
            is_idle = not cycle.response_started and not self.pipeline
            # The application then reads the end of the connection, and its response is dropped.
            cycle.disconnected = True
            cycle.message_event.set()
        if self._has_sent and is_idle:
            self.transport.write(REFUSAL)
        self.transport.close()

    def _watch(self) -> None:
        """Start the time of the present phase."""
        self._stop_watching()
        self._watched = self._phase
        if self._phase is Phase.NOTHING:
            return
        self._unfinished.begin(self)
        if self._phase is Phase.HEADERS:
            self._late = self.loop.call_later(self._settings.header_seconds, self.give_up)
        else:
            self._late = self.loop.call_later(self._settings.body_seconds, self._check_body)

    def _stop_watching(self) -> None:
        self._unfinished.end(self)
        self._watched = Phase.NOTHING
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _check_body(self) -> None:
        """Give up a body that has stalled for too long, unless the application does not read it yet."""
        seconds = self._settings.body_seconds
        left = seconds if self.flow.read_paused else self._received_at + seconds - self.loop.time()
        if left > 0:
            self._late = self.loop.call_later(left, self._check_body)
        else:
            self.give_up()

    def _wait_for_reader(self) -> None:
        waiting = self.transport.get_write_buffer_size()
        self._stalled = self.loop.call_later(self._settings.send_seconds, self._check_reader, waiting)

    def _stop_waiting_for_reader(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def _check_reader(self, before: int) -> None:
        """Cut off a reader who has taken nothing of a response."""
        if self.transport.get_write_buffer_size() < before:
            self._wait_for_reader()
        else:
            self.transport.abort()


def protocol_for(settings: Settings) -> Mapping[str, Any]:
    """Return the arguments of `uvicorn.Config` for a server that handles its connections like this."""
    unfinished = Unfinished(settings.unfinished_per_address, settings.proxies)
    return {
        "http": partial(PatientProtocol, unfinished=unfinished, settings=settings),
        # No route here takes WebSockets.
        "ws": "none",
    }
