"""Requests of monitors and balancers to a process without pages: over after a few seconds, however slow the caller."""

import socket
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from threading import Timer
from typing import Final

REQUEST_SECONDS_MAX: Final = 5.0


class ShortRequest(BaseHTTPRequestHandler):
    """One request, which is cut off when its time is over: the standard library only limits the time of each piece."""

    def setup(self) -> None:
        super().setup()
        seconds: float = getattr(self.server, "request_seconds", REQUEST_SECONDS_MAX)
        self.connection.settimeout(seconds)
        self._end = Timer(seconds, self._cut_off)
        self._end.daemon = True
        self._end.start()

    def finish(self) -> None:
        self._end.cancel()
        with suppress(OSError):
            super().finish()

    def _cut_off(self) -> None:
        with suppress(OSError):
            self.request.shutdown(socket.SHUT_RDWR)

    def log_message(self, format: str, *args: object) -> None:
        """Log no line for each request of a monitor."""
