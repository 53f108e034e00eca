"""What the effects of a title say of its balance: who has how many points from where, who used which component."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from domain.titles import el_grande, la_granja
from domain.titles.el_grande import effects as eg
from domain.titles.el_grande.cards import BOX
from domain.titles.la_granja import effects as lg
from domain.titles.la_granja.tables import BOXES


class Points(NamedTuple):
    """So many points come to a seat from a source; points paid are less than 0."""

    seat: int
    source: str
    points: int


class Use(NamedTuple):
    """A seat takes a component (a helper, a roof tile, a building, a card), or uses once more what it has taken."""

    seat: int
    kind: str
    id: str
    is_again: bool = False


Names = Mapping[str, Mapping[str, str]]
"""Per kind of component what each id is called."""


class Ledger(NamedTuple):
    """How the effects of a title are read; the state is the one before the effect."""

    sources: tuple[str, ...]
    """All there are, in the order they are printed in."""
    points: Callable[[Any, Any], tuple[Points, ...]]
    uses: Callable[[Any, Any], tuple[Use, ...]]
    names: Callable[[Mapping[str, str]], Names]
    """The components there are with these options: what nobody used is named as well."""


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
"""The cause of a gain of victory points -> the source it is counted under."""


def granja_points(state: Any, effect: Any) -> tuple[Points, ...]:
    """Every effect that changes a farm's victory points; an unknown cause fails here, not in the sums."""
    match effect:
        case lg.GoodGained(good="vp"):
            source = GRANJA_SOURCES[effect.cause]
            if effect.cause == "siesta" and state.step != "siesta_scoring":
                source = "buildings"  # the Wainwright's instant effect pays by the siesta track too
            return (Points(effect.seat, source, effect.amount),)
        case lg.GoodPaid(good="vp"):
            return (Points(effect.seat, "paid", -effect.amount),)
        case lg.Delivered(good="vp"):
            return (Points(effect.seat, "paid", -1),)
        case lg.SilverExchanged():
            return (Points(effect.seat, "end", effect.vp),)
        case _:
            return ()


def granja_uses(_: Any, effect: Any) -> tuple[Use, ...]:
    """Helpers laid and used, roof tiles bought and used, buildings completed."""
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
    """The helpers of the deck, the roof tiles of the edition, the buildings."""
    box, edition = BOXES[chosen["deck"]], chosen["edition"]
    tiles = (tile for round in range(1, box.rounds + 1) for tile in box.roof_tiles_of(round, edition))
    return {
        "helper": {str(number): card.helper.name for number, card in box.cards.items()},
        "roof": {tile: box.effect_of(tile).id.replace("_", " ") for tile in tiles},
        "building": {str(number): building.name for number, building in box.buildings.items()},
    }


GRANDE_SOURCES: Final = ("regions", "Castillo", "regions, special scorings", "Castillo, special scorings")
GENERAL_SCORING: Final = frozenset({"scoring", "discs", "regions", "next_round", "over"})
POWER_CARDS: Final = 13


def grande_points(state: Any, effect: Any) -> tuple[Points, ...]:
    """Every scoring of an area: the general ones of the scoring rounds, and those that special actions bring."""
    if not isinstance(effect, eg.AreaScored):
        return ()
    area = "Castillo" if effect.area == "castillo" else "regions"
    source = area if state.step in GENERAL_SCORING else f"{area}, special scorings"
    return tuple(Points(seat, source, points) for seat, points in enumerate(effect.points) if points)


def grande_uses(_: Any, effect: Any) -> tuple[Use, ...]:
    """Action cards taken, power cards played."""
    match effect:
        case eg.ActionCardTaken():
            return (Use(effect.seat, "action card", effect.card),)
        case eg.PowerCardPlayed():
            return (Use(effect.seat, "power card", str(effect.power)),)
        case _:
            return ()


def grande_names(_: Mapping[str, str]) -> Names:
    """Every action card of the box, whichever of them are shuffled in, and the power cards."""
    return {
        "action card": {card.id: card.name for card in BOX.values()},
        "power card": {str(power): f"power card {power}" for power in range(1, POWER_CARDS + 1)},
    }


LEDGERS: Final[Mapping[str, Ledger]] = {
    la_granja.TITLE: Ledger(
        (*dict.fromkeys(GRANJA_SOURCES.values()), "end", "paid"), granja_points, granja_uses, granja_names
    ),
    el_grande.TITLE: Ledger(GRANDE_SOURCES, grande_points, grande_uses, grande_names),
}
