"""What a signature is over: the match, the newest entry that was seen, the act. `docs/signatures.md` specifies it."""

from dataclasses import dataclass
from typing import Final, Protocol
from uuid import UUID

from domain.kernel.values import Value
from domain.signatures.keys import require_signature

ACT_PREFIX: Final = b"esporles.act/2\x00"
SEEN_MAX: Final = 64
"""The most entries that may come between the one a player has seen and the act."""


class Signed(Value, frozen=True, omit_defaults=True):
    """The signature (hex) of a fact with a key (hex); `version` is the entry that was seen, 0 for the one before."""

    key: str
    signature: str
    version: int = 0


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


class ServiceKey(Protocol):
    """The key by which a service signs what it does by itself."""

    @property
    def key(self) -> str:
        """The public key (hex)."""
        ...

    def sign(self, text: bytes) -> str:
        """The signature of a text (hex)."""
        ...


def act_text(match_id: UUID, version: int, digest: bytes, act: bytes) -> bytes:
    """The bytes that are signed."""
    return ACT_PREFIX + match_id.bytes + version.to_bytes(8, "big") + digest + act
