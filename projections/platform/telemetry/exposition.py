"""The HTTP endpoint of a process's metrics, on a private socket or a port."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from socketserver import BaseServer, TCPServer
from threading import Thread
from typing import Any, Final

from prometheus_client import CONTENT_TYPE_LATEST

from projections.platform.setting_values import UNIX, split_listener
from projections.platform.telemetry.metrics import ProcessMetrics
from projections.platform.telemetry.short_requests import REQUEST_SECONDS_MAX, ShortRequest

PATH: Final = "/metrics"


class MetricsHandler(ShortRequest):
    """A handler of one request."""

    server_version, sys_version = "esporles", ""
    server: MetricsServer

    def do_GET(self) -> None:  # noqa: N802  (http.server calls it so)
        """Respond with the metrics, or 404 for other paths."""
        is_here = self.path.partition("?")[0] == PATH
        content = self.server.figures.render() if is_here else b"the figures are at /metrics\n"
        self.send_response(200 if is_here else 404)
        self.send_header("Content-Type", CONTENT_TYPE_LATEST if is_here else "text/plain")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def address_string(self) -> str:
        """Return an empty string, because a unix socket has no address."""
        return ""


class MetricsServer(TCPServer):
    """A single-threaded server, so that connections used by metrics are opened once."""

    allow_reuse_address = True

    def __init__(self, address: str, figures: ProcessMetrics, request_seconds: float = REQUEST_SECONDS_MAX) -> None:
        self.request_seconds: Final = request_seconds
        self.figures = figures
        listener = split_listener(address)
        self.path = listener if isinstance(listener, Path) else None
        if isinstance(listener, Path):
            self.address_family = socket.AF_UNIX
            listener.unlink(missing_ok=True)
        elif ":" in listener[0]:
            self.address_family = socket.AF_INET6
        super().__init__(listener if isinstance(listener, tuple) else str(listener), MetricsHandler)  # type: ignore[arg-type]  # unix socket
        if self.path is not None:
            self.path.chmod(0o600)

    def get_request(self) -> tuple[Any, Any]:
        """Accept a connection, with a placeholder address for unix sockets."""
        request, address = super().get_request()
        return request, address or ("", 0)

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore a client that disconnected."""

    @property
    def address(self) -> str:
        """The address it listens on, `HOST:PORT` with the actual port, or the URL of a unix socket."""
        if self.path is not None:
            return f"{UNIX}{self.path}"
        host, port = self.socket.getsockname()[:2]
        return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


@contextmanager
def serve_metrics(address: str, figures: ProcessMetrics) -> Iterator[BaseServer | None]:
    """Serve metrics at the address in a thread while the context is active; do nothing if it is empty.

    A unix socket is removed at the end.
    """
    if not address:
        yield None
        return
    server = MetricsServer(address, figures)
    thread = Thread(target=server.serve_forever, name="metrics", daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
        with suppress(OSError):
            if server.path is not None:
                server.path.unlink(missing_ok=True)
