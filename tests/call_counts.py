"""Measurement of work by function calls, to compare two input sizes without a clock."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

GROWTH_MAX: Final = 2.2
"""Maximum ratio of work for twice the input."""


class Work:
    """The number of calls of Python and C functions in one thread."""

    calls = 0


@contextmanager
def count_calls() -> Iterator[Work]:
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
    """Return the ratio of calls in `do(2 * count)` and `do(count)`, after a first run that fills caches."""
    do(count)
    with count_calls() as once:
        do(count)
    with count_calls() as twice:
        do(2 * count)
    return twice.calls / once.calls


class ThreadWork:
    """Calls in every thread that starts while this is open, counted only inside `count_calls`.

    `beside`: names of threads to exclude, because their work belongs to no request.
    """

    def __init__(self, beside: frozenset[str]) -> None:
        self._work: Work | None = None
        self._beside = beside

    def __enter__(self) -> ThreadWork:
        threading.setprofile(self._begin)
        return self

    def _begin(self, *_: object) -> None:
        """Decide whether to count a new thread; called first in it."""
        sys.setprofile(None if threading.current_thread().name in self._beside else self._profile)

    def __exit__(self, *_: object) -> None:
        threading.setprofile(None)

    def _profile(self, _: Any, event: str, __: Any) -> None:
        if self._work is not None and event in {"call", "c_call"}:
            self._work.calls += 1

    @contextmanager
    def count_calls(self) -> Iterator[Work]:
        """Count the calls of the block in these threads."""
        self._work = work = Work()
        try:
            yield work
        finally:
            self._work = None
