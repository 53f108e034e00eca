"""Contests recorded before `standings: 2`, read as the tests need them (tests/golden/contests/README.md)."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import msgspec

FOLDER: Final = Path(__file__).with_name("contests")


def no_show_file() -> bytes:
    """Return the proof of a tournament in format 1 in which a bot won the final for an absent entrant."""
    return (FOLDER / "no-show-format-1.event").read_bytes()


def recorded(name: str) -> dict[str, Any]:
    """Return the values that were recorded with a contest."""
    found: dict[str, Any] = msgspec.json.decode((FOLDER / f"{name}.json").read_bytes())
    return found
