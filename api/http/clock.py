"""The time at which a request was received."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> datetime:
    """Return the current time in UTC; handlers read it once per request."""
    return datetime.now(UTC)
