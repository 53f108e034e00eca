"""What the benchmarks expect of El Grande."""

from typing import Final

MATCHES_FLOOR: Final = (200, 500)
"""Whole random four-player matches a second, at least and as aimed at: a public engine with incomplete rules, mutable
arrays and no log does 60 to 75."""

VERIFY_FLOOR: Final = (100, 150)
"""Logs of random matches verified a second of one processor, at least and as aimed at."""
