"""Helpers about the market."""

from typing import Final

from domain.la_granja.effects import Effect, GoodGained, StallRemoved
from domain.la_granja.helpers.kinds import Helper, holds
from domain.la_granja.state import State

NEGOTIATOR_CARD: Final = 2


def comfort(state: State, effect: StallRemoved) -> tuple[Effect, ...]:
    """Negotiator: each time an opponent removes a marker of the owner from the market, the owner takes 1 VP."""
    if not holds(state, effect.owner, NEGOTIATOR_CARD):
        return ()
    return (GoodGained(effect.owner, "vp", 1, "", "helper"),)


NEGOTIATOR: Final = Helper(reacts={StallRemoved: comfort})
