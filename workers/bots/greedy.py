"""Looks one action ahead: tries every legal action on an imagined state and takes what it likes best."""

from typing import Any, Final

from domain.kernel.chance import SeededChance, hkdf_expand
from domain.kernel.rules import Seat
from workers.bots.kinds import BUDGET, AnyRules
from workers.bots.weights import WEIGHTS
from workers.bots.weights.kinds import Weights

IMAGINE_INFO: Final = b"imagine"
OUTCOME_INFO: Final = b"outcome"
DEPTH_MAX: Final = 3
"""How many of its own choices in a row it looks through before it judges a position as it stands."""


def choose(rules: AnyRules, view: Any, legal: tuple[Any, ...], seed: bytes, budget: int = BUDGET) -> Any:
    """The legal action with the best outcome; of equals the first, so that it closes rather than dithers."""
    if len(legal) == 1:
        return legal[0]
    state = rules.imagine(view, SeededChance(hkdf_expand(seed, IMAGINE_INFO)))
    look = Look(rules, WEIGHTS[rules.TITLE], Seat(view.seat), hkdf_expand(seed, OUTCOME_INFO), budget)
    worths = [look.worth_of(state, action, DEPTH_MAX) for action in legal]
    return legal[worths.index(max(worths))]


class Look:
    """One look ahead of a seat, with the tries it has left."""

    def __init__(self, rules: AnyRules, weights: Weights, seat: Seat, luck: bytes, budget: int) -> None:
        self._rules = rules
        self._weights = weights
        self._seat = seat
        self._luck = luck
        self._left = budget

    def worth_of(self, state: Any, action: Any, depth: int) -> int:
        """What taking the action is worth, with the seat's own next choices made as well as it can."""
        if self._weights.closes(state, self._seat, action):
            return self._weights.worth(state, self._seat)
        self._left -= 1
        for effect in self._rules.decide(state, self._seat, action, SeededChance(self._luck)):
            state = self._rules.evolve(state, effect)
        choices = self._weights.follow(state, self._seat) if depth and self._left > 0 else ()
        if not choices:
            return self._weights.worth(state, self._seat)
        return max(self.worth_of(state, choice, depth - 1) for choice in choices)
