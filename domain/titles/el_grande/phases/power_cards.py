"""Phases 1 and 2: begin a round, reveal action cards, play power cards (EG-3, EG-4, EG-16.5, EG-20.2)."""

from typing import Final

from domain.kernel.chance import Chance
from domain.titles.el_grande.actions import Action, PlayPowerCard
from domain.titles.el_grande.cards import GREY_FIRST, GREY_NUMBER, GREYS
from domain.titles.el_grande.components import POWERS, PROVINCE, REGION_COUNT, REGIONS
from domain.titles.el_grande.decks import KING_CARD, stacks_of, turn_up
from domain.titles.el_grande.effects import (
    ActionCardTurned,
    DummyPowerTurned,
    DummyRegionDrawn,
    Effect,
    PowerCardPlayed,
    RoundBegun,
    StepBegun,
    TurnOrderSet,
)
from domain.titles.el_grande.state import State

DUMMY_REGIONS: Final = 2
DUMMY_PIECES: Final = 2

PLAY: Final = tuple(PlayPowerCard(power) for power in (0, *POWERS))
PLAY_WITH: Final = {
    grey: tuple(PlayPowerCard(power, card.id) for power in (0, *POWERS)) for grey, card in GREYS.items()
}


def next_round(state: State, chance: Chance) -> tuple[Effect, ...]:
    """Return the effects that begin the next round, or end the match after the last one (EG-2.1, EG-14.1, EG-15.1).

    In order: the dummy's regions, the action cards, the dummy's power card.
    """
    index = state.round_index + 1
    rounds = state.setting.rounds
    if index == len(rounds):
        return (StepBegun("over"),)
    number = rounds[index]
    return (
        RoundBegun(number, index),
        *dummy_regions(state, number, chance),
        *reveal(state, number, chance),
        *dummy_power(state, number, chance),
        StepBegun("power", (state.first,)),
    )


def dummy_regions(state: State, number: int, chance: Chance) -> tuple[Effect, ...]:
    """Draw two region cards for the dummy and place two caballeros in each, none in the king's region (EG-16.5).

    `()` without a dummy or once its supply is empty; fewer caballeros if the supply runs out.
    """
    dummy = state.setting.dummy
    if dummy < 0:
        return ()
    supply = state.pieces[PROVINCE][dummy]
    if not supply:
        return ()
    pool = tuple(REGIONS[region] for region in range(REGION_COUNT) if region not in state.dummy_regions)
    effects = []
    for region in chance.draw(f"dummy-regions/{number}", pool, DUMMY_REGIONS):
        count = 0 if REGIONS.index(region) == state.king else min(DUMMY_PIECES, supply)
        supply -= count
        effects.append(DummyRegionDrawn(region, count))
    return tuple(effects)


def reveal(state: State, number: int, chance: Chance) -> tuple[Effect, ...]:
    """Turn up the top card of every stack, and the king card except in New Regency (EG-3.1, EG-3.2, EG-18.1)."""
    turned = frozenset(state.turned)
    cards = tuple(
        ActionCardTurned(turn_up(stack, turned, number, chance), from_stack=True) for stack in stacks_of(state.setting)
    )
    return cards if state.setting.new_regency else (*cards, ActionCardTurned(KING_CARD, from_stack=False))


def dummy_power(state: State, number: int, chance: Chance) -> tuple[Effect, ...]:
    """Turn up the dummy's top power card, before the first player plays (EG-16.7); `()` without a dummy."""
    if state.setting.dummy < 0:
        return ()
    remaining = tuple(power for power in POWERS if power not in state.dummy_powers)
    return (DummyPowerTurned(chance.draw(f"dummy-power/{number}", remaining, 1)[0]),)


def legal(state: State, seat: int) -> tuple[Action, ...]:
    """Return the power cards, alone or with one grey card, whose result is not on the table (EG-4.2, EG-20.3)."""
    results, hand = state.results, state.hands[seat]
    actions = [PLAY[card] for card in hand if card < GREY_FIRST and card not in results]
    if state.setting.shift_of_power:
        greys = [card for card in hand if card >= GREY_FIRST]
        for grey in greys:
            value, plays = GREYS[grey].value, PLAY_WITH[grey]
            actions += [plays[card] for card in hand if card < GREY_FIRST and card + value not in results]
    return tuple(actions)


def perform(state: State, seat: int, action: Action) -> tuple[Effect, ...]:
    """Return the played card and the next step: the left neighbour's card or the turn order (EG-4.1)."""
    assert isinstance(action, PlayPowerCard)
    grey = 0 if action.grey is None else GREYS[GREY_NUMBER[action.grey]].value
    card_played = PowerCardPlayed(seat, action.power, action.power + grey, action.grey)
    following = (seat + 1) % state.setting.seats
    if following == state.first:
        return card_played, StepBegun("order")
    return card_played, StepBegun("power", (following,))


def order(state: State, _chance: Chance) -> tuple[Effect, ...]:
    """Return the turn order by result, highest first (EG-5.1)."""
    colours = sorted(range(state.setting.colours), key=state.results.__getitem__, reverse=True)
    return TurnOrderSet(tuple(colours)), StepBegun("next_turn")
