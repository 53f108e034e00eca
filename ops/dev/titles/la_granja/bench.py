"""What the benchmarks expect of La Granja."""

from typing import Final

MATCHES_FLOOR: Final = (45, 100)
"""Whole random four-player matches a second, at least and as aimed at."""

VERIFY_FLOOR: Final = (40, 60)
"""Logs of random matches verified a second of one processor, at least and as aimed at."""
