"""Phase 3, the turns: call caballeros, use the grey card, take an action card, place (EG-5, EG-16.8, EG-20.5)."""

from functools import lru_cache
from typing import Final

from domain.kernel.chance import Chance
from domain.titles.el_grande.actions import (
    Action,
    CallCaballeros,
    CallFromRegion,
    DeclineGrey,
    EndCall,
    EndTurn,
    PlaceCaballeros,
    TakeActionCard,
)
from domain.titles.el_grande.components import AREAS, CALLS, COURT, PROVINCE, REGIONS
from domain.titles.el_grande.decks import CARDS, card_of
from domain.titles.el_grande.effects import (
    ActionCardTaken,
    CaballerosMoved,
    Effect,
    GreyUsed,
    StepBegun,
    TurnBegun,
    TurnEnded,
)
from domain.titles.el_grande.phases import special
from domain.titles.el_grande.state import DraftLine, State, active, in_regions, placeable

CALL: Final = tuple(CallCaballeros(count) for count in range(max(CALLS) + 1))
CALL_FROM: Final = tuple(
    tuple(CallFromRegion(region, count) for count in range(1, max(CALLS) + 1)) for region in REGIONS
)
PLACE: Final = tuple(tuple(PlaceCaballeros(area, count) for count in range(1, 6)) for area in AREAS)
TAKE: Final = {id: TakeActionCard(id) for cards in CARDS.values() for id in cards}
END_CALL: Final = EndCall()
END_TURN: Final = EndTurn()
DECLINE_GREY: Final = DeclineGrey()


def next_turn(state: State, _chance: Chance) -> tuple[Effect, ...]:
    """Begin the turn of the next colour, or end the round; a seat without caballeros to call proceeds to its card.

    The dummy takes the card with the most caballeros, of the highest stack, without effect (EG-16.8).
    """
    turn = state.turn + 1
    if turn == len(state.order):
        return (StepBegun("end_round"),)
    colour = state.order[turn]
    if colour == state.setting.dummy:
        cards = [card_of(state, each) for each in state.offer]
        card = max(cards, key=lambda each: (each.caballeros, each.stack)).id
        return TurnBegun(turn, colour), ActionCardTaken(colour, card), TurnEnded(colour), StepBegun("next_turn")
    if len(call_legal(state, colour)) == 1:
        return TurnBegun(turn, colour), after_call(state, colour)
    return TurnBegun(turn, colour), StepBegun("call", (colour,))


def after_call(state: State, seat: int) -> StepBegun:
    """Return the step after the call: the grey card's effect if one was played, then the action card (EG-20.5)."""
    return StepBegun("grey" if state.greys[seat] else "take", (seat,))


def call_legal(state: State, seat: int) -> tuple[Action, ...]:
    """Return the counts that may be called, from 0 up to the power card's number (EG-5.3).

    Above the Province's supply only one count is offered: the most that regions can make up (EG-5.5).
    """
    limit, supply = CALLS[state.powers[seat]], state.pieces[PROVINCE][seat]
    if supply >= limit:
        return CALL[: limit + 1]
    available = sum(count for _, count in in_regions(state, seat))
    full_call = (CALL[min(limit, supply + available)],) if available else ()
    return (*CALL[: supply + 1], *full_call)


def call_perform(state: State, seat: int, action: Action) -> tuple[Effect, ...]:
    """Move caballeros from the Province, and ask for missing ones from regions (EG-5.5)."""
    assert isinstance(action, CallCaballeros)
    count = min(action.count, state.pieces[PROVINCE][seat])
    moved = (CaballerosMoved(seat, (DraftLine(seat, "province", "court", count),)),) if count else ()
    shortfall = action.count - count
    if shortfall:
        return (*moved, StepBegun("make_up", (seat,), remaining=shortfall))
    return (*moved, after_call(state, seat))


def make_up_legal(state: State, seat: int) -> tuple[Action, ...]:
    """Return the end of the call, and each count up to the number missing from every region but the king's (EG-5.5)."""
    remaining = state.remaining
    return (
        END_CALL,
        *(action for region, count in in_regions(state, seat) for action in CALL_FROM[region][: min(remaining, count)]),
    )


def make_up_perform(state: State, seat: int, action: Action) -> tuple[Effect, ...]:
    """Move caballeros from a region to the Court, or end the call; it also ends once none are due or available."""
    if isinstance(action, EndCall):
        return (after_call(state, seat),)
    assert isinstance(action, CallFromRegion)
    moved = CaballerosMoved(seat, (DraftLine(seat, action.region, "court", action.count),))
    remaining = state.remaining - action.count
    available = sum(count for _, count in in_regions(state, seat)) - action.count
    if remaining and available:
        return moved, StepBegun("make_up", (seat,), remaining=remaining)
    return moved, after_call(state, seat)


def grey_legal(state: State, seat: int) -> tuple[Action, ...]:
    """Return the choices of the grey card's effect, after its refusal (EG-20.5, EG-20.8)."""
    if state.drafting:
        return special.draft_legal(state, seat)
    return (DECLINE_GREY, *special.offers(state, seat))


def grey_perform(state: State, seat: int, action: Action) -> tuple[Effect, ...]:
    """Decline the grey effect, or continue with it."""
    if isinstance(action, DeclineGrey):
        return GreyUsed(seat), StepBegun("take", (seat,))
    return special.choose(state, seat, action)


def take_legal(state: State, _seat: int) -> tuple[Action, ...]:
    """Return the cards on offer (EG-5.7)."""
    return tuple(TAKE[card] for card in state.offer)


def take_perform(_state: State, seat: int, action: Action) -> tuple[Effect, ...]:
    """Take the action card and begin its use."""
    assert isinstance(action, TakeActionCard)
    return ActionCardTaken(seat, action.card), StepBegun("turn", (seat,))


@lru_cache(maxsize=4096)
def placements(areas: tuple[int, ...], count_max: int) -> tuple[Action, ...]:
    """Return the actions that place 1 to `count_max` caballeros in each of the areas."""
    return tuple(action for area in areas for action in PLACE[area][:count_max])


def placement_left(state: State, seat: int) -> int:
    """Return the number of caballeros that may still be placed (EG-5.9)."""
    return min(card_of(state, state.card).caballeros - state.placed, state.pieces[COURT][seat])


def turn_legal(state: State, seat: int) -> tuple[Action, ...]:
    """Return the end of the turn, placements and choices of the special action, in either order (EG-5.8).

    A choice of the special action ends a placement that has begun.
    """
    if state.drafting:
        return special.draft_legal(state, seat)
    count_max = placement_left(state, seat)
    placing = placements(placeable(state), count_max) if count_max else ()
    if state.special_used:
        return (END_TURN, *placing)
    return (END_TURN, *placing, *special.offers(state, seat))


def turn_perform(state: State, seat: int, action: Action) -> tuple[Effect, ...]:
    """Place caballeros, end the turn, or continue with the special action.

    The last placement after the special action ends the turn.
    """
    if isinstance(action, PlaceCaballeros):
        placed = CaballerosMoved(seat, (DraftLine(seat, "court", action.area, action.count),), placement=True)
        if state.special_used and placement_left(state, seat) == action.count:
            return placed, TurnEnded(seat), StepBegun("next_turn")
        return (placed,)
    if isinstance(action, EndTurn):
        return TurnEnded(seat), StepBegun("next_turn")
    return special.choose(state, seat, action)


def turn_advance(state: State, _chance: Chance) -> tuple[Effect, ...]:
    """End the turn after a special action unless a placement is still to come (EG-5.8)."""
    seat = active(state)
    if state.placed or not placement_left(state, seat):
        return TurnEnded(seat), StepBegun("next_turn")
    return (StepBegun("turn", (seat,)),)
