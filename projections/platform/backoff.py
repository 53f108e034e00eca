"""How long to wait before something that failed is tried again."""

from datetime import timedelta
from typing import Final, Generic, TypeVar

import msgspec

Delay = TypeVar("Delay", float, timedelta)
"""Seconds, or a span of time."""

DOUBLINGS_MAX: Final = 20
"""Any delay has reached its bound by then, and no span of time has become too long to be one."""


class Backoff(msgspec.Struct, Generic[Delay], frozen=True):
    """The delays between attempts: `first` after each of the first `patient` ones, then each twice the one before.

    None is longer than `longest`.
    """

    first: Delay
    longest: Delay
    patient: int = 1

    def delay(self, attempt: int) -> Delay:
        """The delay after the attempt of this number; the first has number 1."""
        longer: int = 1 << min(DOUBLINGS_MAX, max(0, attempt - self.patient))
        return min(self.longest, self.first * longer)


class Failures:
    """Failures in a row, and the delay after each."""

    def __init__(self, backoff: Backoff[float]) -> None:
        self._backoff = backoff
        self.count = 0

    def fail(self) -> float:
        """Counts a failure; the seconds to wait before the next attempt."""
        self.count += 1
        return self._backoff.delay(self.count)

    def succeed(self) -> None:
        self.count = 0
