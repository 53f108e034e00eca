"""Throughput targets of the benchmarks for El Grande."""

from typing import Final

MATCHES_FLOOR: Final = (200, 500)
"""Complete random four-player matches per second: minimum and target.

A public engine with incomplete rules, mutable arrays and no log reaches 60 to 75.
"""

VERIFY_FLOOR: Final = (100, 150)
"""Logs of random matches verified per second and CPU: minimum and target."""
