"""Verification of restored databases, internally and against later checkpoints of the service."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec

from api.transparency.errors import TreeDiffers
from api.transparency.store import SIGNED, TreeStore
from domain.transparency.checkpoints import Checkpoint, parse_checkpoint
from domain.transparency.errors import Malformed, TransparencyFault
from domain.transparency.notes import parse_note
from ops.archive.litestream import databases
from ops.console import Finding, WrongUsage
from ops.progress import Steps
from ops.transparency.store_audit import cores, examine_store
from projections.platform.database import DatabaseUnavailable, connect_to
from projections.platform.settings import Settings

SERVER_TABLE: Final = "matches_events"
"""The table of the log in PostgreSQL."""


class Proof(msgspec.Struct, frozen=True, rename="camel"):
    """The examined data and the faults found."""

    entries: int
    matches: int
    leaves: int
    signed: int
    compared: str
    """The checkpoint the tree was compared with, in words; empty if none."""
    faults: tuple[str, ...]

    @property
    def is_good(self) -> bool:
        """Return whether no fault was found."""
        return not self.faults


def prove(restored: Settings, service: Settings, checkpoint: Path | None, step: Steps) -> Proof:
    """Verify restored data: SQLite files, all leaves against the log, the signed root, and a later checkpoint.

    The checkpoint is from a file or else the original service's tree. Faults are returned in the proof, but raises
    `Finding` if the restored tree is missing or unreadable, and `Finding` or `WrongUsage` if a given checkpoint cannot
    be used. Data in damaged files is not examined.
    """
    files = {} if restored.log_file is None else databases(restored)
    faults = [fault for path in files.values() for fault in damage(path)]
    if faults:
        # Queries on such a file may raise errors, which would hide the faults.
        return Proof(entries=0, matches=0, leaves=0, signed=0, compared="", faults=tuple(faults))
    outcome = examine_store(restored, cores(), step, is_running=False)
    faults += map(str, outcome.examination.differences)
    compared, differences = compare(restored, service, checkpoint)
    entries, streams = counts_of(restored)
    with closing(TreeStore(restored.tree_place, writable=False)) as tree:
        signed = tree.checkpoint(SIGNED)
    return Proof(
        entries=entries,
        matches=streams,
        leaves=outcome.examination.size,
        signed=signed.checkpoint.size if signed else 0,
        compared=compared,
        faults=(*faults, *differences),
    )


def counts_of(restored: Settings) -> tuple[int, int]:
    """Return the log's number of entries and records together, and of streams."""
    question = "SELECT COUNT(*), COUNT(DISTINCT originator_id) FROM "
    if restored.log_file is None:
        with closing(connect_to(str(restored.log_place))) as server:
            entries, streams = server.rows(question + SERVER_TABLE)[0]
    else:
        with closing(sqlite3.connect(restored.log_file)) as log:
            entries, streams = log.execute(question + "stored_events").fetchone()
    return int(entries), int(streams)


def damage(path: Path) -> list[str]:
    """Return SQLite's first messages about a damaged file, at most five, with its name; empty if it is sound."""
    try:
        with closing(sqlite3.connect(path)) as connection:
            messages = [row[0] for row in connection.execute("PRAGMA integrity_check(5)")]
    except sqlite3.DatabaseError as error:
        messages = [str(error)]
    return [] if messages == ["ok"] else [f"{path.name}: {sentence}" for sentence in messages]


def compare(restored: Settings, service: Settings, file: Path | None) -> tuple[str, list[str]]:
    """Compare the restored tree with the checkpoint in a file or else the service's tree; return (object, faults).

    The object is in words, "" without one. One tree must be a prefix of the other, but a checkpoint beyond the restored
    tree raises `Finding`, a file without one `WrongUsage`; trees that cannot be read are a fault.
    """
    try:
        with closing(TreeStore(restored.tree_place, writable=False)) as tree:
            if file is not None:
                return f"the checkpoint in {file}", against_checkpoint(tree, read_checkpoint(file))
            if service.tree_file is None:
                return against_server(tree, service)
            if not service.tree_file.is_file():
                return "", []
            with closing(TreeStore(service.tree_file, writable=False)) as newest:
                return f"the tree at {service.tree_file}", against_tree(tree, newest)
    except (TreeDiffers, TransparencyFault) as fault:
        return "", [f"cannot compare the trees: {fault}"]


def against_server(tree: TreeStore, service: Settings) -> tuple[str, list[str]]:
    """Compare with the service's tree on a server; return `("", [])` if the server cannot be reached."""
    try:
        newest = TreeStore(service.tree_place, writable=False)
    except DatabaseUnavailable:
        return "", []
    with closing(newest):
        return "the tree on the server", against_tree(tree, newest)


def read_checkpoint(file: Path) -> Checkpoint:
    """Read the checkpoint in a file, without checking its signatures; raise `WrongUsage` if it has none."""
    try:
        return parse_checkpoint(parse_note(file.read_bytes()).text)
    except (OSError, Malformed) as fault:
        raise WrongUsage(f"no checkpoint in {file}: {fault}") from fault


def against_checkpoint(tree: TreeStore, newest: Checkpoint) -> list[str]:
    """Return a fault if the tree does not extend the checkpoint, else none; raise `Finding` if the tree is shorter."""
    if newest.size > tree.size:
        raise Finding(
            f"cannot compare: the checkpoint covers {newest.size:,} leaves and the archive only {tree.size:,};"
            " the tree of the service is needed"
        )
    return [] if tree.tiles.root(newest.size) == newest.root else ["the tree does not match the checkpoint"]


def against_tree(tree: TreeStore, newest: TreeStore) -> list[str]:
    """Return a fault if the trees differ in their common prefix, else none, as for an empty tree."""
    size = min(tree.size, newest.size)
    is_same = size == 0 or tree.tiles.root(size) == newest.tiles.root(size)
    return [] if is_same else [f"the first {size:,} leaves differ from the tree of the service"]
