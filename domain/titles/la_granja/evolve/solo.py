"""Effects of the solo game."""

from domain.kernel.values import replace
from domain.titles.la_granja import effects_solo as e
from domain.titles.la_granja.state import State


def neutral_seated(state: State, effect: e.NeutralSeated) -> State:
    return replace(state, neutral=effect.place)


def die_discarded(state: State, effect: e.DieDiscarded) -> State:
    place = state.dice.index(effect.pips)
    return replace(state, dice=(*state.dice[:place], *state.dice[place + 1 :]))


def card_turned_up(state: State, effect: e.CardTurnedUp) -> State:
    return replace(state, discard=(*state.discard, effect.card), cards_drawn=state.cards_drawn + 1)
