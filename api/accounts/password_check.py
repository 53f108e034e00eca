"""The comparison of a password with its hash."""

from __future__ import annotations

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError


def has_hash(hasher: PasswordHasher, hashed: str, password: str) -> bool:
    """Return whether a password has that hash."""
    try:
        return hasher.verify(hashed, password)
    except VerificationError:
        return False
