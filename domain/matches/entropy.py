"""Where bytes that nobody may guess come from: an argument of whatever needs some, with the system's as default."""

import secrets
from collections.abc import Callable
from uuid import UUID

Entropy = Callable[[int, str], bytes]
"""So many fresh bytes, and what for: `seed/MATCH`, `id`, `person`. A source may derive the bytes from the purpose."""


def system_entropy(length: int, purpose: str) -> bytes:  # noqa: ARG001  # the system's are good for every purpose
    """The system's randomness."""
    return secrets.token_bytes(length)


def server_seed(entropy: Entropy, match_id: UUID) -> bytes:
    """The server seed of a line that begins; asked for once per line, or again where a command is repeated."""
    return entropy(32, f"seed/{match_id}")
