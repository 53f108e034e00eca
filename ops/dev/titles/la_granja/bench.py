"""Throughput targets of the benchmarks for La Granja."""

from typing import Final

MATCHES_FLOOR: Final = (45, 100)
"""Complete random four-player matches per second: minimum and target."""

VERIFY_FLOOR: Final = (40, 60)
"""Logs of random matches verified per second and CPU: minimum and target."""
