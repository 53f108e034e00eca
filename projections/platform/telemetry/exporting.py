"""OpenTelemetry traces, exported by OTLP over HTTP in a background thread.

Sampling, service name and exporter are configured by OpenTelemetry's environment variables
(`docs/operate/monitoring.md`).
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from threading import Thread
from time import perf_counter, time_ns
from typing import Final

import structlog
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.environment_variables import OTEL_SERVICE_NAME
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.trace import Span, SpanKind, Status, StatusCode, Tracer, set_span_in_context
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from projections.platform.telemetry.spans import ATTRIBUTES, FAULT, TRACEPARENT, Attributes, AttributeValue

SERVICE: Final = "esporles"
"""Default service name."""
CLOSE_SECONDS_MAX: Final = 2.0
"""Longest delay of a shutdown by the export of the last spans."""
SILENT: Final = ("opentelemetry.exporter", "opentelemetry.sdk._shared_internal")
"""Loggers that report every failed attempt; `Told` reports the first instead."""
NANOSECOND: Final = 1e-9
PROPAGATOR: Final = TraceContextTextMapPropagator()
NOWHERE: Final = Context()
"""A context without a span."""

log = structlog.get_logger("traces")


class LoggingExporter(SpanExporter):
    """An exporter that logs when the collector becomes unavailable or available; unsent spans are lost."""

    def __init__(self, exporter: SpanExporter) -> None:
        self._exporter = exporter
        self._is_away = False

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Export spans; log a change of the collector's availability."""
        result = self._exporter.export(spans)
        is_away = result is not SpanExportResult.SUCCESS
        if is_away and not self._is_away:
            log.warning("trace collector unavailable, dropping spans")
        if self._is_away and not is_away:
            log.info("trace collector available again")
        self._is_away = is_away
        return result

    def shutdown(self) -> None:
        """Shut down the wrapped exporter."""
        self._exporter.shutdown()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        """Flush the wrapped exporter."""
        return self._exporter.force_flush(timeout_millis)


class ExportedSpan:
    """A span of OpenTelemetry with the interface of `Span`."""

    __slots__ = ("_span", "_tracer", "is_propagated")

    def __init__(self, tracer: Tracer, span: Span, *, is_handed_on: bool) -> None:
        self._tracer = tracer
        self._span = span
        self.is_propagated = is_handed_on

    @property
    def trace_id(self) -> str:
        """Return the trace id in hex, or an empty string if the trace is not sampled."""
        found = self._span.get_span_context()
        return f"{found.trace_id:032x}" if found.trace_flags.sampled else ""

    @property
    def traceparent(self) -> str:
        """Return the `traceparent` header value."""
        found = self._span.get_span_context()
        return f"00-{found.trace_id:032x}-{found.span_id:016x}-{found.trace_flags:02x}"

    def begin(self, name: str, kind: str, attributes: Attributes) -> ExportedSpan:
        """Start a child span."""
        context = set_span_in_context(self._span, NOWHERE)
        span = self._tracer.start_span(name, context, SpanKind[kind], check_attributes(attributes))
        return ExportedSpan(self._tracer, span, is_handed_on=self.is_propagated)

    def record_child(self, name: str, started: float, ended: float, attributes: Attributes) -> None:
        """Record a finished child span."""
        if self._span.is_recording():
            note(self._tracer, set_span_in_context(self._span, NOWHERE), name, started, ended, attributes)

    def rename(self, name: str) -> None:
        """Rename the span."""
        self._span.update_name(name)

    def set_attribute(self, name: str, value: AttributeValue) -> None:
        """Set an attribute."""
        assert name in ATTRIBUTES, name
        self._span.set_attribute(name, value)

    def fail(self, kind: str) -> None:
        """Mark the span as failed with the kind of error."""
        self.set_attribute(FAULT, kind)
        self._span.set_status(Status(StatusCode.ERROR))

    def end(self) -> None:
        """End the span."""
        self._span.end()


class ExportedTraces:
    """The traces of this process.

    The queue of spans is bounded: if the collector is unavailable or too slow, spans are lost without blocking.
    """

    def __init__(self, endpoint: str, process: str) -> None:
        """Create traces that post spans to `endpoint`."""
        for name in SILENT:
            logging.getLogger(name).setLevel(logging.CRITICAL)
        attributes = {"service.version": version("esporles"), "esporles.process": process}
        if not os.environ.get(OTEL_SERVICE_NAME):
            attributes["service.name"] = SERVICE
        self._provider = TracerProvider(resource=Resource.create(attributes), shutdown_on_exit=False)
        self._provider.add_span_processor(BatchSpanProcessor(LoggingExporter(OTLPSpanExporter(endpoint))))
        self._tracer = self._provider.get_tracer(SERVICE)

    def begin(self, name: str, kind: str, attributes: Attributes, *, traceparent: str = "") -> ExportedSpan:
        """Start a span, as a child of `traceparent` if that is valid, else as the root of a trace."""
        context = context_of(traceparent)
        span = self._tracer.start_span(name, context, SpanKind[kind], check_attributes(attributes))
        return ExportedSpan(self._tracer, span, is_handed_on=context is NOWHERE)

    def record_span(self, name: str, started: float, ended: float, attributes: Attributes, *, traceparent: str) -> None:
        """Record a finished span of another process's trace."""
        note(self._tracer, context_of(traceparent), name, started, ended, attributes)

    def close(self) -> None:
        """Export the remaining spans, for `CLOSE_SECONDS_MAX` at most."""
        # The library waits for its last attempt and its response: half a minute if the collector is unavailable.
        thread = Thread(target=self._provider.shutdown, name="traces-close", daemon=True)
        thread.start()
        thread.join(CLOSE_SECONDS_MAX)


def context_of(traceparent: str) -> Context:
    """Return the context of a `traceparent` value, or an empty one if it is invalid."""
    return PROPAGATOR.extract({TRACEPARENT: traceparent}, NOWHERE) if traceparent else NOWHERE


def note(tracer: Tracer, context: Context, name: str, started: float, ended: float, attributes: Attributes) -> None:
    """Record a finished span that began and ended at these times of `perf_counter`."""
    clock_offset = time_ns() - int(perf_counter() / NANOSECOND)
    span = tracer.start_span(
        name, context, attributes=check_attributes(attributes), start_time=clock_offset + int(started / NANOSECOND)
    )
    span.end(clock_offset + int(ended / NANOSECOND))


def check_attributes(attributes: Attributes) -> Mapping[str, AttributeValue]:
    """Return the attributes after asserting that all are allowed."""
    assert attributes.keys() <= ATTRIBUTES, attributes.keys() - ATTRIBUTES
    return attributes
