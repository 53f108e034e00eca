"""Prometheus metrics of a web process: requests, commands, streams and event loop lag.

Every label has few values: route templates and function names.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from litestar import MediaType, Request, Response, get
from litestar.types import Scope
from prometheus_client import CONTENT_TYPE_LATEST, Counter, Gauge, Histogram
from prometheus_client.metrics_core import CounterMetricFamily, Metric
from prometheus_client.registry import Collector

from api.http.app_state import AppKey
from api.http.errors import problems
from api.http.guards import requires_service
from api.http.parts import CacheUses
from projections.platform.telemetry.metrics import SECONDS, ProcessMetrics

LAG_SAMPLE_SECONDS: Final = 0.01
LAG_BUCKETS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER_METHOD: Final = "other"
"""Label for unknown methods and routes."""


class Metrics(ProcessMetrics):
    """The metrics of the process."""

    def __init__(self) -> None:
        super().__init__("web")
        registry = self.registry
        self._lag = Histogram(
            "esporles_loop_lag_seconds",
            "Delay with which the event loop wakes a task that sleeps for 10 ms",
            registry=registry,
            buckets=LAG_BUCKETS,
        )
        self._requests = Counter(
            "esporles_requests", "Responses by route and status", ["method", "route", "status"], registry=registry
        )
        self._seconds = Histogram(
            "esporles_request_seconds",
            "Time from a request to the head of its response",
            ["method", "route"],
            registry=registry,
            buckets=SECONDS,
        )
        self._labelled: dict[tuple[str, str, int], tuple[Counter, Histogram]] = {}
        """The counters of each method, route and status, because looking up both by labels takes 3 µs."""
        self._streams = Gauge("esporles_streams", "Open live streams", registry=registry)
        self._events = Counter("esporles_stream_pieces", "Events written to live streams", registry=registry)
        self._bytes = Counter("esporles_stream_bytes", "Bytes written to live streams", registry=registry)

    def register(
        self,
        measures: Iterable[Collector],
        sources: Sequence[Callable[[], Iterable[Metric]]],
        cache_uses: Mapping[str, CacheUses],
    ) -> None:
        """Register collectors and metrics computed on each scrape. `cache_uses`: hits and misses of each cache."""
        for each in measures:
            self.registry.register(each)
        self.register_at_scrape(
            lambda: (*(metric for collect in sources for metric in collect()), *cache_metrics(cache_uses))
        )

    async def watch_loop(self) -> None:
        """Measure the event loop lag until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            wake_at = loop.time() + LAG_SAMPLE_SECONDS
            await asyncio.sleep(LAG_SAMPLE_SECONDS)
            self._lag.observe(max(0.0, loop.time() - wake_at))

    def count_response(self, scope: Scope, status: int, seconds: float) -> None:
        """Count a response and its duration by method, route and status, when its head is sent."""
        labels = *method_and_route(scope), status
        found = self._labelled.get(labels)
        if found is None:
            found = self._labelled[labels] = (self._requests.labels(*labels), self._seconds.labels(*labels[:2]))
        responses, durations = found
        responses.inc()
        durations.observe(seconds)

    def count_opened_stream(self) -> None:
        """Count an opened stream."""
        self._streams.inc()

    def count_closed_stream(self) -> None:
        """Count a closed stream."""
        self._streams.dec()

    def count_chunk(self, body: bytes) -> None:
        """Count a chunk of a stream."""
        self._events.inc()
        self._bytes.inc(len(body))


METRICS: Final = AppKey[Metrics]("metrics")


def method_of(scope: Scope) -> str:
    """Return the method, or `OTHER_METHOD` if unknown."""
    method = str(scope.get("method"))
    return method if method in METHODS else OTHER_METHOD


def method_and_route(scope: Scope) -> tuple[str, str]:
    """Return the method and route template as labels."""
    return method_of(scope), str(scope.get("path_template") or OTHER_METHOD)


def cache_metrics(cache_uses: Mapping[str, CacheUses]) -> Iterable[Metric]:
    """Yield one metric with the hits and misses of each cache."""
    family = CounterMetricFamily("esporles_cache", "Cache requests by outcome", labels=["cache", "outcome"])
    for name, uses in cache_uses.items():
        hits, misses = uses()
        family.add_metric([name, "hit"], hits)
        family.add_metric([name, "miss"], misses)
    yield family


@get(
    "/api/metrics", guards=[requires_service], responses=problems(401, 403), media_type=MediaType.TEXT, tags=["service"]
)
async def metrics(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Return the metrics of this process in the Prometheus text format."""
    return Response(await asyncio.to_thread(METRICS.of(request).render), media_type=CONTENT_TYPE_LATEST)
