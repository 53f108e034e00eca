"""The gate in front of `decide`: legality is membership in `legal_actions`, and nothing else."""

from typing import TypeVar

from domain.kernel.chance import Chance
from domain.kernel.rules import IllegalAction, Rules, Seat

S = TypeVar("S")
A = TypeVar("A")
E = TypeVar("E")
V = TypeVar("V")


def checked_decide(rules: Rules[S, A, E, V], state: S, seat: Seat, action: A, chance: Chance) -> tuple[E, ...]:
    """The effects of the action; `IllegalAction` when it is not among the seat's legal actions."""
    if action not in rules.legal_actions(state, seat):
        raise IllegalAction(f"{action!r} is not a legal action of seat {seat} now")
    return rules.decide(state, seat, action, chance)
