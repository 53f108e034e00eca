"""Drawing data of a farm: positions, and the parts of the reader's own farm that can be clicked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import msgspec

from api.http.languages import _
from api.http.parts import PagePart
from api.titles.la_granja import glyphs
from api.titles.la_granja.addresses import query_of
from api.titles.la_granja.glyphs import Glyph
from domain.kernel.messages import Message
from domain.titles.la_granja import words_terms as terms
from domain.titles.la_granja.components import RoofEffect
from domain.titles.la_granja.holdings import FIELDS
from domain.titles.la_granja.parts import goods_part
from domain.titles.la_granja.tables import BOXES
from domain.titles.la_granja.view import Farm, Field, Roof, Symbol, View

SHELF: Final = ("olive", "grain", "grape", "food", "wine", "meat")
"""Goods on the shelf of a farmhouse, from left to right."""
CELL: Final = 54
LEFT: Final = 18
"""Width of a place on the shelf, and position of the first one."""
PENS_LEFT: Final = 130
PENS_WIDTH: Final = 208
PEN_WIDTH_MAX: Final = 42
ROOF_LEFT: Final = 24
ROOF_WIDTH: Final = 312
SIXTH_SPACE: Final = "extra_roof_space"


class Slot(msgspec.Struct, frozen=True):
    """A symbol of a row or barrow; of equal symbols only the first has a part, because it is filled first."""

    x: int
    good: str
    is_filled: bool
    part: str


class GoodsPlace(msgspec.Struct, frozen=True):
    """A place for one kind of good, with its count."""

    x: int
    kind: str
    count: int
    part: str


class Pen(msgspec.Struct, frozen=True):
    """A pig pen."""

    x: float
    width: float
    has_pig: bool


class RoofPlace(msgspec.Struct, frozen=True):
    """A roof space: its printed VP, or the tile that covers it."""

    x: float
    width: float
    vp: int
    roof: Roof | None
    glyphs: tuple[Glyph, ...]
    part: str


class FieldDrawing(msgspec.Struct, frozen=True):
    """A field, and the part that is clicked to take its crop."""

    field: Field
    part: str


class DonkeyPlace(msgspec.Struct, frozen=True):
    """A donkey tile: available, used, or chosen for this round."""

    x: int
    donkeys: int
    hats: int
    is_left: bool
    is_chosen: bool
    part: str


class FarmDrawing(msgspec.Struct, frozen=True):
    """A farm with all its drawing data."""

    farm: Farm
    is_own: bool
    shelf: tuple[GoodsPlace, ...]
    purse: tuple[GoodsPlace, ...]
    pens: tuple[Pen, ...]
    pigs_part: str
    roofs: tuple[RoofPlace, ...]
    fields: tuple[FieldDrawing, ...]
    barrows: tuple[tuple[Slot, ...], ...]
    donkeys: tuple[DonkeyPlace, ...]


def draw_farm(deck: str, farm: Farm, *, is_own: bool) -> FarmDrawing:
    """Return the drawing data of a farm; parts are named only for its owner."""

    def part(name: str) -> str:
        return name if is_own else ""

    return FarmDrawing(
        farm=farm,
        is_own=is_own,
        shelf=tuple(
            GoodsPlace(LEFT + CELL * index, kind, getattr(farm, kind), part(goods_part(kind, "store")))
            for index, kind in enumerate(SHELF)
        ),
        purse=tuple(
            GoodsPlace(LEFT + CELL * index, kind, getattr(farm, kind), part(goods_part(kind, "store")))
            for index, kind in enumerate(("silver", "trade_commodity"))
        ),
        pens=pens(farm),
        pigs_part=part(goods_part("pig", "store")),
        roofs=tuple(roof_places(deck, farm, is_own=is_own)),
        fields=field_drawings(farm, is_own=is_own),
        barrows=tuple(slots(barrow.symbols, part(f"barrow-{barrow.card}")) for barrow in farm.barrows),
        donkeys=tuple(
            DonkeyPlace(
                72 * index,
                tile.donkeys,
                tile.hats,
                tile.donkeys in farm.donkeys_left,
                tile.donkeys == farm.donkey,
                part(f"donkey-{tile.donkeys}"),
            )
            for index, tile in enumerate(BOXES[deck].donkey_tiles.values())
        ),
    )


def slots(symbols: Sequence[Symbol], part: str) -> tuple[Slot, ...]:
    """Return the symbols of a row or barrow with their positions; of equal symbols only the first names a part.

    Without `part`, none does.
    """
    used_names: set[str] = set()
    placed = []
    for index, symbol in enumerate(symbols):
        name = f"{part}-{symbol.good}{'-taken' if symbol.is_filled else ''}" if part else ""
        placed.append(Slot(34 * index, symbol.good, symbol.is_filled, "" if name in used_names else name))
        used_names.add(name)
    return tuple(placed)


def pens(farm: Farm) -> tuple[Pen, ...]:
    """Return the pens with their positions, pens with a pig before empty ones."""
    width = min(PEN_WIDTH_MAX, PENS_WIDTH / max(1, farm.pens))
    return tuple(Pen(round(PENS_LEFT + width * n, 1), round(width, 1), n < farm.pig) for n in range(farm.pens))


def roof_places(deck: str, farm: Farm, *, is_own: bool) -> list[RoofPlace]:
    """Return the roof spaces from left to right, including the additional space of a helper."""
    box = BOXES[deck]
    printed_points = list(box.player_board.roof_vp)
    helpers = (box.cards[helper_card.card].helper for helper_card in farm.helpers)
    printed_points += [helper.params["vp"] for helper in helpers if helper.kind == SIXTH_SPACE]
    printed_points += [0] * (len(farm.roofs) - len(printed_points))
    width = ROOF_WIDTH / len(printed_points)
    places = []
    for index, vp in enumerate(printed_points):
        roof = farm.roofs[index] if index < len(farm.roofs) else None
        roof_glyph_row = roof_glyphs(deck, roof.tile) if roof else ()
        part = f"roof-{roof.tile}" if roof and is_own else ""
        places.append(
            RoofPlace(round(ROOF_LEFT + width * index, 1), round(width - 5, 1), vp, roof, roof_glyph_row, part)
        )
    return places


def field_drawings(farm: Farm, *, is_own: bool) -> tuple[FieldDrawing, ...]:
    """Return the fields; only full ones of the reader name a part, of equal ones with the same crop only the first."""
    helper_cards = [helper.card for helper in farm.helpers]
    used_names: set[str] = set()
    drawings = []
    for field in farm.fields:
        name = goods_part(field.crop, FIELDS[field.card in helper_cards]) if is_own and field.is_full else ""
        drawings.append(FieldDrawing(field, "" if name in used_names else name))
        used_names.add(name)
    return tuple(drawings)


def roof_glyphs(deck: str, tile: str) -> tuple[Glyph, ...]:
    """Return the symbols of a roof tile's effect; empty for an effect unknown to the package."""
    return roof_glyphs_of(BOXES[deck].effect_of(tile))


def roof_glyphs_of(effect: RoofEffect) -> tuple[Glyph, ...]:
    """Return the symbols of a roof effect; empty if unknown."""
    return glyphs.ROOFS.get(effect.id, ())


def roof_name(deck: str, tile: str) -> Message:
    """Return the short description of a roof tile."""
    return roof_words(BOXES[deck].effect_of(tile))


def roof_words(effect: RoofEffect) -> Message:
    """Return the short description of a roof effect; its own text if unknown."""
    return Message(terms.ROOF_EFFECTS.get(effect.id, effect.text))


def roof_address(deck: str, tile: str) -> str:
    """Return the address of a roof tile in the gallery."""
    return f"/cards/la_granja{query_of(deck)}#tile-{BOXES[deck].effect_of(tile).id}"


def good_words() -> dict[str, str]:
    """Return the names of the goods in the language of the page."""
    return {kind: _(name) for kind, name in terms.KINDS.items()}


def drawn_farm(deck: str, farm: Farm, marker_limit: int, *, is_own: bool = False) -> dict[str, Any]:
    """Return the template variables of a farm."""
    return {
        "home": draw_farm(deck, farm, is_own=is_own),
        "deck": BOXES[deck].cards,
        "marker_limit": marker_limit,
        "roof_name": partial(roof_name, deck),
        "roof_address": partial(roof_address, deck),
        "of": query_of(deck),
        "good_words": good_words(),
    }


drawn_own: Final = partial(drawn_farm, is_own=True)


def own(view: View) -> PagePart | None:
    """Return the page part of the reader's farm; None for a spectator."""
    if view.seat is None:
        return None
    return PagePart("la_granja/own.html", drawn_own, (view.deck, view.farms[view.seat], view.marker_limit), "own")


def others(view: View) -> tuple[PagePart, ...]:
    """Return the page parts of all other farms, in turn order."""
    return tuple(
        PagePart(
            "la_granja/neighbour.html",
            drawn_farm,
            (view.deck, view.farms[seat], view.marker_limit),
            f"farm-{seat}",
        )
        for seat in view.order
        if seat != view.seat
    )


def drawn_strip(farm: Farm, is_own: bool) -> dict[str, Any]:
    """Return the template variables of a farm's summary line; goods are listed only if the farm has some."""
    names = good_words()
    counted_goods = [(kind, names[kind], getattr(farm, kind)) for kind in (*SHELF, "trade_commodity")]
    stock: list[tuple[str, str, int | str]] = [
        ("silver", names["silver"], farm.silver),
        ("hand", _("cards in hand and hand limit"), f"{farm.hand_count}/{farm.hand_limit}"),
        ("pig", _("pigs and pens"), f"{farm.pig}/{farm.pens}"),
        *(line for line in counted_goods if line[2]),
    ]
    return {"farm": farm, "is_own": is_own, "stock": stock}


def strips(view: View) -> tuple[PagePart, ...]:
    """Return the page parts of the summary lines of all farms, by seat."""
    return tuple(
        PagePart("la_granja/strip.html", drawn_strip, (farm, farm.seat == view.seat))
        for farm in sorted(view.farms, key=lambda farm: farm.seat)
    )
