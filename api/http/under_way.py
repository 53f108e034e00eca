"""The requests that are being answered, so that what can wait lets them pass. A live stream is under way only until it
begins."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from api.http.app_state import AppKey


class UnderWay:
    """How many requests there are whose answer has not come to its end."""

    def __init__(self) -> None:
        self.count = 0
        self._none = asyncio.Event()
        self._none.set()

    def begin(self) -> None:
        """One more."""
        self.count += 1
        self._none.clear()

    def end(self) -> None:
        """One less."""
        assert self.count, "what ends has begun"
        self.count -= 1
        if not self.count:
            self._none.set()

    async def passed(self, seconds: float) -> float:
        """Lets the event loop go round once, and waits until none is under way, so long at most; how long it was."""
        await asyncio.sleep(0)
        if not self.count or seconds <= 0:
            return 0.0
        loop = asyncio.get_running_loop()
        begun = loop.time()
        with suppress(TimeoutError):
            async with asyncio.timeout_at(begun + seconds):
                await self._none.wait()
        return loop.time() - begun


UNDER_WAY: Final = AppKey[UnderWay]("under_way")
