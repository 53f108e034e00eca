"""Exponential backoff."""

from datetime import timedelta
from typing import Final, Generic, TypeVar

import msgspec

Delay = TypeVar("Delay", float, timedelta)
"""Seconds or a timedelta."""

DOUBLINGS_MAX: Final = 20
"""Any delay has reached its maximum by then, and no timedelta overflows."""


class Backoff(msgspec.Struct, Generic[Delay], frozen=True):
    """Delays between attempts: `first` after each of the first `patient` attempts, then doubled up to `longest`."""

    first: Delay
    longest: Delay
    patient: int = 1

    def delay(self, attempt: int) -> Delay:
        """Return the delay after an attempt; attempts count from 1."""
        factor: int = 1 << min(DOUBLINGS_MAX, max(0, attempt - self.patient))
        return min(self.longest, self.first * factor)


class Failures:
    """A counter of consecutive failures with a backoff."""

    def __init__(self, backoff: Backoff[float]) -> None:
        self._backoff = backoff
        self.count = 0

    def fail(self) -> float:
        """Count a failure and return the seconds until the next attempt."""
        self.count += 1
        return self._backoff.delay(self.count)

    def succeed(self) -> None:
        """Reset the counter."""
        self.count = 0
