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
        self._known: dict[tuple[int, int], Rolled] = {}

    def first_tries(self) -> int:
        """Play the first rollout and return the number of actions it tried."""
        self._known[0, 0] = self.roll(0, 0)
        return self._known[0, 0].tries

    def play(self, number: int, places: Sequence[int], is_late: IsLate) -> list[Rolled] | None:
        """Return the results of a round for these places, or None if time runs out first.

        Results known before are used, once; finished ones stay for the next call.
        """
        for place in places:
            if (number, place) not in self._known:
                if is_late():
                    return None
                self._known[number, place] = self.roll(number, place)
        return [self._known.pop((number, place)) for place in places]

    def roll(self, number: int, place: int) -> Rolled:
        """Play one rollout of the action at a place in the position of a round; return its value and cost."""
        state, luck = self._position(number)
        before = self._rollouts.tries
        worth = self._rollouts.worth_after(state, self._question.actions[place], luck)
        return Rolled(worth, self._rollouts.tries - before)

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
