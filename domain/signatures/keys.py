"""Ed25519 keys of seats (RFC 8032): their names in a log, and how one key vouches for another."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from domain.kernel.ed25519 import weakness_of
from domain.kernel.values import Value
from domain.signatures.errors import SignatureFault

KEY_PREFIX: Final = b"esporles.key/1\x00"
KEYS_MAX: Final = 16
"""Maximum number of keys of a person, and so of a seat."""
KEY: Final = re.compile(r"[0-9a-f]{64}")
SIGNATURE: Final = re.compile(r"[0-9a-f]{128}")


class NamedKey(Value, frozen=True, omit_defaults=True):
    """A public key (32 bytes in hex), vouched for by the earlier key `by`; without one, valid by sign-in only."""

    key: str
    by: str = ""
    signature: str = ""


def vouching_text(key: str, person: str) -> bytes:
    """Return the bytes that a key signs to vouch for another key of the same person."""
    return KEY_PREFIX + bytes.fromhex(key) + person.encode()


def require_key(key: str) -> None:
    """Raise `SignatureFault` unless a key is 64 lower-case hexadecimal digits and not weak (`domain.kernel.ed25519`).

    Whether it is a point of the curve is checked with its first signature.
    """
    if not KEY.fullmatch(key):
        raise SignatureFault(f"the key {key!r} is not 64 lower-case hexadecimal digits")
    if weakness := weakness_of(bytes.fromhex(key)):
        raise SignatureFault(f"the key {key} is weak: {weakness}")


def require_signature(key: str, signature: str, text: bytes) -> None:
    """Raise `SignatureFault` unless the signature (64 bytes in hex) is by this key over this text."""
    require_key(key)
    if not SIGNATURE.fullmatch(signature):
        raise SignatureFault(f"the signature {signature!r} is not 128 lower-case hexadecimal digits")
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(signature), text)
    except (InvalidSignature, ValueError) as error:
        raise SignatureFault(f"the signature {signature} does not match the key {key} and this text") from error


def check_another(earlier: Iterable[str], key: NamedKey, person: str) -> None:
    """Raise `SignatureFault` unless the key is valid and new, and its voucher, if any, is known and signed it.

    Also raise it above `KEYS_MAX` keys.
    """
    known_keys = tuple(earlier)
    require_key(key.key)
    if key.key in known_keys:
        raise SignatureFault(f"the key {key.key} is already registered")
    if len(known_keys) >= KEYS_MAX:
        raise SignatureFault(f"a person has at most {KEYS_MAX} keys")
    if key.by == "":
        if key.signature:
            raise SignatureFault(f"the key {key.key} has a signature without a signing key")
        return
    if key.by not in known_keys:
        raise SignatureFault(f"the key {key.by}, which signed {key.key}, is not an earlier key")
    require_signature(key.by, key.signature, vouching_text(key.key, person))


def check_keys(keys: Sequence[NamedKey], person: str) -> None:
    """Check the keys of a person taking a seat, each vouched for by an earlier one or by none."""
    for index, key in enumerate(keys):
        check_another([earlier.key for earlier in keys[:index]], key, person)
