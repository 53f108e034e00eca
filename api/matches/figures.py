"""Figures of the writer's thread for monitoring."""

from __future__ import annotations

from collections.abc import Iterable

from prometheus_client.metrics_core import GaugeMetricFamily, Metric

from api.matches.service import MatchService


def held(tables: MatchService) -> Iterable[Metric]:
    """Collect the longest time that each command has held the writer's thread."""
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
    for name, most in list(tables.writer.meter.longest.items()):
        seconds.add_metric([name], most.seconds)
        processor.add_metric([name], most.processor)
    return seconds, processor
