"""Key files of officials who work on the console: 64 hexadecimal digits that nobody else may read."""

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
    """The key in a file."""
    try:
        text = path.read_text(encoding="ascii").strip()
    except OSError as error:
        raise WrongUsage(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise WrongUsage(f"{path} holds no key: it is no text") from error
    if not SEED.fullmatch(text):
        raise WrongUsage(f"{path} holds no key: that is 64 lower-case hexadecimal digits")
    return ServiceKey(bytes.fromhex(text))


def make_key(path: Path) -> ServiceKey:
    """The key in a file; a new one where there is no file yet."""
    if path.exists():
        return read_key(path)
    seed = os.urandom(32)
    try:
        with open(path, "x", encoding="ascii", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(f"{seed.hex()}\n")
    except OSError as error:
        raise WrongUsage(f"{path} cannot be written: {error.strerror}") from error
    return ServiceKey(seed)


def fingerprint(key: str) -> str:
    """A key (hex) as people compare it: `SHA256:` and the digest in Base64, as OpenSSH writes it."""
    digest = hashlib.sha256(bytes.fromhex(key)).digest()
    return f"SHA256:{base64.b64encode(digest).decode().rstrip('=')}"
