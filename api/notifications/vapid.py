"""Identification to push services: a key and short-lived signed tokens (VAPID, RFC 8292)."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from datetime import datetime, timedelta
from typing import Final

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from joserfc import jwt
from joserfc.jwk import ECKey

SECRET: Final = "vapid"  # noqa: S105  (the name of a secret)
"""Name of the secret from which the key is derived."""
TOKEN_LIFETIME: Final = timedelta(hours=12)
"""Lifetime of a token; push services accept at most a day."""
RENEWED_BEFORE: Final = timedelta(hours=1)
ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""Order of the P-256 group; a private key is between 0 and it."""
TOKENS_CACHED_MAX: Final = 64


class Vapid:
    """The key, and recent tokens by push service."""

    def __init__(self, secret: str, contact: str) -> None:
        number = 1 + int(secret, 16) % (ORDER - 1)
        key = ec.derive_private_key(number, ec.SECP256R1())
        public = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.public_key: Final = urlsafe_b64encode(public).decode().rstrip("=")
        """The public key for subscriptions."""
        self._contact = contact
        self._key = ECKey.import_key(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        self._tokens: dict[str, tuple[datetime, str]] = {}

    def authorization(self, origin: str, at: datetime) -> str:
        """Return the Authorization header for a push service; its token is reused until shortly before it expires."""
        expires, token = self._tokens.get(origin, (at, ""))
        if expires - at <= RENEWED_BEFORE:
            expires = at + TOKEN_LIFETIME
            claims = {"aud": origin, "exp": int(expires.timestamp()), "sub": self._contact}
            token = jwt.encode({"typ": "JWT", "alg": "ES256"}, claims, self._key)
            if len(self._tokens) >= TOKENS_CACHED_MAX:
                self._tokens.clear()
            self._tokens[origin] = (expires, token)
        return f"vapid t={token}, k={self.public_key}"
