"""Keys of a log and its root for tests: every note about keys, signed by the keys that have to sign it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Final

from domain.transparency.key_notes import KeyChange, Reason, RootNaming
from domain.transparency.keys import Signer
from domain.transparency.notes import Note

ORIGIN: Final = "log.example/tlog"
BEGIN: Final = datetime(2030, 1, 1, tzinfo=UTC)
OVERLAP: Final = timedelta(days=30)
GOOD_ROOT: Final = b"\x07" * 32


def signer_named(name: str, seed: str) -> Signer:
    return Signer(name, sha256(seed.encode()).digest())


def log_key(number: int, origin: str = ORIGIN) -> Signer:
    """Return the key of the log with this number; 0 is its first key."""
    return signer_named(origin, f"log key {number}")


def root_key(number: int = 0) -> Signer:
    return signer_named(f"root.example/{number}", f"root key {number}")


def sign_text(text: str, *signers: Signer) -> str:
    return str(Note(text, tuple(signer.sign(text) for signer in signers)))


def naming(log: Signer, root: Signer, *earlier: Signer) -> str:
    """Return the signed note that names a root key; `earlier`: the root key until now."""
    return sign_text(RootNaming(log.key, root.key).text, log, root, *earlier)


def change(
    old: Signer,
    new: Signer,
    root: Signer,
    size: int,
    reason: Reason = "planned",
    until: datetime | None = BEGIN + OVERLAP,
    good_root: bytes = GOOD_ROOT,
) -> str:
    """Return the signed note that changes a key; `until` counts for planned changes only."""
    ends = until if reason == "planned" else None
    content = KeyChange(old.key, new.key, reason, size, good_root, ends)
    return sign_text(content.text, new, *([old] if reason == "planned" else []), root)
