"""Corsairs in sentences."""

from domain.kernel.messages import Message, player
from domain.kernel.refusals import Refusal
from domain.kernel.rules import Seat
from tests.titles.corsairs.model import (
    Action,
    Effect,
    FleetDealt,
    PrizeSighted,
    SendShip,
    ShipSent,
    ShipsRevealed,
    State,
    View,
)


def describe(_: View, action: Action) -> Message:
    if isinstance(action, SendShip):
        return Message("Send the ship of strength {strength}", {"strength": action.strength})
    return Message("Divide the treasure")


def why_not(_state: State, _seat: Seat, _part: str) -> Refusal | None:
    """Return no reason: the board has no drawn parts."""
    return None


def narrate(_: View, effects: tuple[Effect, ...]) -> tuple[Message, ...]:
    return tuple(narrate_effect(effect) for effect in effects)


def narrate_effect(effect: Effect) -> Message:
    match effect:
        case FleetDealt():
            return Message("{player} has a fleet", {"player": player(effect.seat)})
        case PrizeSighted():
            return Message("A prize worth {worth} is sighted", {"worth": effect.worth})
        case ShipSent():
            return Message("{player} sends a ship", {"player": player(effect.seat)})
        case ShipsRevealed():
            return Message("The ships: {ships}", {"ships": ", ".join(map(str, effect.strengths))})
        case _:
            return Message("{player} has the treasure", {"player": player(effect.seat)})
