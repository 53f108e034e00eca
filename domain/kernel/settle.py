"""After an action's own effects: reactions to each, then automatic steps, until somebody must decide."""

from collections import deque
from collections.abc import Callable, Iterable
from typing import Final, TypeVar

from domain.kernel.settled import Settled

S = TypeVar("S")
E = TypeVar("E")

SETTLE_MAX: Final = 2_000
"""No action of a game that ends brings about more effects than this; reaching it is a bug in the rules."""


def settle(
    state: S,
    caused: Iterable[E],
    *,
    evolve: Callable[[S, E], S],
    react: Callable[[S, E], tuple[E, ...]],
    advance: Callable[[S], tuple[E, ...]],
) -> Settled[E]:
    """All effects of an action, in order.

    `react(state, effect)` sees the state after the effect and its answer comes before what was still to come;
    `advance(state)` is the next automatic step, empty when a seat must act or the match is over.
    """
    before, pending = state, deque(caused)
    effects: list[E] = []  # `list[E]()` would make the alias anew each time
    while True:
        if not pending:
            pending.extend(advance(state))
            if not pending:
                settled = Settled(effects)
                settled.before, settled.after = before, state
                return settled
        effect = pending.popleft()
        state = evolve(state, effect)
        effects.append(effect)
        if answers := react(state, effect):
            pending.extendleft(reversed(answers))
        assert len(effects) <= SETTLE_MAX, f"an action settled into over {SETTLE_MAX} effects"


def position_after(effects: Iterable[E], state: S, evolve: Callable[[S, E], S]) -> S:
    """The position after the effects of an action; where they were settled from this very one, it is known already."""
    if isinstance(effects, Settled) and effects.before is state:
        known: S = effects.after
        return known
    for effect in effects:
        state = evolve(state, effect)
    return state
