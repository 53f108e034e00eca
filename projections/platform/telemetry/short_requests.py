"""HTTP requests of monitors and load balancers, limited to a few seconds in total."""

import socket
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from threading import Timer
from typing import Final

REQUEST_SECONDS_MAX: Final = 5.0


class ShortRequest(BaseHTTPRequestHandler):
    """A request handler with a total timeout; the standard library only limits each read."""

    def setup(self) -> None:
        """Start the timer that ends the connection, by default after `REQUEST_SECONDS_MAX`."""
        super().setup()
        seconds: float = getattr(self.server, "request_seconds", REQUEST_SECONDS_MAX)
        self.connection.settimeout(seconds)
        self._end = Timer(seconds, self._cut_off)
        self._end.daemon = True
        self._end.start()

    def finish(self) -> None:
        """Stop the timer; a connection that is lost by now is no error."""
        self._end.cancel()
        with suppress(OSError):
            super().finish()

    def _cut_off(self) -> None:
        with suppress(OSError):
            self.request.shutdown(socket.SHUT_RDWR)

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing for requests of monitors."""
