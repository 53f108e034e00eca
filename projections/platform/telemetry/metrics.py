"""The figures of a process in the Prometheus form, and what those of all processes have in common."""

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
"""Bounds of the buckets of every histogram of seconds, unless it has its own."""

# When a series began would be a series of its own for each; nobody asks for it.
disable_created_metrics()  # type: ignore[no-untyped-call]  # the library left it so

Look = Callable[[], Iterable[Metric]]
"""What is found out when somebody asks for the figures."""


class AtScrape(Collector):
    """Figures that are looked up when somebody asks for them. A database that is away takes none of the others along;
    how often that happened is a figure too."""

    def __init__(self, look: Look, faults: Gauge) -> None:
        self._look = look
        self._faults = faults

    def collect(self) -> Iterable[Metric]:
        try:
            return list(self._look())
        except Exception as fault:
            self._faults.inc()
            log.warning("figures could not be looked up", kind=type(fault).__name__)
            return ()

    def describe(self) -> Iterable[Metric]:
        """Nothing is looked up before it is asked for."""
        return ()


class Figures:
    """All figures of one process, by its role: `web`, `follower`, `worker` or `tree`."""

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

    def look_up(self, look: Look) -> None:
        """From now on these are looked up at every scrape."""
        self.registry.register(AtScrape(look, self._faults))

    def render(self) -> bytes:
        """The text form."""
        return generate_latest(self.registry)
