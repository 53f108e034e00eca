"""Files of ranking lists: CSV and JSON for readers, and the exact lines of a closed month, whose digest is known."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Final
from uuid import UUID

import msgspec

from api.accounts.display_names import names_of
from api.rankings.recounting import load_differences, results_at
from api.rankings.responses import people_of, show_change, show_moved
from api.rankings.schemas import ChangedResultShown, CountedResultShown, ListLineShown, MovedPlayerShown
from api.rankings.service import KeptList, RankingService
from domain.eventstore.application import Matches
from domain.matches.log.records import Record
from domain.rankings.content import CONTENT, LinesStored, ResultsStored, bytes_of, content_id, part_count
from domain.rankings.state import Closing
from domain.tournaments.imports import csv_of, csv_of_rows

ROWS_AT_ONCE: Final = 1_000
HEADING: Final = (
    "place",
    "kind",
    "player",
    "name",
    "points",
    "mean",
    "deviation",
    "matches",
    "wins",
    "best",
    "last",
    "part",
    "place_before",
)

MOVED_HEADING: Final = (
    "kind",
    "player",
    "name",
    *(f"{name}_{time}" for time in ("frozen", "today") for name in ("place", "points", "matches", "part")),
    "reasons",
)
CHANGED_HEADING: Final = (
    "match",
    "ended_at",
    "cause",
    "names",
    "places_frozen",
    "weights_frozen",
    "places_today",
    "weights_today",
)
OF_OTHERS: Final = "others"
"""The reason of a player without a changed result: results of opponents changed, or places of others."""


def cells_of(line: ListLineShown) -> list[str]:
    """Return the cells of a line for CSV."""
    player = line.player
    return [
        str(line.place or ""),
        player.kind,
        player.id,
        player.name,
        str(line.points),
        f"{line.mean:.6f}",
        f"{line.deviation:.6f}",
        str(line.matches),
        str(line.wins),
        str(line.best),
        line.last,
        line.part,
        str(line.place_before or ""),
    ]


async def rows_of_list(service: RankingService, kept: KeptList, month: str) -> AsyncIterator[tuple[ListLineShown, ...]]:
    """Yield all lines of the live list or of a closed month in parts."""
    after: int | None = 0
    while after is not None:
        page = await service.lines(kept, month, ROWS_AT_ONCE, after)
        yield page.lines
        after = page.next


async def csv_parts(service: RankingService, kept: KeptList, month: str) -> AsyncIterator[bytes]:
    """Yield a list as CSV with a heading."""
    yield csv_of(HEADING, ())
    async for lines in rows_of_list(service, kept, month):
        yield csv_of_rows(map(cells_of, lines))


async def json_parts(service: RankingService, kept: KeptList, month: str) -> AsyncIterator[bytes]:
    """Yield a list as a JSON list of lines."""
    separator = b"["
    async for lines in rows_of_list(service, kept, month):
        for line in lines:
            yield separator + msgspec.json.encode(line)
            separator = b",\n"
    yield b"[]" if separator == b"[" else b"]"


async def moved_parts(service: RankingService, kept: KeptList, month: str) -> AsyncIterator[bytes]:
    """Yield as CSV the players who would move in a closed month, with their lines then and now, and the reasons."""
    found = (await load_differences(service, kept, month)).value
    yield csv_of(MOVED_HEADING, ())
    for start in range(0, len(found.moved), ROWS_AT_ONCE):
        rows = found.moved[start : start + ROWS_AT_ONCE]
        names = await asyncio.to_thread(names_of, service.accounts, [each.player for each in rows])
        yield csv_of_rows(moved_cells(show_moved(each, names, found.rows)) for each in rows)


def moved_cells(moved: MovedPlayerShown) -> list[str]:
    """Return the cells of a player who moved for CSV; each reason is a match, a colon and a cause."""
    lines = [cell for line in (moved.before, moved.now) for cell in standing_cells(line)]
    reasons = " ".join(f"{each.match}:{each.cause}" for each in moved.reasons)
    return [moved.player.kind, moved.player.id, moved.player.name, *lines, reasons or OF_OTHERS]


def standing_cells(line: ListLineShown | None) -> tuple[str, ...]:
    """Return the place, points, matches and part of a line for CSV; empty without a line."""
    return ("",) * 4 if line is None else (str(line.place or ""), str(line.points), str(line.matches), line.part)


async def changed_parts(service: RankingService, kept: KeptList, month: str) -> AsyncIterator[bytes]:
    """Yield as CSV the results that count differently today than in a closed month."""
    found = (await load_differences(service, kept, month)).value
    yield csv_of(CHANGED_HEADING, ())
    for start in range(0, len(found.results), ROWS_AT_ONCE):
        rows = found.results[start : start + ROWS_AT_ONCE]
        names = await asyncio.to_thread(names_of, service.accounts, people_of(rows))
        yield csv_of_rows(changed_cells(show_change(each, names)) for each in rows)


def changed_cells(changed: ChangedResultShown) -> list[str]:
    """Return the cells of a changed result for CSV, with lists separated by spaces."""
    result = changed.now or changed.before
    assert result is not None, "one of both counts"
    names = ", ".join(player.name for player in result.players)
    counted = [cell for each in (changed.before, changed.now) for cell in result_cells(each)]
    return [result.match, result.ended_at.isoformat(), changed.cause, names, *counted]


def result_cells(result: CountedResultShown | None) -> tuple[str, ...]:
    """Return the places and weights of a result for CSV; empty without a result."""
    if result is None:
        return "", ""
    return " ".join(map(str, result.places)), " ".join(map(str, result.weights))


def read_part(matches: Matches, stream_id: UUID, number: int) -> Sequence[Record]:
    """Return the record of a part, from 0, of a content."""
    return matches.streams.records(stream_id, number, 1)


async def exact_lines(service: RankingService, digest: str, count: int) -> AsyncIterator[bytes]:
    """Yield the bytes of a content, whose SHA-256 digest is `digest`."""
    stream_id = content_id(digest)
    for number in range(part_count(count)):
        for record in await service.matches.writer.read_log(read_part, stream_id, number):
            part = CONTENT.read(record)
            assert isinstance(part, LinesStored | ResultsStored)
            yield b"".join(bytes_of(part.lines))


async def exact_results(service: RankingService, kept: KeptList, closing: Closing) -> AsyncIterator[bytes]:
    """Yield all results from which a closed month was counted, month by month."""
    months = await asyncio.to_thread(results_at, service.matches.writer.matches, kept, closing)
    for month in months:
        async for part in exact_lines(service, month.digest, month.count):
            yield part
