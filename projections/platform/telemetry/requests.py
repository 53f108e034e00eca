"""Which request or job is being worked for: the one word that finds all log lines about it, in every process."""

from __future__ import annotations

import re
import secrets
from contextvars import ContextVar
from typing import Final

HEADER: Final = "X-Request-Id"
RAW_HEADER: Final = HEADER.lower().encode()
"""As a server hands it over."""
URN: Final = "urn:esporles:request:"
"""How a problem document names it (`instance` of RFC 9457)."""
GIVEN: Final = "request_id"
"""By what name the state of a connection holds an id that was taken over."""
GOOD: Final = re.compile(rb"[A-Za-z0-9._-]{8,100}")
"""What is taken over from a caller that may say it."""

CURRENT: Final[ContextVar[str]] = ContextVar("request_id", default="")
"""The id of what is being worked for here; empty where that is nothing."""

ID_BYTES: Final = 10
"""Random bytes of an id: it says nothing of other requests, and two are the same once in 10^12 requests."""


def new_request_id() -> str:
    """Return a random id."""
    return secrets.token_hex(ID_BYTES)


def accepted(word: bytes | None) -> str | None:
    """The id a caller gave, if it is one."""
    return word.decode() if word is not None and GOOD.fullmatch(word) else None


def urn_of_request() -> str:
    """What names the present request to others; empty where there is none."""
    request = CURRENT.get()
    return f"{URN}{request}" if request else ""
