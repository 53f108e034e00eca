"""Figures with budgets, and timing by medians of several runs, because other processes disturb single ones."""

import platform
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Final

import msgspec

from ops.console import table

RUNS: Final = 5


class Figure(msgspec.Struct, frozen=True, rename="camel"):
    """One line of the report. `ratio` compares with a bare variant measured in the same run."""

    what: str
    absolute: str
    budget: str = ""
    is_met: bool | None = None
    ratio: str = ""


class Section(msgspec.Struct, frozen=True):
    """A named group of figures."""

    name: str
    figures: tuple[Figure, ...]


def seconds(function: Callable[[], object]) -> float:
    """Return the duration of one run in seconds."""
    started = time.perf_counter()
    function()
    return time.perf_counter() - started


def typical_seconds(function: Callable[[], object], runs: int = RUNS) -> float:
    """Return the median duration of several runs."""
    return median(seconds(function) for _ in range(runs))


def percentile(values: list[float], part: float) -> float:
    """Return the smallest value that at least `part` of all values do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def milliseconds(value: float) -> str:
    """Format a duration given in seconds."""
    return f"{value * 1000:.2f} ms"


def machine() -> str:
    """Describe processor with the number of cores, Python version and operating system."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [
            line.split(":", 1)[1].strip() for line in info.read_text().splitlines() if line.startswith("model name")
        ]
        model = f"{len(names)} × {names[0]}" if names else model
    return f"{model}; Python {platform.python_version()}; {platform.system()} {platform.release()}"


def text(heading: str, sections: list[Section]) -> str:
    """Format the report as text: `heading`, then a table for each section, with ratios before absolute figures."""
    parts = [heading]
    for section in sections:
        rows = [("", "ratio", "measured", "budget", "")]
        for figure in section.figures:
            verdict = "" if figure.is_met is None else "met" if figure.is_met else "MISSED"
            rows.append((f"  {figure.what}", figure.ratio or "-", figure.absolute, figure.budget or "-", verdict))
        parts.append(f"{section.name}\n{table(rows)}")
    return "\n\n".join(parts)
