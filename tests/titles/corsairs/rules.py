"""The rules of Corsairs.

In each round all seats secretly send a ship, and the strongest takes the prize that was sighted. After the last round
the service gives the treasure to the seat that has spent the least strength.
"""

from collections.abc import Mapping
from hashlib import sha256

from domain.kernel.chance import Chance
from domain.kernel.hidden import Hidden
from domain.kernel.rules import SERVICE_SEAT, Options, Seat, UnknownOption
from domain.kernel.values import replace
from tests.titles.corsairs.model import (
    SHIPS,
    UNKNOWN,
    Action,
    DivideTreasure,
    Effect,
    FleetDealt,
    PrizeSighted,
    SendShip,
    ShipSent,
    ShipsRevealed,
    State,
    TreasureDivided,
    View,
)

ROUNDS = ("5", "3")
TREASURE = 4


def options(chosen: Mapping[str, str]) -> Options:
    for name, value in chosen.items():
        if name != "rounds" or value not in ROUNDS:
            raise UnknownOption(f"corsairs has no option {name}={value}")
    return Options({"rounds": ROUNDS[0]} | dict(chosen), 2, 4)


def data_digest(_: Options) -> str:
    return sha256(repr(SHIPS).encode()).hexdigest()


def start(options: Options, seats: int, chance: Chance) -> tuple[Effect, ...]:
    rounds, remaining, effects = int(options.chosen["rounds"]), list(SHIPS), list[Effect]()
    for seat in range(seats):
        ships = chance.draw(f"fleet/{seat}", remaining, rounds, (seat,))
        remaining = [ship for ship in remaining if ship not in ships]
        effects.append(FleetDealt(seat, rounds, Hidden(tuple(sorted(ships)), (seat,))))
    return (*effects, PrizeSighted(chance.roll("prize/1", 1, 6)[0]))


def seats_to_act(state: State) -> tuple[Seat, ...]:
    if state.is_over:
        return ()
    if state.round > state.rounds:
        return (SERVICE_SEAT,)
    return tuple(Seat(seat) for seat, ship in enumerate(state.sent) if ship is None)


def legal_actions(state: State, seat: Seat) -> tuple[Action, ...]:
    if seat not in seats_to_act(state):
        return ()
    return (DivideTreasure(),) if seat == SERVICE_SEAT else tuple(SendShip(ship) for ship in state.hands[seat])


def decide(state: State, seat: Seat, action: Action, chance: Chance) -> tuple[Effect, ...]:
    if isinstance(action, DivideTreasure):
        return (TreasureDivided(state.effort.index(min(state.effort)), TREASURE),)
    own = ShipSent(seat, Hidden(action.strength, (seat,)))
    sent = tuple(action.strength if at == seat else ship for at, ship in enumerate(state.sent))
    if None in sent:
        return (own,)
    revealed = ShipsRevealed(tuple(ship for ship in sent if ship is not None))
    if state.round == state.rounds:
        return own, revealed
    return own, revealed, PrizeSighted(chance.roll(f"prize/{state.round + 1}", 1, 6)[0])


def scores(state: State) -> tuple[int, ...]:
    return state.points


def ranking(state: State) -> tuple[int, ...] | None:
    if not state.is_over:
        return None
    return tuple(1 + sum(other > own for other in state.points) for own in state.points)


def phase(state: State) -> str:
    return f"{state.round}/{'treasure' if state.round > state.rounds else 'ships'}"


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
            return send_ship(state, effect.seat, effect.strength.known_or(UNKNOWN))
        case ShipsRevealed():
            return reveal_ships(state, effect.strengths)
        case TreasureDivided():
            return replace(state, points=add_points(state.points, effect.seat, effect.worth), is_over=True)


def send_ship(state: State, seat: int, ship: int) -> State:
    hand = list(state.hands[seat])
    hand.remove(ship)
    hands = tuple(tuple(hand) if at == seat else other for at, other in enumerate(state.hands))
    ships = tuple(ship if at == seat else other for at, other in enumerate(state.sent))
    return replace(state, hands=hands, sent=ships)


def reveal_ships(state: State, strengths: tuple[int, ...]) -> State:
    winner = strengths.index(max(strengths))
    return replace(
        state,
        sent=(None,) * len(strengths),
        sunk=state.sunk + strengths,
        points=add_points(state.points, winner, state.prize),
        effort=tuple(old + new for old, new in zip(state.effort, strengths, strict=True)),
        prize=0,
        round=state.round + 1,
    )


def add_points(points: tuple[int, ...], seat: int, more: int) -> tuple[int, ...]:
    return tuple(old + more * (at == seat) for at, old in enumerate(points))


def view(state: State, seat: Seat | None) -> View:
    own = None if seat == SERVICE_SEAT else seat
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
    known = {*view.hand, *view.sunk, view.own_ship}
    remaining = [ship for ship in SHIPS if ship not in known]
    unseen = list(chance.draw("unseen", remaining, len(remaining)))
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
