"""The state of a monitor in its folder: the last verified checkpoint, all leaves, labels, tiles and findings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from msgspec.structs import asdict
from sqlalchemy import CheckConstraint, Column, MetaData, PrimaryKeyConstraint, Table, bindparam, func, select

from domain.kernel.values import Value
from domain.transparency.merkle import HASH_BYTES
from domain.transparency.tiles import GrowingTree, Tiles, width_of
from projections.platform.database import SqliteDatabase
from projections.platform.statements import insert_row, upsert
from projections.platform.tables import BYTES, NUMBER, TEXT, creation_of

METADATA: Final = MetaData()
LOG: Final = Table(
    "log",
    METADATA,
    Column("id", NUMBER, CheckConstraint("id = 1"), primary_key=True),
    Column("note", TEXT, nullable=False),
    Column("size", NUMBER, nullable=False),
    Column("changed", NUMBER, nullable=False),
    Column("quorum", NUMBER, nullable=False),
    Column("compared", NUMBER, nullable=False),
)
LEAVES: Final = Table(
    "leaves", METADATA, Column("number", NUMBER, primary_key=True), Column("content", BYTES, nullable=False)
)
LABELS: Final = Table(
    "labels", METADATA, Column("label", BYTES, primary_key=True), Column("number", NUMBER, nullable=False)
)
TILES: Final = Table(
    "tiles",
    METADATA,
    Column("level", NUMBER, nullable=False),
    Column("number", NUMBER, nullable=False),
    Column("hashes", BYTES, nullable=False),
    PrimaryKeyConstraint("level", "number"),
)
ANNOUNCED: Final = Table("announced", METADATA, Column("number", NUMBER, primary_key=True))
FINDINGS: Final = Table(
    "findings",
    METADATA,
    Column("kind", TEXT, nullable=False),
    Column("reason", TEXT, nullable=False),
    Column("seconds", NUMBER, nullable=False),
    Column("file", TEXT, nullable=False),
    PrimaryKeyConstraint("kind", "reason"),
)
READ_LOG: Final = select(LOG.c.note, LOG.c.size, LOG.c.changed, LOG.c.quorum, LOG.c.compared)
WRITE_LOG: Final = upsert(LOG)
STAGED: Final = select(func.coalesce(func.max(LEAVES.c.number) + 1, 0))
ADD_LEAF: Final = upsert(LEAVES)
CONTENTS: Final = (
    select(LEAVES.c.content)
    .where(LEAVES.c.number >= bindparam("first"), LEAVES.c.number < bindparam("end"))
    .order_by(LEAVES.c.number)
)
FORGET: Final = LEAVES.delete().where(LEAVES.c.number >= bindparam("first"))
ADD_LABEL: Final = insert_row(LABELS)
FIND_LABEL: Final = select(LABELS.c.number).where(LABELS.c.label == bindparam("label"))
ADD_TILE: Final = upsert(TILES)
TILE: Final = select(TILES.c.hashes).where(TILES.c.level == bindparam("level"), TILES.c.number == bindparam("number"))
ADD_ANNOUNCED: Final = insert_row(ANNOUNCED)
ALL_ANNOUNCED: Final = (
    select(ANNOUNCED.c.number, LEAVES.c.content)
    .join(LEAVES, LEAVES.c.number == ANNOUNCED.c.number)
    .order_by(ANNOUNCED.c.number)
)
ADD_FINDING: Final = insert_row(FINDINGS)
ALL_FINDINGS: Final = select(FINDINGS.c.kind, FINDINGS.c.reason, FINDINGS.c.seconds, FINDINGS.c.file).order_by(
    FINDINGS.c.seconds
)


class Followed(NamedTuple):
    """The last verified checkpoint with its signatures, and when it changed (Unix time).

    `quorum` is the last time when the log showed a checkpoint with the quorum of cosignatures, 0 if never; `compared`
    counts the tiles that were fetched again.
    """

    note: str = ""
    size: int = 0
    changed: int = 0
    quorum: int = 0
    compared: int = 0


class Finding(Value, frozen=True):
    """A broken promise of the log: its kind, the reason, the Unix time, and the file with the evidence."""

    kind: str
    reason: str
    seconds: int
    file: str


class MonitorState:
    """The database of a monitor, used by one thread at a time."""

    def __init__(self, path: Path) -> None:
        self._database = SqliteDatabase(path, is_durable=True)
        self.tiles: Final = Tiles(self.tile)
        try:
            with self.transaction():
                for table in METADATA.sorted_tables:
                    for definition in creation_of(table, if_not_exists=True):
                        self._database.change(definition)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit everything written within the block, or nothing."""
        with self._database.transaction():
            yield

    @property
    def latest(self) -> Followed:
        """The last verified checkpoint; empty before the first."""
        return next((Followed(*row) for row in self._database.rows(READ_LOG)), Followed())

    def store_followed(self, followed: Followed) -> None:
        """Store the last verified checkpoint."""
        self._database.change(WRITE_LOG, id=1, **followed._asdict())

    @property
    def leaf_count(self) -> int:
        """The number of leaves that are stored, verified or not."""
        return int(self._database.rows(STAGED)[0][0])

    def stage(self, first: int, contents: Sequence[bytes]) -> None:
        """Store leaves that were received; they are not verified yet."""
        rows = [{"number": number, "content": content} for number, content in enumerate(contents, first)]
        with self.transaction():
            self._database.change_all(ADD_LEAF, rows)

    def forget_from(self, number: int) -> None:
        """Delete leaves from a number on."""
        with self.transaction():
            self._database.change(FORGET, first=number)

    def contents(self, first: int, end: int) -> list[bytes]:
        """Return the contents of the leaves from `first` to before `end`."""
        return [row[0] for row in self._database.rows(CONTENTS, first=first, end=end)]

    def first_with_label(self, label: bytes, number: int) -> int | None:
        """Return the earlier leaf that has a label, or None after storing it for this leaf; use it in a transaction."""
        for (first,) in self._database.rows(FIND_LABEL, label=label):
            return int(first)
        self._database.change(ADD_LABEL, label=label, number=number)
        return None

    def growth(self, size: int) -> GrowingTree:
        """Return the verified tree of this size, to be continued."""
        edge, level = dict[int, bytes](), 0
        while size >> 8 * level:
            if width := width_of(level, number := size >> 8 * (level + 1), size):
                edge[level] = (self.tile(level, number) or b"")[: width * HASH_BYTES]
            level += 1
        return GrowingTree(size, edge)

    def store_tiles(self, tiles: Iterable[tuple[tuple[int, int], bytes]]) -> None:
        """Store tiles by level and number; use it in a transaction."""
        rows = [{"level": level, "number": number, "hashes": hashes} for (level, number), hashes in tiles]
        self._database.change_all(ADD_TILE, rows)

    def tile(self, level: int, number: int) -> bytes | None:
        """Return the hashes of a tile as computed from the leaves, possibly partial, or None."""
        rows = self._database.rows(TILE, level=level, number=number)
        return rows[0][0] if rows else None

    def store_announced(self, number: int) -> None:
        """Store that a leaf is an announcement; use it in a transaction."""
        self._database.change(ADD_ANNOUNCED, number=number)

    def announced(self) -> list[tuple[int, bytes]]:
        """Return number and content of all well-formed announcements."""
        return [(number, content) for number, content in self._database.rows(ALL_ANNOUNCED)]

    def store_finding(self, finding: Finding) -> None:
        """Store a finding that is not known yet."""
        self._database.change(ADD_FINDING, **asdict(finding))

    def findings(self) -> tuple[Finding, ...]:
        """Return all findings in the order of their times."""
        return tuple(Finding(*row) for row in self._database.rows(ALL_FINDINGS))
