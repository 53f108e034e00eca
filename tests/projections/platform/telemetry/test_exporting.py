"""Traces of one process: exported spans, trusted trace contexts, and an unavailable collector."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final
from uuid import UUID

import msgspec
import pytest
import structlog

from projections.platform.messages import Advanced, Appended
from projections.platform.settings import Settings
from projections.platform.telemetry.exporting import ExportedSpan, ExportedTraces
from projections.platform.telemetry.logs import add_request
from projections.platform.telemetry.spans import (
    ATTRIBUTES,
    CLIENT,
    COMMAND,
    JOB,
    SERVER,
    SPAN,
    TRACEPARENT,
    Attributes,
    PropagatedTraces,
    activate_span,
    child_span,
    job_metadata,
    job_span,
    trace_contexts_of,
    tracing,
)
from tests.api.service import SERVICE_TOKEN, Sockets, behind_sockets, settings_in
from tests.projections.platform.telemetry.collector import PATH, Collector

PAGE: Final = Path(__file__).parents[4] / "docs" / "operate" / "monitoring.md"
GIVEN: Final = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
MATCH: Final = UUID(int=1)


@pytest.fixture
def traces(collector: Collector, monkeypatch: pytest.MonkeyPatch) -> Iterator[ExportedTraces]:
    """Provide the traces of a process; spans are exported when they are closed."""
    monkeypatch.delenv("OTEL_SERVICE_NAME", raising=False)
    traces = ExportedTraces(collector.url + PATH, "web")
    yield traces
    traces.close()


def test_a_trace_is_a_tree_of_named_spans(collector: Collector, traces: ExportedTraces) -> None:
    with activate_span(traces.begin("request", SERVER, {})) as root:
        root.rename("GET /")
        with child_span("ask", {COMMAND: "x"}, CLIENT):
            pass
        root.record_child("wait", 1.0, 1.5, {})
    traces.close()
    found = {span.name: span for span in collector.spans}

    assert set(found) == {"GET /", "ask", "wait"}
    assert len({span.trace for span in found.values()}) == 1
    assert found["GET /"].parent == ""
    assert found["ask"].parent == found["wait"].parent == found["GET /"].id
    assert found["ask"].words == {COMMAND: "x"}
    assert found["wait"].ended - found["wait"].begun == pytest.approx(500_000_000, abs=1_000)
    assert {(span.service, span.process) for span in found.values()} == {("esporles", "web")}


def test_a_failed_span_has_only_the_kind_of_error(collector: Collector, traces: ExportedTraces) -> None:
    with suppress(KeyError), activate_span(traces.begin("request", SERVER, {})):
        raise KeyError("card 17")
    traces.close()

    assert [(span.is_failed, span.words) for span in collector.spans] == [(True, {"error.type": "KeyError"})]
    assert not [body for body in collector.bodies if b"card 17" in body]


def test_unknown_attributes_are_refused(traces: ExportedTraces) -> None:
    span = traces.begin("request", SERVER, {})

    with pytest.raises(AssertionError, match="seed"):
        span.set_attribute("esporles.seed", "17")
    with pytest.raises(AssertionError, match="seed"):
        traces.begin("request", SERVER, {"esporles.seed": "17"})


def test_the_page_lists_every_attribute() -> None:
    section = PAGE.read_text().split("## Traces")[1].split("\n## ")[0]

    assert not [word for word in ATTRIBUTES if f"`{word}`" not in section]


def test_a_log_line_has_the_id_of_the_exported_trace(
    collector: Collector, traces: ExportedTraces, monkeypatch: pytest.MonkeyPatch
) -> None:
    with structlog.testing.capture_logs(processors=[add_request]) as lines:
        structlog.get_logger().info("before")
        with activate_span(traces.begin("request", SERVER, {})) as span:
            structlog.get_logger().info("within")
        monkeypatch.setenv("OTEL_TRACES_SAMPLER", "always_off")
        unsampled = ExportedTraces(collector.url + PATH, "web")
        with activate_span(unsampled.begin("request", SERVER, {})):
            structlog.get_logger().info("left out")
        unsampled.close()

    assert [line.get("trace_id") for line in lines] == [None, span.trace_id, None]
    assert len(span.trace_id) == 32


def ask(sockets: Sockets, token: str, *, private: bool) -> None:
    connection = sockets.connection(private=private)
    try:
        connection.request(
            "GET", f"/api/health?secret={token}", headers={TRACEPARENT: GIVEN, "Authorization": f"Bearer {token}"}
        )
        connection.getresponse().read()
    finally:
        connection.close()


@pytest.mark.parametrize("sampler", ["parentbased_always_on", "parentbased_always_off"])
def test_only_workers_can_continue_a_trace(
    collector: Collector, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sampler: str
) -> None:
    """Others cannot force sampling either, through a proxy or at the private socket without the token."""
    monkeypatch.setenv("OTEL_TRACES_SAMPLER", sampler)
    settings = msgspec.structs.replace(settings_in(tmp_path), traces=collector.url + PATH, proxies=("127.0.0.1",))
    with behind_sockets(tmp_path, settings) as sockets:
        ask(sockets, SERVICE_TOKEN, private=True)
        for token, private in ((SERVICE_TOKEN, False), ("another", True), ("another", False)):
            ask(sockets, token, private=private)
    own = [span for span in collector.spans if span.trace == GIVEN.split("-")[1]]

    assert [(span.name, span.parent, span.kind) for span in own] == [("GET /api/health", GIVEN.split("-")[2], 2)]
    assert len(collector.spans) == (4 if sampler == "parentbased_always_on" else 1)
    assert not [body for body in collector.bodies if b"another" in body or SERVICE_TOKEN.encode() in body]


def test_spans_of_a_command_belong_to_its_request(collector: Collector, tmp_path: Path) -> None:
    settings = msgspec.structs.replace(settings_in(tmp_path), traces=collector.url + PATH)
    with behind_sockets(tmp_path, settings) as sockets:
        wanted = {"title": "la_granja", "seats": 2}
        assert sockets.ask("POST", "/matches", wanted, sockets.token_of("ann"))[0] == 201
    trace = next(trace for trace in collector.traces().values() if "POST /api/matches" in {span.name for span in trace})
    by_name = {span.name: span for span in trace}
    root = by_name["POST /api/matches"]

    assert set(by_name) == {"POST /api/matches", "wait", "command", "commit"}
    assert root.words["http.response.status_code"] == 201
    assert root.words["http.route"] == "/api/matches"
    assert all(span.parent == root.id for span in trace if span is not root)
    assert root.begun <= by_name["wait"].begun <= by_name["commit"].ended <= root.ended


class Known(ExportedTraces):
    """Traces that remember the trace contexts of their spans."""

    def __init__(self, endpoint: str) -> None:
        super().__init__(endpoint, "follower")
        self.begun: list[tuple[str, str]] = []

    def begin(self, name: str, kind: str, attributes: Attributes, *, traceparent: str = "") -> ExportedSpan:
        self.begun.append((name, traceparent))
        return super().begin(name, kind, attributes, traceparent=traceparent)

    def record_span(self, name: str, begun: float, ended: float, attributes: Attributes, *, traceparent: str) -> None:
        self.begun.append((name, traceparent))
        super().record_span(name, begun, ended, attributes, traceparent=traceparent)


@pytest.fixture
def known_traces(collector: Collector) -> Iterator[Known]:
    known_traces = Known(collector.url + PATH)
    yield known_traces
    known_traces.close()


def ring_of(versions: Sequence[int], traced: Sequence[int]) -> Appended:
    """Return a notification of one match, merged from several."""
    notifications = [Appended(v, {MATCH: v}, traces={MATCH: GIVEN} if v in traced else {}) for v in versions]
    first, *later = notifications
    for notification in later:
        first = first.merge(notification)
    return msgspec.json.decode(msgspec.json.encode(first), type=Appended)


@pytest.mark.parametrize(
    ("notifications", "traced", "job", "is_issued_within"),
    [
        ([[5]], [5], 5, True),
        ([[4], [5]], [5], 5, True),
        ([[4, 5]], [5], 5, True),
        ([[4, 5]], [4], 5, False),
        ([[5], [6]], [5], 6, False),
        ([[5], [6]], [5], 5, False),
        ([[5]], [5], 4, False),
        ([[5]], [], 5, False),
    ],
)
def test_a_job_continues_the_trace_of_the_request_that_caused_it(
    known_traces: Known, notifications: list[list[int]], traced: list[int], job: int, is_issued_within: bool
) -> None:
    handed = PropagatedTraces(known_traces)
    for versions in notifications:
        handed.receive(ring_of(versions, traced))
    with handed.issue_span(MATCH, job, "bot_turn"):
        meta = job_metadata()

    assert known_traces.begun == ([("issue bot_turn", GIVEN)] if is_issued_within else [])
    assert (meta is not None) is is_issued_within
    assert meta is None or meta[TRACEPARENT].split("-")[1] == GIVEN.split("-")[1]


def test_a_follower_adds_spans_to_traces_and_remembers_few(known_traces: Known) -> None:
    handed = PropagatedTraces(known_traces)
    handed.receive(ring_of([5], [5]))
    handed.record_update(Advanced({"boards": 7}, (str(MATCH), "another")), 1.0, 2.0)
    for number in range(2, 5_000):
        handed.receive(Appended(number, {UUID(int=number): 1}, traces={UUID(int=number): GIVEN}))
    handed.record_update(Advanced({"boards": 8}, (str(MATCH),)), 2.0, 3.0)

    assert known_traces.begun == [("follow", GIVEN)]


def test_consequences_of_a_job_start_a_new_trace(traces: ExportedTraces) -> None:
    with activate_span(traces.begin("request", SERVER, {})) as span:
        assert trace_contexts_of([MATCH]) == {MATCH: span.traceparent}
    with job_span(traces, "bot_turn", "bot-1", {TRACEPARENT: GIVEN}), child_span("ask", {JOB: "bot_turn"}):
        assert trace_contexts_of([MATCH]) == {}
    assert trace_contexts_of([MATCH]) == {}


def test_without_a_collector_opentelemetry_is_not_imported() -> None:
    """Redis's client imports the parts it would need to measure itself; they are not ours."""
    with tracing(Settings(), "web") as traces:
        assert traces is None
    with child_span("ask", {}), job_span(None, "bot_turn", "bot-1", {}):
        assert SPAN.get() is None
    late = {
        "projections.platform.telemetry.exporting",
        "opentelemetry.sdk.trace.export",
        "opentelemetry.exporter",
        "requests",
    }
    program = f"import sys, api.app, workers.main, ops.service; sys.exit(bool({late} & sys.modules.keys()))"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_spans_are_dropped_without_blocking_if_the_collector_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    """The collector's failure and recovery are logged once each."""
    monkeypatch.setenv("OTEL_BSP_MAX_QUEUE_SIZE", "64")
    monkeypatch.setenv("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "16")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "0.05")
    with structlog.testing.capture_logs() as lines:
        traces = ExportedTraces("http://127.0.0.1:1/v1/traces", "web")
        for _ in range(2_000):
            traces.begin("request", SERVER, {}).end()
        traces._provider.force_flush()
        waiting = len(traces._provider._active_span_processor._span_processors[0]._batch_processor._queue)  # type: ignore[attr-defined]
        traces.close()

    assert waiting == 0
    assert [line["event"] for line in lines] == ["trace collector unavailable, dropping spans"]
