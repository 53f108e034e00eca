"""Sharding of the log's lines by a hash of their id."""

from typing import Final
from uuid import UUID

SHARD_COUNT: Final = 8
"""Number of shards in PostgreSQL.

Offsets are stored per shard, so a new number requires a rebuild of the read models.
"""
SEPARATOR: Final = "/"


def shard_of(line_id: UUID) -> int:
    """Return the shard of a line: ids are random or hashes, so any byte is evenly distributed."""
    return line_id.bytes[-1] % SHARD_COUNT


def consumer_name(follower: str, slice_: int | None) -> str:
    """Return the name of a projection's consumer, or of its consumer for a shard."""
    return follower if slice_ is None else f"{follower}{SEPARATOR}{slice_}"


def projection_of(consumer: str) -> str:
    """Return the projection of a consumer."""
    return consumer.partition(SEPARATOR)[0]
