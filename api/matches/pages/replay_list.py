"""The list of entries beside a replay: all of them, by round and phase, each with what it can be filtered by."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import msgspec

from api.matches.pages.telling import ToldEntry, tells, told_entries
from api.titles.drawing import Drawing
from projections.matches.replay import ReplayLine


class ListedEntry(msgspec.Struct, frozen=True):
    """An entry of the list."""

    told: ToldEntry
    kinds: str
    """What it is, in words for the filter: `action` or `service`, `points` where somebody's have changed, and `silent`
    where all that is told is that somebody goes on: such an entry is listed while it is the one that is shown."""


def listed_entries(lines: Sequence[ReplayLine], names: Sequence[str], drawing: Drawing) -> tuple[ListedEntry, ...]:
    """All entries in their order."""
    before = pairwise((None, *lines))
    return tuple(
        ListedEntry(told, kinds_of(told, earlier, line))
        for told, (earlier, line) in zip(told_entries(lines, names, drawing), before, strict=True)
        if line is not None
    )


def kinds_of(told: ToldEntry, before: ReplayLine | None, line: ReplayLine) -> str:
    has_points = before is not None and bool(before.scores) and line.scores != before.scores
    is_silent = told.acted and not tells(line.narration)
    kinds = ("action" if told.acted else "service", "points" if has_points else "", "silent" if is_silent else "")
    return " ".join(filter(None, kinds))
