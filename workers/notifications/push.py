"""Web push delivery: encrypted for the browser, sent only to public addresses.

The host name is resolved once and the request goes to the checked address, which prevents DNS rebinding. Redirects are
not followed.
"""

from __future__ import annotations

import os
import socket
import ssl
from base64 import urlsafe_b64decode
from collections.abc import Callable, Collection, Sequence
from functools import partial
from http.client import HTTPException, HTTPSConnection
from ipaddress import ip_address
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

import http_ece
import structlog
from cryptography.hazmat.primitives.asymmetric import ec

from domain.notifications.endpoints import Endpoint, EndpointRefused, is_public, read_endpoint
from workers.notifications.service import Outcome, Push

SECONDS_MAX: Final = 10.0
"""Timeout in seconds; the message is retried later."""
GONE: Final = frozenset({404, 410})
"""The subscription was cancelled or has expired (RFC 8030, 7.3)."""
LATER: Final = frozenset({408, 425, 429})
ANSWER_BYTES_MAX: Final = 4_096

logger = structlog.get_logger("notifications")


class Network(NamedTuple):
    """Functions to resolve names and open connections."""

    resolve: Callable[[str, int], Sequence[Any]] = partial(socket.getaddrinfo, type=socket.SOCK_STREAM)
    connect: Callable[[tuple[str, int], float], socket.socket] = socket.create_connection


INTERNET: Final = Network()


class PinnedConnection(HTTPSConnection):
    """A connection to a checked address that verifies the certificate of the host name."""

    def __init__(self, endpoint: Endpoint, address: str, context: ssl.SSLContext, network: Network) -> None:
        super().__init__(endpoint.host, endpoint.port, timeout=SECONDS_MAX, context=context)
        self._address = address
        self._secure = context
        self._network = network

    def connect(self) -> None:
        """Connect to the address over TLS."""
        raw_socket = self._network.connect((self._address, self.port), SECONDS_MAX)
        self.sock = self._secure.wrap_socket(raw_socket, server_hostname=self.host)


def address_of(endpoint: Endpoint, allowed_addresses: Collection[str], network: Network) -> str:
    """Return the first address of the host; raise `EndpointRefused` if any of its addresses is not public.

    Endpoints in `allowed_addresses` may be anywhere. Raise `OSError` if the host is unknown.
    """
    try:
        found = network.resolve(endpoint.host, endpoint.port)
    except (OSError, UnicodeError) as fault:
        raise OSError(f"unknown host {endpoint.host}: {type(fault).__name__}") from None
    addresses = [str(each[4][0]).partition("%")[0] for each in found]
    if endpoint.address not in allowed_addresses and not all(is_public(ip_address(each)) for each in addresses):
        raise EndpointRefused(f"the push service {endpoint.host} is not on the public internet")
    return addresses[0]


class Pusher:
    """A client of push services; services in `allowed_addresses` may be in a private network."""

    def __init__(self, allowed_addresses: Collection[str], network: Network = INTERNET) -> None:
        self._allowed_addresses = frozenset(allowed_addresses)
        self._network = network
        self._context = ssl.create_default_context()

    def send(self, push: Push) -> Outcome:
        """Send a push message and return the outcome; failures are logged, not raised.

        "gone": refused or expired endpoint, or bad keys; "later": try again; "refused": any other status. The
        endpoint is a secret of the browser, so logs contain only its host.
        """
        host = ""
        try:
            endpoint = read_endpoint(push.endpoint, self._allowed_addresses)
            host = endpoint.host
            status = self._send(endpoint, address_of(endpoint, self._allowed_addresses, self._network), push)
        except EndpointRefused as error:
            logger.warning("push endpoint not allowed", reason=str(error))
            return "gone"
        except (OSError, HTTPException) as fault:
            logger.info("push service not responding", host=host, reason=type(fault).__name__)
            return "later"
        except ValueError:
            logger.warning("cannot encrypt a push message", host=host)
            return "gone"
        if 200 <= status < 300:
            return "sent"
        if status in GONE:
            return "gone"
        logger.info("push service rejected a message", host=host, status=status)
        return "later" if status >= 500 or status in LATER else "refused"

    def _send(self, endpoint: Endpoint, address: str, push: Push) -> int:
        """Post the encrypted message to this address of the endpoint, and return the status."""
        parts = urlsplit(endpoint.url)
        target = parts.path or "/"
        connection = PinnedConnection(endpoint, address, self._context, self._network)
        try:
            connection.request(
                "POST",
                f"{target}?{parts.query}" if parts.query else target,
                encrypt_payload(push),
                {
                    "TTL": str(push.seconds),
                    "Urgency": push.urgency,
                    "Topic": push.topic,
                    "Content-Type": "application/octet-stream",
                    "Content-Encoding": "aes128gcm",
                    "Authorization": push.authorization,
                },
            )
            response = connection.getresponse()
            response.read(ANSWER_BYTES_MAX)
            return response.status
        finally:
            connection.close()


def encrypt_payload(push: Push) -> bytes:
    """Encrypt the payload for the browser (RFC 8291); raise `ValueError` for bad keys."""
    body: bytes = http_ece.encrypt(
        push.payload.encode(),
        salt=os.urandom(16),
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=decode_base64url(push.p256dh),
        auth_secret=decode_base64url(push.auth),
        version="aes128gcm",
    )
    return body


def decode_base64url(encoded: str) -> bytes:
    """Decode base64url without padding."""
    encoded = encoded.rstrip("=")
    return urlsafe_b64decode(f"{encoded}{'=' * (-len(encoded) % 4)}")
