"""Requests of a monitor to a log (C2SP tlog-tiles): bounded in bytes and time, without redirects."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Final
from urllib.parse import urlsplit

from domain.transparency.tiles import HEIGHT, WIDTH, Tile

CONNECT_SECONDS: Final = 10.0
ANSWER_SECONDS_MAX: Final = 30.0
"""For a whole response, however slowly its bytes arrive."""
CHECKPOINT_BYTES_MAX: Final = 100_000
BUNDLE_BYTES_MAX: Final = 2_200_000
"""256 announcements of the maximum length, each with its length."""
TILE_BYTES_MAX: Final = WIDTH * 2**HEIGHT
REASON_MAX: Final = 200
MONITORING: Final = "/tlog"
"""The path of the log, unless the address of the service has a path."""


class Unreachable(Exception):
    """The error of a log that does not return the requested data; the message gives the reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason[:REASON_MAX])


class LogClient:
    """A client of one log, over one persistent connection; not thread-safe."""

    def __init__(self, url: str, seconds: float = ANSWER_SECONDS_MAX) -> None:
        self._address, self._seconds = urlsplit(url), seconds
        self._path: Final = self._address.path.rstrip("/") or MONITORING
        self._connection: HTTPConnection | None = None

    def checkpoint(self) -> bytes:
        """Return the latest checkpoint; raise `Unreachable` otherwise, as all other methods do."""
        found = self._fetch("checkpoint", CHECKPOINT_BYTES_MAX)
        if found is None:
            raise Unreachable("the log has no checkpoint")
        return found

    def tile(self, level: int, tile: Tile) -> bytes:
        """Return a tile, or the beginning of the full one if the partial one is no longer served."""
        return self._content(f"tile/{level}", tile, TILE_BYTES_MAX)

    def bundle(self, tile: Tile) -> bytes:
        """Return the entries of a tile, or of the full one."""
        return self._content("tile/entries", tile, BUNDLE_BYTES_MAX)

    def _content(self, prefix: str, tile: Tile, limit: int) -> bytes:
        found = self._fetch(f"{prefix}/{tile.path}", limit)
        if found is None and not tile.is_full:
            found = self._fetch(f"{prefix}/{Tile(tile.number).path}", limit)
        if found is None:
            raise Unreachable(f"{prefix}/{tile.path} is missing")
        return found

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _fetch(self, path: str, limit: int) -> bytes | None:
        """Return the content of a path, or None if it is missing; repeat it once if the connection was closed."""
        is_new = self._connection is None
        try:
            return self._fetch_once(path, limit)
        except (OSError, HTTPException) as fault:
            self.close()
            if is_new or isinstance(fault, TimeoutError):
                raise Unreachable(f"{path}: {type(fault).__name__}: {fault}") from fault
        return self._fetch(path, limit)

    def _fetch_once(self, path: str, limit: int) -> bytes | None:
        if self._connection is None:
            self._connection = self._connect()
        with self._deadline(self._connection) as timed_out:
            try:
                self._connection.request("GET", f"{self._path}/{path}")
                response = self._connection.getresponse()
                content = response.read(limit + 1)
            except (OSError, HTTPException) as fault:
                if timed_out.is_set():
                    raise TimeoutError(f"no complete response within {self._seconds:.0f} seconds") from fault
                raise
        if timed_out.is_set():
            raise TimeoutError(f"no complete response within {self._seconds:.0f} seconds")
        if not response.isclosed():
            self.close()
        if response.status == 404:
            return None
        if response.status != 200:
            location = response.getheader("Location")
            raise Unreachable(f"{path}: status {response.status}{f', redirects to {location}' if location else ''}")
        if len(content) > limit:
            raise Unreachable(f"{path}: more than {limit:,} bytes")
        return content

    def _deadline(self, connection: HTTPConnection) -> Deadline:
        return Deadline(connection, self._seconds)

    def _connect(self) -> HTTPConnection:
        """Return an open connection to the log."""
        kind = HTTPSConnection if self._address.scheme == "https" else HTTPConnection
        assert self._address.hostname is not None
        seconds = min(CONNECT_SECONDS, self._seconds)
        connection = kind(self._address.hostname, self._address.port, timeout=seconds)
        connection.connect()
        connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection


class Deadline:
    """Cuts a connection after some seconds, because a socket's own timeout starts again with every byte."""

    def __init__(self, connection: HTTPConnection, seconds: float) -> None:
        self._connection, self._is_over = connection, threading.Event()
        self._timer = threading.Timer(seconds, self._cut)
        self._timer.daemon = True

    def _cut(self) -> None:
        self._is_over.set()
        if (held := self._connection.sock) is not None:
            with suppress(OSError):
                held.shutdown(socket.SHUT_RDWR)

    def __enter__(self) -> threading.Event:
        """Start the time; return an event that is set when it is over."""
        self._timer.start()
        return self._is_over

    def __exit__(self, *raised: object) -> None:
        """Stop the time."""
        self._timer.cancel()
