"""Report to the sender of a command whether it appended anything, also if it was refused afterwards."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Final


class Appends:
    """The number of entries, records and notes that one command appended; shared between threads."""

    def __init__(self) -> None:
        self.count = 0


APPENDS: Final[ContextVar[Appends | None]] = ContextVar("appends", default=None)
"""The count of the command in the current context."""


def count_appended(count: int) -> None:
    """Add to the count of the current command, if its sender asked for one."""
    appends = APPENDS.get()
    if appends is not None:
        appends.count += count
