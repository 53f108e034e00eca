"""An OTLP collector, all declared metrics of a process, and a client that sends a request byte by byte."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import cycle
from pathlib import Path
from threading import Condition, Thread
from typing import Any, Final

import msgspec
from litestar.testing import TestClient
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from prometheus_client.metrics_core import Metric
from prometheus_client.parser import text_string_to_metric_families
from redis import Redis

from api.http.metrics import METRICS
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from projections.catalogue import PROJECTIONS
from projections.loop import FollowerLoop
from projections.platform.store import ReadStore
from workers.event_duties import OrganisingDuties
from workers.matches.duties import MatchDuties
from workers.metrics import FollowerMetrics, WorkerMetrics
from workers.queues import Queues

PATIENCE_SECONDS: Final = 180.0
POLL_SECONDS: Final = 0.02
PATH: Final = "/v1/traces"


class Seen(msgspec.Struct, frozen=True):
    """A span as received."""

    process: str
    service: str
    trace: str
    id: str
    parent: str
    name: str
    kind: int
    is_failed: bool
    begun: int
    ended: int
    words: Mapping[str, str | int]


def words_of(attributes: Sequence[Any]) -> dict[str, str | int]:
    return {
        each.key: each.value.int_value if each.value.HasField("int_value") else each.value.string_value
        for each in attributes
    }


def spans_of(body: bytes) -> Iterator[Seen]:
    for sent in ExportTraceServiceRequest.FromString(body).resource_spans:
        about = words_of(sent.resource.attributes)
        for scope in sent.scope_spans:
            for span in scope.spans:
                yield Seen(
                    process=str(about["esporles.process"]),
                    service=str(about["service.name"]),
                    trace=span.trace_id.hex(),
                    id=span.span_id.hex(),
                    parent=span.parent_span_id.hex(),
                    name=span.name,
                    kind=span.kind,
                    is_failed=span.status.code == span.status.STATUS_CODE_ERROR,
                    begun=span.start_time_unix_nano,
                    ended=span.end_time_unix_nano,
                    words=words_of(span.attributes),
                )


class Collector(ThreadingHTTPServer):
    """A collector that keeps received requests and spans."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Taker)
        self.bodies: list[bytes] = []
        self.spans: list[Seen] = []
        self._changed = Condition()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def take(self, body: bytes) -> None:
        with self._changed:
            self.bodies.append(body)
            self.spans.extend(spans_of(body))
            self._changed.notify_all()

    def traces(self) -> dict[str, list[Seen]]:
        """Return all received spans by trace."""
        found: dict[str, list[Seen]] = {}
        for span in list(self.spans):
            found.setdefault(span.trace, []).append(span)
        return found

    def wait_for(self, is_wanted: Callable[[Sequence[Seen]], bool]) -> list[Seen]:
        """Return the first trace that fulfils the condition; fail on a timeout."""

        def find() -> list[Seen] | None:
            return next((trace for trace in self.traces().values() if is_wanted(trace)), None)

        with self._changed:
            found = self._changed.wait_for(find, PATIENCE_SECONDS)
        assert found, sorted({(span.process, span.name) for span in self.spans})
        return found


class Taker(BaseHTTPRequestHandler):
    """A handler of one request."""

    server: Collector

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        assert self.path == PATH
        assert self.headers["Content-Type"] == "application/x-protobuf"
        self.server.take(body)
        answer = ExportTraceServiceResponse().SerializeToString()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing."""


@contextmanager
def collecting() -> Iterator[Collector]:
    """Run a collector on a free port."""
    collector = Collector()
    thread = Thread(target=collector.serve_forever, args=(POLL_SECONDS,), name="collector", daemon=True)
    thread.start()
    try:
        yield collector
    finally:
        collector.shutdown()
        collector.server_close()
        thread.join()


LINE: Final = b"X: " + b"x" * 60_000 + b"\r\n"
"""A header of the maximum length the standard library reads; it accepts a hundred."""
BYTES_MAX: Final = 90 * len(LINE)


def is_cut_off(address: tuple[str, int]) -> bool:
    """Return whether the server ends the connection before the request is as long as it takes."""
    with socket.create_connection(address, PATIENCE_SECONDS) as slow:
        slow.sendall(b"GET / HTTP/1.1\r\n")
        try:
            for _, byte in zip(range(BYTES_MAX), cycle(LINE), strict=False):
                slow.send(bytes([byte]))
        except OSError:
            return True
    return False


LE: Final = "le"
OURS: Final = "esporles_"


def follower_figures(folder: Path, redis_url: str) -> str:
    """Return the metrics of an idle follower."""
    figures, redis = FollowerMetrics(), Redis.from_url(redis_url)
    store = ReadStore(folder / "reads.db")
    log = open_store(store_env(folder / "log.db"))
    duties, events = MatchDuties(store, Queues(redis)), OrganisingDuties(store, Queues(redis))
    figures.open(FollowerLoop(log, store, (*PROJECTIONS.values(), duties, events)), log, store, redis)
    text = figures.render().decode()
    log.close()
    store.close()
    redis.close()
    return text


def families(client: TestClient[Any], folder: Path, redis_url: str) -> dict[str, Metric]:
    """Return the service's metric families of all kinds of processes by name."""
    texts = (
        METRICS.of(client).render().decode(),
        follower_figures(folder, redis_url),
        WorkerMetrics().render().decode(),
    )
    return {
        family.name: family
        for text in texts
        for family in text_string_to_metric_families(text)
        if family.name.startswith(OURS)
    }


def series_of(family: Metric) -> set[str]:
    """Return the names under which a family is queried."""
    name = family.name
    if family.type == "counter":
        return {f"{name}_total"}
    if family.type == "histogram":
        return {f"{name}_bucket", f"{name}_count", f"{name}_sum"}
    if family.type == "summary":
        return {f"{name}_count", f"{name}_sum"}
    return {name}


def names_in(text: str) -> set[str]:
    """Return all metric names of the service in a text."""
    return set(re.findall(r"\besporles_[a-z_]+", text))
