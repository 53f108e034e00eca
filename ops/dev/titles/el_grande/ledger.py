"""Effects of El Grande as data for balance statistics."""

from collections.abc import Mapping
from typing import Any, Final

from domain.titles.el_grande import effects as eg
from domain.titles.el_grande.cards import BOX
from ops.dev.balance.ledgers import Ledger, Names, Points, Use

GRANDE_SOURCES: Final = ("regions", "Castillo", "regions, special scorings", "Castillo, special scorings")
GENERAL_SCORING: Final = frozenset({"scoring", "discs", "regions", "next_round", "over"})
POWER_CARDS: Final = 13


def grande_points(state: Any, effect: object) -> tuple[Points, ...]:
    """Return the points of a scored area by seat and kind of scoring, without zeros; none for other effects."""
    if not isinstance(effect, eg.AreaScored):
        return ()
    area = "Castillo" if effect.area == "castillo" else "regions"
    source = area if state.step in GENERAL_SCORING else f"{area}, special scorings"
    return tuple(Points(seat, source, points) for seat, points in enumerate(effect.points) if points)


def grande_uses(_: object, effect: object) -> tuple[Use, ...]:
    """Return the use of an action card or power card; none for other effects."""
    match effect:
        case eg.ActionCardTaken():
            return (Use(effect.seat, "action card", effect.card),)
        case eg.PowerCardPlayed():
            return (Use(effect.seat, "power card", str(effect.power)),)
        case _:
            return ()


def grande_names(_: Mapping[str, str]) -> Names:
    """Return the names of all action cards and power cards."""
    return {
        "action card": {card.id: card.name for card in BOX.values()},
        "power card": {str(power): f"power card {power}" for power in range(1, POWER_CARDS + 1)},
    }


LEDGER: Final = Ledger(GRANDE_SOURCES, grande_points, grande_uses, grande_names)
