"""Timeouts for new connections to PostgreSQL."""

import socket
from collections.abc import Iterator
from threading import Event
from typing import Any

import psycopg
import pytest

from domain.eventstore.circuit_breaker import ANSWER_SECONDS, CONNECT_SECONDS, RESPONSE_TIMEOUT
from domain.eventstore.postgres_connection import BoundedConnection, connect_within


@pytest.fixture
def impatient() -> Iterator[None]:
    before = RESPONSE_TIMEOUT.set(ANSWER_SECONDS)
    yield
    RESPONSE_TIMEOUT.reset(before)


@pytest.fixture
def silent() -> Iterator[str]:
    """Yield the address of a server that accepts connections but never responds."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"postgresql://ann@127.0.0.1:{server.getsockname()[1]}/log?connect_timeout=2&sslmode=disable"


@pytest.mark.usefixtures("impatient")
def test_a_silent_server_is_not_waited_for_as_long_as_the_driver_would(silent: str) -> None:
    with pytest.raises(psycopg.errors.ConnectionTimeout, match=f"no connection within {CONNECT_SECONDS} s"):
        BoundedConnection[Any].connect(silent)


@pytest.mark.usefixtures("impatient")
def test_connection_errors_are_passed_on() -> None:
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        port = nobody.getsockname()[1]

    with pytest.raises(psycopg.OperationalError, match="refused"):
        BoundedConnection[Any].connect(f"postgresql://ann@127.0.0.1:{port}/log")


class LateConnection:
    """A connection that is established later."""

    def __init__(self) -> None:
        self.may_come, self.is_closed = Event(), Event()

    def connect(self) -> Any:
        self.may_come.wait()
        return self

    def fail(self) -> Any:
        self.may_come.wait()
        self.is_closed.set()
        raise psycopg.OperationalError("too late")

    def close(self) -> None:
        self.is_closed.set()


def test_a_connection_that_comes_in_time_is_used() -> None:
    late = LateConnection()
    late.may_come.set()

    assert connect_within(60, late.connect) is late
    assert not late.is_closed.is_set()


def test_a_late_connection_is_closed() -> None:
    late = LateConnection()
    with pytest.raises(psycopg.errors.ConnectionTimeout):
        connect_within(0.0, late.connect)
    assert not late.is_closed.is_set()

    late.may_come.set()

    assert late.is_closed.wait(60)


def test_a_late_failure_is_ignored() -> None:
    late = LateConnection()
    with pytest.raises(psycopg.errors.ConnectionTimeout):
        connect_within(0.0, late.fail)

    late.may_come.set()

    assert late.is_closed.wait(60)
