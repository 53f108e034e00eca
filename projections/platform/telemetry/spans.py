"""What is traced: each piece of the work for one request or job is a span of its trace, in whichever process.

Nothing of OpenTelemetry is imported here. Where no collector is set there are no traces, `SPAN` is empty everywhere,
and that is all that is asked.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from threading import Lock
from typing import Any, Final, Protocol
from uuid import UUID

from domain.kernel.loading import load
from projections.platform.rings import Advanced, Appended, Ring
from projections.platform.settings import Settings

TRACEPARENT: Final = "traceparent"
"""The header by which one process tells another what it goes on with (W3C Trace Context), and what a job calls it."""
GIVEN_TRACE: Final = "traceparent"
"""By what name the state of a connection holds one that was taken over."""

SERVER: Final = "SERVER"
CLIENT: Final = "CLIENT"
PRODUCER: Final = "PRODUCER"
CONSUMER: Final = "CONSUMER"
INTERNAL: Final = "INTERNAL"
"""The kinds of spans, as OpenTelemetry calls them."""

METHOD: Final = "http.request.method"
ROUTE: Final = "http.route"
STATUS: Final = "http.response.status_code"
FAULT: Final = "error.type"
REQUEST: Final = "esporles.request_id"
COMMAND: Final = "esporles.command"
GROUPED: Final = "esporles.group.commands"
FOLLOWERS: Final = "esporles.followers"
JOB: Final = "esporles.job"
TITLE: Final = "esporles.title"
BOT_NAME: Final = "esporles.bot"
ATTRIBUTES: Final = frozenset(
    {METHOD, ROUTE, STATUS, FAULT, REQUEST, COMMAND, GROUPED, FOLLOWERS, JOB, TITLE, BOT_NAME}
)
"""All that a span may say. None of it is anything somebody typed, or a value that somebody may not see."""

HANDED_MAX: Final = 1_000
"""Of so many matches a follower remembers which trace brought them to their version."""

Word = str | int
Words = Mapping[str, Word]


class Span(Protocol):
    """A piece of the work. Times are those of `time.perf_counter`, in seconds."""

    @property
    def trace_id(self) -> str:
        """Of the trace, 32 hex digits; empty where the sampler has left it out."""
        ...

    @property
    def traceparent(self) -> str:
        """What another process is told that goes on with it."""
        ...

    @property
    def is_handed_on(self) -> bool:
        """Whether what follows from an entry belongs to the trace. Not of what a job has caused: else a match of bots
        would be one trace from its first entry to its last."""
        ...

    def begin(self, name: str, kind: str, words: Words) -> Span:
        """A piece of this one."""
        ...

    def note(self, name: str, begun: float, ended: float, words: Words) -> None:
        """A piece that is over already."""
        ...

    def rename(self, name: str) -> None:
        """What it is called, known later than its beginning."""
        ...

    def say(self, name: str, word: Word) -> None:
        """One of `ATTRIBUTES`."""
        ...

    def fail(self, kind: str) -> None:
        """It went wrong, and of what kind that was; what a fault says may hold somebody's value."""
        ...

    def end(self) -> None:
        """It is over; once."""
        ...


class Traces(Protocol):
    """Where a process begins spans that belong to none of its own."""

    def begin(self, name: str, kind: str, words: Words, *, traceparent: str = "") -> Span:
        """A trace, or a piece of one that was begun in another process. What is no `traceparent` begins one."""
        ...

    def note(self, name: str, begun: float, ended: float, words: Words, *, traceparent: str) -> None:
        """A piece, over already, of a trace that was begun in another process."""
        ...

    def close(self) -> None:
        """Sends what is left, for a short while at most."""
        ...


SPAN: Final[ContextVar[Span | None]] = ContextVar("span", default=None)
"""The piece of work that is done here; nothing where nothing is traced."""
STORED: Final[ContextVar[Mapping[UUID, str]]] = ContextVar("stored", default={})  # noqa: B039  (nobody writes into it)
"""While a group of commands is stored: what each match is told of the trace."""


@contextmanager
def tracing(settings: Settings, process: str) -> Iterator[Traces | None]:
    """The traces of this process until the end of the block, where a collector is set."""
    if not settings.traces:
        yield None
        return
    # Libraries of 5 MB, a tenth of a second at the start of every process.
    traces: Traces = load("projections.platform.telemetry.exporting", "ExportedTraces")(settings.traces, process)
    try:
        yield traces
    finally:
        traces.close()


@contextmanager
def under(span: Span) -> Iterator[Span]:
    """What is done meanwhile is this piece of the work."""
    token = SPAN.set(span)
    try:
        yield span
    except BaseException as fault:
        span.fail(type(fault).__name__)
        raise
    finally:
        SPAN.reset(token)
        span.end()


class Untraced:
    """Work that nobody traces."""

    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None: ...


UNTRACED: Final = Untraced()


def piece(name: str, words: Words, kind: str = INTERNAL) -> AbstractContextManager[Span | None]:
    """What is done meanwhile is a piece of what is traced here, if something is."""
    above = SPAN.get()
    return UNTRACED if above is None else under(above.begin(name, kind, words))


def job_of(
    traces: Traces | None, job: str, job_id: str, meta: Mapping[str, Any]
) -> AbstractContextManager[Span | None]:
    """What is done meanwhile is the work for this job, as a piece of the trace of which `meta` tells, if of any."""
    if traces is None:
        return UNTRACED
    given = str(meta.get(TRACEPARENT, ""))
    return under(traces.begin(f"job {job}", CONSUMER, {JOB: job, REQUEST: job_id}, traceparent=given))


def meta_of_job() -> dict[str, str] | None:
    """What a job is told that is put into a queue here."""
    span = SPAN.get()
    return None if span is None else {TRACEPARENT: span.traceparent}


def traces_of(streams: Iterable[UUID]) -> dict[UUID, str]:
    """By which traces these have grown, as far as somebody is told to go on with them."""
    span = SPAN.get()
    if span is not None:
        return dict.fromkeys(streams, span.traceparent) if span.is_handed_on else {}
    stored = STORED.get()
    return {stream: stored[stream] for stream in streams if stream in stored} if stored else {}


class Handed:
    """Traces of which the doorbell tells a follower, so that what follows from an entry stands in the trace of the
    request that brought it. As every ring, a hint: one that comes late leaves a trace without its end."""

    def __init__(self, traces: Traces | None) -> None:
        self._traces = traces
        self._known = OrderedDict[str, tuple[int, str]]()
        self._lock = Lock()

    def hear(self, ring: Ring | None) -> None:
        """From any thread."""
        if self._traces is None or not isinstance(ring, Appended):
            return
        with self._lock:
            for stream_id, version in ring.versions.items():
                self._known.pop(str(stream_id), None)
                if stream_id in ring.traces:
                    self._known[str(stream_id)] = (version, ring.traces[stream_id])
            while len(self._known) > HANDED_MAX:
                self._known.popitem(last=False)

    def note(self, ring: Advanced, begun: float, ended: float) -> None:
        """What has been written down for these matches, in this time."""
        if self._traces is None or not self._known:
            return
        for stream_id in ring.ids:
            if (known := self._of(stream_id)) is not None:
                self._traces.note("follow", begun, ended, {FOLLOWERS: len(ring.positions)}, traceparent=known[1])

    def issuing(self, match_id: UUID, version: int, job: str) -> AbstractContextManager[Span | None]:
        """What is done meanwhile is to put a job into a queue that follows from this version."""
        known = self._of(str(match_id))
        if self._traces is None or known is None or known[0] != version:
            return UNTRACED
        return under(self._traces.begin(f"issue {job}", PRODUCER, {JOB: job}, traceparent=known[1]))

    def _of(self, stream_id: str) -> tuple[int, str] | None:
        with self._lock:
            return self._known.get(stream_id)


NOT_HANDED: Final = Handed(None)
