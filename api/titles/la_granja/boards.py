"""Drawing data of the board: market, craft buildings, revenue spaces, roof tiles, siesta track and rounds."""

from __future__ import annotations

import math
from functools import cache
from typing import Any, Final

import msgspec

from api.http.parts import PagePart
from api.titles.la_granja import glyphs
from api.titles.la_granja.addresses import query_of
from api.titles.la_granja.crafts import at_once, lasting
from api.titles.la_granja.farms import Slot, good_words, roof_address, roof_glyphs, roof_name, slots
from api.titles.la_granja.glyphs import Glyph
from domain.kernel.messages import Message
from domain.kernel.rules import Seat
from domain.titles.la_granja import words_terms as terms
from domain.titles.la_granja.tables import BOXES
from domain.titles.la_granja.view import CraftBuilding, OpenTile, Space, Symbol, View

HEX: Final = 30.0
"""Distance from the centre of a hex to a corner, in SVG units."""
MARGIN: Final = 3.0
PHASES: Final = ("I", "II", "III", "IV")
PHASE_TERMS: Final = {
    "I": "in-farm-phase",
    "II": "in-revenue-phase",
    "III": "in-transport-phase",
    "IV": "in-scoring-phase",
}
"""Glossary term that explains each phase in the rules."""
STACK_BASE: Final = 96
STACK_STEP: Final = 23


class Hex(msgspec.Struct, frozen=True):
    """A market space with its position in the drawing."""

    index: int
    x: float
    y: float
    space: Space
    name: Message
    """Name by value, row and place."""


class DrawnRow(msgspec.Struct, frozen=True):
    """A seat's row of a craft building; the reader's row is drawn even while it is empty."""

    seat: Seat
    slots: tuple[Slot, ...]


class RevenueOption(msgspec.Struct, frozen=True):
    """An option of a revenue space and its symbols."""

    name: str
    glyphs: tuple[Glyph, ...]


class RevenueSpace(msgspec.Struct, frozen=True):
    """A revenue space and the number of dice on it."""

    number: int
    options: tuple[RevenueOption, ...]
    dice: int


class RoofForSale(msgspec.Struct, frozen=True):
    """An open roof tile with its price for the reader."""

    tile: OpenTile
    price: int
    name: Message
    glyphs: tuple[Glyph, ...]
    address: str
    """Address of the tile in the gallery."""


class Marker(msgspec.Struct, frozen=True):
    """A siesta marker with its position in the drawing."""

    seat: Seat
    x: float
    y: float


class SiestaSpace(msgspec.Struct, frozen=True):
    """A space of the siesta track with its stack of markers."""

    number: int
    x: int
    vp: int
    stack: tuple[Marker, ...]


@cache
def centre(q: int, r: int) -> tuple[float, float]:
    """Return the centre of a hex that has a corner on top."""
    return round(HEX * math.sqrt(3) * (q + r / 2), 1), HEX * 1.5 * r


def hexes(market: tuple[Space, ...]) -> tuple[Hex, ...]:
    """Return the market spaces, numbered in order, with their positions and names."""
    return tuple(
        Hex(index, *centre(each.q, each.r), each, space_name(market, index)) for index, each in enumerate(market)
    )


def space_name(market: tuple[Space, ...], index: int) -> Message:
    """Return the name of a market space by value, row and place."""
    return Message("Market space of value {value} (row {row}, place {place})", terms.market_space(market, index))


def view_box(cells: tuple[Hex, ...]) -> str:
    """Return the SVG view box around all hexes, with a margin."""
    half_width, half_height = HEX * math.sqrt(3) / 2 + MARGIN, HEX + MARGIN
    left, right = min(hex.x for hex in cells) - half_width, max(hex.x for hex in cells) + half_width
    top, bottom = min(hex.y for hex in cells) - half_height, max(hex.y for hex in cells) + half_height
    return f"{left:.0f} {top:.0f} {right - left:.0f} {bottom - top:.0f}"


def drawn_building(deck: str, seat: Seat | None, building: CraftBuilding) -> dict[str, Any]:
    """Return the template variables of a craft building: the reader's row and all other unfinished rows.

    The reader's row is None for spectators and once completed, and empty before the first good.
    """
    started_rows = {row.seat: row.symbols for row in building.rows if row.seat not in building.completed}
    empty_row = tuple(Symbol(good, False) for good in building.asks)
    own_row = None
    if seat is not None and seat not in building.completed:
        own_row = DrawnRow(seat, slots(started_rows.pop(seat, empty_row), f"building-{building.number}"))
    printed = BOXES[deck].buildings[building.number]
    return {
        "building": building,
        "own": own_row,
        "rows": [DrawnRow(other, slots(symbols, "")) for other, symbols in started_rows.items()],
        "asks": slots(empty_row, ""),
        "at_once": at_once(printed.instant),
        "at_once_glyphs": glyphs.at_once(printed.instant),
        "lasting": lasting(printed.permanent),
        "lasting_glyphs": glyphs.lasting(printed.permanent),
        "seat": seat,
        "good_words": good_words(),
        "of": query_of(deck),
    }


@cache
def revenue_options(deck: str) -> dict[int, tuple[RevenueOption, ...]]:
    """Return the options of the revenue spaces of a box, by number of the space."""
    return {
        number: tuple(RevenueOption(option, glyphs.OPTIONS.get(option, ())) for option in space.options)
        for number, space in BOXES[deck].revenue_spaces.items()
    }


def drawn_revenue(deck: str, dice: tuple[int, ...], reserved: int, reserver: Seat) -> dict[str, Any]:
    """Return the template variables of the revenue spaces, their dice and the reservation."""
    options = revenue_options(deck)
    return {
        "revenue": tuple(RevenueSpace(number, options[number], dice.count(number)) for number in options),
        "reserved": reserved,
        "reserver": reserver,
        "option_names": terms.OPTIONS,
    }


def drawn_sale(deck: str, round: int, roofs: tuple[OpenTile, ...], prices: tuple[int, ...]) -> dict[str, Any]:
    """Return the template variables of the open roof tiles with these prices."""
    return {
        "round": round,
        "good_words": good_words(),
        "roofs_for_sale": tuple(
            RoofForSale(
                tile, price, roof_name(deck, tile.tile), roof_glyphs(deck, tile.tile), roof_address(deck, tile.tile)
            )
            for tile, price in zip(roofs, prices, strict=True)
        ),
    }


def roof_prices(view: View) -> tuple[int, ...]:
    """Return the prices of the open roof tiles for the reader; printed prices for a spectator."""
    return tuple(tile.cost for tile in view.roofs) if view.seat is None else view.farms[view.seat].roof_prices


def drawn_siesta(deck: str, stacks: tuple[tuple[Seat, ...], ...]) -> dict[str, Any]:
    """Return the template variables of the siesta track; the top of a stack is drawn highest."""
    points = BOXES[deck].siesta.vp
    spaces = tuple(
        SiestaSpace(
            number,
            68 * number,
            points[number],
            tuple(
                Marker(seat, 68 * number + 34, STACK_BASE - 6 * number - STACK_STEP * (len(stack) - 1 - depth))
                for depth, seat in enumerate(stack)
            ),
        )
        for number, stack in enumerate(stacks)
    )
    return {"siesta": spaces}


def turn_order(view: View) -> tuple[Seat | None, ...]:
    """Return the seats in turn order; None stands for the neutral player of the solo game."""
    order: list[Seat | None] = list(view.order)
    if view.neutral:
        order.insert(view.neutral - 1, None)
    return tuple(order)


def drawn_market(market: tuple[Space, ...]) -> dict[str, Any]:
    """Return the template variables of the market."""
    cells = hexes(market)
    return {"hexes": cells, "view_box": view_box(cells)}


def building_part(view: View, building: CraftBuilding) -> PagePart:
    """Return the page part of a craft building."""
    values = (view.deck, view.seat, building)
    return PagePart("la_granja/building.html", drawn_building, values, f"building-{building.number}")


def revenue_part(view: View) -> PagePart:
    """Return the page part of the revenue spaces."""
    values = (view.deck, view.dice, view.reserved, view.reserver)
    return PagePart("la_granja/revenue.html", drawn_revenue, values, "revenue")


def sale_part(view: View) -> PagePart:
    """Return the page part of the open roof tiles, at the reader's prices."""
    values = (view.deck, view.round, view.roofs, roof_prices(view))
    return PagePart("la_granja/sale.html", drawn_sale, values, "sale")


def board(view: View) -> dict[str, Any]:
    """Return the template variables of the board, in addition to the view."""
    return {
        "market": PagePart("la_granja/market.html", drawn_market, (view.market,), "market"),
        "revenue": revenue_part(view),
        "buildings": tuple(building_part(view, building) for building in view.buildings),
        "sale": sale_part(view),
        "siesta": PagePart("la_granja/siesta.html", drawn_siesta, (view.deck, view.siesta), "siesta"),
        "turn_order": turn_order(view),
        "rounds": range(1, BOXES[view.deck].rounds + 1),
        "phases": PHASES,
        "phase_terms": PHASE_TERMS,
    }
