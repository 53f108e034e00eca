"""The beginning of the tree, together with its log: later, a missing tree is a fault and is not created."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from typing import Final, Protocol

from sqlalchemy import select

from api.transparency.databases import connect, has_tables, open_tree
from api.transparency.errors import TreeMissing
from api.transparency.latest_checkpoint import LatestCheckpoint
from domain.matches.log.entries import microseconds
from projections.platform.clock import now
from projections.platform.settings import Settings
from projections.platform.statements import upsert
from projections.tree import CHECKPOINTS, LEAVES

BEGUN: Final = "begun"
"""The row of a tree that is as old as its log, although it may have no leaves yet."""
MARK: Final = upsert(CHECKPOINTS)
ANY_CHECKPOINT: Final = select(CHECKPOINTS.c.what).limit(1)
ANY_LEAF: Final = select(LEAVES.c.number).limit(1)
REMEDY: Final = (
    "restore the latest tree, or declare a new one with `esporles tree new --reason TEXT` (docs/operate/runbook.md)"
)


class Positions(Protocol):
    """The part of the log that has its extent."""

    def last_position(self) -> int:
        """Return the position of the latest entry or record, or 0."""
        ...


def begin_tree(settings: Settings, log: Positions) -> None:
    """Create the tree of a log without entries; do nothing if there are any, or if a checkpoint is known.

    Call it before the first entry is written. A file that cannot be read is reported when the tree is opened.
    """
    # The log first: another process may begin the tree and write entries between the two questions.
    if log.last_position() or LatestCheckpoint(settings.data).path.exists():
        return
    with suppress(sqlite3.DatabaseError):
        create_tree(settings.tree_place, now())


def create_tree(location: Path | str, at: datetime) -> None:
    """Create a tree without leaves, with the mark that it is a new one."""
    with closing(open_tree(location)) as database, database.transaction():
        database.change(MARK, what=BEGUN, text="", signature="", at=microseconds(at))


def require_begun(settings: Settings, log: Positions) -> None:
    """Raise `TreeMissing` if there is no tree or an empty one, although the log or a known checkpoint has entries."""
    entry_count, latest = log.last_position(), LatestCheckpoint(settings.data)
    if is_begun(settings.tree_place):
        return
    if checkpoint := latest.load_checkpoint():
        known = f"{latest.path} has a signed checkpoint of {checkpoint.size:,} leaves"
    else:
        known = f"the log has entries up to position {entry_count:,}"
    raise TreeMissing(f"there is no tree (0 leaves), but {known}: {REMEDY}")


def is_begun(location: Path | str) -> bool:
    """Return whether a tree exists that has leaves or began with its log; nothing is created.

    A file that cannot be read counts, because it is no missing tree.
    """
    if isinstance(location, Path) and not location.exists():
        return False
    try:
        with closing(connect(location)) as database:
            return has_tables(database) and any(database.rows(each) for each in (ANY_CHECKPOINT, ANY_LEAF))
    except sqlite3.DatabaseError:
        return True
