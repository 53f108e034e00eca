"""Digests of secrets and of ids."""

from __future__ import annotations

import hashlib


def digest(secret: str) -> str:
    """What the store keeps of a secret: enough to know it again, too little to use it."""
    return hashlib.sha256(secret.encode()).hexdigest()
