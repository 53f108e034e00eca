"""The database of the transparency tree: salts, leaves, tiles, checkpoints, and witnesses.

It is a separate database, readable by its owner only, because the salts allow guesses to be confirmed. It cannot be
rebuilt: another order or other salts would be another history, which every witness rejects.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import UUID

from sqlalchemy import ClauseElement, Select, bindparam, func, select

from api.transparency.databases import LeaderLock, connect, has_tables, open_tree
from api.transparency.errors import TreeContinued, TreeDiffers
from api.transparency.leaf_queries import LABELLED, PLAIN, LeafQueries
from api.transparency.troubles import CONTRADICTIONS
from domain.transparency.announcements import STREAM as ANNOUNCEMENTS
from domain.transparency.bundles import bundle_of
from domain.transparency.checkpoints import Checkpoint, parse_checkpoint
from domain.transparency.errors import Malformed
from domain.transparency.merkle import HASH_BYTES
from domain.transparency.notes import Note, Signature, parse_signature, parse_signatures
from domain.transparency.tiles import WIDTH, Tile, Tiles, width_of
from projections.platform.database import SharedDatabase, SqliteDatabase
from projections.platform.migrations.schema import tables_in
from projections.platform.statements import insert_row, upsert
from projections.tree import CHECKPOINTS, LABELS, LEAVES, READING, TILES, WITNESSES

POSITION: Final = select(func.coalesce(func.max(READING.c.position), 0))
READ: Final = upsert(READING)
SIZE: Final = select(func.coalesce(func.max(LEAVES.c.number) + 1, 0))
ADD_LEAF: Final = insert_row(LEAVES)
ADD_TILE: Final = upsert(TILES)
TILE: Final = select(TILES.c.hashes).where(TILES.c.level == bindparam("level"), TILES.c.number == bindparam("number"))
ADD_LABEL: Final = insert_row(LABELS)
CHECKPOINT: Final = select(CHECKPOINTS.c.text, CHECKPOINTS.c.signature, CHECKPOINTS.c.at).where(
    CHECKPOINTS.c.what == bindparam("what")
)
KEEP: Final = upsert(CHECKPOINTS)
LIST_WITNESSES: Final = select(WITNESSES).order_by(WITNESSES.c.name)
NOTE: Final = upsert(WITNESSES)
SIGNED: Final = "signed"
PUBLISHED: Final = "published"


class Leaf(NamedTuple):
    """A leaf: the log position and stream version of its event, the salt that hides it, and the commitment.

    An announcement has the log position at that time, no salt, and its content as `leaf`.
    """

    position: int
    stream: UUID
    version: int
    salt: bytes
    leaf: bytes
    label: bytes = b""
    """Empty for announcements and leaves of format 1."""

    @property
    def content(self) -> bytes:
        """The content of the leaf in the tree."""
        return self.label + self.leaf

    @property
    def is_announcement(self) -> bool:
        """Whether it is an announcement of the log, not an event."""
        return self.stream == ANNOUNCEMENTS

    def row(self, number: int) -> dict[str, object]:
        """Return the row of the leaf, without its label."""
        return {
            "number": number,
            "position": self.position,
            "stream": self.stream.bytes,
            "version": self.version,
            "salt": self.salt,
            "leaf": self.leaf,
        }


class Signed(NamedTuple):
    """A checkpoint signed by the service, and its time (microseconds since 1970)."""

    text: str
    signature: Signature
    at: int
    former: Signature | None = None
    """During a planned change of keys, also the signature of the key before."""

    @property
    def checkpoint(self) -> Checkpoint:
        """The parsed checkpoint."""
        return parse_checkpoint(self.text)

    @property
    def signatures(self) -> tuple[Signature, ...]:
        """All signatures by the service, the one of the current key first."""
        return (self.signature,) if self.former is None else (self.signature, self.former)


class WitnessState(NamedTuple):
    """The state of a witness: its latest cosignature, and its current problem since `since`."""

    name: str
    size: int = 0
    text: str = ""
    signature: Signature | None = None
    at: int = 0
    trouble: str = ""
    reason: str = ""
    since: int = 0


def signature_in(line: str) -> Signature | None:
    """Return the stored signature, or None if it is not readable."""
    try:
        return parse_signature(line.removesuffix("\n"))
    except Malformed:
        return None


def name_of(location: Path | str) -> str:
    """Return a name for the tree in messages."""
    return location.name if isinstance(location, Path) else "the tree on the server"


class TreeStore:
    """The open tree: one connection for writing, one shared by all readers."""

    def __init__(self, location: Path | str, *, writable: bool = True) -> None:
        """Open the tree; without `writable` it must exist and is opened read-only."""
        self._location = location
        self._writing = threading.RLock()
        self._leader_lock = LeaderLock(location)
        self._has_labels = writable
        with ExitStack() as undo:
            try:
                if writable:
                    open_tree(location).close()
                self._reader = undo.enter_context(closing(SharedDatabase(partial(connect, location))))
                self._writer = undo.enter_context(closing(connect(location)))
                if not has_tables(self._writer):
                    raise TreeDiffers(f"no tree in {name_of(location)}")
                if not writable and isinstance(self._writer, SqliteDatabase):
                    self._writer.change("PRAGMA query_only=ON")
            except sqlite3.OperationalError:
                raise
            except sqlite3.DatabaseError as fault:
                raise TreeDiffers(f"cannot read {name_of(location)}: {fault}") from fault
            undo.pop_all()
        self.tiles: Final = Tiles(self.tile)

    def close(self) -> None:
        """Release the lock and close the connections."""
        with self._writing:
            self._leader_lock.release()
            self._writer.close()
            self._reader.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit everything written within the block, or nothing."""
        with self._writing, self._writer.transaction():
            yield

    def _rows(self, statement: ClauseElement, **named: object) -> list[Any]:
        return self._reader.rows(statement, **named)

    def try_to_lead(self) -> bool:
        """Try to become the keeper, reopening a closed connection; return whether the lock was free."""
        with self._writing:
            if self._writer.is_closed:
                self._writer = connect(self._location)
            return self._leader_lock.take(self._writer)

    @property
    def is_leader(self) -> bool:
        """Whether this process is the keeper."""
        return self._leader_lock.is_held

    def send_heartbeat(self) -> None:
        """Send a heartbeat as keeper; raise `DatabaseUnavailable` if the lead is lost."""
        with self._writing:
            self._leader_lock.send_heartbeat()

    def stop_leading(self) -> None:
        """Release the keeper's lock."""
        with self._writing:
            self._leader_lock.release()

    @property
    def position(self) -> int:
        """The log position up to which the tree has read."""
        return int(self._rows(POSITION)[0][0])

    @property
    def size(self) -> int:
        """The number of leaves."""
        return int(self._rows(SIZE)[0][0])

    def edge(self, size: int) -> dict[int, bytes]:
        """Return the hashes of the last tile of each level, where it is partial."""
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
        """Append leaves, changed tiles and the new log position in one transaction.

        Raise `TreeContinued` unless the tree is at `position_from`; None skips this check.
        """
        with self.transaction():
            self._require_at(position_from)
            numbered = list(enumerate(leaves, first))
            self._writer.change_all(ADD_LEAF, [leaf.row(number) for number, leaf in numbered])
            labels = [{"number": number, "label": leaf.label} for number, leaf in numbered if leaf.label]
            self._writer.change_all(ADD_LABEL, labels)
            changed = [{"level": level, "number": number, "hashes": each} for (level, number), each in tiles.items()]
            self._writer.change_all(ADD_TILE, changed)
            self._writer.change(READ, id=1, position=position)

    def _require_at(self, position: int | None) -> None:
        """Raise `TreeContinued` unless the tree is at a position (None: any); call it within a transaction."""
        ((stored_position,),) = self._writer.rows(POSITION)
        if position not in (None, stored_position):
            raise TreeContinued(
                f"another process advanced the tree to position {stored_position:,}, expected {position:,}"
            )

    def tile(self, level: int, number: int) -> bytes | None:
        """Return the hashes of a tile, possibly partial, or None."""
        rows = self._rows(TILE, level=level, number=number)
        return rows[0][0] if rows else None

    def tile_served(self, level: int, tile: Tile) -> bytes | None:
        """Return a tile with exactly this width, or None if the tree is too small."""
        hashes = self.tile(level, tile.number) or b""
        byte_count = tile.width * HASH_BYTES
        return hashes[:byte_count] if len(hashes) >= byte_count else None

    def bundle(self, tile: Tile) -> bytes | None:
        """Return the leaves of a tile of level 0, or None if the tree is too small."""
        first = tile.number * WIDTH
        rows = self._rows(self._queries.bundle, first=first, end=first + tile.width)
        return bundle_of((label or b"") + leaf for leaf, label in rows) if len(rows) == tile.width else None

    def leaf(self, stream: UUID, version: int) -> tuple[int, Leaf] | None:
        """Return the leaf of an entry or record with its number, or None if it has none yet."""
        return next(iter(self._leaves(self._queries.of_entry, stream=stream.bytes, version=version)), None)

    def leaves_of(self, stream: UUID) -> dict[int, tuple[int, Leaf]]:
        """Return the leaves of a stream with their numbers, by version."""
        rows = self._leaves(self._queries.of_stream, stream=stream.bytes)
        return {leaf.version: (number, leaf) for number, leaf in rows}

    def announcements(self) -> list[tuple[int, Leaf]]:
        """Return the announcements of the log with their numbers, in order."""
        return list(self._leaves(self._queries.of_stream, stream=ANNOUNCEMENTS.bytes))

    def between(self, first: int, end: int) -> list[tuple[int, Leaf]]:
        """Return the leaves from number `first` to before `end`."""
        return list(self._leaves(self._queries.between, first=first, end=end))

    def newest(self, count: int) -> list[tuple[int, Leaf]]:
        """Return the latest leaves with their numbers, in order."""
        return list(self._leaves(self._queries.since, first=self.size - count))

    @property
    def _queries(self) -> LeafQueries:
        """The queries of leaves; another process may upgrade a tree of an earlier version that is opened read-only."""
        if not self._has_labels:
            with self._writing:
                self._has_labels = LABELS.name in tables_in(self._writer)
        return LABELLED if self._has_labels else PLAIN

    def _leaves(self, statement: Select[Any], **named: object) -> Iterable[tuple[int, Leaf]]:
        for number, position, stream, version, salt, leaf, label in self._rows(statement, **named):
            yield number, Leaf(position, UUID(bytes=stream), version, salt, leaf, label or b"")

    def checkpoint(self, what: str) -> Signed | None:
        """Return the last checkpoint that was `SIGNED` or `PUBLISHED`, or None."""
        for text, signature, at in self._rows(CHECKPOINT, what=what):
            own, *former = parse_signatures(signature)
            return Signed(text, own, at, *former)
        return None

    def store_checkpoint(self, signed: Signed, position: int | None = None) -> None:
        """Store a signed checkpoint before publication, in place of the last one.

        Raise `TreeContinued` unless the tree is at `position`; None skips this check.
        """
        with self.transaction():
            self._require_at(position)
            self._store_checkpoint(SIGNED, signed)

    def publish(self, signed: Signed) -> None:
        """Publish a checkpoint; raise `TreeContinued` if another one has been signed since."""
        with self.transaction():
            if [text for text, *_ in self._writer.rows(CHECKPOINT, what=SIGNED)] != [signed.text]:
                raise TreeContinued("another process has signed the tree")
            self._store_checkpoint(PUBLISHED, signed)

    def _store_checkpoint(self, what: str, signed: Signed) -> None:
        lines = "".join(each.line for each in signed.signatures)
        self._writer.change(KEEP, what=what, text=signed.text, signature=lines, at=signed.at)

    def load_published(self) -> tuple[Signed, Note] | None:
        """Return the published checkpoint and its note with cosignatures, or None.

        Cosignatures of witnesses that contradict the tree now are left out.
        """
        signed = self.checkpoint(PUBLISHED)
        if signed is None:
            return None
        cosigned = [
            each.signature
            for each in self.witnesses()
            if each.signature and each.text == signed.text and each.trouble not in CONTRADICTIONS
        ]
        return signed, Note(signed.text, (*signed.signatures, *cosigned))

    def witnesses(self) -> list[WitnessState]:
        """Return the states of all witnesses that were contacted, by name."""
        rows = self._rows(LIST_WITNESSES)
        return [
            WitnessState(name, size, text, signature_in(line), *other_fields)
            for name, size, text, line, *other_fields in rows
        ]

    def witness(self, name: str) -> WitnessState:
        """Return the state of a witness."""
        return next((each for each in self.witnesses() if each.name == name), WitnessState(name))

    def store_witness(self, standing: WitnessState) -> None:
        """Store the state of a witness, in place of its last one."""
        line = standing.signature.line if standing.signature else ""
        with self.transaction():
            self._writer.change(NOTE, **{**standing._asdict(), "signature": line})
