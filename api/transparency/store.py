"""Where the order of the log is kept: salts, leaves, tiles, what was signed, and what the witnesses said.

A database of its own, for its owner alone: who has the salts can confirm guesses. It cannot be made again: another
order or other salts are another history, and every witness says so.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import UUID

from api.transparency.errors import TreeDiffers
from domain.matches.write_ahead import write_ahead
from domain.transparency.bundles import bundle_of
from domain.transparency.checkpoints import Checkpoint, parse_checkpoint
from domain.transparency.errors import Malformed
from domain.transparency.merkle import HASH_BYTES
from domain.transparency.notes import Note, Signature, parse_signature
from domain.transparency.tiles import WIDTH, Tile, Tiles, width_of

SCHEMA: Final = (
    # Where it was taken up from, what it is about, and what the log holds of it.
    """CREATE TABLE IF NOT EXISTS leaves (number INTEGER PRIMARY KEY, position INTEGER NOT NULL, stream BLOB NOT NULL,
        version INTEGER NOT NULL, salt BLOB NOT NULL, leaf BLOB NOT NULL)""",
    "CREATE UNIQUE INDEX IF NOT EXISTS leaves_of_stream ON leaves (stream, version)",
    """CREATE TABLE IF NOT EXISTS tiles (level INTEGER NOT NULL, number INTEGER NOT NULL, hashes BLOB NOT NULL,
        PRIMARY KEY (level, number))""",
    # How far the log has been read: further than its newest leaf, for not every record is one.
    "CREATE TABLE IF NOT EXISTS reading (id INTEGER PRIMARY KEY CHECK (id = 1), position INTEGER NOT NULL)",
    """CREATE TABLE IF NOT EXISTS checkpoints (what TEXT PRIMARY KEY, text TEXT NOT NULL, signature TEXT NOT NULL,
        at INTEGER NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS witnesses (name TEXT PRIMARY KEY, size INTEGER NOT NULL, text TEXT NOT NULL,
        signature TEXT NOT NULL, at INTEGER NOT NULL, trouble TEXT NOT NULL, reason TEXT NOT NULL,
        since INTEGER NOT NULL)""",
    "INSERT OR IGNORE INTO reading VALUES (1, 0)",
)
SIGNED: Final = "signed"
PUBLISHED: Final = "published"
WAIT_SECONDS: Final = 10


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


class TreeStore:
    """The open database: one connection that writes, one for all who read."""

    def __init__(self, path: Path, *, to_write: bool = True) -> None:
        """Without `to_write` the file is there already, and stays as it is."""
        if to_write:
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists():
                path.touch(mode=0o600)
        self._writing, self._reading = threading.RLock(), threading.Lock()
        try:
            self._writer, self._reader = self._connect(path), self._connect(path)
            if to_write:
                with self.transaction():
                    for statement in SCHEMA:
                        self._writer.execute(statement)
            else:
                self._writer.execute("PRAGMA query_only=ON")
                if len(self._rows("SELECT 1 FROM sqlite_master WHERE name IN ('leaves', 'tiles', 'checkpoints')")) < 3:
                    raise TreeDiffers(f"{path.name} holds no tree")
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError as fault:
            raise TreeDiffers(f"{path.name} cannot be read: {fault}") from fault
        self.tiles: Final = Tiles(self.tile)

    def _connect(self, path: Path) -> sqlite3.Connection:
        connection = sqlite3.connect(path, timeout=WAIT_SECONDS, isolation_level=None, check_same_thread=False)
        write_ahead(connection)
        # What was signed must be there after a power cut too.
        connection.execute("PRAGMA synchronous=FULL")
        return connection

    def close(self) -> None:
        with self._writing, self._reading:
            self._writer.close()
            self._reader.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All that is written within is kept, or nothing."""
        with self._writing:
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._writer.execute("ROLLBACK")
                raise
            self._writer.execute("COMMIT")

    def _rows(self, statement: str, *values: Any) -> list[Any]:
        with self._reading:
            return self._reader.execute(statement, values).fetchall()

    # The order and the tree

    @property
    def position(self) -> int:
        """How far the log has been read."""
        return int(self._rows("SELECT position FROM reading")[0][0])

    @property
    def size(self) -> int:
        """How many leaves there are."""
        return int(self._rows("SELECT coalesce(max(number) + 1, 0) FROM leaves")[0][0])

    def edge(self, size: int) -> dict[int, bytes]:
        """Of each level the hashes of its last tile, where that is partial."""
        found, level = dict[int, bytes](), 0
        while size >> 8 * level:
            number = size >> 8 * (level + 1)
            if width := width_of(level, number, size):
                found[level] = (self.tile(level, number) or b"")[: width * HASH_BYTES]
            level += 1
        return found

    def append(self, first: int, leaves: Sequence[Leaf], tiles: dict[tuple[int, int], bytes], position: int) -> None:
        """Further leaves and the tiles they change, with how far the log was read for them: in one transaction."""
        with self.transaction():
            self._writer.executemany(
                "INSERT INTO leaves VALUES (?, ?, ?, ?, ?, ?)",
                (
                    (number, leaf.position, leaf.stream.bytes, leaf.version, leaf.salt, leaf.leaf)
                    for number, leaf in enumerate(leaves, first)
                ),
            )
            self._writer.executemany(
                "INSERT OR REPLACE INTO tiles VALUES (?, ?, ?)", ((*place, hashes) for place, hashes in tiles.items())
            )
            self._writer.execute("UPDATE reading SET position = ?", (position,))

    def tile(self, level: int, number: int) -> bytes | None:
        """The hashes of a tile, as many as there are."""
        rows = self._rows("SELECT hashes FROM tiles WHERE level = ? AND number = ?", level, number)
        return rows[0][0] if rows else None

    def tile_served(self, level: int, tile: Tile) -> bytes | None:
        """A tile of just this width, if the tree has it."""
        hashes = self.tile(level, tile.number) or b""
        wanted = tile.width * HASH_BYTES
        return hashes[:wanted] if len(hashes) >= wanted else None

    def bundle(self, tile: Tile) -> bytes | None:
        """The leaves of a tile of level 0, if the tree has as many."""
        first = tile.number * WIDTH
        sql = "SELECT leaf FROM leaves WHERE number BETWEEN ? AND ? ORDER BY number"
        rows = self._rows(sql, first, first + tile.width - 1)
        return bundle_of(row[0] for row in rows) if len(rows) == tile.width else None

    def leaf(self, stream: UUID, version: int) -> tuple[int, Leaf] | None:
        """The leaf of an entry or record, with its number, once it has been taken up."""
        return next(iter(self._leaves("stream = ? AND version = ?", stream.bytes, version)), None)

    def leaves_of(self, stream: UUID) -> dict[int, tuple[int, Leaf]]:
        """All leaves of a stream with their numbers, by version."""
        return {leaf.version: (number, leaf) for number, leaf in self._leaves("stream = ?", stream.bytes)}

    def between(self, first: int, end: int) -> list[tuple[int, Leaf]]:
        """The leaves with these numbers, from `first` to before `end`."""
        return list(self._leaves("number >= ? AND number < ?", first, end))

    def newest(self, count: int) -> list[tuple[int, Leaf]]:
        """The newest leaves with their numbers, the oldest of them first."""
        return list(self._leaves("number >= ?", self.size - count))

    def _leaves(self, condition: str, *values: Any) -> Iterable[tuple[int, Leaf]]:
        sql = f"SELECT number, position, stream, version, salt, leaf FROM leaves WHERE {condition} ORDER BY number"  # noqa: S608  (written here)
        for number, position, stream, version, salt, leaf in self._rows(sql, *values):
            yield number, Leaf(position, UUID(bytes=stream), version, salt, leaf)

    # What was signed

    def checkpoint(self, what: str) -> Signed | None:
        """The checkpoint `SIGNED` last, or that which is `PUBLISHED`."""
        for text, signature, at in self._rows("SELECT text, signature, at FROM checkpoints WHERE what = ?", what):
            return Signed(text, parse_signature(signature.rstrip("\n")), at)
        return None

    def keep(self, what: str, signed: Signed) -> None:
        with self.transaction():
            row = (what, signed.text, signed.signature.line, signed.at)
            self._writer.execute("INSERT OR REPLACE INTO checkpoints VALUES (?, ?, ?, ?)", row)

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
        sql = "SELECT name, size, text, signature, at, trouble, reason, since FROM witnesses ORDER BY name"
        return [
            Standing(name, size, text, signature_in(line), *more) for name, size, text, line, *more in self._rows(sql)
        ]

    def witness(self, name: str) -> Standing:
        return next((each for each in self.witnesses() if each.name == name), Standing(name))

    def note_witness(self, standing: Standing) -> None:
        line = standing.signature.line if standing.signature else ""
        with self.transaction():
            row = (standing.name, standing.size, standing.text, line, *standing[4:])
            self._writer.execute("INSERT OR REPLACE INTO witnesses VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
