"""A service that notifies absent people, with a mail server and a push service for tests."""

from __future__ import annotations

import json
import os
import socket
import ssl
import threading
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import http_ece
import msgspec
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from msgspec.structs import replace

from api.matches.service import MATCHES
from api.notifications.schemas import SettleOutgoing
from api.notifications.service import NOTIFICATIONS, NotificationService
from domain.notifications.kinds import Channel
from ops.certificates import Authority
from projections.catalogue import PROJECTIONS
from projections.loop import FollowerLoop
from projections.platform.clock import now
from projections.platform.outgoing_settings import Outgoing
from projections.platform.settings import Settings
from tests.api.service import SERVICE_TOKEN, Sockets, behind_sockets, settings_in
from workers.notifications.delivery import deliver_mails, deliver_pushes
from workers.notifications.mail import Mailer
from workers.notifications.push import Pusher
from workers.notifications.service import Leased, Outcome, OutgoingClient
from workers.unix_http import UnixClient

SENDER = "Esporles <post@esporles.example>"
BOUNCES = "bounces@esporles.example"
SLOW = {"clock": {"kind": "correspondence", "seconds": 86_400}}


class Away:
    """A service with its mail server, push service and members."""

    def __init__(self, sockets: Sockets, settings: Settings, mails: MailServer, pushes: PushServer) -> None:
        self.sockets = sockets
        self.settings = settings
        self.mails = mails
        self.pushes = pushes
        assert sockets.ask("GET", "/health")[0] == 200
        self.client = OutgoingClient(UnixClient(sockets.path, SERVICE_TOKEN, 30.0))

    @property
    def notifications(self) -> NotificationService:
        return NOTIFICATIONS.of(self.sockets)

    def follow(self) -> None:
        """Advance the read models to the end of the log."""
        tables = MATCHES.of(self.sockets)
        FollowerLoop(tables.writer.matches, tables.writer.reads, tuple(PROJECTIONS.values())).catch_up()

    def hand_over(self) -> tuple[int, int]:
        """Run the delivery jobs of both channels; return the numbers of mails and pushes sent."""
        self.follow()
        mails = deliver_mails(self.client, Mailer(self.settings.outgoing))
        return mails, deliver_pushes(self.client, Pusher(self.settings.outgoing.push_allowed))

    def at(self, at: datetime) -> AtATime:
        """Return the service at a fixed time."""
        return AtATime(self.notifications, at)

    def person(self, name: str, *, mail: bool = True, device: bool = False) -> AwayPerson:
        return AwayPerson(self, name, mail=mail, device=device)

    def start_match(self, *people: AwayPerson, **options: Any) -> str:
        """Start a match of these people at a slow table; return its id."""
        body = {"title": "la_granja", "seats": len(people), "table": SLOW, **options}
        match_id = str(people[0].ask("POST", "/matches", body)["matchId"])
        for seat, person in enumerate(people):
            person.ask("POST", f"/matches/{match_id}/seats", {"seat": seat})
        for person in people:
            person.ask("POST", f"/matches/{match_id}/ready", {})
        return match_id


class AtATime:
    """The delivery part of the service at a fixed time."""

    def __init__(self, notifications: NotificationService, at: datetime) -> None:
        self._notifications = notifications
        self.at = at

    def lease(self, channel: Channel) -> Leased:
        leased = self._notifications.lease_at(channel, self.at)
        return msgspec.json.decode(msgspec.json.encode(leased), type=Leased)

    def settle(self, message: str, channel: Channel, outcome: Outcome) -> None:
        self._notifications.settle_at(SettleOutgoing(message, channel, outcome), self.at)


class AwayPerson:
    """A member with a token, and optionally a mail address and a device."""

    def __init__(self, away: Away, name: str, *, mail: bool, device: bool) -> None:
        people = away.sockets.people
        self._away = away
        self.name = name
        account = people.create(name, "correct horse battery", now())
        self.id = account.id
        self.token = people.access.issue_token(account, "", now())[1]
        self.address = f"{name.lower()}@players.example"
        self.subscription = away.pushes.subscribe(name) if device else None
        if mail:
            recipients = away.notifications.recipients
            address = recipients.set_address(self.id, self.address, "en", now())
            assert recipients.confirm_address(address.id)
        if self.subscription is not None:
            self.ask("POST", "/me/notifications/devices", self.subscription.registration)

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        status, response = self._away.sockets.ask(method, path, body, self.token)
        assert status < 300, response
        return response

    def acts(self, match_id: str) -> None:
        legal = self.ask("GET", f"/matches/{match_id}/legal-actions")
        action = legal["actions"][0]["action"]
        self.ask("POST", f"/matches/{match_id}/actions", {"expectedVersion": legal["version"], "action": action})

    @property
    def letters(self) -> list[str]:
        """Return the subjects of the received mails."""
        return [str(letter["Subject"]) for letter in self._away.mails.to(self.address)]


def parts_of(letter: EmailMessage) -> tuple[str, str]:
    """Return text and HTML of a mail."""
    text, html = letter.get_body(("plain",)), letter.get_body(("html",))
    assert text is not None
    assert html is not None
    return text.get_content(), html.get_content()


@contextmanager
def away_in(folder: Path, **settings_fields: Any) -> Iterator[Away]:
    with mail_server() as mails, push_server(folder) as pushes:
        settings = replace(
            settings_in(folder),
            outgoing=Outgoing(
                mail=f"smtp+plain://127.0.0.1:{mails.port}",
                mail_from=SENDER,
                mail_bounces=BOUNCES,
                push="mailto:post@esporles.example",
                push_allowed=(pushes.host_and_port,),
            ),
            address="https://esporles.example",
            **settings_fields,
        )
        with behind_sockets(folder, settings) as sockets:
            away = Away(sockets, settings, mails, pushes)
            yield away
            away.client.close()


class MailServer:
    """A mail server that accepts everything by default; aiosmtpd calls its handlers."""

    def __init__(self) -> None:
        self.letters: list[EmailMessage] = []
        self.envelopes: list[tuple[str, tuple[str, ...]]] = []
        self.refused: dict[str, str] = {}
        """Replies to recipients by address."""
        self.answer = "250 OK"
        """The reply to a mail."""
        self.users: list[tuple[bytes, bytes]] = []
        self.on_step: Callable[[str], None] = lambda _: None
        """Called with every command before the reply."""
        self.port = 0

    async def handle_EHLO(self, server: SMTP, session: Session, envelope: Envelope, host: str, responses: Any) -> Any:  # noqa: N802, ARG002
        self.on_step("EHLO")
        session.host_name = host
        return responses

    async def handle_MAIL(self, server: SMTP, session: Session, envelope: Envelope, address: str, options: Any) -> str:  # noqa: N802, ARG002
        self.on_step("MAIL")
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(self, server: SMTP, session: Session, envelope: Envelope, address: str, options: Any) -> str:  # noqa: N802, ARG002
        self.on_step("RCPT")
        if address in self.refused:
            return self.refused[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802, ARG002
        content = envelope.content
        assert isinstance(content, bytes)
        if self.answer.startswith("250"):
            letter = message_from_bytes(content, policy=policy.default)
            assert isinstance(letter, EmailMessage)
            self.letters.append(letter)
            self.envelopes.append((str(envelope.mail_from), tuple(envelope.rcpt_tos)))
        self.on_step("DATA")
        return self.answer

    def log_in(self, server: Any, session: Any, envelope: Any, mechanism: str, data: Any) -> AuthResult:  # noqa: ARG002
        self.users.append((data.login, data.password))
        return AuthResult(success=data.password == b"word", handled=False)

    @property
    def ids(self) -> list[str]:
        return [str(letter["Message-ID"]) for letter in self.letters]

    def to(self, address: str) -> list[EmailMessage]:
        return [letter for letter in self.letters if letter["To"] == address]


@contextmanager
def mail_server(
    *, port: int = 0, tls: ssl.SSLContext | None = None, server: MailServer | None = None, requires_login: bool = False
) -> Iterator[MailServer]:
    """Run a mail server on the given or a free local port, with STARTTLS if `tls` is given."""
    handler = server or MailServer()
    options: dict[str, Any] = {"tls_context": tls} if tls is not None else {}
    if requires_login:
        options |= {"authenticator": handler.log_in, "auth_required": True}
    controller = Controller(handler, hostname="127.0.0.1", port=port, **options)
    if port == 0:
        # aiosmtpd checks whether it listens at the given port.
        controller.port = free_port()
    controller.start()
    handler.port = controller.port
    try:
        yield handler
    finally:
        controller.stop()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


class Subscription:
    """A browser's push subscription: its keys and the messages it received."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.auth = os.urandom(16)

    @property
    def registration(self) -> dict[str, str]:
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"endpoint": self.url, "p256dh": base64(point), "auth": base64(self.auth)}


def base64(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")


class PushServer:
    """A push service that records requests; `status` and `location` are its response."""

    def __init__(self) -> None:
        self.status = 201
        self.location = ""
        self.port = 0
        self.subscriptions: dict[str, Subscription] = {}
        self.requests: list[dict[str, str]] = []
        self.shown: list[Any] = []

    @property
    def host_and_port(self) -> str:
        return f"127.0.0.1:{self.port}"

    def subscribe(self, name: str) -> Subscription:
        self.subscriptions[f"/{name}"] = subscription = Subscription(f"https://{self.host_and_port}/{name}")
        return subscription

    def take(self, path: str, headers: dict[str, str], body: bytes) -> None:
        self.requests.append({"path": path, **headers})
        subscription = self.subscriptions[path]
        payload = http_ece.decrypt(
            body, private_key=subscription.key, auth_secret=subscription.auth, version="aes128gcm"
        )
        self.shown.append(json.loads(payload))


@contextmanager
def push_server(folder: Path) -> Iterator[PushServer]:
    """Run a push service with a certificate of the authority in `folder / "ca.pem"`."""
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
            """Log nothing."""

    http_server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = tls_context(folder)
    http_server.socket = context.wrap_socket(http_server.socket, server_side=True)
    server.port = http_server.server_port
    thread = threading.Thread(target=http_server.serve_forever)
    thread.start()
    try:
        yield server
    finally:
        http_server.shutdown()
        http_server.server_close()
        thread.join()


def tls_context(folder: Path) -> ssl.SSLContext:
    """Create a TLS context with a local certificate in the folder."""
    certificate = Authority(folder).certificate_of("here", "127.0.0.1", "localhost")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate.certificate, certificate.key)
    return context
