"""HTTPS client for workers on other machines: keeps to one web host and fails over to the next."""

import socket
import ssl
from collections.abc import Sequence
from http.client import HTTPSConnection
from time import monotonic
from typing import Final
from urllib.parse import urlsplit

from workers.settings import WorkerSettings
from workers.unix_http import REQUEST_ERRORS, PersistentClient, Response

CONNECT_SECONDS_MAX: Final = 0.5
"""Timeout of connecting; a host cut off from the network does not refuse, it is silent."""
AWAY_SECONDS: Final = 2.0
"""Seconds for which an unresponsive host is tried last."""
PORT: Final = 443
UNAVAILABLE: Final = 503


class WebHostConnection(HTTPSConnection):
    """A connection whose connect timeout is shorter than its response timeout."""

    def __init__(self, host: str, port: int, seconds_max: float, context: ssl.SSLContext) -> None:
        super().__init__(host, port, timeout=seconds_max, context=context)
        self._tls = context

    def connect(self) -> None:
        """Connect over TLS within `CONNECT_SECONDS_MAX`; raise `OSError` on failure."""
        raw_socket = socket.create_connection((self.host, self.port), CONNECT_SECONDS_MAX)
        try:
            raw_socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.sock = self._tls.wrap_socket(raw_socket, server_hostname=self.host)
        except BaseException:
            raw_socket.close()
            raise
        self.sock.settimeout(self.timeout)


class WebHostClient(PersistentClient):
    """A client of one web host."""

    def __init__(self, url: str, token: str, seconds_max: float, context: ssl.SSLContext) -> None:
        parts = urlsplit(url)
        super().__init__(WebHostConnection(parts.hostname or "", parts.port or PORT, seconds_max, context), token)
        self.away_until = 0.0


class FailoverClient:
    """A client that fails over between web hosts; not thread-safe.

    Requests can be repeated on another host, because each names the version it applies to.
    """

    def __init__(self, urls: Sequence[str], token: str, seconds_max: float, context: ssl.SSLContext) -> None:
        self._clients = [WebHostClient(url, token, seconds_max, context) for url in urls]

    def request(self, method: str, path: str, body: bytes | None = None) -> Response:
        """Return the first response other than 503; otherwise return or raise the last host's.

        The host that responded last is tried first; unresponsive hosts go last for `AWAY_SECONDS`.
        """
        now = monotonic()
        # The sort is stable, so the last responsive host stays first.
        self._clients.sort(key=lambda client: client.away_until > now)
        for number, client in enumerate(self._clients, 1):
            is_last = number == len(self._clients)
            client.away_until = monotonic() + AWAY_SECONDS
            # Cleared after a response; the job's timeout may also interrupt the request.
            try:
                response = client.request(method, path, body)
            except REQUEST_ERRORS:
                if is_last:
                    raise
                continue
            if response.status != UNAVAILABLE:
                client.away_until = 0.0
                return response
            if is_last:
                return response
        raise AssertionError("there is at least one door")

    def close(self) -> None:
        """Close all connections."""
        for client in self._clients:
            client.close()


def tls_context(private: WorkerSettings) -> ssl.SSLContext:
    """Create the TLS context with the trusted authority and the client certificate, if set."""
    context = ssl.create_default_context(cafile=private.ca)
    if private.certificate is not None:
        context.load_cert_chain(private.certificate, private.key)
    return context
