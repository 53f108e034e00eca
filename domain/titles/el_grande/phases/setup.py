"""The setup: the board, home regions, starting player, grey cards (EG-1, EG-20.1)."""

from typing import Final

from domain.kernel.chance import Chance
from domain.kernel.hidden import Hidden
from domain.kernel.rules import Options
from domain.titles.el_grande.actions import Action, PassGreyCard
from domain.titles.el_grande.cards import GREY_CARDS, GREY_FIRST, GREYS
from domain.titles.el_grande.components import REGIONS
from domain.titles.el_grande.effects import (
    BoardLaid,
    Effect,
    FirstPlayerSet,
    GreyCardPassed,
    GreyCardsDealt,
    GreyCardSetAside,
    HomeTaken,
    KingStood,
    StepBegun,
)
from domain.titles.el_grande.options import setting_of
from domain.titles.el_grande.state import Setting, State

GREY_HAND: Final = 3


def opening(options: Options, seats: int, chance: Chance) -> tuple[Effect, ...]:
    """Return the effects before the first decision; raise `UnknownOption` for a wrong number of seats.

    The king's region is drawn first, then the homes by seat (EG-1.6, EG-1.7).
    """
    setting = setting_of(options, seats)
    regions = chance.draw("regions", REGIONS, 1 + seats)
    homes = tuple(HomeTaken(seat, region) for seat, region in enumerate(regions[1:]))
    first = options.chosen["start_seat"]
    start = chance.draw("start-player", range(seats), 1)[0] if first == "random" else int(first)
    effects: tuple[Effect, ...] = (BoardLaid(setting), KingStood(regions[0]), *homes, FirstPlayerSet(start))
    if not setting.shift_of_power:
        return (*effects, StepBegun("next_round"))
    return (*effects, *deal_greys(setting, chance), StepBegun("pass_grey", tuple(range(seats))))


def deal_greys(setting: Setting, chance: Chance) -> tuple[Effect, ...]:
    """Deal three grey cards to each seat; the rest leaves the match unseen (EG-20.1)."""
    pool = [card.id for card in GREY_CARDS]
    dealt = []
    for seat in range(setting.seats):
        cards = chance.draw(f"grey/{seat}", pool, GREY_HAND, audience=(seat,))
        pool = [card for card in pool if card not in cards]
        dealt.append(GreyCardsDealt(seat, Hidden(cards, (seat,))))
    return tuple(dealt)


def legal(state: State, seat: int) -> tuple[Action, ...]:
    """Return the three grey cards to pass (EG-20.1)."""
    return tuple(PassGreyCard(GREYS[card].id) for card in state.hands[seat] if card >= GREY_FIRST)


def perform(_state: State, seat: int, action: Action) -> tuple[Effect, ...]:
    """Set the chosen grey card aside until every seat has chosen."""
    assert isinstance(action, PassGreyCard)
    return (GreyCardSetAside(seat, Hidden(action.card, (seat,))),)


def advance(state: State, _chance: Chance) -> tuple[Effect, ...]:
    """Pass the chosen grey cards to the left, all at once, and begin round 1 (EG-20.1)."""
    seats = state.setting.seats
    effects = []
    for seat in range(seats):
        neighbour = (seat + 1) % seats
        card = GREYS[state.secrets[seat]].id
        effects.append(GreyCardPassed(seat, neighbour, Hidden(card, tuple(sorted((seat, neighbour))))))
    return (*effects, StepBegun("next_round"))
