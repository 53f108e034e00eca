"""What was asked of people at a server a moment ago, so that not every request asks for it again.

Whatever this process changes about people, it forgets all of it at once. What another host has changed is seen a second
later at most: so long a token revoked there is still taken here.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from time import monotonic
from typing import Any, Final, NamedTuple

RECENT_SECONDS: Final = 1.0
KEPT_MAX: Final = 4_096
"""More than are asked for in that time by those whom one process can serve."""


class Answered(NamedTuple):
    """An answer, how often people had been changed here when it was asked for, and until when it is taken."""

    answer: Any
    changes: int
    until: float


class Recent:
    """Answers of the last moment, for one thread. `changes`: how often this process has changed people."""

    def __init__(self, changes: Callable[[], int], clock: Callable[[], float] = monotonic) -> None:
        self._changes: Final = changes
        self._clock: Final = clock
        self._kept: dict[Hashable, Answered] = {}

    def find(self, key: Hashable) -> Any:
        """The answer, or `None`."""
        kept = self._kept.get(key)
        if kept is None or kept.changes != self._changes() or kept.until < self._clock():
            return None
        return kept.answer

    def keep(self, key: Hashable, answer: object, changes: int) -> None:
        """An answer that was asked for after so many changes. That somebody is not known is not kept: they may be in a
        moment."""
        if answer is None:
            return
        if len(self._kept) >= KEPT_MAX:
            self._kept.clear()
        self._kept[key] = Answered(answer, changes, self._clock() + RECENT_SECONDS)
