"""Requests in progress, so that less urgent work can wait for them. Streams count until they begin."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from api.http.app_state import AppKey


class RequestsInProgress:
    """The number of requests in progress."""

    def __init__(self) -> None:
        self.count = 0
        self._is_idle = asyncio.Event()
        self._is_idle.set()

    def begin(self) -> None:
        """Count a request."""
        self.count += 1
        self._is_idle.clear()

    def end(self) -> None:
        """Stop counting a request; when none is left, wake `wait_until_idle`."""
        assert self.count, "what ends has begun"
        self.count -= 1
        if not self.count:
            self._is_idle.set()

    async def wait_until_idle(self, seconds: float) -> float:
        """Yield to the event loop, wait up to `seconds` for requests in progress, and return the seconds waited."""
        await asyncio.sleep(0)
        if not self.count or seconds <= 0:
            return 0.0
        loop = asyncio.get_running_loop()
        started = loop.time()
        with suppress(TimeoutError):
            async with asyncio.timeout_at(started + seconds):
                await self._is_idle.wait()
        return loop.time() - started


REQUESTS_IN_PROGRESS: Final = AppKey[RequestsInProgress]("under_way")
