"""The check in front of `decide`: an action is legal if and only if `legal_actions` contains it."""

from typing import TypeVar

from domain.kernel.chance import Chance
from domain.kernel.rules import IllegalAction, Rules, Seat

S = TypeVar("S")
A = TypeVar("A")
E = TypeVar("E")
V = TypeVar("V")


def checked_decide(rules: Rules[S, A, E, V], state: S, seat: Seat, action: A, chance: Chance) -> tuple[E, ...]:
    """Return the effects of the action; raise `IllegalAction` if it is not legal for the seat."""
    if action not in rules.legal_actions(state, seat):
        raise IllegalAction(f"{action!r} is not a legal action of seat {seat} now")
    return rules.decide(state, seat, action, chance)
