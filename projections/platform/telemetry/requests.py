"""The id of the current request or job, which links its log lines in all processes."""

from __future__ import annotations

import re
import secrets
from contextvars import ContextVar
from typing import Final

HEADER: Final = "X-Request-Id"
RAW_HEADER: Final = HEADER.lower().encode()
"""The header name in ASGI."""
URN: Final = "urn:esporles:request:"
"""Prefix of the id in a problem document (`instance` of RFC 9457)."""
GIVEN: Final = "request_id"
"""Key of an accepted id in the state of a connection."""
GOOD: Final = re.compile(rb"[A-Za-z0-9._-]{8,100}")
"""The format of an id that is accepted from a trusted caller."""

CURRENT: Final[ContextVar[str]] = ContextVar("request_id", default="")
"""The id of the current request or job, or an empty string."""

ID_BYTES: Final = 10
"""Random bytes of an id: unpredictable, with one collision in 10^12 requests."""


def new_request_id() -> str:
    """Return a random id."""
    return secrets.token_hex(ID_BYTES)


def accept_request_id(header: bytes | None) -> str | None:
    """Return the id sent by a caller if it is well-formed, else None."""
    return header.decode() if header is not None and GOOD.fullmatch(header) else None


def urn_of_request() -> str:
    """Return the URN of the current request, or an empty string."""
    request = CURRENT.get()
    return f"{URN}{request}" if request else ""
