"""A mail server for tests: what it was given, and what it answers to whom."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session


class MailServer:
    """Takes everything, until it is told otherwise. It is called by the library."""

    def __init__(self) -> None:
        self.letters: list[EmailMessage] = []
        self.envelopes: list[tuple[str, tuple[str, ...]]] = []
        self.refused: dict[str, str] = {}
        """What is answered to a receiver, by address."""
        self.answer = "250 OK"
        """What is answered to a letter."""
        self.users: list[tuple[bytes, bytes]] = []
        self.on_step: Callable[[str], None] = lambda _: None
        """Told of every command before it is answered."""
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
    *, port: int = 0, tls: ssl.SSLContext | None = None, server: MailServer | None = None, logs_in: bool = False
) -> Iterator[MailServer]:
    """On a free port of this machine, or the one that is named; with TLS after STARTTLS where it has a certificate."""
    handler = server or MailServer()
    more: dict[str, Any] = {"tls_context": tls} if tls is not None else {}
    if logs_in:
        more |= {"authenticator": handler.log_in, "auth_required": True}
    controller = Controller(handler, hostname="127.0.0.1", port=port, **more)
    if port == 0:
        # The library asks whether it listens at the port that was named.
        controller.port = free_port()
    controller.start()
    handler.port = controller.port
    try:
        yield handler
    finally:
        controller.stop()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])
