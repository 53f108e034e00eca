"""Reasons why a part of the board cannot be chosen, checked in the order a player would expect."""

from collections.abc import Callable, Mapping
from typing import Final

from domain.kernel.refusals import Refusal
from domain.kernel.rules import Seat
from domain.titles.el_grande.decide import legal_actions
from domain.titles.el_grande.parts import part_of
from domain.titles.el_grande.refusals import choosing, general, playing, turn
from domain.titles.el_grande.state import State, Step

Refuse = Callable[[State, int, str], Refusal | None]
"""A function from state, acting seat and an unavailable part to the reason, or None for no specific reason."""

REFUSE: Final[Mapping[Step, Refuse]] = {
    "power": playing.power,
    "make_up": playing.make_up,
    "take": playing.take,
    "grey": turn.grey,
    "turn": turn.turn,
    "send_back": choosing.send_back,
    "secret": choosing.secret,
    "discs": choosing.discs,
}


def why_not(state: State, seat: Seat, part: str) -> Refusal | None:
    """Return why the seat can choose nothing at a part (see `parts`), or None if it can.

    `legal_actions` alone decides legality; this function only explains it. The decision that is due is the last reason.
    """
    if seat not in state.to_act:
        return general.why_waiting(state, seat)
    if part in map(part_of, legal_actions(state, seat)):
        return None
    refuse = REFUSE.get(state.step)
    return (refuse and refuse(state, seat, part)) or general.due_decision(state)
