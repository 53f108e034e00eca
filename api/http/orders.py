"""The signature that came with a request of an official: read in one place, for whichever command asks for it."""

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

ORDER: Final[ContextVar[Signed | None]] = ContextVar("order", default=None)
"""Of the request at hand; the threads that work for it have it too."""


class OfferedOrder(msgspec.Struct, frozen=True):
    """A signature as it is sent; what it is over the service knows, and says where it does not fit."""

    key: str
    signature: str


def order_of_request() -> Signed | None:
    """The signature that came with the request."""
    return ORDER.get()


def read_order(text: str, where: str) -> None:
    """The signature of the request, from now on; what is none is refused where it stands."""
    try:
        if len(text) > LENGTH_MAX:
            raise msgspec.DecodeError(f"has more than {LENGTH_MAX} characters")
        offered = msgspec.json.decode(text, type=OfferedOrder)
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise ValidationException(extra=[{"key": where, "message": str(error), "source": "header"}]) from error
    ORDER.set(Signed(offered.key, offered.signature))


async def take_order(request: Request[Any, Any, Any]) -> None:
    """Before a request is handled: a signature in its header."""
    ORDER.set(None)
    if (text := find_header(request.scope, RAW_HEADER)) is not None:
        read_order(text, HEADER)
