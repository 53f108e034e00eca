"""What the operator measures: how late the event loop is and how long commands hold the writer, in the Prometheus text
form, by the private socket only."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final

from litestar import MediaType, Response, get
from litestar.datastructures import State
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Gauge, Histogram, generate_latest

from api.matches.commits import Held
from api.web.errors import problems
from api.web.guards import requires_service

TICK_SECONDS: Final = 0.01
BUCKETS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)


class Metrics:
    """The service's own figures since its start."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._lag = Histogram(
            "esporles_loop_lag_seconds",
            "How much later than asked the event loop woke a task that sleeps for 10 ms",
            registry=self.registry,
            buckets=BUCKETS,
        )
        self._longest = Gauge(
            "esporles_writer_longest_seconds",
            "The longest that a command of this name has held the writer's thread",
            ["command"],
            registry=self.registry,
        )
        self._processor = Gauge(
            "esporles_writer_longest_processor_seconds",
            "The most that a processor has worked on the writer's thread for a command of this name",
            ["command"],
            registry=self.registry,
        )

        self._refused = Gauge(
            "esporles_refused_streams",
            "Matches and records found not to be what the house signed, and not served",
            registry=self.registry,
        )

    def render(self, longest: Mapping[str, Held], refused: int) -> bytes:
        """All figures; `longest` is known to the service of matches, whose thread it is, `refused` to that of the
        tree."""
        self._refused.set(refused)
        for name, held in list(longest.items()):
            self._longest.labels(name).set(held.seconds)
            self._processor.labels(name).set(held.processor)
        return generate_latest(self.registry)

    async def watch_loop(self) -> None:
        """Measures until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + TICK_SECONDS
            await asyncio.sleep(TICK_SECONDS)
            self._lag.observe(max(0.0, loop.time() - due))


@get(
    "/api/metrics", guards=[requires_service], responses=problems(401, 403), media_type=MediaType.TEXT, tags=["service"]
)
async def metrics(state: State) -> Response[bytes]:
    """The figures of this process."""
    figures: Metrics = state.metrics
    return Response(
        figures.render(state.tables.meter.longest, state.transparency.refused), media_type=CONTENT_TYPE_LATEST
    )
