"""What the benchmarks expect of La Granja."""

from typing import Final

VERIFY_FLOOR: Final = (40, 60)
"""Logs of random matches verified a second of one processor, at least and as aimed at."""
