"""Key files of officials who use the console: 64 hexadecimal digits, readable only by the owner."""

import base64
import hashlib
import os
import re
from pathlib import Path
from typing import Final

from domain.signatures.acts import ServiceKey
from ops.console import WrongUsage

SEED: Final = re.compile(r"[0-9a-f]{64}")


def read_key(path: Path) -> ServiceKey:
    """Read the key in a file; raise `WrongUsage` if it is unreadable or not 64 lower-case hexadecimal digits."""
    try:
        text = path.read_text(encoding="ascii").strip()
    except OSError as error:
        raise WrongUsage(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise WrongUsage(f"invalid key in {path}: not a text file") from error
    if not SEED.fullmatch(text):
        raise WrongUsage(f"invalid key in {path}: expected 64 lower-case hexadecimal digits")
    return ServiceKey(bytes.fromhex(text))


def check_key_file(path: Path) -> None:
    """Raise `WrongUsage` if the file holds no key, or is missing and cannot be created in its folder."""
    if path.exists():
        read_key(path)
    elif not os.access(path.parent, os.W_OK | os.X_OK):
        raise WrongUsage(f"cannot write {path}: its folder is missing or not writable")


def make_key(path: Path) -> ServiceKey:
    """Read the key in a file; create it, readable only by its owner, if the file does not exist.

    Raises `WrongUsage` if it cannot be read or written.
    """
    if path.exists():
        return read_key(path)
    seed = os.urandom(32)
    try:
        with open(path, "x", encoding="ascii", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(f"{seed.hex()}\n")
    except OSError as error:
        raise WrongUsage(f"cannot write {path}: {error.strerror}") from error
    return ServiceKey(seed)


def fingerprint(key: str) -> str:
    """Return the fingerprint of a key in hex: `SHA256:` and the digest in Base64, as in OpenSSH."""
    digest = hashlib.sha256(bytes.fromhex(key)).digest()
    return f"SHA256:{base64.b64encode(digest).decode().rstrip('=')}"
