"""Ids of what is created: from caller and Idempotency-Key, so that a repeated request creates nothing twice."""

from __future__ import annotations

from typing import Annotated, Final
from uuid import UUID, uuid4, uuid5

from litestar.params import HeaderParameter

from api.guards import Caller

NAMESPACE: Final = UUID("8f0c6a52-6f0a-5d0e-9d6b-0d6a3c9f2b71")
KEY_LENGTH_MAX: Final = 200

IdempotencyKey = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key", max_length=KEY_LENGTH_MAX, description="the same key again: the same thing, once"
    ),
]


def created_id(caller: Caller, key: str | None) -> UUID:
    """The id of something new; the same for the same caller and key."""
    return uuid4() if key is None else uuid5(NAMESPACE, f"{caller.actor}/{key}")
