"""The lines of the log divided by a hash of their id, so that several processes share the work of following."""

from typing import Final
from uuid import UUID

SLICES: Final = 8
"""Of read models at a PostgreSQL server. Positions are kept for each: whoever changes the number makes the read models
again."""
SEPARATOR: Final = "/"


def slice_of(line_id: UUID) -> int:
    """Ids are drawn, or hashes already: their last byte is as good as any."""
    return line_id.bytes[-1] % SLICES


def place_name(follower: str, slice_: int | None) -> str:
    """What the position of a follower is called, or of one of its slices."""
    return follower if slice_ is None else f"{follower}{SEPARATOR}{slice_}"


def follower_of(place: str) -> str:
    """Whose position it is."""
    return place.partition(SEPARATOR)[0]
