"""Figures of the rules: example positions made from effects and drawn like a match."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

import msgspec

from api.titles.la_granja import boards, farms
from api.titles.la_granja.farms import good_words
from api.titles.la_granja.glyphs import Glyph
from domain.kernel.chance import SeededChance
from domain.kernel.messages import Message
from domain.kernel.rules import Seat
from domain.titles import la_granja
from domain.titles.la_granja import effects as e
from domain.titles.la_granja.state import State
from domain.titles.la_granja.tables import BOXES
from domain.titles.la_granja.view import View, view

ROUNDS: Final = range(1, 7)
KEY: Final = bytes(range(32))
SEATS: Final = 3
ANA, BRUNO, CLARA = Seat(0), Seat(1), Seat(2)
STALLS: Final = ((ANA, 4), (ANA, 5), (BRUNO, 3), (BRUNO, 6), (CLARA, 5), (CLARA, 2))
"""Seat and market value of each stall."""
DELIVERED: Final = ((ANA, 5, "olive"), (ANA, 5, "grain"), (BRUNO, 5, "pig"), (CLARA, 2, "wine"))
"""Seat, building and good of each delivery."""
DICE: Final = (1, 2, 3, 3, 5, 6, 6)
HATS: Final = ((BRUNO, 2), (CLARA, 3), (ANA, 3))
"""Seat and siesta space of each marker, in order of arrival."""
STOCK: Final = (
    ("silver", 6, ""),
    ("olive", 1, "store"),
    ("grain", 2, "store"),
    ("pig", 1, "pen"),
    ("wine", 1, "store"),
)


@cache
def example() -> View:
    """Return a spectator's view of a three-player match with example positions."""
    options = la_granja.options({})
    state: State | None = None
    for effect in la_granja.start(options, SEATS, SeededChance(KEY)):
        state = la_granja.evolve(state, effect)
    assert state is not None
    for step in (farm_of_ana, market, village, track):
        for effect in step(state):
            state = la_granja.evolve(state, effect)
    return view(state, None)


def farm_of_ana(state: State) -> Iterator[e.Effect]:
    """Yield effects that play each card of Ana's hand on a different side and fill her stores."""
    field, barrow, extension, helper = state.farms[ANA].hand
    cards = BOXES[state.deck].cards
    yield e.CardPlayed(ANA, field, "field", crop=cards[field].crop)
    yield e.CardPlayed(ANA, barrow, "barrow", symbols=len(cards[barrow].barrow.goods))
    yield e.CardPlayed(ANA, extension, "extension")
    yield e.CardPlayed(ANA, helper, "helper", crop=cards[helper].helper.params.get("crop", ""))
    yield e.GoodGained(ANA, cards[field].crop, 1, "field", "growth", field)
    for good, amount, place in STOCK:
        yield e.GoodGained(ANA, good, amount, place, "die")
    yield e.RoofBought(ANA, state.roofs[0], 1)


def market(state: State) -> Iterator[e.Effect]:
    """Yield stalls on the first free spaces of their values."""
    spaces = view(state, None).market
    free_cells = [index for index, space in enumerate(spaces) if space.is_open and space.owner is None]
    for seat, value in STALLS:
        cell = next(index for index in free_cells if spaces[index].value == value)
        free_cells.remove(cell)
        yield e.StallPlaced(seat, cell)


def village(state: State) -> Iterator[e.Effect]:
    """Yield deliveries to the first matching symbol."""
    for seat, number, good in DELIVERED:
        row = BOXES[state.deck].buildings[number].row
        place = "pen" if good == "pig" else "store"
        yield e.GoodGained(seat, good, 1, place, "die")
        yield e.Delivered(seat, good, place, number, 0, row.index(good), len(row))


def track(_: State) -> Iterator[e.Effect]:
    """Yield the rolled dice and the positions on the siesta track."""
    yield e.DiceRolled(DICE)
    for seat, space in HATS:
        yield e.SiestaAdvanced(seat, space)


class TileListed(msgspec.Struct, frozen=True):
    """A kind of roof tile in the list of the rules."""

    name: Message
    glyphs: tuple[Glyph, ...]
    phases: tuple[str, ...]
    """Phases of use; empty for any time."""


def roof_tiles(deck: str, edition: str) -> tuple[TileListed, ...]:
    """Return every kind of roof tile of an edition once, by effect, with the phases in which it can be used."""
    box = BOXES[deck]
    tiles = {box.effect_of(tile).id: tile for number in ROUNDS for tile in box.roof_tiles_of(number, edition)}
    return tuple(
        TileListed(
            farms.roof_name(deck, tile),
            farms.roof_glyphs(deck, tile),
            tuple(phase for phase in box.effect_of(tile).phases if phase != "any"),
        )
        for tile in tiles.values()
    )


def picture() -> Mapping[str, Any]:
    """Return the template variables of the figures."""
    shown_view = example()
    box = BOXES[shown_view.deck]
    farm = next(each for each in shown_view.farms if each.seat == ANA)
    return {
        **boards.board(shown_view),
        **farms.drawn_farm(shown_view.deck, farm, shown_view.marker_limit),
        "view": shown_view,
        "card": box.cards[1],
        "good_words": good_words(),
        "printed_prices": shown_view.farms[BRUNO].prices,
        "tiles": roof_tiles(shown_view.deck, shown_view.edition),
    }
