"""Signed messages: match, latest entry seen, and act; specified in `docs/specifications/signatures.md`."""

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.kernel.values import Value
from domain.signatures.keys import require_signature

ACT_PREFIX: Final = b"esporles.act/2\x00"
ORDER_PREFIX: Final = b"esporles.order/1\x00"
SEEN_MAX: Final = 64
"""Maximum number of entries between the one a player has seen and the act."""


class Signed(Value, frozen=True, omit_defaults=True):
    """The signature (hex) of a fact with a key (hex).

    `version`: the entry seen, 0 for the one before. `head`: its digest (hex), if it is in another stream.
    """

    key: str
    signature: str
    version: int = 0
    head: str = ""


@dataclass(frozen=True)
class SignedAct:
    """A complete signed act, unverified until `check` has passed.

    `digest`: of the entry `version` of the line. `act`: the signed bytes.
    """

    match_id: UUID
    version: int
    digest: bytes
    act: bytes
    key: str
    signature: str

    def check(self) -> None:
        """Raise `SignatureFault` unless the signature is by this key over all fields."""
        require_signature(self.key, self.signature, act_text(self.match_id, self.version, self.digest, self.act))


class ServiceKey:
    """The key with which the service signs automatic acts; `seed`: its 32 secret bytes."""

    def __init__(self, seed: bytes) -> None:
        self._private = Ed25519PrivateKey.from_private_bytes(seed)
        self.key: Final = self._private.public_key().public_bytes_raw().hex()

    def sign(self, text: bytes) -> str:
        """Return the signature (hex) of a text."""
        return self._private.sign(text).hex()


def act_text(match_id: UUID, version: int, digest: bytes, act: bytes) -> bytes:
    """Return the bytes that a player signs."""
    return ACT_PREFIX + match_id.bytes + version.to_bytes(8, "big") + digest + act


def order_text(stream: UUID, version: int, digest: bytes, act: bytes) -> bytes:
    """Return the bytes that an official signs: prefix, stream, version (8 bytes), digest and act.

    An empty stream has version 0 and 32 zero bytes as its digest.
    """
    return ORDER_PREFIX + stream.bytes + version.to_bytes(8, "big") + digest + act
