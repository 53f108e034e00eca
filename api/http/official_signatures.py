"""The signature of an official in a request, parsed once for every command that needs it."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any, Final

import msgspec
from litestar import Request
from litestar.exceptions import ValidationException

from api.http.raw_headers import find_header
from domain.signatures.acts import Signed

HEADER: Final = "Esporles-Signed"
RAW_HEADER: Final = b"esporles-signed"
FIELD: Final = "signed"
LENGTH_MAX: Final = 1_000

OFFICIAL_SIGNATURE: Final[ContextVar[Signed | None]] = ContextVar("order", default=None)
"""The signature of the current request; threads working for the request see it too."""


class OfferedSignature(msgspec.Struct, frozen=True):
    """A signature as sent. The service determines the signed act itself."""

    key: str
    signature: str


def request_signature() -> Signed | None:
    """Return the signature of the current request, if any."""
    return OFFICIAL_SIGNATURE.get()


def read_signature(text: str, field: str) -> None:
    """Parse a signature and store it for the request; raise 400 if malformed or too long. `field` is its name."""
    try:
        if len(text) > LENGTH_MAX:
            raise msgspec.DecodeError(f"has more than {LENGTH_MAX} characters")
        signed = msgspec.json.decode(text, type=OfferedSignature)
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise ValidationException(extra=[{"key": field, "message": str(error), "source": "header"}]) from error
    OFFICIAL_SIGNATURE.set(Signed(signed.key, signed.signature))


async def read_signature_header(request: Request[Any, Any, Any]) -> None:
    """Store the signature in the request's header, or None without the header, before a request is handled.

    Raises 400 if it is malformed.
    """
    OFFICIAL_SIGNATURE.set(None)
    if (text := find_header(request.scope, RAW_HEADER)) is not None:
        read_signature(text, HEADER)
