"""How far an examination of the store has come, and what it has found: kept in a file, so that a kill loses little."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Final

import msgspec

from api.transparency.examining import Difference, Reached, continues
from api.transparency.store import TreeStore
from domain.kernel.values import replace

DIFFERENCES_MAX: Final = 1_000
"""So many are kept by name; the rest is counted."""


class Examination(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """An examination: the tree it was begun under, how many of its tiles are done, what was found false."""

    begun: datetime
    size: int
    root: str
    tiles: int = 0
    finished: datetime | None = None
    differences: tuple[Difference, ...] = ()
    count: int = 0
    waiting: int = 0
    """What waits to become a leaf, at its end."""

    def with_found(self, differences: Iterable[Difference]) -> Examination:
        """Each entry of which something is false is named once."""
        known, named, count = {(each.stream, each.entry, each.why) for each in self.differences}, [], self.count
        known |= {(each.stream, each.entry, "") for each in self.differences if each.entry is not None}
        for each in differences:
            key = (each.stream, each.entry, each.why if each.entry is None else "")
            if key not in known:
                known.add(key)
                named.append(each)
                count += 1
        kept = (*self.differences, *named)[:DIFFERENCES_MAX]
        return replace(self, differences=kept, count=count)


class Place:
    """The file of an examination, for its owner alone: it names streams."""

    def __init__(self, path: Path) -> None:
        self.path: Final = path

    def load(self) -> Examination | None:
        """What was kept; nothing where that cannot be read."""
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=Examination)
        except (OSError, msgspec.MsgspecError):
            return None

    def unfinished(self, tree: TreeStore) -> Examination | None:
        """One that was interrupted, if the tree is still the one it was begun under, or has grown since."""
        known = self.load()
        is_same = known and known.finished is None and continues(tree, Reached(known.size, known.root))
        return known if is_same else None

    def save(self, examination: Examination) -> None:
        written = self.path.with_suffix(".next")
        written.unlink(missing_ok=True)
        written.touch(mode=0o600)
        written.write_bytes(msgspec.json.encode(examination))
        os.replace(written, self.path)  # noqa: PTH105  (in one step, whoever reads meanwhile)

    def clear(self) -> None:
        self.path.unlink(missing_ok=True)
