"""Sources of unpredictable bytes; functions take one as an argument, with the operating system's as default."""

import secrets
from collections.abc import Callable
from uuid import UUID

Entropy = Callable[[int, str], bytes]
"""`(length, purpose)` → fresh bytes; the purpose is `seed/MATCH`, `id` or `person`.

A source may derive the bytes from it.
"""


def system_entropy(length: int, purpose: str) -> bytes:  # noqa: ARG001  # the system's are good for every purpose
    """Return random bytes from the operating system."""
    return secrets.token_bytes(length)


def server_seed(entropy: Entropy, match_id: UUID) -> bytes:
    """Return the server seed of a new line; called again if a command is retried."""
    return entropy(32, f"seed/{match_id}")
