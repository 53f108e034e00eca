"""The tree as tiles of 256 hashes (C2SP tlog-tiles): names, and roots and proofs computed from tiles.

The tile N of level L holds, for i from 0 to 255, the root of 256^L leaves starting at (256 N + i) 256^L. A full tile is
hashed into one hash of the level above, a partial one is not.
"""

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from domain.transparency.errors import FalseProof, Malformed, TileMissing
from domain.transparency.merkle import EMPTY_ROOT, HASH_BYTES, SIZE_MAX, node_hash, root_of, split_of

HEIGHT: Final = 8
WIDTH: Final = 256
LEVEL_MAX: Final = 63
PATH: Final = re.compile(r"((?:x[0-9]{3}/){0,6}[0-9]{3})(?:\.p/([1-9][0-9]{0,2}))?")
LEVEL: Final = re.compile(r"0|[1-9][0-9]?")


class Tile(NamedTuple):
    """The name of a tile, or of a bundle of entries, without its level."""

    number: int
    width: int = WIDTH

    @property
    def is_full(self) -> bool:
        """Whether the tile has all 256 hashes."""
        return self.width == WIDTH

    @property
    def path(self) -> str:
        """`x001/x234/067` for the index 1,234,067, with a suffix `.p/W` for a partial tile."""
        digits = str(self.number)
        digits = digits.zfill(-(-len(digits) // 3) * 3)
        parts = [digits[at : at + 3] for at in range(0, len(digits), 3)]
        full_path = "/".join([*(f"x{part}" for part in parts[:-1]), parts[-1]])
        return full_path if self.is_full else f"{full_path}.p/{self.width}"


def parse_path(path: str) -> Tile:
    """Parse the path of a tile; raise `Malformed` unless it is canonical and of a possible width."""
    found = PATH.fullmatch(path)
    if found is None:
        raise Malformed(f"{path[:60]!r} is not the path of a tile")
    number = int(found[1].replace("x", "").replace("/", ""))
    tile = Tile(number, int(found[2] or WIDTH))
    if tile.width > WIDTH or tile.path != path:
        raise Malformed(f"{path[:60]!r} is not the path of a tile")
    return tile


def parse_level(text: str) -> int:
    """Parse a level, 0 to 63, in a URL; raise `Malformed` otherwise."""
    if LEVEL.fullmatch(text) is None or int(text) > LEVEL_MAX:
        raise Malformed(f"{text[:60]!r} is not a level of tiles, 0 to {LEVEL_MAX}")
    return int(text)


def width_of(level: int, index: int, size: int) -> int:
    """Return the number of hashes of a tile in a tree of this size; 0 if there is no such tile."""
    return min(max((size >> HEIGHT * level) - index * WIDTH, 0), WIDTH)


ReadTile = Callable[[int, int], bytes | None]
"""(level, index) -> the hashes of a tile, as many as stored, or None."""


def hashes_in(data: bytes) -> list[bytes]:
    """Split the content of a tile into hashes."""
    return [data[at : at + HASH_BYTES] for at in range(0, len(data), HASH_BYTES)]


class Tiles:
    """A tree read from tiles. Methods raise `TileMissing` if a tile is missing or too short."""

    def __init__(self, read: ReadTile) -> None:
        self._read = read

    def subtree(self, height: int, index: int) -> bytes:
        """Return the root of the 2^height leaves that start at index × 2^height.

        Raise `TileMissing` if their tile is missing or too short.
        """
        level, depth = divmod(height, HEIGHT)
        tile, offset = divmod(index << depth, WIDTH)
        data, end = self._read(level, tile), (offset + (1 << depth)) * HASH_BYTES
        if data is None or len(data) < end:
            raise TileMissing(f"the tile {level}/{Tile(tile).path} is missing or too short")
        return root_of(hashes_in(data[offset * HASH_BYTES : end]))

    def range_root(self, start: int, end: int) -> bytes:
        """Return the root of the leaves from `start` to before `end`, which must be a node of a tree (RFC 6962).

        An unaligned range gives another root. Raise `TileMissing` if a tile is missing or too short.
        """
        count = end - start
        if count & (count - 1) == 0:
            height = count.bit_length() - 1
            return self.subtree(height, start >> height)
        middle = start + split_of(count)
        # Read the right half first: if the tree is missing, the first read fails at once.
        right = self.range_root(middle, end)
        return node_hash(self.range_root(start, middle), right)

    def root(self, size: int) -> bytes:
        """Return the root of the first `size` leaves.

        Raise `FalseProof` for an impossible size, `TileMissing` without a tile.
        """
        if not 0 <= size <= SIZE_MAX:
            raise FalseProof(f"invalid tree size {size}")
        return self.range_root(0, size) if size else EMPTY_ROOT

    def inclusion(self, index: int, size: int) -> list[bytes]:
        """Return the proof that a leaf is in the tree of this size, from its sibling up.

        Raise `FalseProof` if it is outside, `TileMissing` without a tile.
        """
        if not 0 <= index < size <= SIZE_MAX:
            raise FalseProof(f"a tree of {size} leaves has no leaf {index}")
        proof, start, end = list[bytes](), 0, size
        while end - start > 1:
            middle = start + split_of(end - start)
            if index < middle:
                proof.append(self.range_root(middle, end))
                end = middle
            else:
                proof.append(self.range_root(start, middle))
                start = middle
        return proof[::-1]

    def consistency(self, old_size: int, size: int) -> list[bytes]:
        """Return the proof that the old tree is a prefix of the new one; empty if it is empty or of the same size.

        Raise `FalseProof` if it is larger, `TileMissing` without a tile.
        """
        if not 0 <= old_size <= size <= SIZE_MAX:
            raise FalseProof(f"a tree of {size} leaves has no prefix of {old_size}")
        if old_size in (0, size):
            return []
        proof, start, end, is_left_edge = list[bytes](), 0, size, True
        while end != old_size:
            middle = start + split_of(end - start)
            if old_size <= middle:
                proof.append(self.range_root(middle, end))
                end = middle
            else:
                proof.append(self.range_root(start, middle))
                start, is_left_edge = middle, False
        if not is_left_edge:
            proof.append(self.range_root(start, end))
        return proof[::-1]


class GrowingTree:
    """A growing tree: the right edge of its tiles, in memory, until `changed` takes the new tiles."""

    def __init__(self, size: int, edge: dict[int, bytes]) -> None:
        """Start with `edge`: for each level, the hashes of its last tile if that is partial."""
        self.size = size
        self._edge = {level: bytearray(hashes) for level, hashes in edge.items()}
        self._full_tiles = dict[tuple[int, int], bytes]()
        self._changed_levels = set[int]()

    def add(self, leaves: list[bytes]) -> None:
        """Append leaf hashes and note the tiles that change."""
        at = 0
        while at < len(leaves):
            offset = self.size % WIDTH
            chunk = leaves[at : at + WIDTH - offset]
            self.size += len(chunk)
            at += len(chunk)
            self._put(0, b"".join(chunk))

    def _put(self, level: int, hashes: bytes) -> None:
        """Append hashes to the last tile of a level; a full tile adds its root to the level above."""
        edge = self._edge.setdefault(level, bytearray())
        edge += hashes
        self._changed_levels.add(level)
        if len(edge) == WIDTH * HASH_BYTES:
            tile = bytes(edge)
            index = (self.size >> HEIGHT * (level + 1)) - 1
            self._full_tiles[level, index] = tile
            del self._edge[level]
            self._put(level + 1, root_of(hashes_in(tile)))

    def take_changed_tiles(self) -> dict[tuple[int, int], bytes]:
        """Return and forget the tiles, by level and index, that are new or have grown since the last call."""
        changed = self._full_tiles
        for level in self._changed_levels:
            if level in self._edge:
                changed[level, self.size >> HEIGHT * (level + 1)] = bytes(self._edge[level])
        self._full_tiles, self._changed_levels = {}, set()
        return changed
