"""A short-lived cache of the account queries of every request.

Any change by this process clears it, and on a file any change at all. Changes that other hosts make on a database
server take effect after at most a second, so a revoked token may stay valid that long. An expired one may in any case.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from time import monotonic
from typing import Any, Final, NamedTuple

CACHE_SECONDS: Final = 1.0
CACHED_MAX: Final = 4_096
"""Maximum number of cached results, more than one process needs in a second."""


class CachedResult(NamedTuple):
    """A cached result with the state of the database at query time and its expiry."""

    result: Any
    state: Hashable
    expires: float


class QueryCache:
    """A cache for one thread. `state` returns a value that differs after a change (`Store.state`)."""

    def __init__(self, state: Callable[[], Hashable], clock: Callable[[], float] = monotonic) -> None:
        self._state: Final = state
        self._clock: Final = clock
        self._results: dict[Hashable, CachedResult] = {}

    def find(self, key: Hashable) -> Any:
        """Return the cached result; None if missing, expired, or older than a change."""
        cached = self._results.get(key)
        if cached is None or cached.expires < self._clock() or cached.state != self._state():
            return None
        return cached.result

    def store(self, key: Hashable, result: object, state: Hashable) -> None:
        """Cache a result with the state before its query; None is not cached. A full cache is emptied first."""
        if result is None:
            return
        if len(self._results) >= CACHED_MAX:
            self._results.clear()
        self._results[key] = CachedResult(result, state, self._clock() + CACHE_SECONDS)
