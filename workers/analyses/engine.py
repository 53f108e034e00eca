"""Evaluation of all actions of a decision: the interface of analyses, puzzles and hints to the search bots.

The engine imagines positions that agree with a view and plays each promising action on to the end of the stage, with
the same luck for all. In titles with a playoff, the best few and the requested actions are evaluated once more by
nested rollouts, and only those results count.

Unlike a bot, the engine keeps the mean margin and winning chance of every action and never drops a requested one. A
requested action is also tried with the best action right after it; the higher value counts, because a postponed action
is not lost.
"""

from collections.abc import Sequence
from math import isqrt
from typing import Any, Final

import msgspec

from domain.analyses.report import Budget
from domain.kernel.chance import SeededChance, hkdf_expand
from domain.kernel.rules import Seat
from domain.kernel.title import AnyRules
from workers.analyses.chances import Outlook, outlook_of
from workers.bots.evaluation import Weights
from workers.bots.greedy import DEPTH_MAX, IMAGINE_INFO, OUTCOME_INFO, LookAhead
from workers.bots.rollouts import Rollouts
from workers.bots.search import FIRST_LOOK, RACE

CHOICES: Final = 3
"""Candidates per step in nested rollouts."""
ROUNDS_MIN: Final = 2
"""Rollouts of each action before the first is dropped."""
ROUNDS_MIN_NESTED: Final = 4
"""The same for nested rollouts; fewer than four could exhaust the budget without a comparison."""
REASONED: Final = 8
"""Rollouts used to explain why one action is better than another."""
REASONED_NESTED: Final = 2
"""The same for nested rollouts."""
REASON_MIN: Final = 5
"""Smallest contribution that is reported, in hundredths of a point."""
LAST: Final = 2
"""Actions that are never dropped."""


class NotEvaluated(LookupError):
    """The evaluation does not include the action."""


class EvaluatedAction(msgspec.Struct, frozen=True):
    """An action with the means of its rollouts."""

    action: Any
    margin: int
    chance: int
    count: int
    chances: tuple[int, ...]
    """Winning chances of all seats."""


class Evaluation(msgspec.Struct, frozen=True):
    """The evaluated actions of a decision, best first."""

    actions: tuple[EvaluatedAction, ...]
    samples: tuple[tuple[int, ...], ...]
    """For each action, the winning chance of every rollout in order."""

    @property
    def best(self) -> EvaluatedAction:
        """Return the best action."""
        return self.actions[0]

    def find(self, action: object) -> EvaluatedAction:
        """Return the evaluation of an action; raise `NotEvaluated` if there is none."""
        return self.actions[self._index_of(action)]

    def _index_of(self, action: object) -> int:
        """Return the index of an action; raise `NotEvaluated` if it was not evaluated."""
        for index, each in enumerate(self.actions):
            if each.action == action:
                return index
        raise NotEvaluated(f"{action!r} was not evaluated")

    def error_against(self, action: object) -> int:
        """Return the standard error of the difference in winning chance between the best action and this one.

        Both met the same positions with the same luck, so the samples are paired; 0 for a single one. Raise
        `NotEvaluated` for an action that was not evaluated.
        """
        others = self.samples[self._index_of(action)]
        pairs = [best - other for best, other in zip(self.samples[0], others, strict=False)]
        count = len(pairs)
        if count == 1:
            return 0
        total = sum(pairs)
        squares = sum(each * each for each in pairs)
        return isqrt(max(0, count * squares - total * total) // (count * count * (count - 1)))


def evaluate_actions(
    rules: AnyRules,
    weights: Weights,
    view: object,
    legal: Sequence[Any],
    seed: bytes,
    budget: Budget,
    required: Sequence[Any] = (),
) -> Evaluation:
    """Evaluate the promising legal actions and all actions in `required`, best first.

    If the title has a playoff, only the finalists of a first race are evaluated in it. The same view, seed and
    budget give the same result on every machine.
    """
    found, tries = list_promising(rules, weights, view, tuple(legal), seed, budget), budget.tries
    choices = choices_of(weights, budget)
    if choices > 1:
        first_evaluation = RolloutComparison(rules, weights, view, seed, found, budget.stages).evaluate(
            set(), tries // RACE
        )
        found, tries = [each.action for each in first_evaluation.actions[: budget.finalists]], tries - tries // RACE
    found += [action for action in required if action not in found]
    required_indexes = {index for index, action in enumerate(found) if action in required}
    rounds = budget.rounds if choices > 1 else 0
    return RolloutComparison(rules, weights, view, seed, found, budget.stages, choices).evaluate(
        required_indexes, tries, rounds
    )


def choices_of(weights: Weights, budget: Budget) -> int:
    """Return the number of candidates per step: several if the title has a playoff and the budget allows one."""
    return CHOICES if budget.finalists and weights.known_outline.has_playoff else 1


def list_promising(
    rules: AnyRules, weights: Weights, view: Any, legal: tuple[Any, ...], seed: bytes, budget: Budget
) -> list[Any]:
    """Return the actions with the highest value in one imagined position, best first, at most `budget.width`."""
    state = rules.imagine(view, SeededChance(hkdf_expand(seed, IMAGINE_INFO)))
    look_ahead = LookAhead(rules, weights, Seat(view.seat), hkdf_expand(seed, OUTCOME_INFO))
    worths = look_ahead.worths_of(state, legal, DEPTH_MAX, budget.tries // FIRST_LOOK)
    worths.sort(key=lambda each: -each[0])
    return [action for _, action in worths[: budget.width]]


class RolloutComparison:
    """The rollouts of one decision."""

    def __init__(
        self,
        rules: AnyRules,
        weights: Weights,
        view: Any,
        seed: bytes,
        actions: list[Any],
        stages: int,
        choices: int = 1,
    ) -> None:
        self._rules, self._weights, self._outline = rules, weights, weights.known_outline
        self._view, self._seed, self._actions = view, seed, actions
        self._seat = Seat(view.seat)
        self._rollouts = Rollouts(rules, weights, self._seat, stages, choices)
        self._found: list[list[Outlook]] = [[] for _ in actions]
        self._least = ROUNDS_MIN if choices == 1 else ROUNDS_MIN_NESTED
        self._played = 0

    def evaluate(self, required: set[int], tries: int, rounds: int = 0) -> Evaluation:
        """Evaluate by sequential halving within `tries`; actions with indexes in `required` are never dropped.

        `rounds` is the least number of rollouts of the remaining actions, whatever they cost, if luck makes a
        difference between them.
        """
        remaining = list(range(len(self._actions)))
        phases = max(1, (len(remaining) - 1).bit_length() - 1)
        for phase in range(1, phases + 1):
            tries_limit, rounds_min, played_before = tries * phase // phases, rounds * phase // phases, self._played
            while self._played < played_before + self._least or (
                (self._rollouts.tries < tries_limit or self._played < rounds_min) and self._varies(remaining)
            ):
                self._add_round(remaining)
            remaining.sort(key=self._order)
            half = max(LAST, (len(remaining) + 1) // 2)
            remaining = remaining[:half] + [index for index in remaining[half:] if index in required]
        best = min(range(len(self._actions)), key=self._rank)
        for index in required - {best}:
            self._evaluate_postponed(best, index)
        return self._build_evaluation()

    def _evaluate_postponed(self, best: int, index: int) -> None:
        """Replace the results of an action by its results with the best action right after it, if those are better."""
        action, follow_up = self._actions[index], self._actions[best]
        state, luck = self.imagine_position(0)
        if not self._rollouts.may_follow(state, action, luck, follow_up):
            return
        rounds = map(self.imagine_position, range(len(self._found[index])))
        rows = [self._outlook(index, state, luck, follow_up) for state, luck in rounds]
        if self._means(rows) < self._means(self._found[index]):
            self._found[index] = rows

    def _varies(self, indexes: Sequence[int]) -> bool:
        """Return whether more rollouts can change the comparison, that is, whether luck makes any difference."""
        first, *others = ([self._of_seat(each) for each in self._found[index]] for index in indexes)
        differences = [
            [
                (of_first[0] - of_other[0], of_first[1] - of_other[1])
                for of_first, of_other in zip(first, other, strict=True)
            ]
            for other in others
        ]
        return any(len(set(each)) > 1 for each in differences or [first])

    def _of_seat(self, outlook: Outlook) -> tuple[int, int]:
        return outlook.chances[self._seat], outlook.margins[self._seat]

    def imagine_position(self, number: int) -> tuple[Any, bytes]:
        """Return the imagined position of a round and its luck."""
        luck = hkdf_expand(self._seed, b"round/%d" % number)
        return self._rules.imagine(self._view, SeededChance(luck)), luck

    def end_after(self, index: int, state: object, luck: bytes, follow_up: object = None) -> Any:
        """Return the position at the end of the rollout of an action, with `follow_up` after it if that is legal."""
        return self._rollouts.end_after(state, self._actions[index], luck, follow_up)

    def _outlook(self, index: int, state: object, luck: bytes, follow_up: object = None) -> Outlook:
        end = self.end_after(index, state, luck, follow_up)
        return outlook_of(self._rules, self._weights, self._outline, end)

    def _add_round(self, indexes: Sequence[int]) -> None:
        """Play each of these actions on in one more imagined position, all with the same luck."""
        state, luck = self.imagine_position(self._played)
        for index in indexes:
            self._found[index].append(self._outlook(index, state, luck))
        self._played += 1

    def _order(self, index: int) -> tuple[int, int, int]:
        """Return the sort key: winning chance, then margin, then the first impression."""
        return *self._means(self._found[index]), index

    def _means(self, found: Sequence[Outlook]) -> tuple[int, int]:
        """Return the negative mean chance and margin of the seat, so that the best sorts first."""
        chance = sum(each.chances[self._seat] for each in found)
        margin = sum(each.margins[self._seat] for each in found)
        return -chance // len(found), -margin // len(found)

    def _rank(self, index: int) -> tuple[int, int, int, int]:
        """Return the sort key that ranks actions with more rollouts before dropped ones."""
        return -len(self._found[index]), *self._order(index)

    def _build_evaluation(self) -> Evaluation:
        indexes = sorted(range(len(self._actions)), key=self._rank)
        samples = tuple(tuple(each.chances[self._seat] for each in self._found[index]) for index in indexes)
        return Evaluation(tuple(self._evaluation_of(index) for index in indexes), samples)

    def _evaluation_of(self, index: int) -> EvaluatedAction:
        """Return the mean margin and chances of an action over its rollouts."""
        found = self._found[index]
        count = len(found)
        seats = range(len(found[0].chances))
        return EvaluatedAction(
            self._actions[index],
            sum(each.margins[self._seat] for each in found) // count,
            sum(each.chances[self._seat] for each in found) // count,
            count,
            tuple(sum(each.chances[seat] for each in found) // count for seat in seats),
        )


def list_reasons(
    rules: AnyRules, weights: Weights, view: Any, seed: bytes, pair: tuple[Any, Any], budget: Budget
) -> tuple[tuple[str, int], ...]:
    """Return the parts of the evaluation in which the first action ends higher than the second.

    Only differences of at least `REASON_MIN` hundredths of a point are returned, the largest first.
    """
    choices = choices_of(weights, budget)
    scales = RolloutComparison(rules, weights, view, seed, list(pair), budget.stages, choices)
    totals, count = [0] * max(1, len(weights.names)), REASONED if choices == 1 else REASONED_NESTED
    for number in range(count):
        state, luck = scales.imagine_position(number)
        first, second = (weights.parts_of(scales.end_after(index, state, luck), Seat(view.seat)) for index in (0, 1))
        totals = [
            total + of_first - of_second for total, of_first, of_second in zip(totals, first, second, strict=True)
        ]
    found = [(name, total // count) for name, total in zip(weights.names or ("worth",), totals, strict=True)]
    return tuple(sorted((each for each in found if each[1] >= REASON_MIN), key=lambda each: -each[1]))
