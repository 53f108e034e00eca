"""Count work by function calls, so that a test can compare two sizes of an input without a clock."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

GROWTH_MAX: Final = 2.2
"""Twice the input makes at most this many times the work."""


class Work:
    """The number of calls of Python and C functions in one thread."""

    calls = 0


@contextmanager
def counted() -> Iterator[Work]:
    """Count the calls of the block in this thread."""
    work = Work()

    def profile(_: Any, event: str, __: Any) -> None:
        if event in {"call", "c_call"}:
            work.calls += 1

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        yield work
    finally:
        sys.setprofile(before)


def growth(do: Callable[[int], object], count: int) -> float:
    """Return how many times the calls of `do(count)` `do(2 * count)` makes, after a first run that fills caches."""
    do(count)
    with counted() as once:
        do(count)
    with counted() as twice:
        do(2 * count)
    return twice.calls / once.calls
