"""The consequences of an action: reactions to each effect, then automatic steps, until a decision is due."""

from collections import deque
from collections.abc import Callable, Iterable
from typing import Final, TypeVar

from domain.kernel.settled import SettledEffects

S = TypeVar("S")
E = TypeVar("E")

SETTLE_MAX: Final = 2_000
"""The maximum number of effects of an action; more indicate rules that never settle."""


def settle(
    state: S,
    caused: Iterable[E],
    *,
    evolve: Callable[[S, E], S],
    react: Callable[[S, E], tuple[E, ...]],
    advance: Callable[[S], tuple[E, ...]],
) -> SettledEffects[E]:
    """Return all effects of an action, in order.

    `react(state, effect)` sees the state after the effect; its effects precede the pending ones.
    `advance(state)` returns the effects of the next automatic step, empty if a seat must act or the match is
    over. Raise `AssertionError` above `SETTLE_MAX` effects.
    """
    before, pending = state, deque(caused)
    effects: list[E] = []  # `list[E]()` would create the alias on each call.
    while True:
        if not pending:
            pending.extend(advance(state))
            if not pending:
                settled = SettledEffects(effects)
                settled.before, settled.after = before, state
                return settled
        effect = pending.popleft()
        state = evolve(state, effect)
        effects.append(effect)
        if answers := react(state, effect):
            pending.extendleft(reversed(answers))
        assert len(effects) <= SETTLE_MAX, f"an action settled into over {SETTLE_MAX} effects"


def position_after(effects: Iterable[E], state: S, evolve: Callable[[S, E], S]) -> S:
    """Return the state after the effects; the known one if they were settled from this same state."""
    if isinstance(effects, SettledEffects) and effects.before is state:
        known: S = effects.after
        return known
    for effect in effects:
        state = evolve(state, effect)
    return state
