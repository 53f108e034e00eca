"""Signed tokens in links and bounce addresses, made with a secret of the service."""

from __future__ import annotations

import hashlib
import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from typing import Final

from api.notifications.errors import BadToken

CODE_CHARACTERS: Final = 32
BOUNCE_CHARACTERS: Final = 20
"""Shorter, because local parts have at most 64 characters and ignore case."""
SECRET: Final = "outgoing"  # noqa: S105  (the name of a secret)
"""Name of the secret for all tokens."""
SEPARATOR: Final = "\x1f"


class Tokens:
    """Signed tokens, each valid for one purpose."""

    def __init__(self, secret: str) -> None:
        self._secret = secret.encode()

    def make(self, purpose: str, *parts: str) -> str:
        """Return a token that contains the parts."""
        body = urlsafe_b64encode(SEPARATOR.join(parts).encode()).decode().rstrip("=")
        return f"{body}.{self._code(purpose, body)[:CODE_CHARACTERS]}"

    def read(self, purpose: str, token: str) -> tuple[str, ...]:
        """Return the parts of a token; raise `BadToken` if it was not made here for this purpose."""
        body, _, code = token.partition(".")
        if not hmac.compare_digest(self._code(purpose, body)[:CODE_CHARACTERS].encode(), code.encode()):
            raise BadToken("the link is invalid or incomplete; open the whole link of the message")
        try:
            return tuple(urlsafe_b64decode(f"{body}{'=' * (-len(body) % 4)}").decode().split(SEPARATOR))
        except (Error, ValueError) as fault:
            raise BadToken("invalid link") from fault

    def bounce_address(self, bounces: str, address_id: str) -> str:
        """Return the bounce address of a mail address, which names its id and not the person (VERP)."""
        local, _, domain = bounces.partition("@")
        return f"{local}+{address_id}-{self._code('bounce', address_id)[:BOUNCE_CHARACTERS]}@{domain}"

    def read_bounce_address(self, address: str) -> str:
        """Return the address id in a bounce address; raise `BadToken` if it is forged."""
        address_id, _, code = address.partition("@")[0].rpartition("+")[2].lower().partition("-")
        if not hmac.compare_digest(self._code("bounce", address_id)[:BOUNCE_CHARACTERS].encode(), code.encode()):
            raise BadToken(f"{address!r} is not a bounce address of this service")
        return address_id

    def _code(self, purpose: str, body: str) -> str:
        return hmac.new(self._secret, f"{purpose}{SEPARATOR}{body}".encode(), hashlib.sha256).hexdigest()
