"""The content of a leaf of the log; specified in `docs/specifications/transparency.md`."""

import hashlib
from collections.abc import Iterable
from typing import Final, NamedTuple
from uuid import UUID

from domain.transparency.merkle import leaf_hash

LEAF_PREFIX: Final = b"esporles.leaf/1\x00"
SALT_BYTES: Final = 16

LOGGED_KINDS: Final = frozenset(
    {
        "tournament",
        "league",
        "circuit",
        "dispute",
        "docket",
        "committee",
        "roles",
        "audit",
        "ratings",
        "keys",
        "ranking",
    }
)
"""Kinds of records that are leaves; all entries of matches are, too.

Erasable content never is: studies, chat, notifications, accounts. Neither are calls for an arbiter and
clubs, which decide nothing, nor sanctions, whose givers act on the audit trail. The content of a ranking is
covered by the digests of its records.
"""


def leaf_of(salt: bytes, stream: UUID, version: int, digest: bytes) -> bytes:
    """Return the 32 bytes of a leaf; without the salt they do not reveal which record they are for."""
    assert len(salt) == SALT_BYTES
    assert len(digest) == hashlib.sha256().digest_size
    return hashlib.sha256(LEAF_PREFIX + salt + stream.bytes + version.to_bytes(8, "big") + digest).digest()


class PlacedLeaf(NamedTuple):
    """An entry or a record, with the index of its leaf in the tree."""

    place: int
    salt: bytes
    stream: UUID
    version: int
    digest: bytes
    label: bytes = b""
    """Empty for leaves of format 1."""

    @property
    def content(self) -> bytes:
        """The content of the leaf in the tree."""
        return self.label + leaf_of(self.salt, self.stream, self.version, self.digest)


def hash_leaves(leaves: Iterable[PlacedLeaf]) -> dict[int, bytes]:
    """Return the hashes of leaves by index."""
    return {leaf.place: leaf_hash(leaf.content) for leaf in leaves}


def is_logged(tag: str) -> bool:
    """Return whether a record whose fact has this tag (`league.round_closed`) is a leaf."""
    return tag.partition(".")[0] in LOGGED_KINDS
