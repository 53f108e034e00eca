"""Helpers about prices and selling."""

from typing import Final

from domain.kernel.rules import Seat
from domain.la_granja.helpers.kinds import Helper, Number
from domain.la_granja.state import State


def chef(_state: State, _seat: Seat, price: int) -> int:
    """Chef: every upgrade that is paid for costs 1 silver less, never below 0."""
    return max(0, price - 1)


def field_hand(_state: State, _seat: Seat, _allowed: int) -> int:
    """Field Hand: crops may be sold straight from fields at the normal price, in the final sale too (LG-13.20)."""
    return 1


CHEF: Final = Helper(adjusts={Number.UPGRADE_PRICE: chef})
FIELD_HAND: Final = Helper(adjusts={Number.FIELD_SALES: field_hand})
