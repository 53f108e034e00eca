"""What a seat sees, and a state that agrees with it."""

from domain.kernel.chance import Chance
from domain.kernel.rules import HOUSE, Seat
from tests.titles.corsairs.state import SHIPS, State, View


def view(state: State, seat: Seat | None) -> View:
    own = None if seat == HOUSE else seat
    return View(
        seat=seat,
        rounds=state.rounds,
        hand=() if own is None else state.hands[own],
        hand_counts=tuple(len(hand) for hand in state.hands),
        own_ship=None if own is None else state.sent[own],
        has_sent=tuple(ship is not None for ship in state.sent),
        sunk=state.sunk,
        points=state.points,
        effort=state.effort,
        prize=state.prize,
        round=state.round,
        is_over=state.is_over,
    )


def imagine(view: View, chance: Chance) -> State:
    seen = {*view.hand, *view.sunk, view.own_ship}
    left = [ship for ship in SHIPS if ship not in seen]
    unseen = list(chance.draw("unseen", left, len(left)))
    hands, sent = list[tuple[int, ...]](), list[int | None]()
    for seat, (count, has_sent) in enumerate(zip(view.hand_counts, view.has_sent, strict=True)):
        is_own = seat == view.seat
        hands.append(view.hand if is_own else tuple(sorted(unseen.pop() for _ in range(count))))
        sent.append(view.own_ship if is_own else unseen.pop() if has_sent else None)
    return State(
        rounds=view.rounds,
        hands=tuple(hands),
        sent=tuple(sent),
        sunk=view.sunk,
        points=view.points,
        effort=view.effort,
        prize=view.prize,
        round=view.round,
        is_over=view.is_over,
    )
