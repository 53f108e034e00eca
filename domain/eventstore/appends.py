"""Counting the appends of a command, even if it is rejected later."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Final


class Appends:
    """The number of entries, records and notes appended by a command; shared between threads."""

    def __init__(self) -> None:
        self.count = 0


APPENDS: Final[ContextVar[Appends | None]] = ContextVar("appends", default=None)
"""The counter of the command in the current context."""


def count_appended(count: int) -> None:
    """Add to the number of events that the current command has appended, if they are counted."""
    appends = APPENDS.get()
    if appends is not None:
        appends.count += count
