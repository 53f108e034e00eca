"""The figures of a web process: what it answered and how soon, what it stored, who looks on, how late its loop is.

Every label has few values: routes by their templates, commands by the functions that they are.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from time import time
from typing import Any, Final

from litestar import MediaType, Request, Response, get
from litestar.types import Scope
from prometheus_client import CONTENT_TYPE_LATEST, Counter, Gauge, Histogram
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric

from api.matches.service import MatchService
from api.notifications.service import NotificationService
from api.transparency.service import TransparencyService
from api.web.app_state import AppKey
from api.web.errors import problems
from api.web.guards import requires_service
from api.web.parts import Uses
from projections.platform.telemetry.metrics import SECONDS, Figures

TICK_SECONDS: Final = 0.01
LAG_BUCKETS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER: Final = "other"
"""How a method is called that is none, and the route of an address that is nowhere."""


class Metrics(Figures):
    """The service's own figures since its start."""

    def __init__(self) -> None:
        super().__init__("web")
        registry = self.registry
        self._lag = Histogram(
            "esporles_loop_lag_seconds",
            "How much later than asked the event loop woke a task that sleeps for 10 ms",
            registry=registry,
            buckets=LAG_BUCKETS,
        )
        self._requests = Counter(
            "esporles_requests", "Answers by route and status", ["method", "route", "status"], registry=registry
        )
        self._seconds = Histogram(
            "esporles_request_seconds",
            "From a request to the head of its answer",
            ["method", "route"],
            registry=registry,
            buckets=SECONDS,
        )
        self._streams = Gauge("esporles_streams", "Live streams that are open", registry=registry)
        self._pieces = Counter("esporles_stream_pieces", "Pieces written to live streams", registry=registry)
        self._bytes = Counter("esporles_stream_bytes", "Bytes written to live streams", registry=registry)

    def open(
        self,
        tables: MatchService,
        transparency: TransparencyService,
        notifications: NotificationService,
        used: Mapping[str, Uses],
    ) -> None:
        """From now on there are figures of these too; `used`: how often a cache had what was asked of it."""
        for each in tables.meter.measures:
            self.registry.register(each)
        self.look_up(lambda: (*held(tables), *tree(transparency), *outbox(notifications), *caches(used)))

    async def watch_loop(self) -> None:
        """Measures until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + TICK_SECONDS
            await asyncio.sleep(TICK_SECONDS)
            self._lag.observe(max(0.0, loop.time() - due))

    def count(self, scope: Scope, status: int, seconds: float) -> None:
        """One answer, as its head is sent."""
        method, route = method_and_route(scope)
        self._requests.labels(method, route, status).inc()
        self._seconds.labels(method, route).observe(seconds)

    def enter(self) -> None:
        """A stream has begun."""
        self._streams.inc()

    def leave(self) -> None:
        """A stream has ended."""
        self._streams.dec()

    def write(self, body: bytes) -> None:
        """A piece of a stream."""
        self._pieces.inc()
        self._bytes.inc(len(body))


METRICS: Final = AppKey[Metrics]("metrics")


def method_of(scope: Scope) -> str:
    """One of few words."""
    method = str(scope.get("method"))
    return method if method in METHODS else OTHER


def method_and_route(scope: Scope) -> tuple[str, str]:
    """A request by two words, of which there are few."""
    return method_of(scope), str(scope.get("path_template") or OTHER)


def held(tables: MatchService) -> Iterable[Metric]:
    """How long commands have held the writer's thread at the most."""
    seconds = GaugeMetricFamily(
        "esporles_writer_longest_seconds",
        "The longest that a command of this name has held the writer's thread",
        labels=["command"],
    )
    processor = GaugeMetricFamily(
        "esporles_writer_longest_processor_seconds",
        "The most that a processor has worked on the writer's thread for a command of this name",
        labels=["command"],
    )
    for name, most in list(tables.meter.longest.items()):
        seconds.add_metric([name], most.seconds)
        processor.add_metric([name], most.processor)
    return seconds, processor


def tree(transparency: TransparencyService) -> Iterable[Metric]:
    """How large the tree is and how much of it is signed; where it is not served, that alone."""
    yield GaugeMetricFamily(
        "esporles_refused_streams",
        "Matches and records found not to be what the house signed, and not served",
        value=transparency.refused,
    )
    standing = transparency.standing()
    yield GaugeMetricFamily("esporles_tree_served", "1 while the tree is served", value=standing is not None)
    if standing is None:
        return
    yield GaugeMetricFamily("esporles_tree_leaves", "Leaves of the tree", value=standing.leaves)
    yield GaugeMetricFamily("esporles_tree_signed_leaves", "Leaves under the newest checkpoint", value=standing.signed)
    yield GaugeMetricFamily(
        "esporles_tree_signed_timestamp_seconds", "When the newest checkpoint was signed", value=standing.at / 1e6
    )


def outbox(notifications: NotificationService) -> Iterable[Metric]:
    """What people are to be told and have not been yet, by way; nothing of ways that are not set."""
    waiting = GaugeMetricFamily("esporles_outbox_waiting", "Messages that are due and not handed over", labels=["way"])
    oldest = GaugeMetricFamily(
        "esporles_outbox_oldest_seconds", "For how long the oldest of them has been due", labels=["way"]
    )
    resting = GaugeMetricFamily(
        "esporles_outbox_resting", "1 while nothing is handed over, for the server of the way is away", labels=["way"]
    )
    now = time()
    for each in notifications.standings():
        waiting.add_metric([each.way], each.waiting)
        oldest.add_metric([each.way], max(0.0, now - each.oldest / 1e6) if each.waiting else 0.0)
        resting.add_metric([each.way], float(each.rests_until / 1e6 > now))
    return waiting, oldest, resting


def caches(used: Mapping[str, Uses]) -> Iterable[Metric]:
    """How often what was asked for had been made already."""
    family = CounterMetricFamily(
        "esporles_cache", "What was asked of a cache, by whether it was there", labels=["cache", "outcome"]
    )
    for name, uses in used.items():
        hits, misses = uses()
        family.add_metric([name, "hit"], hits)
        family.add_metric([name, "miss"], misses)
    yield family


@get(
    "/api/metrics", guards=[requires_service], responses=problems(401, 403), media_type=MediaType.TEXT, tags=["service"]
)
async def metrics(request: Request[Any, Any, Any]) -> Response[bytes]:
    """The figures of this process."""
    return Response(await asyncio.to_thread(METRICS.of(request).render), media_type=CONTENT_TYPE_LATEST)
