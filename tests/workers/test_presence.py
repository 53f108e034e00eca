"""Presence at tables, shared between processes by a real Valkey."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from uuid import UUID

from api.http.notifier import Notifier
from api.matches.presence import Attendance, Presence, Visit, topic_of
from projections.platform.messages import Attended, Message
from projections.platform.pubsub import PubSubClient

TABLE = UUID(int=1)
PATIENCE_SECONDS = 60.0


class Process:
    """The presence of a web process, with its channels and its connection to Valkey."""

    def __init__(self, url: str, stack: ExitStack) -> None:
        self.notifier = Notifier(asyncio.get_running_loop())
        self.presence = Presence(self.notifier, 0.0)
        self.is_connected = asyncio.Event()
        loop = asyncio.get_running_loop()

        def receive(message: Message | None) -> None:
            if isinstance(message, Attended):
                self.presence.receive(message)
            else:
                loop.call_soon_threadsafe(self.is_connected.set)

        pubsub = PubSubClient(url, (Attended,), receive)
        stack.callback(pubsub.close)
        self.presence.set_sender(pubsub.publish)

    async def sees(self, expected: Attendance) -> None:
        async with asyncio.timeout(PATIENCE_SECONDS):
            with self.notifier.subscribe(topic_of(TABLE)) as subscriber:
                while self.presence.of(TABLE) != expected:
                    await subscriber.wait(PATIENCE_SECONDS)


def test_a_page_at_one_process_is_present_at_another_until_it_closes(redis_url: str) -> None:
    async def visit_and_leave() -> None:
        with ExitStack() as stack:
            first, second = Process(redis_url, stack), Process(redis_url, stack)
            for process in (first, second):
                await process.is_connected.wait()
            with (
                first.presence.visit(TABLE, Visit("ann", "player")),
                second.presence.visit(TABLE, Visit("ben", "named")),
            ):
                first.presence.mark_typing(TABLE, "ann")
                for process in (first, second):
                    await process.sees(Attendance(("ann",), ("ben",), typing=("ann",)))
            for process in (first, second):
                await process.sees(Attendance(typing=("ann",)))

    # Another test's browser may have an event loop running in this thread.
    with ThreadPoolExecutor(1) as threads:
        threads.submit(asyncio.run, visit_and_leave()).result()
