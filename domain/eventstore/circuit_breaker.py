"""A circuit breaker and timeouts for database servers.

Connections notice a server that is gone. A server that hangs keeps its connections open and never responds. Callers
that must respond therefore wait for a limited time; after a few timeouts the breaker opens, and only one caller at a
time probes the server.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock, get_ident
from time import monotonic
from typing import Final

from domain.eventstore.retry import ResponseTimeout

ANSWER_SECONDS: Final = 0.95
"""Seconds to wait for a response. Leaves room for a new connection within two seconds in total."""
CONNECT_SECONDS: Final = 0.7
"""Seconds to wait for a new connection."""
RESPONSE_TIMEOUT: Final[ContextVar[float | None]] = ContextVar("patience", default=None)
"""Timeout in seconds for database responses in this context; `None`: unlimited."""
EVENT_LOOP_SECONDS: Final = 0.2
"""Timeout in seconds on the event loop, which blocks everyone. Such callers probe a silent server rarely."""
LOCK_MILLISECONDS: Final = 600
"""PostgreSQL lock timeout; shorter than the response timeout, so that callers get an error."""
TIMEOUTS_MAX: Final = 2
"""Consecutive timeouts after which the breaker opens."""
PROBE_SECONDS: Final = 0.25
"""Seconds between a timeout and the next probe."""
IMPATIENT_PROBE_SECONDS: Final = 5.0
"""Seconds before the next probe by a caller with a short timeout."""


class CircuitBreaker:
    """A circuit breaker for one server, shared by the threads of a process; `clock` returns seconds."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._timeouts = 0
        self._timed_out_at = 0.0
        self._probing_thread: int | None = None

    @property
    def is_open(self) -> bool:
        """Whether the breaker is open: the server is considered unresponsive."""
        return self._timeouts >= TIMEOUTS_MAX

    @contextmanager
    def guard_request(self) -> Iterator[None]:
        """Guard one request, and count it if it ends with `ResponseTimeout`; a success closes the breaker.

        While the breaker is open, raise `ResponseTimeout` at once unless this request is the next probe. Nested
        requests count once.
        """
        is_probe = self.is_open and self._probe()
        try:
            yield
        except ResponseTimeout as timeout:
            # Nested requests count as one.
            if not timeout.is_counted:
                with self._lock:
                    self._timeouts += 1
                    self._timed_out_at = self._clock()
                timeout.is_counted = True
            raise
        else:
            # No lock here: every request passes through.
            self._timeouts = 0
        finally:
            if is_probe:
                self._probing_thread = None

    def _probe(self) -> bool:
        """Return whether this thread starts to probe the server; False if it is probing already.

        Raise `ResponseTimeout` if another thread probes or the last silence is too recent.
        """
        timeout_seconds = RESPONSE_TIMEOUT.get()
        pause = (
            PROBE_SECONDS
            if timeout_seconds is None or timeout_seconds > EVENT_LOOP_SECONDS
            else IMPATIENT_PROBE_SECONDS
        )
        with self._lock:
            if self._probing_thread == get_ident():
                return False
            if self._probing_thread is not None or self._clock() < self._timed_out_at + pause:
                refusal = ResponseTimeout("no response from the server")
                refusal.is_counted = True
                raise refusal
            self._probing_thread = get_ident()
            return True


_BREAKERS: Final[dict[str, CircuitBreaker]] = {}
_MAKING: Final = Lock()


def breaker_of(host: str, port: str) -> CircuitBreaker:
    """Return the process-wide breaker of a server, shared by all its databases."""
    with _MAKING:
        return _BREAKERS.setdefault(f"{host}:{port}", CircuitBreaker())
