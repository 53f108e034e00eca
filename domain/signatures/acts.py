"""What a signature is over: the match, the newest entry that was seen, the act. `docs/specifications/signatures.md`
specifies it."""

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.kernel.values import Value
from domain.signatures.keys import require_signature

ACT_PREFIX: Final = b"esporles.act/2\x00"
ORDER_PREFIX: Final = b"esporles.order/1\x00"
SEEN_MAX: Final = 64
"""The most entries that may come between the one a player has seen and the act."""


class Signed(Value, frozen=True, omit_defaults=True):
    """The signature (hex) of a fact with a key (hex); `version` is the entry that was seen, 0 for the one before.

    `head` is its digest (hex), where that stands in another stream.
    """

    key: str
    signature: str
    version: int = 0
    head: str = ""


@dataclass(frozen=True)
class SignedAct:
    """What somebody says to have signed, whole: nothing of it is known to be true before `check` has passed.

    `digest` is that of the entry `version` of the line, `act` the bytes that are signed.
    """

    match_id: UUID
    version: int
    digest: bytes
    act: bytes
    key: str
    signature: str

    def check(self) -> None:
        """`SignatureFault` where the signature is not of this key and over all of this."""
        require_signature(self.key, self.signature, act_text(self.match_id, self.version, self.digest, self.act))


class ServiceKey:
    """The key by which a service signs what it does by itself; `seed`: its 32 secret bytes."""

    def __init__(self, seed: bytes) -> None:
        self._private = Ed25519PrivateKey.from_private_bytes(seed)
        self.key: Final = self._private.public_key().public_bytes_raw().hex()

    def sign(self, text: bytes) -> str:
        """The signature (hex) of a text."""
        return self._private.sign(text).hex()


def act_text(match_id: UUID, version: int, digest: bytes, act: bytes) -> bytes:
    """The bytes that are signed."""
    return ACT_PREFIX + match_id.bytes + version.to_bytes(8, "big") + digest + act


def order_text(stream: UUID, version: int, digest: bytes, act: bytes) -> bytes:
    """The bytes that an official signs: over a stream of records as it stood, version 0 with 32 zero bytes if there was
    none."""
    return ORDER_PREFIX + stream.bytes + version.to_bytes(8, "big") + digest + act
