"""An authenticator of software: it makes passkeys and signs with them, and lies wherever a test wants it to."""

from __future__ import annotations

import hashlib
import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from webauthn.helpers import encode_cbor

ORIGIN: Final = "http://localhost:8000"
"""Where a service stands that was told nothing else."""
PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


def text_of(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def bytes_of(text: str) -> bytes:
    return urlsafe_b64decode(f"{text}===")


class Authenticator:
    """One device with one passkey: what it says of itself, and what it signs with."""

    def __init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.credential = secrets.token_bytes(16)
        self.count = 0
        self.domain = "localhost"
        self.origin = ORIGIN
        self.flags = PRESENT | VERIFIED
        self.holder = b""

    @property
    def id(self) -> str:
        return text_of(self.credential)

    def makes(self, options: Any) -> str:
        """The answer to what the service asks where a passkey is to be made."""
        self.holder = bytes_of(options["user"]["id"])
        attested = bytes(16) + len(self.credential).to_bytes(2, "big") + self.credential + self._public_key()
        data = self._data(self.flags | ATTESTED) + attested
        made = encode_cbor({"fmt": "none", "attStmt": {}, "authData": data})
        said = self._client_data("webauthn.create", options["challenge"])
        return self._answer({"clientDataJSON": text_of(said), "attestationObject": text_of(made)})

    def signs(self, options: Any) -> str:
        """The answer to what the service asks where somebody signs in."""
        self.count += 1
        data, said = self._data(self.flags), self._client_data("webauthn.get", options["challenge"])
        signature = self.key.sign(data + hashlib.sha256(said).digest(), ec.ECDSA(SHA256()))
        return self._answer(
            {
                "clientDataJSON": text_of(said),
                "authenticatorData": text_of(data),
                "signature": text_of(signature),
                "userHandle": text_of(self.holder),
            }
        )

    def _answer(self, response: dict[str, str]) -> str:
        return json.dumps({"id": self.id, "rawId": self.id, "type": "public-key", "response": response})

    def _client_data(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()

    def _data(self, flags: int) -> bytes:
        return hashlib.sha256(self.domain.encode()).digest() + bytes([flags]) + self.count.to_bytes(4, "big")

    def _public_key(self) -> bytes:
        """In COSE: an elliptic curve (2) of P-256 (1), for ES256 (-7)."""
        point = self.key.public_key().public_numbers()
        x, y = point.x.to_bytes(32, "big"), point.y.to_bytes(32, "big")
        return encode_cbor({1: 2, 3: -7, -1: 1, -2: x, -3: y})
