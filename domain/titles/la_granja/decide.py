"""From an action to its effects: dispatch to the task it answers, then settle."""

from typing import Final

from domain.kernel.chance import Chance
from domain.kernel.rules import Seat
from domain.kernel.settle import settle
from domain.titles.la_granja import phases
from domain.titles.la_granja.actions import Action
from domain.titles.la_granja.editions import custom_of
from domain.titles.la_granja.effects import (
    CardDiscarded,
    CraftMarkerGained,
    Effect,
    HelperMarked,
    HelperUsed,
    ResourceSold,
)
from domain.titles.la_granja.evolve import evolve
from domain.titles.la_granja.helpers import REACTING, reactions
from domain.titles.la_granja.holdings import pens, selling_price
from domain.titles.la_granja.phases.deliveries import react_to_marker
from domain.titles.la_granja.phases.rounds import next_step
from domain.titles.la_granja.phases.setup import set_up
from domain.titles.la_granja.state import State
from domain.titles.la_granja.turns import active, task_of


def start(edition: str, deck: str, extra_deliveries: str, seats: int, chance: Chance) -> tuple[Effect, ...]:
    """Setup, and on to the first decision."""
    effects = set_up(edition, deck, extra_deliveries, seats, chance)
    state = evolve(None, effects[0])
    for effect in effects[1:]:
        state = evolve(state, effect)
    return effects + settle_all(state, (), chance)


def legal_actions(state: State, seat: Seat) -> tuple[Action, ...]:
    """Every legal action of the seat; none when nothing is asked of it."""
    task = task_of(state, seat)
    return () if task is None else phases.legal(state, task)


def decide(state: State, seat: Seat, action: Action, chance: Chance) -> tuple[Effect, ...]:
    """What a legal action brings about; callers with an unchecked action use kernel.checked_decide."""
    task = task_of(state, seat)
    assert task is not None, f"nothing is asked of seat {seat}"
    return settle_all(state, phases.perform(state, task, action), chance)


def settle_all(state: State, caused: tuple[Effect, ...], chance: Chance) -> tuple[Effect, ...]:
    """The effects caused, with reactions and automatic steps, until somebody must decide."""

    def advance(settling: State) -> tuple[Effect, ...]:
        if not settling.agenda:
            return next_step(settling, chance)
        for task in active(settling):
            effects = phases.advance(settling, task, chance)
            if effects:
                return effects
        return ()

    return settle(state, caused, evolve=evolve, react=react, advance=advance)


ANSWERED: Final = REACTING | {CraftMarkerGained, HelperUsed, CardDiscarded}
"""The types of effects that rules or helpers answer; most effects are not."""


def react(state: State, effect: Effect) -> tuple[Effect, ...]:
    """What the rules and the helpers add to an effect."""
    if type(effect) not in ANSWERED:
        return ()
    if isinstance(effect, CraftMarkerGained):
        return react_to_marker(state, effect) + reactions(state, effect)
    if isinstance(effect, HelperUsed) and effect.exhausts:
        return _mark_exhausted(state, effect) + reactions(state, effect)
    if isinstance(effect, CardDiscarded) and effect.side == "helper":
        return _sell_unhoused(state, effect.seat) + reactions(state, effect)
    return reactions(state, effect)


def _mark_exhausted(state: State, effect: HelperUsed) -> tuple[Effect, ...]:
    """A player marker shows that the helper is exhausted, if one is left; using it is no gain (LG-12.6, LG-0.9)."""
    if not custom_of(state).marks_helpers or not state.farms[effect.seat].markers:
        return ()
    return (HelperMarked(effect.seat, effect.card),)


def _sell_unhoused(state: State, seat: Seat) -> tuple[Effect, ...]:
    """A helper left: pigs without a pen are sold at once at the normal price (LG-10.8)."""
    homeless = state.farms[seat].pig - pens(state, seat)
    if homeless <= 0:
        return ()
    return (ResourceSold(seat, "pig", "pen", homeless, homeless * selling_price(state, seat, "pig")),)
