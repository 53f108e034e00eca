"""The time of receipt of a change."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> datetime:
    """The time of receipt, read once per request, here."""
    return datetime.now(UTC)
