"""Stored changes of keys of watched logs, the trees to continue from, and the checkpoints that a reset replaced."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final, TypeAlias

from sqlalchemy import Column, MetaData, Table, bindparam, func, select

from domain.transparency.errors import Malformed
from domain.transparency.key_chain import parse_signed_note
from domain.transparency.key_notes import KeyChange
from domain.transparency.notes import ED25519, VerifierKey, parse_key
from domain.transparency.witness_resets import LogOfWitness, check_reset, keys_after, tree_after
from domain.transparency.witnessing import NOTHING_SEEN, CosignRefusal, SeenTree
from projections.platform.database import SqliteDatabase
from projections.platform.statements import insert_row, upsert
from projections.platform.tables import BYTES, NUMBER, TEXT

ROOT: Final = "root "
"""Begins a line of the list of services that names a root key: `root KEY ORIGIN`."""
METADATA: Final = MetaData()
CHANGES: Final = Table(
    "changes",
    METADATA,
    Column("number", NUMBER, primary_key=True),
    Column("origin", TEXT, nullable=False),
    Column("note", TEXT, nullable=False),
)
STARTS: Final = Table(
    "starts",
    METADATA,
    Column("origin", TEXT, primary_key=True),
    Column("size", NUMBER, nullable=False),
    Column("root", BYTES, nullable=False),
)
EVIDENCE: Final = Table(
    "evidence",
    METADATA,
    Column("number", NUMBER, primary_key=True),
    Column("origin", TEXT, nullable=False),
    Column("at", NUMBER, nullable=False),
    Column("note", TEXT, nullable=False),
)
NEXT_CHANGE: Final = select(func.coalesce(func.max(CHANGES.c.number), 0) + 1)
NEXT_EVIDENCE: Final = select(func.coalesce(func.max(EVIDENCE.c.number), 0) + 1)
READ_CHANGES: Final = select(CHANGES.c.note).where(CHANGES.c.origin == bindparam("origin")).order_by(CHANGES.c.number)
READ_START: Final = select(STARTS.c.size, STARTS.c.root).where(STARTS.c.origin == bindparam("origin"))
READ_EVIDENCE: Final = select(EVIDENCE.c.note).where(EVIDENCE.c.origin == bindparam("origin"))
ADD_CHANGE: Final = insert_row(CHANGES)
ADD_EVIDENCE: Final = insert_row(EVIDENCE)
WRITE_START: Final = upsert(STARTS)

RootsByOrigin: TypeAlias = Mapping[str, Sequence[VerifierKey]]


def parse_roots(lines: Iterable[str]) -> RootsByOrigin:
    """Return the root keys in lines `root KEY ORIGIN` by origin; other lines are ignored.

    Raise `Malformed` for an invalid key, or without an origin.
    """
    roots = dict[str, list[VerifierKey]]()
    for line in lines:
        if not line.strip().startswith(ROOT):
            continue
        key, _, origin = line.strip().removeprefix(ROOT).strip().partition(" ")
        if not origin.strip():
            raise Malformed(f"the root key {key[:60]!r} needs the name of its log: root KEY ORIGIN")
        roots.setdefault(origin.strip(), []).append(parse_key(key, [ED25519]))
    return roots


class LogChanges:
    """The changes of keys that a witness has accepted. The caller opens the transactions."""

    def __init__(
        self, database: SqliteDatabase, logs: Mapping[str, Sequence[VerifierKey]], roots: RootsByOrigin
    ) -> None:
        self._database, self._logs, self._roots = database, logs, roots

    def logs(self, seconds: int) -> dict[str, LogOfWitness]:
        """Return the watched logs by origin, with their keys at a Unix time."""
        at = datetime.fromtimestamp(seconds, UTC)
        return {
            origin: LogOfWitness(keys_after(keys, self._changes(origin), at), tuple(self._roots.get(origin, ())))
            for origin, keys in self._logs.items()
        }

    def _changes(self, origin: str) -> list[KeyChange]:
        notes = (parse_signed_note(note)[1] for (note,) in self._database.rows(READ_CHANGES, origin=origin))
        return [change for change in notes if isinstance(change, KeyChange)]

    def find_start(self, origin: str) -> SeenTree:
        """Return the tree from which a log continues after a reset, or `NOTHING_SEEN`."""
        rows = self._database.rows(READ_START, origin=origin)
        return SeenTree(*rows[0]) if rows else NOTHING_SEEN

    def reset(self, data: bytes, seen_trees: Mapping[str, SeenTree], seconds: int) -> KeyChange | CosignRefusal:
        """Store a change of a log's key that its root key has signed, or return a refusal.

        `seen_trees`: the latest tree of each log that was seen. A start is stored if the change takes it back.
        """
        change = check_reset(data, self.logs(seconds))
        if isinstance(change, CosignRefusal):
            return change
        origin = change.old.name
        ((number,),) = self._database.rows(NEXT_CHANGE)
        self._database.change(ADD_CHANGE, number=number, origin=origin, note=data.decode())
        if (start := tree_after(seen_trees.get(origin, NOTHING_SEEN), change)) is not None:
            self._database.change(WRITE_START, origin=origin, size=start.size, root=start.root)
        return change

    def store_evidence(self, origin: str, note: str, seconds: int) -> None:
        """Keep a checkpoint that is no longer the latest one of its log."""
        ((number,),) = self._database.rows(NEXT_EVIDENCE)
        self._database.change(ADD_EVIDENCE, number=number, origin=origin, at=seconds, note=note)

    def evidence(self, origin: str) -> list[str]:
        """Return the checkpoints of a log that resets replaced."""
        return [note for (note,) in self._database.rows(READ_EVIDENCE, origin=origin)]
