"""How long one waits for a server of databases that says nothing, and how all who ask it learn to wait no more.

A server that has gone is noticed by its connections. One that stands still keeps them: what is sent arrives, and no
answer comes. So whoever must answer somebody waits for a limited time, and after some waits in vain nobody waits any
more but one at a time, who finds out whether it is back.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock, get_ident
from time import monotonic
from typing import Final

from domain.eventstore.retry import Unanswered

ANSWER_SECONDS: Final = 0.95
"""So long whoever must answer somebody waits for a server. Who asks is told within two seconds: there is room for this
and for a new connection."""
CONNECT_SECONDS: Final = 0.7
"""So long the same waits for a new connection."""
PATIENCE: Final[ContextVar[float | None]] = ContextVar("patience", default=None)
"""How many seconds who runs in this context waits for an answer of a server; `None`: for as long as it takes."""
LOOP_SECONDS: Final = 0.2
"""The same where everybody else waits meanwhile; who has so little patience rarely finds out that a server is back."""
LOCK_MILLISECONDS: Final = 600
"""So long one waits for another writer there before one is told: the server answers sooner than one loses patience."""
SILENCES_MAX: Final = 2
"""After so many waits in vain, with no answer between them, nobody waits any more."""
AGAIN_SECONDS: Final = 0.25
"""So long after a wait in vain the next one asks again."""
RARELY_SECONDS: Final = 5.0
"""The same of those who have little patience."""


class Breaker:
    """What the threads of a process know of a server together: whether it answers. `clock` gives seconds."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._silences = 0
        self._silent_at = 0.0
        self._probing: int | None = None

    @property
    def is_open(self) -> bool:
        """Whether the server is taken for one that does not answer."""
        return self._silences >= SILENCES_MAX

    @contextmanager
    def asking(self) -> Iterator[None]:
        """One question. `Unanswered` at once where the server does not answer and somebody finds out already."""
        is_probe = self.is_open and self._probe()
        try:
            yield
        except Unanswered as silence:
            # A question within a question is one.
            if not silence.is_counted:
                with self._lock:
                    self._silences += 1
                    self._silent_at = self._clock()
                silence.is_counted = True
            raise
        else:
            # Without the lock: every question comes by here.
            self._silences = 0
        finally:
            if is_probe:
                self._probing = None

    def _probe(self) -> bool:
        """Whether this thread begins to find out; one that is at it already goes on."""
        patience = PATIENCE.get()
        pause = AGAIN_SECONDS if patience is None or patience > LOOP_SECONDS else RARELY_SECONDS
        with self._lock:
            if self._probing == get_ident():
                return False
            if self._probing is not None or self._clock() < self._silent_at + pause:
                refused = Unanswered("the server does not answer")
                refused.is_counted = True
                raise refused
            self._probing = get_ident()
            return True


_BREAKERS: Final[dict[str, Breaker]] = {}
_MAKING: Final = Lock()


def breaker_of(host: str, port: str) -> Breaker:
    """The one of a server that this process has, whichever of its databases is asked."""
    with _MAKING:
        return _BREAKERS.setdefault(f"{host}:{port}", Breaker())
