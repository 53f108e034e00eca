"""What each effect changes."""

from domain.kernel.values import replace
from tests.titles.corsairs.effects import Effect, FleetDealt, PrizeSighted, ShipSent, ShipsRevealed, TreasureDivided
from tests.titles.corsairs.state import UNKNOWN, State


def evolve(state: State | None, effect: Effect) -> State:
    if state is None:
        assert isinstance(effect, FleetDealt)
        state = State(effect.rounds)
    match effect:
        case FleetDealt():
            ships = effect.ships.known_or((UNKNOWN,) * effect.rounds)
            zero = (*state.points, 0)
            return replace(state, hands=(*state.hands, ships), sent=(*state.sent, None), points=zero, effort=zero)
        case PrizeSighted():
            return replace(state, prize=effect.worth)
        case ShipSent():
            return sent(state, effect.seat, effect.strength.known_or(UNKNOWN))
        case ShipsRevealed():
            return revealed(state, effect.strengths)
        case TreasureDivided():
            return replace(state, points=added(state.points, effect.seat, effect.worth), is_over=True)


def sent(state: State, seat: int, ship: int) -> State:
    hand = list(state.hands[seat])
    hand.remove(ship)
    hands = tuple(tuple(hand) if at == seat else other for at, other in enumerate(state.hands))
    ships = tuple(ship if at == seat else other for at, other in enumerate(state.sent))
    return replace(state, hands=hands, sent=ships)


def revealed(state: State, strengths: tuple[int, ...]) -> State:
    winner = strengths.index(max(strengths))
    return replace(
        state,
        sent=(None,) * len(strengths),
        sunk=state.sunk + strengths,
        points=added(state.points, winner, state.prize),
        effort=tuple(old + new for old, new in zip(state.effort, strengths, strict=True)),
        prize=0,
        round=state.round + 1,
    )


def added(points: tuple[int, ...], seat: int, more: int) -> tuple[int, ...]:
    return tuple(old + more * (at == seat) for at, old in enumerate(points))
