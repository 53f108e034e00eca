"""Count work by function calls, so that a test can compare two sizes of an input without a clock."""

from __future__ import annotations

import sys
import threading
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


class ThreadWork:
    """Calls in every thread that starts while this is open; they are counted inside `counted` only.

    `beside`: names of threads that are left out, because their work is not a part of any request.
    """

    def __init__(self, beside: frozenset[str]) -> None:
        self._work: Work | None = None
        self._beside = beside

    def __enter__(self) -> ThreadWork:
        threading.setprofile(self._begin)
        return self

    def _begin(self, *_: object) -> None:
        """Decide for a new thread, which calls this first."""
        sys.setprofile(None if threading.current_thread().name in self._beside else self._profile)

    def __exit__(self, *_: object) -> None:
        threading.setprofile(None)

    def _profile(self, _: Any, event: str, __: Any) -> None:
        if self._work is not None and event in {"call", "c_call"}:
            self._work.calls += 1

    @contextmanager
    def counted(self) -> Iterator[Work]:
        """Count the calls of the block in these threads."""
        self._work = work = Work()
        try:
            yield work
        finally:
            self._work = None
