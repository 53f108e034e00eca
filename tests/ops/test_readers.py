"""Unread responses end in time and count against their network; idle streams stay open."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import closing
from functools import partial
from typing import Any, Final

import pytest

from ops.connections import Connections
from projections.platform.settings import Settings
from tests.ops.small_server import request, rest_of, serve

SHORT: Final = 0.2
BELOW: Final = 50_000
"""Below the high-water mark, at which an application waits for its reader."""
ABOVE: Final = 500_000


@pytest.mark.parametrize("size", [BELOW, ABOVE])
@pytest.mark.parametrize("fields", [(), ("Connection: close",)], ids=["kept", "closed"])
def test_a_reader_that_reads_nothing_is_cut_off(size: int, fields: tuple[str, ...]) -> None:
    with serve(send_seconds=SHORT, header_seconds=4 * SHORT) as service, closing(service.connect()) as unread:
        unread.sendall(request(f"/{size}", *fields))
        service.tick()

        assert len(rest_of(unread)) < size


@pytest.mark.parametrize("size", [BELOW, ABOVE])
def test_a_reader_that_reads_a_byte_now_and_then_is_cut_off(size: int) -> None:
    with serve(send_seconds=4 * SHORT, header_seconds=SHORT) as service, closing(service.connect()) as slow:
        slow.sendall(request(f"/{size}", "Connection: close"))
        for _ in range(7):
            slow.recv(1)
            service.tick()

        assert len(rest_of(slow)) < size


def test_a_slow_reader_reads_the_whole_response() -> None:
    with serve(send_seconds=8 * SHORT, header_seconds=SHORT) as service, closing(service.connect()) as slow:
        slow.sendall(request(f"/{ABOVE}", "Connection: close"))
        received = 0
        for _ in range(12):
            received += len(slow.recv(4_096))
            service.tick()

        assert received + len(rest_of(slow)) > ABOVE


def test_an_idle_stream_stays_open() -> None:
    timeouts = {"send_seconds": SHORT, "body_seconds": SHORT, "header_seconds": 2 * SHORT}
    with serve(**timeouts) as service, closing(service.connect()) as stream:
        stream.sendall(request("/stream"))
        assert b"data: 1" in receive(stream, b"data: 1")
        for _ in range(3):
            service.tick()
        stream.settimeout(0.0)

        with pytest.raises(BlockingIOError):
            stream.recv(1)


def receive(connection: socket.socket, expected: bytes) -> bytes:
    """Read until something has arrived."""
    received = b""
    while expected not in received:
        received += connection.recv(65_536)
    return received


def test_unread_responses_of_a_network_are_bounded_and_the_oldest_ends() -> None:
    """A response counts once it has been unread for a while; unfinished requests have the same bound."""
    with serve(send_seconds=8 * SHORT, header_seconds=3 * SHORT, unfinished_per_address=2) as service:
        unread = [service.connect() for _ in range(2)]
        for connection in unread:
            connection.sendall(request(f"/{BELOW}", "Connection: close"))
            connection.recv(1)
        service.tick()
        unfinished = service.connect()
        unfinished.sendall(b"GET / HT")

        assert len(rest_of(unread[0])) < BELOW
        for connection in (*unread, unfinished):
            connection.close()


class Clock:
    """An event loop that records its delayed calls."""

    def __init__(self) -> None:
        self.calls: list[Callable[[], None]] = []

    def time(self) -> float:
        return 0.0

    def call_later(self, _: float, call: Callable[..., None], *args: Any) -> None:
        self.calls.append(partial(call, *args))


class Opened:
    """A connection that needs no check."""

    def __init__(self, clock: Clock) -> None:
        self.loop = clock
        self.network = ""

    def check(self, now: float, elapsed: float) -> None:
        assert elapsed == now == 0.0


def test_connections_of_a_server_are_checked_by_one_timer() -> None:
    clock = Clock()
    connection = Opened(clock)
    connections: Any = Connections(Settings())
    for _ in range(3):
        connections.open(connection)
        connections.close(connection)
    assert len(clock.calls) == 1
    clock.calls.pop()()
    assert clock.calls == []

    connections.open(connection)
    clock.calls.pop()()
    assert len(clock.calls) == 1


class Waiting:
    """A connection as the list of waiting connections uses it."""

    def __init__(self, connections: Any, address: str) -> None:
        self.network = connections.network((address, 1))
        self.has_ended = False
        self._connections = connections
        connections.wait(self)

    def give_up(self) -> None:
        self.has_ended = True
        self._connections.stop_waiting(self)


def test_above_the_bound_of_the_server_connections_of_proxies_end_last() -> None:
    settings = Settings(proxies=("10.0.0.0/8",), unfinished_per_address=0)
    connections = Connections(settings, waiting_max=2)
    proxy, first = Waiting(connections, "10.0.0.1"), Waiting(connections, "192.0.2.1")

    second = Waiting(connections, "2001:db8::1")
    assert (proxy.has_ended, first.has_ended, second.has_ended) == (False, True, False)

    third = Waiting(connections, "10.0.0.2")
    assert (proxy.has_ended, second.has_ended, third.has_ended) == (False, True, False)

    fourth = Waiting(connections, "10.0.0.2")
    assert (proxy.has_ended, third.has_ended, fourth.has_ended) == (True, False, False)


def test_connections_of_one_ipv6_network_are_counted_together() -> None:
    connections = Connections(Settings(unfinished_per_address=2))
    same_network = [Waiting(connections, f"2001:db8::{number}") for number in range(1, 4)]
    other_network = Waiting(connections, "2001:db8:0:1::1")

    assert [each.has_ended for each in (*same_network, other_network)] == [True, False, False, False]
