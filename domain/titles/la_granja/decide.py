"""Decisions: dispatch an action to its task, then settle reactions and automatic steps."""

from typing import Final

from domain.kernel.chance import Chance
from domain.kernel.rules import Seat
from domain.kernel.settle import settle
from domain.titles.la_granja import phases
from domain.titles.la_granja.actions import Action
from domain.titles.la_granja.editions import edition_rules_of
from domain.titles.la_granja.effects import (
    CardDiscarded,
    CraftMarkerGained,
    Effect,
    HelperMarked,
    HelperUsed,
    ResourceSold,
)
from domain.titles.la_granja.evolve import evolve
from domain.titles.la_granja.helpers import HELPER_TRIGGERS, reactions
from domain.titles.la_granja.holdings import pens, selling_price
from domain.titles.la_granja.phases.deliveries import react_to_marker
from domain.titles.la_granja.phases.rounds import begin_next_step
from domain.titles.la_granja.phases.setup import set_up
from domain.titles.la_granja.state import State
from domain.titles.la_granja.turns import active, task_of


def start(edition: str, deck: str, extra_deliveries: str, seats: int, chance: Chance) -> tuple[Effect, ...]:
    """Return the effects of setup up to the first decision."""
    effects = set_up(edition, deck, extra_deliveries, seats, chance)
    state = evolve(None, effects[0])
    for effect in effects[1:]:
        state = evolve(state, effect)
    return effects + settle_all(state, (), chance)


def legal_actions(state: State, seat: Seat) -> tuple[Action, ...]:
    """Return every legal action of the seat; empty if it has no decision to make."""
    task = task_of(state, seat)
    return () if task is None else phases.legal(state, task)


def decide(state: State, seat: Seat, action: Action, chance: Chance) -> tuple[Effect, ...]:
    """Return the effects of a legal action; for unchecked actions use `kernel.checked_decide`."""
    task = task_of(state, seat)
    assert task is not None, f"nothing is asked of seat {seat}"
    return settle_all(state, phases.perform(state, task, action), chance)


def settle_all(state: State, caused: tuple[Effect, ...], chance: Chance) -> tuple[Effect, ...]:
    """Return the caused effects followed by reactions and automatic steps, up to the next decision or the end."""

    def advance(current: State) -> tuple[Effect, ...]:
        if not current.agenda:
            return begin_next_step(current, chance)
        for task in active(current):
            effects = phases.advance(current, task, chance)
            if effects:
                return effects
        return ()

    return settle(state, caused, evolve=evolve, react=react, advance=advance)


TRIGGERS: Final = HELPER_TRIGGERS | {CraftMarkerGained, HelperUsed, CardDiscarded}
"""Effect types that rules or helpers react to; most effects have no reaction."""


def react(state: State, effect: Effect) -> tuple[Effect, ...]:
    """Return the effects that rules and helpers add in reaction to an effect, the rules' first; often none."""
    if type(effect) not in TRIGGERS:
        return ()
    if isinstance(effect, CraftMarkerGained):
        return react_to_marker(state, effect) + reactions(state, effect)
    if isinstance(effect, HelperUsed) and effect.exhausts:
        return _mark_exhausted(state, effect) + reactions(state, effect)
    if isinstance(effect, CardDiscarded) and effect.side == "helper":
        return _sell_pigs_without_pen(state, effect.seat) + reactions(state, effect)
    return reactions(state, effect)


def _mark_exhausted(state: State, effect: HelperUsed) -> tuple[Effect, ...]:
    """Put a player marker on an exhausted helper, if the edition asks for it and one is left (LG-12.6).

    This is no gain in the sense of LG-0.9.
    """
    if not edition_rules_of(state).marks_helpers or not state.farms[effect.seat].markers:
        return ()
    return (HelperMarked(effect.seat, effect.card),)


def _sell_pigs_without_pen(state: State, seat: Seat) -> tuple[Effect, ...]:
    """Sell the pigs that lost their pen with a helper, at the normal price (LG-10.8)."""
    count = state.farms[seat].pig - pens(state, seat)
    if count <= 0:
        return ()
    return (ResourceSold(seat, "pig", "pen", count, count * selling_price(state, seat, "pig")),)
