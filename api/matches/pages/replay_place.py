"""The place in a replay that is shown, as the panels beside it are told of it."""

from __future__ import annotations

from uuid import UUID

import msgspec


class ReplayPlace(msgspec.Struct, frozen=True):
    """The position a panel stands beside: an entry of a match, as a seat or a spectator (`None`) sees it."""

    match_id: UUID
    title: str
    version: int
    last: int
    seat: int | None
    names: tuple[str, ...]
    is_over: bool
    """The match has ended, and every secret of it is open."""
