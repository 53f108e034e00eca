"""Graceful shutdown: fail the readiness check, close connections after responses, make streams reconnect."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

from api.http.app_state import AppKey

Send = Callable[[Any], Awaitable[None]]
"""The framework's type takes 0.1 s to import, and the service imports this module first."""


class Draining:
    """Whether the process is draining, with listeners that run when draining begins."""

    def __init__(self) -> None:
        self.has_begun = False
        self._listeners = list[Callable[[], None]]()

    def add_listener(self, listener: Callable[[], None]) -> None:
        """Add a listener, which is called on the event loop when draining begins."""
        self._listeners.append(listener)

    def begin(self) -> None:
        """Begin draining and call the listeners. Call on the event loop; a second call does nothing."""
        if self.has_begun:
            return
        self.has_begun = True
        for listener in self._listeners:
            listener()


DRAINING: Final = AppKey[Draining]("draining")


def close_after_response(send: Send) -> Send:
    """Wrap `send` so that the connection closes after the response (`Connection: close`)."""

    async def send_last(message: Any) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], (b"connection", b"close")]
        await send(message)

    return send_last
