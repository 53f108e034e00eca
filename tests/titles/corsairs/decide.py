"""The rules of Corsairs: each round all send a ship in secret, and the strongest takes the prize that was sighted.

After the last round the service gives the treasure to the seat that has spent the least strength."""

from collections.abc import Mapping
from hashlib import sha256

from domain.kernel.chance import Chance
from domain.kernel.hidden import Hidden
from domain.kernel.rules import HOUSE, Options, Seat, UnknownOption
from tests.titles.corsairs.actions import Action, DivideTreasure, SendShip
from tests.titles.corsairs.effects import Effect, FleetDealt, PrizeSighted, ShipSent, ShipsRevealed, TreasureDivided
from tests.titles.corsairs.state import SHIPS, State

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
    rounds, left, effects = int(options.chosen["rounds"]), list(SHIPS), list[Effect]()
    for seat in range(seats):
        ships = chance.draw(f"fleet/{seat}", left, rounds, (seat,))
        left = [ship for ship in left if ship not in ships]
        effects.append(FleetDealt(seat, rounds, Hidden(tuple(sorted(ships)), (seat,))))
    return (*effects, PrizeSighted(chance.roll("prize/1", 1, 6)[0]))


def seats_to_act(state: State) -> tuple[Seat, ...]:
    if state.is_over:
        return ()
    if state.round > state.rounds:
        return (HOUSE,)
    return tuple(Seat(seat) for seat, ship in enumerate(state.sent) if ship is None)


def legal_actions(state: State, seat: Seat) -> tuple[Action, ...]:
    if seat not in seats_to_act(state):
        return ()
    return (DivideTreasure(),) if seat == HOUSE else tuple(SendShip(ship) for ship in state.hands[seat])


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
