"""Signatures of requests without a body."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar.exceptions import ValidationException
from litestar.params import HeaderParameter

from api.matches.schemas import SignedBy

NAME = "Esporles-Signed"
SignedHeader = Annotated[
    str | None,
    HeaderParameter(name=NAME, description="the JSON of `signed` in a body (`signatures.md`)", max_length=1_000),
]


def read_signed(header: str | None) -> SignedBy | None:
    """Return the signature in a header, or None without a header; raise `ValidationException` if it is malformed."""
    if header is None:
        return None
    try:
        return msgspec.json.decode(header, type=SignedBy)
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise ValidationException(extra=[{"key": NAME, "message": str(error), "source": "header"}]) from error
