"""The parts of a replay page that are equal for all entries; for an ended match they are computed once per language."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import msgspec

from api.http.app_state import AppKey
from api.http.charts import ChartRound, PointsChart, draw_match
from api.http.languages import current_language
from api.matches.pages.replay_chapters import Chapter, chapters, rounds
from api.matches.pages.replay_entry import ShownEntry
from api.matches.pages.replay_list import ListedEntry, listed_entries
from api.matches.service import MatchService
from projections.matches import replay

OVERVIEWS_MAX: Final = 32
"""Overviews in memory, of up to 1 MB each."""


class Overview(msgspec.Struct, frozen=True):
    """The parts of a replay page that are equal for all entries."""

    entries: tuple[ListedEntry, ...]
    chapters: tuple[Chapter, ...]
    rounds: tuple[ChartRound, ...]
    chart: PointsChart | None


class Overviews:
    """An LRU cache of the overviews of ended matches.

    An overview holds nothing personal: it is made of the public narration, and of all points once every secret of the
    match is open. Overviews of running matches are never cached.
    """

    def __init__(self) -> None:
        self._cache = OrderedDict[tuple[Any, ...], Overview]()
        self._hits = 0
        self._misses = 0

    def count_uses(self) -> tuple[int, int]:
        """Return the number of hits and of misses; a running match is neither."""
        return self._hits, self._misses

    async def get(self, matches: MatchService, page: ShownEntry) -> Overview:
        """Return entries, phases, rounds and the chart of points through the match.

        Cached per language for matches that are over, once all their entries have been narrated.
        """
        if not page.is_over:
            return await make_overview(matches, page)
        key = (page.shown.match_id, page.first, page.last, page.is_open, page.names, current_language())
        if (cached := self._cache.get(key)) is not None:
            self._hits += 1
            self._cache.move_to_end(key)
            return cached
        self._misses += 1
        overview = await make_overview(matches, page)
        if len(overview.entries) == page.last:
            # Cache only once all entries have been narrated; otherwise the overview would stay incomplete.
            self._cache[key] = overview
        if len(self._cache) > OVERVIEWS_MAX:
            self._cache.popitem(last=False)
        return overview


OVERVIEWS: Final = AppKey[Overviews]("overviews")


async def make_overview(matches: MatchService, page: ShownEntry) -> Overview:
    """Return entries, phases, rounds and the chart of points, up to the last entry that the reader may see."""
    lines = [
        line for line in await matches.writer.read_model(replay.lines, page.shown.match_id) if line.version <= page.last
    ]
    scores = [line.scores for line in lines]
    if page.is_open and not all(scores[page.first - 1 :]):
        # Points that were secret during the match are public now.
        scores = await matches.reading.scores_through(page.shown.match_id)
    return await asyncio.to_thread(partial(overview_of, lines, scores, page))


def overview_of(lines: Sequence[replay.ReplayLine], scores: Sequence[tuple[int, ...]], page: ShownEntry) -> Overview:
    """Return the overview of these entries; without rounds and chart if the last points are unknown."""
    parts = chapters(lines, page.drawing.phases)
    scored_lines = [msgspec.structs.replace(line, scores=each) for line, each in zip(lines, scores, strict=False)]
    entries = listed_entries(scored_lines, page.names, page.drawing)
    if not scores or not scores[-1]:
        return Overview(entries, parts, (), None)
    round_summaries = rounds(parts, scores)
    return Overview(entries, parts, round_summaries, draw_match(scores, round_summaries, page.first))
