"""Metrics of the writer's thread."""

from __future__ import annotations

from collections.abc import Iterable

from prometheus_client.metrics_core import GaugeMetricFamily, Metric

from api.matches.service import MatchService


def collect_command_times(matches: MatchService) -> Iterable[Metric]:
    """Collect two gauges by command: the longest wall-clock and processor seconds on the writer's thread."""
    seconds = GaugeMetricFamily(
        "esporles_writer_longest_seconds",
        "Longest time that the command occupied the writer thread",
        labels=["command"],
    )
    processor = GaugeMetricFamily(
        "esporles_writer_longest_processor_seconds",
        "Longest processor time of the command on the writer thread",
        labels=["command"],
    )
    for name, longest in list(matches.writer.meter.longest.items()):
        seconds.add_metric([name], longest.seconds)
        processor.add_metric([name], longest.processor)
    return seconds, processor
