"""Sheets of paper for tournaments and seasons: table lists, score slips, name cards and wall charts."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

from litestar import Response

from api.http.names import without_accents
from api.http.page_responses import PageRequest, render_page
from api.http.qr import QR_TYPE, qr_file
from domain.tournaments.errors import NoSuchRound

Sheet = Literal["tables", "slips", "cards", "wall"]
NEEDS_ROUND: Final = frozenset({"tables", "slips"})
WALL_LINES: Final = 24
"""People on one sheet of the wall chart."""
CACHE_CONTROL: Final = "private, max-age=3600"
"""A QR code depends on its address only, but the address of the service may change."""
NOTHING: Final[Mapping[str, Any]] = {}


class SheetTable(NamedTuple):
    """A table of a round. `group`: 0 without groups; `path`: the page on which players enter the result, if any."""

    table: int
    names: tuple[str, ...]
    group: int = 0
    path: str = ""


class SheetRound(NamedTuple):
    """A round with its tables, and the names of players with a bye."""

    round: int
    tables: tuple[SheetTable, ...]
    byes: tuple[str, ...] = ()


class SheetPlayer(NamedTuple):
    """A player with a name card."""

    name: str
    club: str = ""


class WallLine(NamedTuple):
    """A line of the crosstable."""

    rank: int
    name: str
    cells: Sequence[Any]


class WallChart(NamedTuple):
    """Lines of a crosstable that fit on a sheet, below a heading."""

    name: str
    lines: Sequence[WallLine]


class Papers(NamedTuple):
    """The contents of sheets about a contest."""

    contest: str
    base: str
    """The path of the contest."""
    links: tuple[tuple[str, str], ...]
    """Paths and texts of the links back."""
    round: SheetRound | None = None
    players: Sequence[SheetPlayer] = ()
    charts: Sequence[WallChart] = ()
    round_count: int = 0
    """The number of columns of a wall chart."""
    origin: str = ""
    """The origin of addresses on slips."""

    @property
    def seats_by_name(self) -> list[tuple[str, SheetTable | None]]:
        """The players of the round by name, with their tables; None: a bye."""
        if self.round is None:
            return []
        seats: list[tuple[str, SheetTable | None]] = [
            (name, table) for table in self.round.tables for name in table.names
        ]
        return sorted([*seats, *((name, None) for name in self.round.byes)], key=lambda each: key_of_name(each[0]))


def key_of_name(name: str) -> tuple[str, str]:
    """Return the key that sorts names without regard to accents and case."""
    return without_accents(name), name


def charts_of(name: str, lines: Iterable[WallLine]) -> Iterator[WallChart]:
    """Yield the wall charts of a crosstable, one for each sheet."""
    every = list(lines)
    for start in range(0, len(every), WALL_LINES):
        yield WallChart(name, every[start : start + WALL_LINES])


def render_sheet(request: PageRequest, sheet: Sheet, papers: Papers) -> Response[str]:
    """Render a sheet that every contest has; raise `NoSuchRound` for tables or slips without a round."""
    if papers.round is None and sheet in NEEDS_ROUND:
        raise NoSuchRound("no published round has tables to print")
    return render_papers(request, f"contests/print_{sheet}.html", papers)


def render_papers(
    request: PageRequest, template: str, papers: Papers, context: Mapping[str, Any] = NOTHING
) -> Response[str]:
    """Render a template of a sheet, which is never cached."""
    response = render_page(request, template, {"papers": papers, **context})
    response.headers["Cache-Control"] = "no-store"
    return response


async def render_qr_code(address: str) -> Response[bytes]:
    """Return an address as a QR code."""
    content = await asyncio.to_thread(qr_file, address)
    return Response(content, media_type=QR_TYPE, headers={"Cache-Control": CACHE_CONTROL})
