"""Where a process answers with its figures: one listener for each, on a private socket or a port."""

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
from projections.platform.telemetry.metrics import Figures
from projections.platform.telemetry.short_requests import REQUEST_SECONDS_MAX, ShortRequest

PATH: Final = "/metrics"


class Scraped(ShortRequest):
    """Answers one request."""

    server_version, sys_version = "esporles", ""
    server: FigureServer

    def do_GET(self) -> None:  # noqa: N802  (http.server calls it so)
        """The figures; everything else is not there."""
        is_here = self.path.partition("?")[0] == PATH
        content = self.server.figures.render() if is_here else b"the figures are at /metrics\n"
        self.send_response(200 if is_here else 404)
        self.send_header("Content-Type", CONTENT_TYPE_LATEST if is_here else "text/plain")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def address_string(self) -> str:
        """A private socket has none."""
        return ""


class FigureServer(TCPServer):
    """One request after the other, on one thread: what figures are looked up with is made once."""

    allow_reuse_address = True

    def __init__(self, address: str, figures: Figures, request_seconds: float = REQUEST_SECONDS_MAX) -> None:
        self.request_seconds: Final = request_seconds
        self.figures = figures
        where = split_listener(address)
        self.path = where if isinstance(where, Path) else None
        if isinstance(where, Path):
            self.address_family = socket.AF_UNIX
            where.unlink(missing_ok=True)
        elif ":" in where[0]:
            self.address_family = socket.AF_INET6
        super().__init__(where if isinstance(where, tuple) else str(where), Scraped)  # type: ignore[arg-type]  # unix
        if self.path is not None:
            self.path.chmod(0o600)

    def get_request(self) -> tuple[Any, Any]:
        """Of a private socket nobody has an address."""
        request, address = super().get_request()
        return request, address or ("", 0)

    def handle_error(self, request: object, client_address: object) -> None:
        """Whoever asked has gone; there is nothing to do."""

    @property
    def address(self) -> str:
        """Where it listens, with the port that was free where any was asked for."""
        if self.path is not None:
            return f"{UNIX}{self.path}"
        host, port = self.socket.getsockname()[:2]
        return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


@contextmanager
def exposed(address: str, figures: Figures) -> Iterator[BaseServer | None]:
    """The figures can be asked for at this address until the end of the block; at none where it is empty."""
    if not address:
        yield None
        return
    server = FigureServer(address, figures)
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
