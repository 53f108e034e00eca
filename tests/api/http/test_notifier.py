"""Notifications wake only the subscribers of their topics."""

import asyncio
from collections.abc import Callable
from contextvars import Context
from typing import Any
from uuid import UUID

from api.http.notifier import Notifier
from projections.platform.messages import Advanced, Appended


class CountedLoop(asyncio.SelectorEventLoop):
    """An event loop that counts its wake-ups from other threads."""

    wakes = 0

    def call_soon_threadsafe(  # type: ignore[override]  # the stub has a type variable for the arguments
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        self.wakes += 1
        return super().call_soon_threadsafe(callback, *args, context=context)


def test_a_notification_without_subscribers_does_not_wake_the_loop() -> None:
    listened, other = UUID(int=1), UUID(int=2)
    unheard = (Appended(1, {other: 1}), Advanced({"lobby": 1}, (str(other),)), Advanced({"boards": 1}, ()))
    heard = (Appended(2, {other: 2, listened: 1}), Advanced({"lobby": 2}, (str(listened),)), None)

    async def story() -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, CountedLoop)
        notifier = Notifier(loop)
        with notifier.subscribe(listened, ("lobby", str(listened))):
            for notification in (*unheard, *heard, Appended(3, {}, is_cut=True)):
                notifier.receive(notification)
            await asyncio.sleep(0)
        assert loop.wakes == 4

    with asyncio.Runner(loop_factory=CountedLoop) as runner:
        runner.run(story())
