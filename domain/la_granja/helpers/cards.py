"""Helpers about playing cards."""

from typing import Final

from domain.kernel.rules import Seat
from domain.la_granja.agenda import AnyTask, CardChoice
from domain.la_granja.effects import Effect, GoodPaid, planned
from domain.la_granja.helpers.kinds import Helper, exhausts
from domain.la_granja.state import State

FARM_WORKER_CARD: Final = 4


def can_pay_for_a_card(state: State, seat: Seat, _: AnyTask) -> bool:
    """LG-10.9: the VP must have been taken already."""
    farm = state.farms[seat]
    return farm.vp >= 1 and bool(farm.hand)


def pay_for_a_card(_state: State, seat: Seat, _: AnyTask) -> tuple[Effect, ...]:
    """Farm Worker: pay 1 VP to play 1 card from hand; a farm extension still has to be paid for."""
    return (
        planned(seat, CardChoice(seat, may_draw=False), done=0),
        exhausts(seat, FARM_WORKER_CARD),
        GoodPaid(seat, "vp", 1, "", "helper"),
    )


FARM_WORKER: Final = Helper(offers=can_pay_for_a_card, performs=pay_for_a_card)
