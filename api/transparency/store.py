"""Where the order of the log is kept: salts, leaves, tiles, what was signed, and what the witnesses said.

A database of its own, for its owner alone: who has the salts can confirm guesses. It cannot be made again: another
order or other salts are another history, and every witness says so.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import UUID

from sqlalchemy import ClauseElement, Select, bindparam, func, select

from api.transparency.errors import TreeContinued, TreeDiffers
from api.transparency.places import Lead, connect, has_tables, open_tree
from domain.transparency.bundles import bundle_of
from domain.transparency.checkpoints import Checkpoint, parse_checkpoint
from domain.transparency.errors import Malformed
from domain.transparency.merkle import HASH_BYTES
from domain.transparency.notes import Note, Signature, parse_signature
from domain.transparency.tiles import WIDTH, Tile, Tiles, width_of
from projections.platform.database import SharedDatabase, SqliteDatabase
from projections.platform.statements import insert_row, upsert
from projections.tree import CHECKPOINTS, LEAVES, READING, TILES, WITNESSES

POSITION: Final = select(func.coalesce(func.max(READING.c.position), 0))
READ: Final = upsert(READING)
SIZE: Final = select(func.coalesce(func.max(LEAVES.c.number) + 1, 0))
ADD_LEAF: Final = insert_row(LEAVES)
ADD_TILE: Final = upsert(TILES)
TILE: Final = select(TILES.c.hashes).where(TILES.c.level == bindparam("level"), TILES.c.number == bindparam("number"))
BUNDLE: Final = (
    select(LEAVES.c.leaf)
    .where(LEAVES.c.number.between(bindparam("first"), bindparam("last")))
    .order_by(LEAVES.c.number)
)
ALL_LEAVES: Final = select(
    *(LEAVES.c.number, LEAVES.c.position, LEAVES.c.stream, LEAVES.c.version, LEAVES.c.salt, LEAVES.c.leaf)
).order_by(LEAVES.c.number)
OF_STREAM: Final = ALL_LEAVES.where(LEAVES.c.stream == bindparam("stream"))
OF_ENTRY: Final = OF_STREAM.where(LEAVES.c.version == bindparam("version"))
FROM: Final = ALL_LEAVES.where(LEAVES.c.number >= bindparam("first"))
BETWEEN: Final = FROM.where(LEAVES.c.number < bindparam("end"))
CHECKPOINT: Final = select(CHECKPOINTS.c.text, CHECKPOINTS.c.signature, CHECKPOINTS.c.at).where(
    CHECKPOINTS.c.what == bindparam("what")
)
KEEP: Final = upsert(CHECKPOINTS)
LIST_WITNESSES: Final = select(WITNESSES).order_by(WITNESSES.c.name)
NOTE: Final = upsert(WITNESSES)
SIGNED: Final = "signed"
PUBLISHED: Final = "published"


class Leaf(NamedTuple):
    """A leaf as it is kept: where its entry or record stands, and what hides it."""

    position: int
    stream: UUID
    version: int
    salt: bytes
    leaf: bytes


class Signed(NamedTuple):
    """A checkpoint that the house has signed, and when, in microseconds since 1970."""

    text: str
    signature: Signature
    at: int

    @property
    def checkpoint(self) -> Checkpoint:
        return parse_checkpoint(self.text)


class Standing(NamedTuple):
    """What is known of a witness: its newest cosignature, and since when something is the matter with it."""

    name: str
    size: int = 0
    text: str = ""
    signature: Signature | None = None
    at: int = 0
    trouble: str = ""
    reason: str = ""
    since: int = 0


def signature_in(line: str) -> Signature | None:
    """The signature of a stored line; a witness without a readable one has none."""
    try:
        return parse_signature(line.removesuffix("\n"))
    except Malformed:
        return None


def name_of(place: Path | str) -> str:
    return place.name if isinstance(place, Path) else "the tree at the server"


class TreeStore:
    """The open database, a file or at a server: one connection that writes, one for all who read."""

    def __init__(self, place: Path | str, *, to_write: bool = True) -> None:
        """Without `to_write` it is there already, and stays as it is."""
        self._place = place
        self._writing = threading.RLock()
        self._lead = Lead(place)
        try:
            if to_write:
                open_tree(place).close()
            self._reader, self._writer = SharedDatabase(partial(connect, place)), connect(place)
            if not has_tables(self._writer):
                self.close()
                raise TreeDiffers(f"{name_of(place)} holds no tree")
            if not to_write and isinstance(self._writer, SqliteDatabase):
                self._writer.change("PRAGMA query_only=ON")
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError as fault:
            raise TreeDiffers(f"{name_of(place)} cannot be read: {fault}") from fault
        self.tiles: Final = Tiles(self.tile)

    def close(self) -> None:
        with self._writing:
            self._lead.give_up()
            self._writer.close()
            self._reader.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All that is written within is kept, or nothing."""
        with self._writing, self._writer.transaction():
            yield

    def _rows(self, statement: ClauseElement, **named: object) -> list[Any]:
        return self._reader.rows(statement, **named)

    # Who continues it

    def try_to_lead(self) -> bool:
        """Whether this process continues the tree from now on; nobody else does then."""
        with self._writing:
            if self._writer.is_closed:
                self._writer = connect(self._place)
            return self._lead.take(self._writer)

    @property
    def leads(self) -> bool:
        return self._lead.is_held

    def hold(self) -> None:
        """Says that it goes on leading; `DatabaseAway` where it has lost the lead."""
        with self._writing:
            self._lead.hold()

    def give_up(self) -> None:
        """Another may continue the tree."""
        with self._writing:
            self._lead.give_up()

    # The order and the tree

    @property
    def position(self) -> int:
        """How far the log has been read."""
        return int(self._rows(POSITION)[0][0])

    @property
    def size(self) -> int:
        """How many leaves there are."""
        return int(self._rows(SIZE)[0][0])

    def edge(self, size: int) -> dict[int, bytes]:
        """Of each level the hashes of its last tile, where that is partial."""
        found, level = dict[int, bytes](), 0
        while size >> 8 * level:
            number = size >> 8 * (level + 1)
            if width := width_of(level, number, size):
                found[level] = (self.tile(level, number) or b"")[: width * HASH_BYTES]
            level += 1
        return found

    def append(
        self,
        first: int,
        leaves: Sequence[Leaf],
        tiles: dict[tuple[int, int], bytes],
        position: int,
        position_from: int | None = None,
    ) -> None:
        """Further leaves and the tiles they change, with how far the log was read for them: in one transaction.
        `TreeContinued` where it has been read further than `position_from`; without that it is not looked at."""
        with self.transaction():
            self._require_at(position_from)
            rows = [
                {"number": number, **leaf._asdict(), "stream": leaf.stream.bytes}
                for number, leaf in enumerate(leaves, first)
            ]
            self._writer.change_all(ADD_LEAF, rows)
            changed = [{"level": level, "number": number, "hashes": each} for (level, number), each in tiles.items()]
            self._writer.change_all(ADD_TILE, changed)
            self._writer.change(READ, id=1, position=position)

    def _require_at(self, position: int | None) -> None:
        """In a transaction: nobody else has continued the tree."""
        ((stands,),) = self._writer.rows(POSITION)
        if position not in (None, stands):
            raise TreeContinued(f"the tree was read to position {stands:,} by another process, and not to {position:,}")

    def tile(self, level: int, number: int) -> bytes | None:
        """The hashes of a tile, as many as there are."""
        rows = self._rows(TILE, level=level, number=number)
        return rows[0][0] if rows else None

    def tile_served(self, level: int, tile: Tile) -> bytes | None:
        """A tile of just this width, if the tree has it."""
        hashes = self.tile(level, tile.number) or b""
        wanted = tile.width * HASH_BYTES
        return hashes[:wanted] if len(hashes) >= wanted else None

    def bundle(self, tile: Tile) -> bytes | None:
        """The leaves of a tile of level 0, if the tree has as many."""
        first = tile.number * WIDTH
        rows = self._rows(BUNDLE, first=first, last=first + tile.width - 1)
        return bundle_of(row[0] for row in rows) if len(rows) == tile.width else None

    def leaf(self, stream: UUID, version: int) -> tuple[int, Leaf] | None:
        """The leaf of an entry or record, with its number, once it has been taken up."""
        return next(iter(self._leaves(OF_ENTRY, stream=stream.bytes, version=version)), None)

    def leaves_of(self, stream: UUID) -> dict[int, tuple[int, Leaf]]:
        """All leaves of a stream with their numbers, by version."""
        return {leaf.version: (number, leaf) for number, leaf in self._leaves(OF_STREAM, stream=stream.bytes)}

    def between(self, first: int, end: int) -> list[tuple[int, Leaf]]:
        """The leaves with these numbers, from `first` to before `end`."""
        return list(self._leaves(BETWEEN, first=first, end=end))

    def newest(self, count: int) -> list[tuple[int, Leaf]]:
        """The newest leaves with their numbers, the oldest of them first."""
        return list(self._leaves(FROM, first=self.size - count))

    def _leaves(self, statement: Select[Any], **named: object) -> Iterable[tuple[int, Leaf]]:
        for number, position, stream, version, salt, leaf in self._rows(statement, **named):
            yield number, Leaf(position, UUID(bytes=stream), version, salt, leaf)

    # What was signed

    def checkpoint(self, what: str) -> Signed | None:
        """The checkpoint `SIGNED` last, or that which is `PUBLISHED`."""
        for text, signature, at in self._rows(CHECKPOINT, what=what):
            return Signed(text, parse_signature(signature.rstrip("\n")), at)
        return None

    def keep(self, signed: Signed, position: int | None = None) -> None:
        """What the house has signed, before anybody sees it; `TreeContinued` where the tree stands elsewhere."""
        with self.transaction():
            self._require_at(position)
            self._keep(SIGNED, signed)

    def publish(self, signed: Signed) -> None:
        """What is served from now on; `TreeContinued` where another was signed meanwhile."""
        with self.transaction():
            if [text for text, *_ in self._writer.rows(CHECKPOINT, what=SIGNED)] != [signed.text]:
                raise TreeContinued("another process has signed the tree")
            self._keep(PUBLISHED, signed)

    def _keep(self, what: str, signed: Signed) -> None:
        self._writer.change(KEEP, what=what, text=signed.text, signature=signed.signature.line, at=signed.at)

    def published(self) -> tuple[Signed, Note] | None:
        """The checkpoint that is served, with the cosignatures there are of it."""
        signed = self.checkpoint(PUBLISHED)
        if signed is None:
            return None
        cosigned = [each.signature for each in self.witnesses() if each.signature and each.text == signed.text]
        return signed, Note(signed.text, (signed.signature, *cosigned))

    # Witnesses

    def witnesses(self) -> list[Standing]:
        """What is known of those who have been asked, by name."""
        rows = self._rows(LIST_WITNESSES)
        return [Standing(name, size, text, signature_in(line), *more) for name, size, text, line, *more in rows]

    def witness(self, name: str) -> Standing:
        return next((each for each in self.witnesses() if each.name == name), Standing(name))

    def note_witness(self, standing: Standing) -> None:
        line = standing.signature.line if standing.signature else ""
        with self.transaction():
            self._writer.change(NOTE, **{**standing._asdict(), "signature": line})
