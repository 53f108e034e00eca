"""A push service for tests, behind TLS: it decrypts what it is given, as the browser would."""

from __future__ import annotations

import json
import os
import ssl
import threading
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from ops.certificates import Authority


class Subscription:
    """A browser's: its keys, and what it has been shown."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.auth = os.urandom(16)

    @property
    def wanted(self) -> dict[str, str]:
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"endpoint": self.url, "p256dh": base64(point), "auth": base64(self.auth)}


def base64(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")


class PushServer:
    """What it was given, in order; `status`: what it answers; `location`: the way to elsewhere that it shows."""

    def __init__(self) -> None:
        self.status = 201
        self.location = ""
        self.port = 0
        self.subscriptions: dict[str, Subscription] = {}
        self.requests: list[dict[str, str]] = []
        self.shown: list[Any] = []

    @property
    def place(self) -> str:
        return f"127.0.0.1:{self.port}"

    def subscribe(self, name: str) -> Subscription:
        self.subscriptions[f"/{name}"] = made = Subscription(f"https://{self.place}/{name}")
        return made

    def take(self, path: str, headers: dict[str, str], body: bytes) -> None:
        self.requests.append({"path": path, **headers})
        known = self.subscriptions[path]
        plain = http_ece.decrypt(body, private_key=known.key, auth_secret=known.auth, version="aes128gcm")
        self.shown.append(json.loads(plain))


@contextmanager
def push_server(folder: Path) -> Iterator[PushServer]:
    """`folder / "ca.pem"` vouches for it."""
    server = PushServer()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            server.take(self.path, dict(self.headers.items()), body)
            self.send_response(server.status)
            if 300 <= server.status < 400:
                self.send_header("Location", server.location)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Nothing."""

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = tls_context(folder)
    listening.socket = context.wrap_socket(listening.socket, server_side=True)
    server.port = listening.server_port
    thread = threading.Thread(target=listening.serve_forever)
    thread.start()
    try:
        yield server
    finally:
        listening.shutdown()
        listening.server_close()
        thread.join()


def tls_context(folder: Path) -> ssl.SSLContext:
    """A certificate for this machine, in the folder."""
    made = Authority(folder).certificate_of("here", "127.0.0.1", "localhost")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(made.certificate, made.key)
    return context
