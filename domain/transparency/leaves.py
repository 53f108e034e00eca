"""What a leaf of our log holds; `docs/specifications/transparency.md` is the specification."""

import hashlib
from collections.abc import Iterable
from typing import Final, NamedTuple
from uuid import UUID

from domain.transparency.merkle import leaf_hash

LEAF_PREFIX: Final = b"esporles.leaf/1\x00"
SALT_BYTES: Final = 16

LOGGED_KINDS: Final = frozenset(
    {"tournament", "league", "dispute", "docket", "committee", "roles", "audit", "ratings", "keys"}
)
"""The kinds of records that are leaves, beside all entries of matches. What can be erased never is one: studies, and
what is in no log at all (chat, notifications, accounts); nor is a call for an arbiter, which decides nothing."""


def leaf_of(salt: bytes, stream: UUID, version: int, digest: bytes) -> bytes:
    """The 32 bytes that the log holds of an entry or a record: without the salt nobody can tell of what."""
    assert len(salt) == SALT_BYTES
    assert len(digest) == hashlib.sha256().digest_size
    return hashlib.sha256(LEAF_PREFIX + salt + stream.bytes + version.to_bytes(8, "big") + digest).digest()


class PlacedLeaf(NamedTuple):
    """An entry or a record with the place of its leaf in the tree."""

    place: int
    salt: bytes
    stream: UUID
    version: int
    digest: bytes


def hash_leaves(leaves: Iterable[PlacedLeaf]) -> dict[int, bytes]:
    """Return the hashes of leaves by their places."""
    return {leaf.place: leaf_hash(leaf_of(leaf.salt, leaf.stream, leaf.version, leaf.digest)) for leaf in leaves}


def is_logged(tag: str) -> bool:
    """Whether a record whose fact has this tag (`league.round_closed`) is a leaf."""
    return tag.partition(".")[0] in LOGGED_KINDS
