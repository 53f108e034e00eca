"""A bot that looks one action ahead: tries every legal action in an imagined position and takes the best."""

from operator import itemgetter
from typing import Any, Final

from domain.kernel.chance import SeededChance, hkdf_expand
from domain.kernel.rules import Seat
from domain.kernel.settle import position_after
from domain.kernel.title import AnyRules
from workers.bots.evaluation import Evaluations, Weights
from workers.bots.kinds import BUDGET, IsLate, never

IMAGINE_INFO: Final = b"imagine"
OUTCOME_INFO: Final = b"outcome"
DEPTH_MAX: Final = 3
"""Own choices in a row that are searched before a position is evaluated."""


class Greedy:
    """The bot's choice function, for titles with an evaluation."""

    def __init__(self, evaluations: Evaluations) -> None:
        self._evaluations = evaluations

    def __call__(
        self,
        rules: AnyRules,
        view: Any,
        legal: tuple[Any, ...],
        seed: bytes,
        budget: int = BUDGET,
        is_late: IsLate = never,  # noqa: ARG002  # it is fast enough
    ) -> Any:
        """Return the first legal action with the best result; on ties the bot thus finishes instead of dithering."""
        if len(legal) == 1:
            return legal[0]
        state = rules.imagine(view, SeededChance(hkdf_expand(seed, IMAGINE_INFO)))
        look_ahead = LookAhead(rules, self._evaluations[rules.TITLE], Seat(view.seat), hkdf_expand(seed, OUTCOME_INFO))
        return look_ahead.best_of(state, legal, DEPTH_MAX, budget)[1]


class LookAhead:
    """A look-ahead for one seat. `tries` counts the actions tried so far."""

    def __init__(self, rules: AnyRules, weights: Weights, seat: Seat, luck: bytes) -> None:
        self._rules = rules
        self._weights = weights
        self._seat = seat
        self._luck = luck
        self.tries = 0

    def best_of(self, state: object, actions: tuple[Any, ...], depth: int, budget: int) -> tuple[int, Any]:
        """Return the best value and the first action that reaches it."""
        return max(self.worths_of(state, actions, depth, budget), key=itemgetter(0))

    def worths_of(self, state: object, actions: tuple[Any, ...], depth: int, budget: int) -> list[tuple[int, Any]]:
        """Return the value of each action in order, dividing the remaining tries equally.

        Actions that only return to an earlier choice are left out, unless there are no others.
        """
        goes_back = self._weights.goes_back
        if goes_back is not None:
            actions = tuple(action for action in actions if not goes_back(action)) or actions
        worths = []
        tries_limit = self.tries + budget
        for index, action in enumerate(actions):
            share = (tries_limit - self.tries) // (len(actions) - index)
            worths.append((self._worth_of(state, action, depth, max(1, share)), action))
        return worths

    def _worth_of(self, state: object, action: object, depth: int, budget: int) -> int:
        """Return the value of taking the action and then the seat's best further choices within depth and budget."""
        if self._weights.closes(state, self._seat, action):
            return self._weights.worth(state, self._seat)
        self.tries += 1
        effects = self._rules.decide(state, self._seat, action, SeededChance(self._luck))
        state = position_after(effects, state, self._rules.evolve)
        choices = self._weights.follow(state, self._seat) if depth and budget > 1 else ()
        if not choices or len(choices) >= budget:
            return self._weights.worth(state, self._seat)
        return self.best_of(state, choices, depth - 1, budget - 1)[0]
