"""PostgreSQL connections with response timeouts."""

from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError, Future, wait
from functools import partial
from threading import Thread
from time import monotonic
from typing import Any, Final, Self, TypeVar

import psycopg
from psycopg.abc import PQGen
from psycopg_pool import PoolTimeout

from domain.eventstore.circuit_breaker import CONNECT_SECONDS, RESPONSE_TIMEOUT, CircuitBreaker, breaker_of
from domain.eventstore.retry import ResponseTimeout

R = TypeVar("R")
Row = TypeVar("Row")
C = TypeVar("C", bound="psycopg.Connection[Any]")

INTERVAL_SECONDS: Final = 0.1
"""Interval at which the driver checks for interrupts; its default."""
CONNECT_TIMEOUTS: Final = (PoolTimeout, psycopg.errors.ConnectionTimeout)
"""Timeouts of the driver and its pool while connecting."""


class BoundedConnection(psycopg.Connection[Row]):
    """A connection that is closed when a response times out.

    Whether the statement ran is unknown, and the next response could belong to it.
    """

    @classmethod
    def connect(cls, conninfo: str = "", **kwargs: Any) -> Self:
        """Connect within `CONNECT_SECONDS`; the driver's own minimum of two seconds is too long."""
        begin = partial(super().connect, conninfo, **kwargs)
        return begin() if RESPONSE_TIMEOUT.get() is None else connect_within(CONNECT_SECONDS, begin)

    # The driver lacks a client-side timeout, and every exchange with the server goes through this method.
    def wait(self, gen: PQGen[R], interval: float = INTERVAL_SECONDS, timeout: float | None = None) -> R:
        """Wait for a response; close the connection and raise `ResponseTimeout` after the context's timeout.

        An explicit `timeout`, or none in the context, leaves the wait to the driver.
        """
        response_timeout = RESPONSE_TIMEOUT.get()
        if response_timeout is None or timeout is not None:
            return super().wait(gen, interval, timeout)
        started = monotonic()
        try:
            return super().wait(gen, interval, response_timeout)
        except psycopg.OperationalError as fault:
            if monotonic() - started < response_timeout:
                raise
            self.close()
            raise ResponseTimeout("timeout waiting for the database") from fault


def server_breaker(parameters: Mapping[str, Any]) -> CircuitBreaker:
    """Return the breaker of the server of a connection."""
    return breaker_of(str(parameters.get("host") or ""), str(parameters.get("port") or "5432"))


def connect_within(seconds: float, connect: Callable[[], C]) -> C:
    """Return a connection if it is established in time; close it at once if it arrives later.

    Raise `ConnectionTimeout` otherwise, and an error of `connect` as it is.
    """
    coming = Future[C]()

    def begin() -> None:
        try:
            connection = connect()
        except BaseException as fault:
            if coming.set_running_or_notify_cancel():
                coming.set_exception(fault)
        else:
            if coming.set_running_or_notify_cancel():
                coming.set_result(connection)
            else:
                connection.close()

    Thread(target=begin, name="connecting", daemon=True).start()
    wait((coming,), seconds)
    # A completed future cannot be cancelled, so its connection is not lost.
    coming.cancel()
    try:
        return coming.result()
    except CancelledError:
        raise psycopg.errors.ConnectionTimeout(f"no connection within {seconds} s") from None
