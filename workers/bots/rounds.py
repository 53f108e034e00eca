"""The rollouts of a race; a round plays every remaining action on from one imagined position.

A result depends only on view, seed, round and action, so any process may compute it at any time.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple

from domain.kernel.chance import hkdf_expand
from domain.kernel.rules import Seat
from domain.kernel.title import AnyRules
from workers.bots.evaluation import Weights
from workers.bots.kinds import IsLate
from workers.bots.luck import Luck
from workers.bots.rollouts import TO_THE_END, Rollouts


class Rolled(NamedTuple):
    """The result of a rollout: value to the seat in hundredths of a point, and actions tried."""

    worth: int
    tries: int


class Question(NamedTuple):
    """The subject of a race: a view and the racing actions, most promising first."""

    rules: AnyRules
    weights: Weights
    view: Any
    actions: Sequence[Any]
    seed: bytes
    stages: int
    choices: int = 1
    nested_tries: int = TO_THE_END
    """As in `Rollouts`, like `choices`."""


class Rounds:
    """Rollouts of a race, played in this process."""

    def __init__(self, question: Question) -> None:
        rules, weights, view = question.rules, question.weights, question.view
        self._question = question
        self._rollouts = Rollouts(
            rules, weights, Seat(view.seat), question.stages, question.choices, question.nested_tries
        )
        self._imagined: tuple[int, Any, bytes] | None = None
        self._results: dict[tuple[int, int], Rolled] = {}

    def first_tries(self) -> int:
        """Play the first rollout and return the number of actions it tried."""
        self._results[0, 0] = self.roll(0, 0)
        return self._results[0, 0].tries

    def play(self, number: int, indexes: Sequence[int], is_late: IsLate) -> list[Rolled] | None:
        """Return the results of a round for these actions, or None if time runs out first.

        Results known before are used, once; finished ones stay for the next call.
        """
        for index in indexes:
            if (number, index) not in self._results:
                if is_late():
                    return None
                self._results[number, index] = self.roll(number, index)
        return [self._results.pop((number, index)) for index in indexes]

    def roll(self, number: int, index: int) -> Rolled:
        """Play one rollout of the action at a place in the position of a round; return its value and cost."""
        state, luck = self._position(number)
        tries_before = self._rollouts.tries
        worth = self._rollouts.worth_after(state, self._question.actions[index], luck)
        return Rolled(worth, self._rollouts.tries - tries_before)

    def _position(self, number: int) -> tuple[Any, bytes]:
        """Return the imagined position of a round and its luck; the last one is cached."""
        if self._imagined is None or self._imagined[0] != number:
            luck = hkdf_expand(self._question.seed, b"round/%d" % number)
            self._imagined = number, self._question.rules.imagine(self._question.view, Luck(luck)), luck
        return self._imagined[1:]


Play = Callable[[Question], AbstractContextManager[Rounds]]
"""How the rollouts of a race are played, as a context manager."""


def play_alone(question: Question) -> AbstractContextManager[Rounds]:
    """Play the rollouts in this process."""
    return nullcontext(Rounds(question))
