"""Why nothing can be chosen at a part of the table, in the order in which a player would ask."""

from collections.abc import Callable, Mapping
from typing import Final

from domain.kernel.refusals import Refusal
from domain.kernel.rules import Seat
from domain.titles.el_grande.decide import legal_actions
from domain.titles.el_grande.parts import part_of
from domain.titles.el_grande.refusing import asked, choosing, playing, turn
from domain.titles.el_grande.state import State, Step

Refuse = Callable[[State, int, str], Refusal | None]
"""(state, a seat that acts, a part nothing can be chosen at) -> what stands against it; `None`: nothing of its own."""

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
    """Why the seat can choose nothing at a part (`parts`); `None` where it can.

    It says what is already decided: that nothing can be chosen there is what `legal_actions` says.
    """
    if seat not in state.to_act:
        return asked.waiting(state, seat)
    if part in map(part_of, legal_actions(state, seat)):
        return None
    refuse = REFUSE.get(state.step)
    return (refuse and refuse(state, seat, part)) or asked.now(state)
