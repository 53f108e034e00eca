"""Balance statistics of La Granja from its effects."""

from collections.abc import Mapping
from typing import Any, Final

from domain.titles.la_granja import effects as lg
from domain.titles.la_granja.tables import BOXES
from ops.dev.balance.ledgers import Ledger, Names, Points, Use

GRANJA_SOURCES: Final[Mapping[str, str]] = {
    "setup": "start",
    "barrow": "barrows",
    "first": "buildings",
    "order_tile": "buildings",
    "building": "buildings",
    "craft": "buildings",
    "village_store": "buildings",
    "butcher": "buildings",
    "market": "market",
    "stalls": "market",
    "siesta": "siesta",
    "roof_space": "roofs",
    "roof": "roofs",
    "helper": "helpers",
}
"""Source of VP by cause of the gain."""


def granja_points(state: Any, effect: Any) -> tuple[Points, ...]:
    """Return the VP that a seat gains or pays by an effect, if any; raise `KeyError` for an unknown cause.

    Payments are negative.
    """
    match effect:
        case lg.GoodGained(good="vp"):
            source = GRANJA_SOURCES[effect.cause]
            if effect.cause == "siesta" and state.step != "siesta_scoring":
                source = "buildings"  # The Wainwright's instant effect pays siesta VP too.
            return (Points(effect.seat, source, effect.amount),)
        case lg.GoodPaid(good="vp"):
            return (Points(effect.seat, "paid", -effect.amount),)
        case lg.Delivered(good="vp"):
            return (Points(effect.seat, "paid", -1),)
        case lg.SilverExchanged():
            return (Points(effect.seat, "end", effect.vp),)
        case _:
            return ()


def granja_uses(_: object, effect: object) -> tuple[Use, ...]:
    """Return the use of a helper, roof tile or building by an effect, none for others.

    Later uses are marked `is_again`.
    """
    match effect:
        case lg.CardPlayed(side="helper"):
            return (Use(effect.seat, "helper", str(effect.card)),)
        case lg.HelperUsed():
            return (Use(effect.seat, "helper", str(effect.card), is_again=True),)
        case lg.RoofBought():
            return (Use(effect.seat, "roof", effect.tile),)
        case lg.RoofUsed():
            return (Use(effect.seat, "roof", effect.tile, is_again=True),)
        case lg.BuildingCompleted():
            return (Use(effect.seat, "building", str(effect.building)),)
        case _:
            return ()


def granja_names(chosen: Mapping[str, str]) -> Names:
    """Return the names of helpers, roof tiles and buildings, by kind and id."""
    box, edition = BOXES[chosen["deck"]], chosen["edition"]
    tiles = (tile for round in range(1, box.rounds + 1) for tile in box.roof_tiles_of(round, edition))
    return {
        "helper": {str(number): card.helper.name for number, card in box.cards.items()},
        "roof": {tile: box.effect_of(tile).id.replace("_", " ") for tile in tiles},
        "building": {str(number): building.name for number, building in box.buildings.items()},
    }


LEDGER: Final = Ledger(
    (*dict.fromkeys(GRANJA_SOURCES.values()), "end", "paid"), granja_points, granja_uses, granja_names
)
