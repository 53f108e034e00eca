"""Threads beside the event loop that work in the context of who asked: in their language, for their request."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class ContextThreads(ThreadPoolExecutor):
    """A pool of threads; each piece of work runs in a copy of its sender's context."""

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        return super().submit(copy_context().run, partial(fn, *args, **kwargs))
