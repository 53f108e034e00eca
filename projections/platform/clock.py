"""The clock of the service, chosen where a process is composed (`ops/decisions/0076*`).

Everything that reads the time of day calls `now`. Durations such as timeouts and polling intervals use
`time.monotonic`; they decide nothing about contests.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Final

Clock = Callable[[], datetime]
"""A function that returns the current time in UTC."""


def system_clock() -> datetime:
    """Return the time of the computer in UTC."""
    return datetime.now(UTC)


CLOCK: Final = ContextVar[Clock]("clock", default=system_clock)
"""The clock of the current context; only the composition of a process sets it."""


def now() -> datetime:
    """Return the current time in UTC; handlers read it once per request."""
    return CLOCK.get()()
