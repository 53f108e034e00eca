"""Available options of the revenue spaces (LG-4.5 to LG-4.10)."""

from typing import Final

from domain.kernel.rules import Seat
from domain.titles.la_granja.delivering import deliveries
from domain.titles.la_granja.holdings import can_advance, can_draw, has_upgradeable
from domain.titles.la_granja.state import State
from domain.titles.la_granja.tables import box_of

SPACES: Final = (1, 2, 3, 4, 5, 6)
"""Numbers of the revenue spaces, one for each side of a die."""


def open_options(state: State, seat: Seat, space: int) -> tuple[str, ...]:
    """Return the options of the space that would have an effect for the seat."""
    return tuple(option for option in box_of(state).revenue_spaces[space].options if _can_take(state, seat, option))


def _can_take(state: State, seat: Seat, option: str) -> bool:
    """Return whether an option of a revenue space would have an effect for the seat.

    An upgrade with a siesta step is only offered with a resource to upgrade.
    """
    farm = state.farms[seat]
    match option:
        case "play_card":
            return bool(farm.hand)
        case "draw_card":
            return can_draw(state)
        case "upgrade_2" | "upgrade_1_siesta_1":
            return has_upgradeable(farm)
        case "siesta_2":
            return can_advance(state, seat)
        case "delivery_1":
            return bool(deliveries(state, seat))
        case _:
            return True
