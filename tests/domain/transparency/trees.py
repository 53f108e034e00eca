"""Trees for tests, with their own numbers as leaves, as tiles in memory."""

import base64
import hashlib
from functools import cache

from domain.transparency.merkle import leaf_hash, node_hash
from domain.transparency.tiles import GrowingTree, Tiles


@cache
def leaf(number: int, salt: str = "") -> bytes:
    return leaf_hash(f"leaf {number}{salt}".encode())


def plain_root(hashes: list[bytes]) -> bytes:
    """Return the root by the definition in RFC 6962, section 2.1, sharing no code with the product."""
    if not hashes:
        return hashlib.sha256().digest()
    if len(hashes) == 1:
        return hashes[0]
    middle = 1
    while middle * 2 < len(hashes):
        middle *= 2
    return node_hash(plain_root(hashes[:middle]), plain_root(hashes[middle:]))


class Tree:
    """A tree that grew in the given steps, with its tiles as they would be stored."""

    def __init__(self, *steps: int, salt: str = "") -> None:
        self.tiles = dict[tuple[int, int], bytes]()
        self.growth = GrowingTree(0, {})
        self.leaves = list[bytes]()
        for step in steps:
            self.grow(step, salt)

    def grow(self, count: int, salt: str = "") -> None:
        more = [leaf(number, salt) for number in range(len(self.leaves), len(self.leaves) + count)]
        self.leaves += more
        self.growth.add(more)
        self.tiles |= self.growth.take_changed_tiles()

    def append(self, content: bytes) -> None:
        """Append a leaf with this content."""
        self.leaves.append(leaf_hash(content))
        self.growth.add(self.leaves[-1:])
        self.tiles |= self.growth.take_changed_tiles()

    @property
    def read(self) -> Tiles:
        return Tiles(lambda level, number: self.tiles.get((level, number)))

    def root(self, size: int | None = None) -> bytes:
        return self.read.root(len(self.leaves) if size is None else size)


def plain(text: str) -> bytes:
    return base64.b64decode(text)
