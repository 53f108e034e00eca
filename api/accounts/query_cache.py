"""A short-lived cache of account queries to a database server.

Any change by this process clears it. Changes by other hosts take effect after at most a second, so a revoked token may
stay valid that long.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from time import monotonic
from typing import Any, Final, NamedTuple

CACHE_SECONDS: Final = 1.0
CACHED_MAX: Final = 4_096
"""Maximum number of cached results, more than one process needs in a second."""


class CachedResult(NamedTuple):
    """A cached result with the change count at query time and its expiry."""

    result: Any
    changes: int
    expires: float


class QueryCache:
    """A cache for one thread. `changes` returns the number of changes by this process."""

    def __init__(self, changes: Callable[[], int], clock: Callable[[], float] = monotonic) -> None:
        self._changes: Final = changes
        self._clock: Final = clock
        self._results: dict[Hashable, CachedResult] = {}

    def find(self, key: Hashable) -> Any:
        """Return the cached result; None if missing, expired, or older than a change of this process."""
        cached = self._results.get(key)
        if cached is None or cached.changes != self._changes() or cached.expires < self._clock():
            return None
        return cached.result

    def store(self, key: Hashable, result: object, changes: int) -> None:
        """Cache a result with the change count before its query; None is not cached. A full cache is emptied first."""
        if result is None:
            return
        if len(self._results) >= CACHED_MAX:
            self._results.clear()
        self._results[key] = CachedResult(result, changes, self._clock() + CACHE_SECONDS)
