"""The tree as tiles of 256 hashes (C2SP tlog-tiles): their names, and what can be made from them.

The tile N of level L holds, for i from 0 to 255, the root of the 256^L leaves from (256 N + i) 256^L on. A full tile is
hashed into one hash of the level above, a partial one is not. Roots and proofs are made from tiles alone.
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
        return self.width == WIDTH

    @property
    def path(self) -> str:
        """`x001/x234/067` for the index 1,234,067, and `.p/W` behind it for a partial one."""
        digits = str(self.number)
        digits = digits.zfill(-(-len(digits) // 3) * 3)
        parts = [digits[at : at + 3] for at in range(0, len(digits), 3)]
        whole = "/".join([*(f"x{part}" for part in parts[:-1]), parts[-1]])
        return whole if self.is_full else f"{whole}.p/{self.width}"


def parse_path(path: str) -> Tile:
    """The tile of that path; `Malformed` for any but the one way to write it."""
    found = PATH.fullmatch(path)
    if found is None:
        raise Malformed(f"{path[:60]!r} is not the path of a tile")
    number = int(found[1].replace("x", "").replace("/", ""))
    tile = Tile(number, int(found[2] or WIDTH))
    if tile.width > WIDTH or tile.path != path:
        raise Malformed(f"{path[:60]!r} is not the path of a tile")
    return tile


def parse_level(text: str) -> int:
    """A level, 0 to 63, as an address has it."""
    if LEVEL.fullmatch(text) is None or int(text) > LEVEL_MAX:
        raise Malformed(f"{text[:60]!r} is not a level of tiles, 0 to {LEVEL_MAX}")
    return int(text)


def width_of(level: int, index: int, size: int) -> int:
    """How many hashes a tile has in a tree of this size; 0 where there is none."""
    return min(max((size >> HEIGHT * level) - index * WIDTH, 0), WIDTH)


ReadTile = Callable[[int, int], bytes | None]
"""The hashes of a tile by level and index, as many as there are, or nothing."""


def hashes_in(data: bytes) -> list[bytes]:
    return [data[at : at + HASH_BYTES] for at in range(0, len(data), HASH_BYTES)]


class Tiles:
    """A tree read by its tiles. `TileMissing` where one is not there or is too short."""

    def __init__(self, read: ReadTile) -> None:
        self._read = read

    def subtree(self, height: int, index: int) -> bytes:
        """The root of the 2^height leaves from index 2^height on."""
        level, above = divmod(height, HEIGHT)
        tile, place = divmod(index << above, WIDTH)
        data, end = self._read(level, tile), (place + (1 << above)) * HASH_BYTES
        if data is None or len(data) < end:
            raise TileMissing(f"the tile {level}/{Tile(tile).path} is not there or too short")
        return root_of(hashes_in(data[place * HASH_BYTES : end]))

    def range_root(self, start: int, end: int) -> bytes:
        """The root of the leaves from `start` to before `end`, as RFC 6962 divides a tree."""
        count = end - start
        if count & (count - 1) == 0:
            height = count.bit_length() - 1
            return self.subtree(height, start >> height)
        middle = start + split_of(count)
        # The right half first: in a tree that is not there the first look ends it.
        right = self.range_root(middle, end)
        return node_hash(self.range_root(start, middle), right)

    def root(self, size: int) -> bytes:
        """The root of the first `size` leaves."""
        if not 0 <= size <= SIZE_MAX:
            raise FalseProof(f"no tree has {size} leaves")
        return self.range_root(0, size) if size else EMPTY_ROOT

    def inclusion(self, index: int, size: int) -> list[bytes]:
        """The proof that a leaf is in the tree of this size, from its sibling up."""
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
        """The proof that the tree of the old size is the beginning of that of the new one."""
        if not 0 <= old_size <= size <= SIZE_MAX:
            raise FalseProof(f"a tree of {size} leaves has no beginning of {old_size}")
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


class Growth:
    """A tree that grows: the right edge of its tiles, in memory. What was added is taken off by `changed`."""

    def __init__(self, size: int, edge: dict[int, bytes]) -> None:
        """`edge`: of each level the hashes of its last tile, while that is partial."""
        self.size = size
        self._edge = {level: bytearray(hashes) for level, hashes in edge.items()}
        self._full = dict[tuple[int, int], bytes]()
        self._touched = set[int]()

    def add(self, leaves: list[bytes]) -> None:
        """The hashes of further leaves."""
        at = 0
        while at < len(leaves):
            place = self.size % WIDTH
            taken = leaves[at : at + WIDTH - place]
            self.size += len(taken)
            at += len(taken)
            self._put(0, b"".join(taken))

    def _put(self, level: int, hashes: bytes) -> None:
        edge = self._edge.setdefault(level, bytearray())
        edge += hashes
        self._touched.add(level)
        if len(edge) == WIDTH * HASH_BYTES:
            whole = bytes(edge)
            index = (self.size >> HEIGHT * (level + 1)) - 1
            self._full[level, index] = whole
            del self._edge[level]
            self._put(level + 1, root_of(hashes_in(whole)))

    def changed(self) -> dict[tuple[int, int], bytes]:
        """Level and index of each tile that is new or has grown since this was last asked, with its hashes."""
        found = self._full
        for level in self._touched:
            if level in self._edge:
                found[level, self.size >> HEIGHT * (level + 1)] = bytes(self._edge[level])
        self._full, self._touched = {}, set()
        return found
