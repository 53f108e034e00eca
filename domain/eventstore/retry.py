"""Retries after conflicts with other writers."""

from collections.abc import Callable
from typing import Final, TypeVar

from eventsourcing.persistence import IntegrityError, InterfaceError, OperationalError

R = TypeVar("R")

LostRace = IntegrityError
"""The store's error for a lost race."""
StoreUnavailable = (OperationalError, InterfaceError)
"""Disk full or database unreachable. Whether the write was stored is unknown."""


class ResponseTimeout(OperationalError):
    """The database server did not respond in time."""

    is_counted = False
    """Whether the circuit breaker has already counted it."""


class OutcomeUnknown(OperationalError):
    """The connection failed during a commit; the sender must check or retry."""


CONFLICTS_MAX: Final = 50
"""More lost races in a row than this are a bug."""


def retry(attempt: Callable[[], R]) -> R:
    """Run `attempt` until it loses no race (`IntegrityError`), and return its result.

    The store enforces unique (stream, version) pairs. `CONFLICTS_MAX` lost races in a row fail an assertion.
    """
    conflicts = 0
    while True:
        try:
            return attempt()
        except IntegrityError:
            conflicts += 1
            assert conflicts < CONFLICTS_MAX, f"lost {CONFLICTS_MAX} races in a row"
