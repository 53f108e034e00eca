"""Connections to PostgreSQL over which nobody waits longer than they have patience for."""

from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError, Future, wait
from functools import partial
from threading import Thread
from time import monotonic
from typing import Any, Final, Self, TypeVar

import psycopg
from psycopg.abc import PQGen
from psycopg_pool import PoolTimeout

from domain.eventstore.circuit_breaker import CONNECT_SECONDS, PATIENCE, Breaker, breaker_of
from domain.eventstore.retry import Unanswered

R = TypeVar("R")
Row = TypeVar("Row")
C = TypeVar("C", bound="psycopg.Connection[Any]")

INTERVAL_SECONDS: Final = 0.1
"""How often the driver looks whether somebody has interrupted it: its own figure."""
IN_VAIN: Final = (PoolTimeout, psycopg.errors.ConnectionTimeout)
"""What the driver and its pool say who have waited for a connection."""


class BoundedConnection(psycopg.Connection[Row]):
    """One that is closed when the server gives no answer in time: what was sent over it is carried out or not, and the
    next answer over it would be that to another question."""

    @classmethod
    def connect(cls, conninfo: str = "", **asked: Any) -> Self:
        """Whoever must answer somebody does not wait for the two seconds that are the least the driver waits."""
        begin = partial(super().connect, conninfo, **asked)
        return begin() if PATIENCE.get() is None else connected_within(CONNECT_SECONDS, begin)

    # The driver lacks a client-side timeout, and every exchange with the server goes through this method.
    def wait(self, gen: PQGen[R], interval: float = INTERVAL_SECONDS, timeout: float | None = None) -> R:
        patience = PATIENCE.get()
        if patience is None or timeout is not None:
            return super().wait(gen, interval, timeout)
        begun = monotonic()
        try:
            return super().wait(gen, interval, patience)
        except psycopg.OperationalError as fault:
            if monotonic() - begun < patience:
                raise
            self.close()
            raise Unanswered("the database gave no answer in time") from fault


def server_breaker(given: Mapping[str, Any]) -> Breaker:
    """What this process knows of the server to which these words of a connection lead."""
    return breaker_of(str(given.get("host") or ""), str(given.get("port") or "5432"))


def connected_within(seconds: float, connect: Callable[[], C]) -> C:
    """The connection, if it is there in time; one that comes later is closed at once."""
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
    # Of one that has just come nothing is cancelled.
    coming.cancel()
    try:
        return coming.result()
    except CancelledError:
        raise psycopg.errors.ConnectionTimeout(f"no connection within {seconds} s") from None
