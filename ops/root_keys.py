"""Files with the root key of a log: its verifier key in a line, then the private key (PKCS#8, encrypted, PEM)."""

import os
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)

from domain.transparency.errors import Malformed
from domain.transparency.keys import Signer
from domain.transparency.notes import ED25519, VerifierKey, parse_key
from ops.console import Finding, WrongUsage

FINGERPRINT_BYTES: Final = 8


def create_root_key(path: Path, name: str, passphrase: bytes) -> VerifierKey:
    """Create a root key in a new file that only its owner can read; return the verifier key.

    Without a name it is named by its fingerprint. Raise `WrongUsage` for a bad name, or if the file cannot be created.
    """
    private = Ed25519PrivateKey.generate()
    seed, public = private.private_bytes_raw(), private.public_key().public_bytes_raw()
    try:
        key = Signer(name or f"root/{public[:FINGERPRINT_BYTES].hex()}", seed).key
    except Malformed as fault:
        raise WrongUsage(str(fault)) from fault
    pem = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(passphrase))
    try:
        with open(path, "xb", opener=lambda file, flags: os.open(file, flags, 0o600)) as file:
            file.write(f"{key}\n".encode() + pem)
    except OSError as error:
        raise WrongUsage(f"cannot write {path}: {error.strerror}") from error
    return key


def read_root_key(path: Path, passphrase: bytes) -> Signer:
    """Return the root key in a file; raise `WrongUsage` for another file, `Finding` for a wrong passphrase."""
    try:
        first, _, pem = path.read_bytes().partition(b"\n")
        key = parse_key(first.decode(errors="replace"), [ED25519])
    except OSError as error:
        raise WrongUsage(f"cannot read {path}: {error.strerror}") from error
    except Malformed as fault:
        raise WrongUsage(f"no root key in {path}: {fault}") from fault
    try:
        private = load_pem_private_key(pem, passphrase)
    except (ValueError, TypeError) as error:
        raise Finding(f"cannot open the root key in {path}: wrong passphrase, or a damaged file") from error
    if not isinstance(private, Ed25519PrivateKey) or private.public_key().public_bytes_raw() != key.public:
        raise WrongUsage(f"the root key in {path} is not the key of its first line")
    return Signer(key.name, private.private_bytes_raw())
