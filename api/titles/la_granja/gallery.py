"""Gallery of the cards, roof tiles and craft buildings of a box."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from api.http.languages import join_words
from api.titles.gallery import Thing, plain_notes
from api.titles.la_granja import crafts, glyphs
from api.titles.la_granja.addresses import query_of
from api.titles.la_granja.examples import example
from api.titles.la_granja.farms import Slot, good_words, roof_glyphs_of, roof_words, slots
from api.titles.la_granja.glyphs import Glyph
from domain.kernel.messages import Message
from domain.titles.la_granja.boxes import box_name
from domain.titles.la_granja.components import Building, RoofEffect
from domain.titles.la_granja.tables import BOXES
from domain.titles.la_granja.view import Symbol

CARDS: Final = Message("Farm cards")
TILES: Final = Message("Roof tiles")
BUILDINGS: Final = Message("Craft buildings")


class Tile(msgspec.Struct, frozen=True):
    """A roof tile in the gallery."""

    effect: RoofEffect
    words: Message
    glyphs: tuple[Glyph, ...]


class Craft(msgspec.Struct, frozen=True):
    """A craft building in the gallery."""

    building: Building
    asks: tuple[Slot, ...]
    at_once: Message
    at_once_glyphs: tuple[Glyph, ...]
    lasting: Message
    lasting_glyphs: tuple[Glyph, ...]


def gallery_items(chosen: Mapping[str, str]) -> tuple[Thing, ...]:
    """Return the gallery items of a box: cards by number, roof tiles, craft buildings."""
    box = box_name(chosen["deck"], chosen["components"])
    return (*cards(box), *tiles(box), *buildings(box))


def cards(box: str) -> Iterator[Thing]:
    """Yield the farm cards of a box by number."""
    for number, card in BOXES[box].cards.items():
        name, notes, barrow = Message(card.helper.name), plain_notes(card.helper.notes), (f"barrow-{number}",)
        yield Thing(f"card-{number}", name, CARDS, "card", card, notes, barrow, example=example(number, card))


def tiles(box: str) -> Iterator[Thing]:
    """Yield the roof effects of a box."""
    for effect in BOXES[box].roof_effects.values():
        text = roof_words(effect)
        yield Thing(f"tile-{effect.id}", text, TILES, "tile", Tile(effect, text, roof_glyphs_of(effect)))


def buildings(box: str) -> Iterator[Thing]:
    """Yield the craft buildings of a box."""
    for number, each in BOXES[box].buildings.items():
        craft = Craft(
            each,
            slots(tuple(Symbol(good, False) for good in each.row), ""),
            crafts.at_once(each.instant),
            glyphs.at_once(each.instant),
            crafts.lasting(each.permanent),
            glyphs.lasting(each.permanent),
        )
        yield Thing(f"building-{number}", Message(each.name), BUILDINGS, "building", craft)


def picture(chosen: Mapping[str, str]) -> Mapping[str, Any]:
    """Return the template variables shared by all items."""
    good_names = good_words()
    return {
        "good_words": good_names,
        "goods_listed": lambda goods: join_words(good_names[good] for good in goods),
        "of": query_of(box_name(chosen["deck"], chosen["components"])),
    }
