"""Digests of secrets."""

from __future__ import annotations

import hashlib


def digest(secret: str) -> str:
    """Return the SHA-256 digest that the store holds instead of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()
