"""HTTP over TLS to the doors of web hosts: how workers of another machine reach the service. Of several hosts the one
that answers is kept; while one is away the next is asked."""

import socket
import ssl
from collections.abc import Sequence
from http.client import HTTPSConnection
from time import monotonic
from typing import Final
from urllib.parse import urlsplit

from workers.private import Private
from workers.unix_http import NO_ANSWER, Answer, KeptClient

CONNECT_SECONDS_MAX: Final = 0.5
"""A host that is cut off does not refuse: it is silent."""
AWAY_SECONDS: Final = 2.0
"""A host that did not answer is asked last for so long."""
PORT: Final = 443
UNAVAILABLE: Final = 503


class DoorConnection(HTTPSConnection):
    """A connection of the standard library that gives up a silent host sooner than a slow answer."""

    def __init__(self, host: str, port: int, seconds_max: float, context: ssl.SSLContext) -> None:
        super().__init__(host, port, timeout=seconds_max, context=context)
        self._tls = context

    def connect(self) -> None:
        plain = socket.create_connection((self.host, self.port), CONNECT_SECONDS_MAX)
        try:
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.sock = self._tls.wrap_socket(plain, server_hostname=self.host)
        except BaseException:
            plain.close()
            raise
        self.sock.settimeout(self.timeout)


class DoorClient(KeptClient):
    """Requests at one door."""

    def __init__(self, url: str, token: str, seconds_max: float, context: ssl.SSLContext) -> None:
        parts = urlsplit(url)
        super().__init__(DoorConnection(parts.hostname or "", parts.port or PORT, seconds_max, context), token)
        self.away_until = 0.0


class DoorClients:
    """Requests at whichever of several doors answers; not for several threads. Every request names the version it is
    meant for, so that one whose answer was lost may be made again elsewhere."""

    def __init__(self, urls: Sequence[str], token: str, seconds_max: float, context: ssl.SSLContext) -> None:
        self._clients = [DoorClient(url, token, seconds_max, context) for url in urls]

    def request(self, method: str, path: str, body: bytes | None = None) -> Answer:
        """The first answer that is not "not now"; else the last of these, or one of `NO_ANSWER`."""
        now = monotonic()
        # A stable order: the host that answered last is asked first as long as it does.
        self._clients.sort(key=lambda client: client.away_until > now)
        for number, client in enumerate(self._clients, 1):
            is_last = number == len(self._clients)
            client.away_until = monotonic() + AWAY_SECONDS
            # Until it has answered: the alarm of a job, too, may end the waiting.
            try:
                answer = client.request(method, path, body)
            except NO_ANSWER:
                if is_last:
                    raise
                continue
            if answer.status != UNAVAILABLE:
                client.away_until = 0.0
                return answer
            if is_last:
                return answer
        raise AssertionError("there is at least one door")

    def close(self) -> None:
        for client in self._clients:
            client.close()


def client_context(private: Private) -> ssl.SSLContext:
    """Which doors a worker believes, and what it shows them."""
    context = ssl.create_default_context(cafile=private.ca)
    if private.certificate is not None:
        context.load_cert_chain(private.certificate, private.key)
    return context
