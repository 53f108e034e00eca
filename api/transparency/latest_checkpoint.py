"""The latest signed checkpoint outside the tree: a file in the data folder of every process that serves the tree.

An older or another tree in place of the signed one is thereby noticed, also without a witness. In PostgreSQL the tree
is one database, and each host has its own file (decision 0070).
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from api.transparency.errors import TreeDiffers
from api.transparency.store import SIGNED, Signed, TreeStore
from domain.transparency.announcements import LogBegun, parse_announcement
from domain.transparency.checkpoints import Checkpoint, parse_checkpoint
from domain.transparency.errors import Malformed, TransparencyFault
from domain.transparency.notes import Note, parse_note

FILE: Final = "latest.checkpoint"
"""Name of the file in the data folder."""
PRIVATE: Final = 0o600


class LatestCheckpoint:
    """The file of the latest signed checkpoint, a signed note. It is read at each use, because processes share it."""

    def __init__(self, folder: Path) -> None:
        self.path: Final = folder / FILE

    def load(self) -> Note | None:
        """Return the stored note, or None without a file; raise `TreeDiffers` if it is no checkpoint."""
        try:
            note = parse_note(self.path.read_bytes())
            parse_checkpoint(note.text)
        except FileNotFoundError:
            return None
        except (OSError, Malformed) as fault:
            raise TreeDiffers(f"cannot read the latest checkpoint in {self.path}: {fault}") from fault
        return note

    def load_checkpoint(self) -> Checkpoint | None:
        """Return the stored checkpoint, or None without a file; raise `TreeDiffers` if it is no checkpoint."""
        note = self.load()
        return None if note is None else parse_checkpoint(note.text)

    def store(self, signed: Signed) -> None:
        """Store a checkpoint durably, in place of the last one, before it is published."""
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        temporary = self.path.with_suffix(f".{os.getpid()}")
        with os.fdopen(
            os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, PRIVATE), "w", encoding="utf-8"
        ) as file:
            file.write(str(Note(signed.text, signed.signatures)))
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, self.path)  # noqa: PTH105  (atomic, for concurrent readers)
        folder = os.open(self.path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def check(self, tree: TreeStore) -> None:
        """Raise `TreeDiffers`, with both sizes, unless the tree contains the stored checkpoint as a prefix."""
        latest, signed = self.load_checkpoint(), tree.checkpoint(SIGNED)
        if latest is None or (signed is not None and signed.text == latest.text):
            # The tree is compared with its own last signature elsewhere.
            return
        size = tree.size
        if is_declared(tree, latest):
            return
        if latest.size > size:
            raise TreeDiffers(
                f"the tree has {size:,} leaves, but {self.path} has a signed checkpoint of {latest.size:,}: this tree"
                " is an older one"
            )
        try:
            root = tree.tiles.root(latest.size)
        except TransparencyFault as fault:
            raise TreeDiffers(f"the tree no longer has all {latest.size:,} leaves of {self.path}: {fault}") from fault
        if root != latest.root:
            raise TreeDiffers(
                f"the tree of {size:,} leaves is another one than that of {latest.size:,} leaves signed in {self.path}"
            )

    def follow(self, tree: TreeStore) -> None:
        """Check the tree, and store its last signed checkpoint if that is newer; raise `TreeDiffers` as `check`."""
        self.check(tree)
        latest, signed = self.load_checkpoint(), tree.checkpoint(SIGNED)
        if signed is None:
            return
        if latest is None or signed.checkpoint.size > latest.size or is_declared(tree, latest):
            self.store(signed)


def load_predecessor(tree: TreeStore) -> Checkpoint | None:
    """Return the final checkpoint of the predecessor that a declared new tree names in its first leaf, or None."""
    for number, leaf in tree.announcements():
        try:
            announcement = parse_announcement(leaf.leaf)
            if number == 0 and isinstance(announcement, LogBegun) and announcement.predecessor:
                return parse_checkpoint(parse_note(announcement.predecessor.encode()).text)
        except Malformed:
            return None
    return None


def is_declared(tree: TreeStore, earlier: Checkpoint) -> bool:
    """Return whether the tree is a declared new one, and this is exactly the final checkpoint that it succeeds.

    An earlier checkpoint of the new tree itself never is, so its rollback remains a fault.
    """
    predecessor = load_predecessor(tree)
    return predecessor is not None and (predecessor.size, predecessor.root) == (earlier.size, earlier.root)
