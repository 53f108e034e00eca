"""Requests to a log (C2SP tlog-tiles): bounded in bytes and time, without redirects."""

from __future__ import annotations

from http.client import HTTPException
from typing import Final
from urllib.parse import urlsplit

from api.transparency.http_client import PersistentConnection
from domain.proofs.key_history import HISTORY_BYTES_MAX
from domain.transparency.tiles import HEIGHT, WIDTH, Tile

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
        self._path: Final = urlsplit(url).path.rstrip("/") or MONITORING
        self._connection: Final = PersistentConnection(url, seconds)

    def checkpoint(self) -> bytes:
        """Return the latest checkpoint; raise `Unreachable` otherwise, as all other methods do."""
        found = self._fetch("checkpoint", CHECKPOINT_BYTES_MAX)
        if found is None:
            raise Unreachable("the log has no checkpoint")
        return found

    def keys(self) -> bytes:
        """Return the history of the log's keys."""
        found = self._fetch("keys", HISTORY_BYTES_MAX)
        if found is None:
            raise Unreachable("the log has no history of keys")
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
        self._connection.close()

    def _fetch(self, path: str, limit: int) -> bytes | None:
        """Return the content of a path, or None if it is missing."""
        try:
            response = self._connection.send("GET", f"{self._path}/{path}", limit)
        except (OSError, HTTPException) as fault:
            raise Unreachable(f"{path}: {type(fault).__name__}: {fault}") from fault
        if response.status == 404:
            return None
        if response.status != 200:
            redirected = f", redirects to {response.location}" if response.location else ""
            raise Unreachable(f"{path}: status {response.status}{redirected}")
        if len(response.body) > limit:
            raise Unreachable(f"{path}: more than {limit:,} bytes")
        return response.body
