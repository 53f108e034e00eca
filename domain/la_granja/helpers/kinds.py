"""What a helper card can change, and how: the shapes of the three kinds of function and of a table row."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from domain.kernel.rules import Seat
from domain.la_granja.agenda import AnyTask
from domain.la_granja.effects import Effect, HelperUsed
from domain.la_granja.state import State


class Number(Enum):
    """Numbers of the rules that helpers change."""

    UPGRADE_PRICE = "upgrade price"
    FIELD_SALES = "1 when crops may be sold from fields"


Offer = Callable[[State, Seat, AnyTask], bool]
"""May this seat start the helper in this window?"""

Perform = Callable[[State, Seat, Any], tuple[Effect, ...]]
"""What using the helper brings about; the task is the window, or the offer that leaves the agenda."""

React = Callable[[State, Any], tuple[Effect, ...]]
"""What follows from this effect? The state is the one after it."""

Adjust = Callable[[State, Seat, int], int]
"""What is this number for this seat?"""


@dataclass(frozen=True)
class Helper:
    """What one helper card changes."""

    offers: Offer | None = None
    performs: Perform | None = None
    reacts: Mapping[type, React] = field(default_factory=dict)
    adjusts: Mapping[Number, Adjust] = field(default_factory=dict)


def holds(state: State, seat: Seat, card: int) -> bool:
    """The helper lies at the farm, used or not (automatic helpers, LG-10.5)."""
    return seat >= 0 and any(helper.card == card for helper in state.farms[seat].helpers)


def is_ready(state: State, seat: Seat, card: int) -> bool:
    """The helper lies at the farm and is not exhausted (LG-10.2)."""
    return seat >= 0 and any(helper.card == card and not helper.exhausted for helper in state.farms[seat].helpers)


def owner_of(state: State, card: int) -> Seat | None:
    """Whose farm the helper lies at; each card is there once."""
    for seat, farm in enumerate(state.farms):
        if any(helper.card == card for helper in farm.helpers):
            return Seat(seat)
    return None


def exhausts(seat: Seat, card: int) -> HelperUsed:
    """The helper is used and works again from phase IV on (LG-7.5)."""
    return HelperUsed(seat, card, exhausts=True)
