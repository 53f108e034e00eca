"""Servers that accept the service's deliveries and record arrival times: mail by SMTP, pushes by HTTPS."""

import json
import os
import socketserver
import ssl
import threading
import time
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from ops.certificates import Authority

LOOPBACK: Final = "127.0.0.1"
CERTIFICATES_VARIABLE: Final = "SSL_CERT_FILE"


class MailSink(socketserver.ThreadingTCPServer):
    """An SMTP server that accepts every mail and records its arrival time."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, port: int = 0) -> None:
        super().__init__((LOOPBACK, port), MailHandler)
        self.letters = list[tuple[float, bytes]]()

    @property
    def port(self) -> int:
        """Return the port it listens on."""
        return int(self.server_address[1])


class MailHandler(socketserver.StreamRequestHandler):
    """One SMTP connection, with only the commands that our client uses."""

    server: MailSink

    def handle(self) -> None:
        """Answer commands until QUIT or the end of the connection."""
        self.wfile.write(b"220 here\r\n")
        while line := self.rfile.readline():
            verb = line[:4].upper()
            if verb == b"DATA":
                self.wfile.write(b"354 go on\r\n")
                letter = b"".join(iter(self.rfile.readline, b".\r\n"))
                self.server.letters.append((time.monotonic(), letter))
            self.wfile.write(b"221 bye\r\n" if verb == b"QUIT" else b"250 fine\r\n")
            if verb == b"QUIT":
                return


@contextmanager
def mail_sink(port: int = 0) -> Iterator[MailSink]:
    """Run an SMTP server in a thread until the context ends; port 0 takes a free one."""
    with MailSink(port) as sink:
        threading.Thread(target=sink.serve_forever, daemon=True).start()
        yield sink
        sink.shutdown()


class PushSink(ThreadingHTTPServer):
    """A push service with one key pair for all subscriptions; `folder / "ca.pem"` is its certificate authority."""

    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        super().__init__((LOOPBACK, 0), PushHandler)
        files = Authority(folder).certificate_of("here", LOOPBACK)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(files.certificate, files.key)
        self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
        self.ca = files.ca
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._auth = b"sixteen bytes..."
        self._pushes = list[tuple[float, bytes]]()

    @property
    def host_and_port(self) -> str:
        """Return host and port."""
        return f"{LOOPBACK}:{self.server_port}"

    def subscription(self, number: int) -> dict[str, str]:
        """Return the subscription of a device, by number."""
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {
            "endpoint": f"https://{self.host_and_port}/{number}",
            "p256dh": base64url(point),
            "auth": base64url(self._auth),
        }

    def record(self, body: bytes) -> None:
        """Record the arrival of an encrypted push."""
        self._pushes.append((time.monotonic(), body))

    def arrivals(self) -> Iterator[tuple[float, str]]:
        """Yield each push's arrival time and the URL in its message.

        Pushes are decrypted here rather than on arrival, so that decryption does not delay the sender.
        """
        for arrived_at, body in list(self._pushes):
            content = http_ece.decrypt(body, private_key=self._key, auth_secret=self._auth, version="aes128gcm")
            yield arrived_at, str(json.loads(content)["url"])


class PushHandler(BaseHTTPRequestHandler):
    """One request of the service."""

    server: PushSink

    def do_POST(self) -> None:
        """Record the body and respond 201."""
        self.server.record(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(201)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Log nothing."""


def base64url(raw: bytes) -> str:
    """Encode bytes in unpadded URL-safe Base64."""
    return urlsafe_b64encode(raw).decode().rstrip("=")


@contextmanager
def push_sink(folder: Path) -> Iterator[PushSink]:
    """Run a push service in a thread; processes started inside the block trust its certificate."""
    previous = os.environ.get(CERTIFICATES_VARIABLE)
    with PushSink(folder) as sink:
        threading.Thread(target=sink.serve_forever, daemon=True).start()
        os.environ[CERTIFICATES_VARIABLE] = str(sink.ca)
        try:
            yield sink
        finally:
            if previous is None:
                del os.environ[CERTIFICATES_VARIABLE]
            else:
                os.environ[CERTIFICATES_VARIABLE] = previous
            sink.shutdown()
