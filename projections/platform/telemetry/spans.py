"""Tracing without OpenTelemetry: spans of requests and jobs across processes.

Nothing of OpenTelemetry is imported here. Without a collector `SPAN` is always None, and checking it is the only cost.
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
from projections.platform.messages import Advanced, Appended, Message
from projections.platform.settings import Settings

TRACEPARENT: Final = "traceparent"
"""The header of W3C Trace Context, and its key in a job's metadata."""
GIVEN_TRACE: Final = "traceparent"
"""Key of an accepted trace context in the state of a connection."""

SERVER: Final = "SERVER"
CLIENT: Final = "CLIENT"
PRODUCER: Final = "PRODUCER"
CONSUMER: Final = "CONSUMER"
INTERNAL: Final = "INTERNAL"
"""Kinds of spans in OpenTelemetry."""

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
"""All allowed attributes of spans; none contains user input or hidden information."""

PROPAGATED_MAX: Final = 1_000
"""Matches whose trace contexts a follower remembers."""

AttributeValue = str | int
Attributes = Mapping[str, AttributeValue]


class Span(Protocol):
    """A unit of work; times are `time.perf_counter` seconds."""

    @property
    def trace_id(self) -> str:
        """The trace id as 32 hex digits, or an empty string if the sampler dropped the trace."""
        ...

    @property
    def traceparent(self) -> str:
        """The trace context for another process."""
        ...

    @property
    def is_propagated(self) -> bool:
        """Whether consequences of an entry belong to the trace.

        False for jobs, because a match of bots would otherwise be one trace from its first entry to its last.
        """
        ...

    def begin(self, name: str, kind: str, attributes: Attributes) -> Span:
        """Start a child span."""
        ...

    def record_child(self, name: str, started: float, ended: float, attributes: Attributes) -> None:
        """Record a finished child span."""
        ...

    def rename(self, name: str) -> None:
        """Rename the span when its name is known later than its start."""
        ...

    def set_attribute(self, name: str, value: AttributeValue) -> None:
        """Set one of `ATTRIBUTES`."""
        ...

    def fail(self, kind: str) -> None:
        """Mark the span as failed with the kind of error; its message may contain personal values."""
        ...

    def end(self) -> None:
        """End the span; call once."""
        ...


class Traces(Protocol):
    """The source of spans without a parent in this process."""

    def begin(self, name: str, kind: str, attributes: Attributes, *, traceparent: str = "") -> Span:
        """Start a span, as a child of `traceparent` if that is valid."""
        ...

    def record_span(self, name: str, started: float, ended: float, attributes: Attributes, *, traceparent: str) -> None:
        """Record a finished span of a trace that another process started."""
        ...

    def close(self) -> None:
        """Export the remaining spans, for a short time at most."""
        ...


SPAN: Final[ContextVar[Span | None]] = ContextVar("span", default=None)
"""The current span, or None without tracing."""
STORED: Final[ContextVar[Mapping[UUID, str]]] = ContextVar("stored", default={})  # noqa: B039  (nobody writes into it)
"""The trace context of each match while a group of commands is stored."""


@contextmanager
def tracing(settings: Settings, process: str) -> Iterator[Traces | None]:
    """Provide the traces of this process if a collector is set, else None; they are exported at the end."""
    if not settings.traces:
        yield None
        return
    # The libraries take 5 MB and a tenth of a second at the start of every process.
    traces: Traces = load("projections.platform.telemetry.exporting", "ExportedTraces")(settings.traces, process)
    try:
        yield traces
    finally:
        traces.close()


@contextmanager
def activate_span(span: Span) -> Iterator[Span]:
    """Make the span current while the context is active, and end it; an exception marks it as failed and is raised."""
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
    """A context without tracing."""

    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None: ...


UNTRACED: Final = Untraced()


def child_span(name: str, attributes: Attributes, kind: str = INTERNAL) -> AbstractContextManager[Span | None]:
    """Return a context with a child of the current span, if any."""
    parent = SPAN.get()
    return UNTRACED if parent is None else activate_span(parent.begin(name, kind, attributes))


def job_span(
    traces: Traces | None, job: str, job_id: str, meta: Mapping[str, Any]
) -> AbstractContextManager[Span | None]:
    """Return a context with the span of a job, as part of the trace in `meta`, if any; None without traces."""
    if traces is None:
        return UNTRACED
    traceparent = str(meta.get(TRACEPARENT, ""))
    return activate_span(traces.begin(f"job {job}", CONSUMER, {JOB: job, REQUEST: job_id}, traceparent=traceparent))


def job_metadata() -> dict[str, str] | None:
    """Return the metadata of a job enqueued by the current span."""
    span = SPAN.get()
    return None if span is None else {TRACEPARENT: span.traceparent}


def trace_contexts_of(streams: Iterable[UUID]) -> dict[UUID, str]:
    """Return the trace contexts of streams grown in the current span, if its consequences belong to the trace.

    Without a span, the contexts stored with these streams.
    """
    span = SPAN.get()
    if span is not None:
        return dict.fromkeys(streams, span.traceparent) if span.is_propagated else {}
    stored = STORED.get()
    return {stream: stored[stream] for stream in streams if stream in stored} if stored else {}


class PropagatedTraces:
    """Trace contexts received by notification, so that consequences of an entry join the trace of its request.

    They are hints like all notifications; a late one leaves a trace incomplete.
    """

    def __init__(self, traces: Traces | None) -> None:
        self._traces = traces
        self._traceparents = OrderedDict[str, tuple[int, str]]()
        self._lock = Lock()

    def receive(self, message: Message | None) -> None:
        """Remember the trace contexts of a notification, at most `PROPAGATED_MAX`; thread-safe.

        Streams that have grown without one are forgotten.
        """
        if self._traces is None or not isinstance(message, Appended):
            return
        with self._lock:
            for stream_id, version in message.versions.items():
                self._traceparents.pop(str(stream_id), None)
                if stream_id in message.traces:
                    self._traceparents[str(stream_id)] = (version, message.traces[stream_id])
            while len(self._traceparents) > PROPAGATED_MAX:
                self._traceparents.popitem(last=False)

    def record_update(self, message: Advanced, started: float, ended: float) -> None:
        """Record a span of the update of read models for each known match of a notification."""
        if self._traces is None or not self._traceparents:
            return
        for stream_id in message.ids:
            if (found := self._of(stream_id)) is not None:
                self._traces.record_span(
                    "follow", started, ended, {FOLLOWERS: len(message.positions)}, traceparent=found[1]
                )

    def issue_span(self, match_id: UUID, version: int, job: str) -> AbstractContextManager[Span | None]:
        """Return a context with the span of issuing a job; None unless a trace is known for exactly this version."""
        found = self._of(str(match_id))
        if self._traces is None or found is None or found[0] != version:
            return UNTRACED
        return activate_span(self._traces.begin(f"issue {job}", PRODUCER, {JOB: job}, traceparent=found[1]))

    def _of(self, stream_id: str) -> tuple[int, str] | None:
        with self._lock:
            return self._traceparents.get(stream_id)


NOT_PROPAGATED: Final = PropagatedTraces(None)
