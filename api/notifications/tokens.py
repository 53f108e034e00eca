"""Links and addresses that nobody can forge: what they name, and a code made of it with a secret of the service."""

from __future__ import annotations

import hashlib
import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from typing import Final

from api.notifications.errors import BadToken

CODE_CHARACTERS: Final = 32
BOUNCE_CHARACTERS: Final = 20
"""Shorter: the part of an address before the @ has 64 characters at most, and letters of one case."""
SECRET: Final = "outgoing"  # noqa: S105  (the name of a secret)
"""The secret of the service that all of them are made with."""
SEPARATOR: Final = "\x1f"


class Tokens:
    """What is signed for one purpose is worth nothing for another."""

    def __init__(self, secret: str) -> None:
        self._secret = secret.encode()

    def make(self, purpose: str, *parts: str) -> str:
        """The token that names these."""
        body = urlsafe_b64encode(SEPARATOR.join(parts).encode()).decode().rstrip("=")
        return f"{body}.{self._code(purpose, body)[:CODE_CHARACTERS]}"

    def read(self, purpose: str, token: str) -> tuple[str, ...]:
        """What it names; `BadToken` unless it was made here, for this."""
        body, _, code = token.partition(".")
        if not hmac.compare_digest(self._code(purpose, body)[:CODE_CHARACTERS].encode(), code.encode()):
            raise BadToken("this link was not made here, or a part of it is missing: open it as the message has it")
        try:
            return tuple(urlsafe_b64decode(f"{body}{'=' * (-len(body) % 4)}").decode().split(SEPARATOR))
        except (Error, ValueError) as fault:
            raise BadToken("this link cannot be read") from fault

    def bounce_address(self, bounces: str, address_id: str) -> str:
        """To where a mail server sends back what it could not deliver: it names the address, not the person (VERP)."""
        local, _, domain = bounces.partition("@")
        return f"{local}+{address_id}-{self._code('bounce', address_id)[:BOUNCE_CHARACTERS]}@{domain}"

    def bounced(self, address: str) -> str:
        """The id of the address that a message came back from; `BadToken` where no message of ours was sent so."""
        address_id, _, code = address.partition("@")[0].rpartition("+")[2].lower().partition("-")
        if not hmac.compare_digest(self._code("bounce", address_id)[:BOUNCE_CHARACTERS].encode(), code.encode()):
            raise BadToken(f"{address!r} is no address that messages of this service come back to")
        return address_id

    def _code(self, purpose: str, body: str) -> str:
        return hmac.new(self._secret, f"{purpose}{SEPARATOR}{body}".encode(), hashlib.sha256).hexdigest()
