"""Health checks over HTTP for processes without pages: `/api/health` and `/api/ready`, as in the service."""

import socket
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final

from projections.platform.setting_values import split_place
from projections.platform.telemetry.short_requests import REQUEST_SECONDS_MAX, ShortRequest

LIVES: Final = "/api/health"
IS_READY: Final = "/api/ready"


class Health:
    """The readiness of a process: ready from the first success until a failure."""

    def __init__(self, on_ready: Callable[[], None] = lambda: None) -> None:
        self.is_ready = False
        self._on_ready: Callable[[], None] | None = on_ready

    def succeed(self) -> None:
        """Mark the process as ready; call `on_ready` the first time only."""
        self.is_ready = True
        on_ready, self._on_ready = self._on_ready, None
        if on_ready is not None:
            on_ready()

    def fail(self) -> None:
        """Mark the process as not ready."""
        self.is_ready = False


class ShortServer(ThreadingHTTPServer):
    """An HTTP server with a thread per request that ignores broken connections."""

    request_seconds = REQUEST_SECONDS_MAX

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore a broken connection."""


class IPv6Server(ShortServer):
    """The same for IPv6."""

    address_family = socket.AF_INET6


class HealthServer:
    """An HTTP server at `HOST:PORT` in background threads; port 0 takes a free one."""

    def __init__(self, address: str, health: Health, request_seconds: float = REQUEST_SECONDS_MAX) -> None:
        host_and_port = split_place(address)
        kind = IPv6Server if ":" in host_and_port[0] else ShortServer
        self._server = kind(host_and_port, handler_class(health))
        self._server.daemon_threads = True
        self._server.request_seconds = request_seconds
        self.address: Final = f"{address.rpartition(':')[0]}:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, name="health", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop the server and wait for its thread."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def handler_class(health: Health) -> type[BaseHTTPRequestHandler]:
    """Return the request handler class for these health checks, in JSON.

    `LIVES` gives 200, `IS_READY` 200 or 503, other paths 404.
    """

    class Answers(ShortRequest):
        def do_GET(self) -> None:  # noqa: N802  (http.server calls it so)
            if self.path == LIVES:
                self._say(200, b'{"status":"ok"}')
            elif self.path == IS_READY:
                self._say(*((200, b'{"status":"ready"}') if health.is_ready else (503, b'{"status":"not ready"}')))
            else:
                self._say(404, b'{"status":"unknown path"}')

        def _say(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    return Answers
