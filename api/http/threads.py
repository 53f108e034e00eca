"""Thread pools that keep the context of the caller, such as language and request."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class ContextThreads(ThreadPoolExecutor):
    """A thread pool that runs each function in a copy of its caller's context."""

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Submit a function, to run in a copy of the current context."""
        return super().submit(copy_context().run, partial(fn, *args, **kwargs))
