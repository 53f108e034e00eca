"""The board as it is drawn: hexes of the market, rows of the craft buildings, revenue spaces, siesta stacks, rounds."""

from __future__ import annotations

import math
from functools import cache
from typing import Any, Final

import msgspec

from api.pages.la_granja import glyphs
from api.pages.la_granja.crafts import at_once, lasting
from api.pages.la_granja.farms import Slot, roof_glyphs, roof_name, slots
from api.pages.la_granja.glyphs import Glyph
from domain.kernel.messages import Message
from domain.kernel.rules import Seat
from domain.la_granja.tables import BOXES
from domain.la_granja.view import CraftBuilding, OpenTile, Space, Symbol, View

HEX: Final = 30.0
"""From the centre of a hex to a corner, in units of the drawing."""
MARGIN: Final = 3.0
PHASES: Final = ("I", "II", "III", "IV")
STACK_BASE: Final = 96
STACK_STEP: Final = 23


class Hex(msgspec.Struct, frozen=True):
    """A market space as it is drawn."""

    index: int
    x: float
    y: float
    space: Space


class DrawnRow(msgspec.Struct, frozen=True):
    """A row of a craft building; one nobody has begun is drawn for the reader: it could be the reader's."""

    seat: Seat
    is_own: bool
    is_begun: bool
    slots: tuple[Slot, ...]


class DrawnBuilding(msgspec.Struct, frozen=True):
    building: CraftBuilding
    rows: tuple[DrawnRow, ...]
    asks: tuple[Slot, ...]
    at_once: Message
    lasting: Message


class RevenueOption(msgspec.Struct, frozen=True):
    name: str
    glyphs: tuple[Glyph, ...]


class RevenueSpace(msgspec.Struct, frozen=True):
    """A revenue space and the dice that lie there."""

    number: int
    options: tuple[RevenueOption, ...]
    dice: int


class RoofForSale(msgspec.Struct, frozen=True):
    """An open roof tile and what it costs whoever looks."""

    tile: OpenTile
    price: int
    name: Message
    glyphs: tuple[Glyph, ...]


class Marker(msgspec.Struct, frozen=True):
    """A siesta marker in its stack."""

    seat: Seat
    x: float
    y: float


class SiestaSpace(msgspec.Struct, frozen=True):
    number: int
    x: int
    vp: int
    stack: tuple[Marker, ...]


@cache
def centre(q: int, r: int) -> tuple[float, float]:
    """The middle of a hex, pointed side up."""
    return round(HEX * math.sqrt(3) * (q + r / 2), 1), HEX * 1.5 * r


def hexes(market: tuple[Space, ...]) -> tuple[Hex, ...]:
    """The market spaces with the places of their centres."""
    return tuple(Hex(index, *centre(space.q, space.r), space) for index, space in enumerate(market))


def view_box(drawn: tuple[Hex, ...]) -> str:
    """The smallest frame around all hexes."""
    wide, high = HEX * math.sqrt(3) / 2 + MARGIN, HEX + MARGIN
    left, right = min(hex.x for hex in drawn) - wide, max(hex.x for hex in drawn) + wide
    top, bottom = min(hex.y for hex in drawn) - high, max(hex.y for hex in drawn) + high
    return f"{left:.0f} {top:.0f} {right - left:.0f} {bottom - top:.0f}"


def drawn_building(view: View, building: CraftBuilding) -> DrawnBuilding:
    """A craft building with every row begun and not yet full, and the reader's own, begun or not, first."""
    own = f"building-{building.number}"
    rows = [
        DrawnRow(row.seat, row.seat == view.seat, True, slots(row.symbols, own if row.seat == view.seat else ""))
        for row in building.rows
        if row.seat not in building.completed
    ]
    asked = tuple(Symbol(good, False) for good in building.asks)
    if view.seat is not None and view.seat not in building.completed and not any(row.is_own for row in rows):
        rows.append(DrawnRow(view.seat, True, False, slots(asked, own)))
    rows.sort(key=lambda row: not row.is_own)
    printed = BOXES[view.deck].buildings[building.number]
    return DrawnBuilding(building, tuple(rows), slots(asked, ""), at_once(printed.instant), lasting(printed.permanent))


@cache
def revenue_options(deck: str) -> dict[int, tuple[RevenueOption, ...]]:
    """What the revenue spaces of a box offer, by their numbers."""
    return {
        number: tuple(RevenueOption(option, glyphs.OPTIONS.get(option, ())) for option in space.options)
        for number, space in BOXES[deck].revenue_spaces.items()
    }


def revenue(view: View) -> tuple[RevenueSpace, ...]:
    options = revenue_options(view.deck)
    return tuple(RevenueSpace(number, options[number], view.dice.count(number)) for number in options)


def roofs(view: View) -> tuple[RoofForSale, ...]:
    """The open roof tiles at the reader's own price, for a spectator at the printed one."""
    printed = tuple(tile.cost for tile in view.roofs)
    prices = printed if view.seat is None else view.farms[view.seat].roof_prices
    return tuple(
        RoofForSale(tile, price, roof_name(view.deck, tile.tile), roof_glyphs(view.deck, tile.tile))
        for tile, price in zip(view.roofs, prices, strict=True)
    )


def siesta(view: View) -> tuple[SiestaSpace, ...]:
    """The siesta track; the top of each stack is drawn highest."""
    printed = BOXES[view.deck].siesta.vp
    return tuple(
        SiestaSpace(
            number,
            68 * number,
            printed[number],
            tuple(
                Marker(seat, 68 * number + 34, STACK_BASE - 6 * number - STACK_STEP * (len(stack) - 1 - depth))
                for depth, seat in enumerate(stack)
            ),
        )
        for number, stack in enumerate(view.siesta)
    )


def turn_order(view: View) -> tuple[Seat | None, ...]:
    """Who plays when; `None` is the neutral player of the solo game."""
    order: list[Seat | None] = list(view.order)
    if view.neutral:
        order.insert(view.neutral - 1, None)
    return tuple(order)


def board(view: View) -> dict[str, Any]:
    """All that the board is drawn from beside the view."""
    drawn = hexes(view.market)
    return {
        "hexes": drawn,
        "view_box": view_box(drawn),
        "buildings": tuple(drawn_building(view, building) for building in view.buildings),
        "revenue": revenue(view),
        "roofs_for_sale": roofs(view),
        "siesta": siesta(view),
        "turn_order": turn_order(view),
        "rounds": range(1, BOXES[view.deck].rounds + 1),
        "phases": PHASES,
    }
