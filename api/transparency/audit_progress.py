"""Progress and findings of an audit of the store, saved in a file so that a kill loses little."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Final

import msgspec

from api.transparency.audit import Difference, TreeStart, is_continuation
from api.transparency.store import TreeStore
from domain.kernel.values import replace
from projections.platform.clock import now

DIFFERENCES_MAX: Final = 1_000
"""Maximum number of differences listed; further ones are counted."""


class AuditProgress(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """An audit: its tree, the number of finished tiles, and the differences found."""

    begun: datetime
    size: int
    root: str
    tiles: int = 0
    finished: datetime | None = None
    differences: tuple[Difference, ...] = ()
    count: int = 0
    waiting: int = 0
    """The number of entries without a leaf at the end."""

    def with_found(self, differences: Iterable[Difference]) -> AuditProgress:
        """Return the audit with more differences; each entry counts once, and at most `DIFFERENCES_MAX` are listed."""
        known_keys, added, count = {(each.stream, each.entry, each.why) for each in self.differences}, [], self.count
        known_keys |= {(each.stream, each.entry, "") for each in self.differences if each.entry is not None}
        for each in differences:
            key = (each.stream, each.entry, each.why if each.entry is None else "")
            if key not in known_keys:
                known_keys.add(key)
                added.append(each)
                count += 1
        first_differences = (*self.differences, *added)[:DIFFERENCES_MAX]
        return replace(self, differences=first_differences, count=count)


class AuditFile:
    """The file of an audit, readable by its owner only because it names streams."""

    def __init__(self, path: Path) -> None:
        self.path: Final = path

    def load(self) -> AuditProgress | None:
        """Return the saved audit, or None if there is no readable one.

        An audit dated in the future, or without a time zone, is ignored: it would suspend the next ones.
        """
        try:
            progress = msgspec.json.decode(self.path.read_bytes(), type=AuditProgress)
        except (OSError, msgspec.MsgspecError):
            return None
        is_past = progress.begun.tzinfo is not None and progress.begun <= now()
        return progress if is_past else None

    def load_unfinished(self, tree: TreeStore) -> AuditProgress | None:
        """Return an interrupted audit if its tree is unchanged or has only grown; otherwise None."""
        progress = self.load()
        is_same = (
            progress and progress.finished is None and is_continuation(tree, TreeStart(progress.size, progress.root))
        )
        return progress if is_same else None

    def save(self, progress: AuditProgress) -> None:
        """Save the audit atomically, readable by the owner only."""
        temporary = self.path.with_suffix(".next")
        temporary.unlink(missing_ok=True)
        temporary.touch(mode=0o600)
        temporary.write_bytes(msgspec.json.encode(progress))
        os.replace(temporary, self.path)  # noqa: PTH105  (atomic, for concurrent readers)

    def clear(self) -> None:
        """Delete the file."""
        self.path.unlink(missing_ok=True)
