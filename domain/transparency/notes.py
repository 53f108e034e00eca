"""Signed notes (C2SP signed-note): a text followed by signature lines.

This module has the format and the names of keys; `domain.transparency.keys` has the cryptography.
"""

import base64
import binascii
import hashlib
from collections.abc import Iterable
from typing import Final, NamedTuple

from domain.kernel.ed25519 import weakness_of
from domain.transparency.errors import Malformed

NOTE_BYTES_MAX: Final = 1_000_000
SIGNATURES_MAX: Final = 100
DASH: Final = "— "
KEY_ID_BYTES: Final = 4
PUBLIC_BYTES: Final = 32
SPACE: Final = 0x20

ED25519: Final = b"\x01"
COSIGNATURE: Final = b"\x04"
"""Signature types in use: of a note, and of a checkpoint with its time."""


def encode(data: bytes) -> str:
    """Encode bytes as base64."""
    return base64.b64encode(data).decode()


def decode(text: str) -> bytes:
    """Decode standard base64 in canonical form; raise `Malformed` otherwise."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise Malformed("not base64") from None
    if encode(data) != text:
        raise Malformed("not canonical base64")
    return data


class Signature(NamedTuple):
    """A signature line: the name and id of a key, and the signature."""

    name: str
    key_id: bytes
    signature: bytes

    @property
    def line(self) -> str:
        """The line with its newline."""
        return f"{DASH}{self.name} {encode(self.key_id + self.signature)}\n"


class Note(NamedTuple):
    """A text that ends with a newline, and its unverified signatures."""

    text: str
    signatures: tuple[Signature, ...]

    def __str__(self) -> str:
        return f"{self.text}\n{''.join(each.line for each in self.signatures)}"


def require_name(name: str) -> str:
    """Return the name of a key; raise `Malformed` if it is empty or has spaces, plus or control characters."""
    if not name or "+" in name or any(each.isspace() or ord(each) < SPACE for each in name):
        raise Malformed(f"invalid key name {name[:60]!r}: spaces and plus signs are not allowed")
    return name


def parse_signature(line: str) -> Signature:
    """Parse a signature line without its newline; raise `Malformed` otherwise."""
    name, _, data = line.removeprefix(DASH).partition(" ")
    if not line.startswith(DASH):
        raise Malformed("a signature line must begin with a dash and a space")
    signed = decode(data)
    if len(signed) <= KEY_ID_BYTES:
        raise Malformed("a signature line must have a key id and a signature")
    return Signature(require_name(name), signed[:KEY_ID_BYTES], signed[KEY_ID_BYTES:])


def parse_signatures(text: str) -> tuple[Signature, ...]:
    """Parse one to `SIGNATURES_MAX` signature lines, each with its newline; raise `Malformed` otherwise."""
    if not text.endswith("\n"):
        raise Malformed("the last line has no newline")
    lines = text[:-1].split("\n")
    if len(lines) > SIGNATURES_MAX:
        raise Malformed(f"more than {SIGNATURES_MAX} signatures")
    return tuple(parse_signature(line) for line in lines)


def decode_text(data: bytes) -> str:
    """Decode UTF-8 without control characters except newline; raise `Malformed` otherwise.

    Also raise it above `NOTE_BYTES_MAX` bytes.
    """
    if len(data) > NOTE_BYTES_MAX:
        raise Malformed(f"more than {NOTE_BYTES_MAX:,} bytes")
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise Malformed("not UTF-8") from None
    if any(ord(each) < SPACE and each != "\n" for each in text):
        raise Malformed("contains a control character")
    return text


def parse_note(data: bytes) -> Note:
    """Parse a note without verifying its signatures; raise `Malformed` if it is no text with signatures below."""
    note_text = decode_text(data)
    text, gap, signatures = note_text.rpartition("\n\n")
    if not gap:
        raise Malformed("no empty line between text and signatures")
    return Note(f"{text}\n", parse_signatures(signatures))


class VerifierKey(NamedTuple):
    """The public half of a key, with its name and signature type."""

    name: str
    kind: bytes
    public: bytes

    @property
    def key_id(self) -> bytes:
        """The first bytes of the SHA-256 of name, newline, type and public key."""
        return hashlib.sha256(self.name.encode() + b"\n" + self.kind + self.public).digest()[:KEY_ID_BYTES]

    def __str__(self) -> str:
        return f"{self.name}+{self.key_id.hex()}+{encode(self.kind + self.public)}"

    def is_claimed_by(self, signature: Signature) -> bool:
        """Return whether a signature line claims this key."""
        return (signature.name, signature.key_id) == (self.name, self.key_id)


def parse_key(text: str, kinds: Iterable[bytes] = (ED25519, COSIGNATURE)) -> VerifierKey:
    """Parse a key written as `NAME+ID+BASE64`; raise `Malformed` if it is inconsistent, weak or of another kind."""
    name, plus, rest = text.partition("+")
    key_id, other, data = rest.partition("+")
    if not plus or not other:
        raise Malformed(f"{text[:60]!r} is not a verifier key: NAME+ID+KEY")
    material = decode(data)
    key = VerifierKey(require_name(name), material[:1], material[1:])
    if key.kind not in kinds or len(key.public) != PUBLIC_BYTES:
        raise Malformed(f"the verifier key of {name[:60]!r} has an unsupported type")
    if key.key_id.hex() != key_id:
        raise Malformed(f"the verifier key of {name[:60]!r} does not match its id")
    if weakness := weakness_of(key.public):
        raise Malformed(f"the verifier key of {name[:60]!r} is weak: {weakness}")
    return key


def parse_keys(text: str) -> tuple[VerifierKey, ...]:
    """Parse a verifier key per line, each once, ignoring `#` comments; raise `Malformed` for a bad key, or none."""
    lines = [line.strip() for line in text.splitlines()]
    keys = tuple(dict.fromkeys(parse_key(line) for line in lines if line and not line.startswith("#")))
    if not keys:
        raise Malformed("there is no verifier key")
    return keys
