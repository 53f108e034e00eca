"""Random play of El Grande, repeatable: the same options, seats and seed give the same states."""

from collections.abc import Iterator, Mapping

from domain.kernel.chance import SeededChance, below, numbers
from domain.titles import el_grande
from domain.titles.el_grande.actions import Action
from domain.titles.el_grande.state import State


def played(seats: int, seed: int, chosen: Mapping[str, str]) -> Iterator[tuple[State, Action]]:
    """Every position in which somebody is to act, with the action taken."""
    key = seed.to_bytes(32, "big")
    state: State | None = None
    for effect in el_grande.start(el_grande.options(chosen), seats, SeededChance(key)):
        state = el_grande.evolve(state, effect)
    assert state is not None
    for node in range(10_000):
        to_act = el_grande.seats_to_act(state)
        if not to_act:
            return
        stream = numbers(key, str(node))
        seat = to_act[below(stream, len(to_act))]
        legal = el_grande.legal_actions(state, seat)
        action = legal[below(stream, len(legal))]
        yield state, action
        for effect in el_grande.decide(state, seat, action, SeededChance(key)):
            state = el_grande.evolve(state, effect)
