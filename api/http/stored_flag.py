"""Whether the current request has stored anything, for its response after a fault."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Final

HAS_STORED: Final[ContextVar[bool]] = ContextVar("has_stored", default=False)
"""True once the request of the current context has stored something."""
