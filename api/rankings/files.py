"""Files of ranking lists: CSV and JSON for readers, and the exact lines of a closed month, whose digest is known."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Final
from uuid import UUID

import msgspec

from api.rankings.recounting import results_at
from api.rankings.schemas import ListLineShown
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
