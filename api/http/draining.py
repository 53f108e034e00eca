"""A process that is to stop says so before it does: it is not ready any more, connections are closed after their
answer, and live streams are told to come back, which they do elsewhere."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

from api.http.app_state import AppKey

Send = Callable[[Any], Awaitable[None]]
"""The framework's own type takes a tenth of a second to import, and a service imports this before all else."""


class Draining:
    """Whether the process drains; what else has to know is told once."""

    def __init__(self) -> None:
        self.has_begun = False
        self._told = list[Callable[[], None]]()

    def tell(self, listener: Callable[[], None]) -> None:
        """Called on the event loop when it begins."""
        self._told.append(listener)

    def begin(self) -> None:
        """On the event loop; a second time is none."""
        if self.has_begun:
            return
        self.has_begun = True
        for listener in self._told:
            listener()


DRAINING: Final = AppKey[Draining]("draining")


def closing(send: Send) -> Send:
    """The same answers, after each of which the connection is closed."""

    async def send_last(message: Any) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], (b"connection", b"close")]
        await send(message)

    return send_last
