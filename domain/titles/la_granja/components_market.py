"""Market boards by number of players: hexes, neighbours and closed spaces."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from domain.kernel.component_data import convert_value, demand, require_unique
from domain.titles.la_granja import data
from domain.titles.la_granja.components import DEFAULT_EDITION, EDITIONS, FILE, TABLE

NEIGHBOURS: Final = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
"""Steps from a hex to its six neighbours in axial coordinates (LG-6.4.6)."""


class Cell(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A hex of the market in axial coordinates."""

    q: int
    r: int
    value: int
    start: bool
    closed_3p: bool


class Market(msgspec.Struct, frozen=True):
    """A market board as played; a cell is identified by its index in `cells`, which includes closed cells."""

    board: str
    cells: tuple[Cell, ...]
    open: tuple[int, ...]
    """Open cells, ascending."""
    neighbours: tuple[tuple[int, ...], ...]
    """Open neighbours of each cell, ascending; closed cells have no neighbours and are no neighbours (LG-6.4.6)."""
    by_value: Mapping[int, tuple[int, ...]]
    """Open cells of each value."""
    starts: Mapping[int, int]
    """Centre cell of each start value (LG-1.9)."""


def load_markets(table: Mapping[str, Any], file: str) -> dict[str, Market]:
    """Return the boards `small`, `large` and `large_closed` by name, as the editions use them.

    Raise `DataFault` if the numbers of cells or closed cells, or the start cells, differ from those stated.
    """
    raw = data.part(table, "market", file)
    large, small = (_load_cells(raw, name, file) for name in ("large", "small"))
    closed_count = sum(cell.closed_3p for cell in large)
    location = f"{file}, market"
    fault = f"key `closed_count`: it states {raw['closed_count']}, but {closed_count} cells are closed"
    demand(closed_count == raw["closed_count"], location, fault)
    for q, r, value in raw["centre"]:
        for cells in (large, small):
            is_central = any((cell.q, cell.r, cell.value, cell.start) == (q, r, value, True) for cell in cells)
            demand(is_central, location, f"key `centre`: no board has a start cell of value {value} at ({q}, {r})")
    return {
        "small": _build_market("small", small, closing=False),
        "large": _build_market("large", large, closing=False),
        "large_closed": _build_market("large", large, closing=True),
    }


def _load_cells(raw: Mapping[str, Any], name: str, file: str) -> tuple[Cell, ...]:
    """Return the cells of a board; raise `DataFault` for a wrong number, equal places or values out of bounds."""
    location = f"{file}, market {name}"
    board = data.part(raw, name, file)
    cells = tuple(convert_value(Cell, cell, f"{location}, cell {index}") for index, cell in enumerate(board["cells"]))
    fault = f"key `hexes`: it states {board['hexes']}, but the board has {len(cells)} cells"
    demand(len(cells) == board["hexes"], location, fault)
    require_unique(((cell.q, cell.r) for cell in cells), location)
    for cell in cells:
        fits = raw["min_value"] <= cell.value <= raw["max_value"]
        fault = f"key `value`: {cell.value} is not between {raw['min_value']} and {raw['max_value']}"
        demand(fits, f"{location}, cell ({cell.q}, {cell.r})", fault)
    return cells


def _build_market(board: str, cells: tuple[Cell, ...], *, closing: bool) -> Market:
    """Return the board with its open spaces, their neighbours, and spaces by value.

    `closing` closes the spaces that three players do not use; a closed space has no neighbours.
    """
    open_indexes = tuple(index for index, cell in enumerate(cells) if not (closing and cell.closed_3p))
    index_by_point = {(cells[index].q, cells[index].r): index for index in open_indexes}

    def around(index: int) -> tuple[int, ...]:
        if index not in open_indexes:
            return ()
        cell = cells[index]
        return tuple(
            sorted(
                index_by_point[point] for q, r in NEIGHBOURS if (point := (cell.q + q, cell.r + r)) in index_by_point
            )
        )

    values = sorted({cells[index].value for index in open_indexes})
    return Market(
        board=board,
        cells=cells,
        open=open_indexes,
        neighbours=tuple(around(index) for index in range(len(cells))),
        by_value={value: tuple(index for index in open_indexes if cells[index].value == value) for value in values},
        starts={cells[index].value: index for index in open_indexes if cells[index].start},
    )


MARKETS: Final[Mapping[str, Market]] = load_markets(TABLE, FILE)


def market_of(players: int, edition: str = DEFAULT_EDITION) -> Market:
    """Return the market board of an edition for this number of players (LG-1.1, LG-12.1)."""
    return MARKETS[EDITIONS[edition].market[str(players)]]


assert all(name in MARKETS for edition in EDITIONS.values() for name in edition.market.values())
