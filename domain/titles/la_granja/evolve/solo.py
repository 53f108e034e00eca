"""Transitions of the solo game."""

from domain.kernel.values import replace
from domain.titles.la_granja import effects_solo as e
from domain.titles.la_granja.state import State


def neutral_seated(state: State, effect: e.NeutralSeated) -> State:
    """Set the neutral player's place in the turn order."""
    return replace(state, neutral=effect.place)


def die_discarded(state: State, effect: e.DieDiscarded) -> State:
    """Remove one die of this number."""
    index = state.dice.index(effect.pips)
    return replace(state, dice=(*state.dice[:index], *state.dice[index + 1 :]))


def card_turned_up(state: State, effect: e.CardTurnedUp) -> State:
    """Move the top card of the draw pile to the discard pile."""
    return replace(state, discard=(*state.discard, effect.card), cards_drawn=state.cards_drawn + 1)
