"""The list of entries in a replay, with filter keywords."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import msgspec

from api.matches.pages.narration import NarratedEntry, has_content, narrate_entries
from api.titles.drawing import Drawing
from projections.matches.replay import ReplayLine


class ListedEntry(msgspec.Struct, frozen=True):
    """An entry of the list."""

    told: NarratedEntry
    kinds: str
    """Filter keywords.

    `action` or `service`, `points` if they changed, and `silent` for an entry that only passes the turn and is listed
    only while it is shown.
    """


def listed_entries(lines: Sequence[ReplayLine], names: Sequence[str], drawing: Drawing) -> tuple[ListedEntry, ...]:
    """Return the entries in order, each with its narration and filter keywords."""
    line_pairs = pairwise((None, *lines))
    return tuple(
        ListedEntry(narrated, kinds_of(narrated, previous, line))
        for narrated, (previous, line) in zip(narrate_entries(lines, names, drawing), line_pairs, strict=True)
        if line is not None
    )


def kinds_of(narrated: NarratedEntry, previous: ReplayLine | None, line: ReplayLine) -> str:
    """Return the filter keywords of an entry, separated by spaces.

    They are "action" or "service", "points" if the points changed, and "silent" if the narration of an action is empty.
    """
    has_points = previous is not None and bool(previous.scores) and line.scores != previous.scores
    is_silent = narrated.acted and not has_content(line.narration)
    kinds = ("action" if narrated.acted else "service", "points" if has_points else "", "silent" if is_silent else "")
    return " ".join(filter(None, kinds))
