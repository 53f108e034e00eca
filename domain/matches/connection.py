"""Connections to PostgreSQL over which nobody waits longer than they have patience for."""

from collections.abc import Mapping
from time import monotonic
from typing import Any, Final, TypeVar

import psycopg
from psycopg.abc import PQGen
from psycopg_pool import PoolTimeout

from domain.matches.patience import PATIENCE, Breaker, breaker_of
from domain.matches.retrying import Unanswered

R = TypeVar("R")
Row = TypeVar("Row")

INTERVAL_SECONDS: Final = 0.1
"""How often the driver looks whether somebody has interrupted it: its own figure."""
IN_VAIN: Final = (PoolTimeout, psycopg.errors.ConnectionTimeout)
"""What the driver and its pool say who have waited for a connection."""


class BoundedConnection(psycopg.Connection[Row]):
    """One that is closed when the server gives no answer in time: what was sent over it is carried out or not, and the
    next answer over it would be that to another question."""

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
