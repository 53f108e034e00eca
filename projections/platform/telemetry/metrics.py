"""Prometheus metrics of a process, and metrics common to all processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib.metadata import version
from typing import Final

import structlog
from prometheus_client import CollectorRegistry, Gauge, disable_created_metrics, generate_latest
from prometheus_client.gc_collector import GCCollector
from prometheus_client.metrics_core import Metric
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

log = structlog.get_logger("metrics")

SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
"""Default buckets of histograms in seconds."""

# Creation times would add an unused series for every series.
disable_created_metrics()  # type: ignore[no-untyped-call]  # untyped in the library

Look = Callable[[], Iterable[Metric]]
"""Computes metrics at a scrape."""


class AtScrape(Collector):
    """Metrics that are computed when scraped.

    A failing database does not affect other metrics; the number of failures is a metric.
    """

    def __init__(self, look: Look, faults: Gauge) -> None:
        self._look = look
        self._faults = faults

    def collect(self) -> Iterable[Metric]:
        """Compute the metrics; on an error return none, count a fault and log a warning."""
        try:
            return list(self._look())
        except Exception as fault:
            self._faults.inc()
            log.warning("cannot read metrics from the database", kind=type(fault).__name__)
            return ()

    def describe(self) -> Iterable[Metric]:
        """Return nothing, so that registration computes nothing."""
        return ()


class ProcessMetrics:
    """All metrics of one process, by its role: `web`, `follower`, `worker` or `tree`."""

    def __init__(self, role: str) -> None:
        self.registry: Final = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        GCCollector(registry=self.registry)
        process = Gauge("esporles_process", "1 for every running process", ["role", "version"], registry=self.registry)
        process.labels(role, version("esporles")).set(1)
        self._faults = Gauge(
            "esporles_scrape_faults", "Failed attempts to read metrics from a database",
            registry=self.registry,
        )  # fmt: skip

    def register_at_scrape(self, look: Look) -> None:
        """Register metrics that are computed at every scrape."""
        self.registry.register(AtScrape(look, self._faults))

    def render(self) -> bytes:
        """Return the metrics in the text format."""
        return generate_latest(self.registry)
