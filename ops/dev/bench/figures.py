"""A figure, its budget, and how to time: medians of several runs, because the machine is never alone."""

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
    """One line of the report. `ratio` compares with something bare measured in the same run."""

    what: str
    absolute: str
    budget: str = ""
    is_met: bool | None = None
    ratio: str = ""


class Section(msgspec.Struct, frozen=True):
    """Figures that belong together."""

    name: str
    figures: tuple[Figure, ...]


def seconds(work: Callable[[], object]) -> float:
    """How long one run takes."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def typical_seconds(work: Callable[[], object], runs: int = RUNS) -> float:
    """The median of some runs."""
    return median(seconds(work) for _ in range(runs))


def percentile(values: list[float], part: float) -> float:
    """The smallest value that at least `part` of all do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def milliseconds(value: float) -> str:
    return f"{value * 1000:.2f} ms"


def machine() -> str:
    """What these figures were measured on."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [
            line.split(":", 1)[1].strip() for line in info.read_text().splitlines() if line.startswith("model name")
        ]
        model = f"{len(names)} × {names[0]}" if names else model
    return f"{model}; Python {platform.python_version()}; {platform.system()} {platform.release()}"


def text(where: str, sections: list[Section]) -> str:
    """The report as a person reads it: ratios first, absolute figures second."""
    parts = [where]
    for section in sections:
        rows = [("", "ratio", "measured", "budget", "")]
        for figure in section.figures:
            verdict = "" if figure.is_met is None else "met" if figure.is_met else "MISSED"
            rows.append((f"  {figure.what}", figure.ratio or "-", figure.absolute, figure.budget or "-", verdict))
        parts.append(f"{section.name}\n{table(rows)}")
    return "\n\n".join(parts)
