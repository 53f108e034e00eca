"""Searches: plays every promising action on to the end of the stage, each time in another position that agrees with the
view, and takes what did best on the whole.

All actions meet the same imagined positions with the same luck, so that their differences are their own. After every
phase the worse half is given up (sequential halving: Karnin, Koren and Somekh, 2013). Whole numbers alone decide, and
the budget counts actions tried out, not time: same view, seed and budget, same action on every machine.
"""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from domain.kernel.chance import SeededChance, hkdf_expand
from domain.kernel.rules import Seat
from domain.kernel.title import AnyRules
from workers.bots.evaluation import Evaluations, Outline, Weights
from workers.bots.greedy import DEPTH_MAX, IMAGINE_INFO, OUTCOME_INFO, LookAhead
from workers.bots.kinds import IsLate, never
from workers.bots.rollouts import RollOuts

FIRST_LOOK: Final = 6
"""One part of so many of the budget goes into looking ahead once, to see which actions are promising."""

AFFORDED_MIN: Final = 4
"""However long roll-outs are, so many actions are looked at."""


class Level(msgspec.Struct, frozen=True):
    """How long a search goes on."""

    tries: int
    """How many actions it tries out for one choice, about: a round of roll-outs that has begun is ended."""
    width: int
    """How many actions are promising."""


LEVELS: Final[Mapping[str, Level]] = {
    "search-quick": Level(tries=1_500, width=8),
    "search-steady": Level(tries=6_000, width=12),
    "search-strong": Level(tries=12_000, width=16),
}
"""By the bot's name; `domain.matches.bots` says how long each may take where somebody waits."""


class Search:
    """The bot's choice at a level; it knows the titles of which it has an evaluation with an outline."""

    def __init__(self, evaluations: Evaluations, level: Level) -> None:
        self._evaluations = evaluations
        self._level = level

    def __call__(
        self,
        rules: AnyRules,
        view: Any,
        legal: tuple[Any, ...],
        seed: bytes,
        budget: int = 0,
        is_late: IsLate = never,
    ) -> Any:
        """The action that did best; of equals the one that looked best at first. A budget of 0 is that of the level."""
        if len(legal) == 1:
            return legal[0]
        weights, seat = self._evaluations[rules.TITLE], Seat(view.seat)
        assert weights.outline is not None, f"{rules.TITLE} has no outline"
        tries = budget or self._level.tries
        promising = self._promising(rules, weights, view, legal, seed, tries // FIRST_LOOK)
        if len(promising) == 1:
            return promising[0]
        return Halving(rules, weights, weights.outline, seat, view, seed).best_of(promising, tries, is_late)

    def _promising(
        self, rules: AnyRules, weights: Weights, view: Any, legal: tuple[Any, ...], seed: bytes, budget: int
    ) -> list[Any]:
        """The actions that look best in one imagined position, the best first."""
        state = rules.imagine(view, SeededChance(hkdf_expand(seed, IMAGINE_INFO)))
        look = LookAhead(rules, weights, Seat(view.seat), hkdf_expand(seed, OUTCOME_INFO))
        worths = look.worths_of(state, legal, DEPTH_MAX, budget)
        worths.sort(key=lambda each: -each[0])
        return [action for _, action in worths[: self._level.width]]


class Halving:
    """A search from a view: sums of what each action brought over the same imagined positions."""

    def __init__(self, rules: AnyRules, weights: Weights, outline: Outline, seat: Seat, view: Any, seed: bytes) -> None:
        self._rules = rules
        self._view = view
        self._seed = seed
        self._rollouts = RollOuts(rules, weights, outline, seat)
        self._rounds = 0
        self._first = 0

    def best_of(self, actions: list[Any], tries: int, is_late: IsLate) -> Any:
        """The best of at least two actions, the most promising first; if it is late, the best so far."""
        if is_late():
            return actions[0]
        actions = actions[: self._affordable(actions[0], tries)]
        phases = (len(actions) - 1).bit_length()
        sums = [0] * len(actions)
        left = list(range(len(actions)))
        for phase in range(1, phases + 1):
            end = tries * phase // phases
            while not self._add_round(actions, left, sums, is_late) and self._rollouts.tries < end:
                pass
            left.sort(key=lambda place: (-sums[place], place))
            if is_late():
                break
            left = left[: (len(left) + 1) // 2]
        return actions[left[0]]

    def _affordable(self, action: Any, tries: int) -> int:
        """How many actions can be looked at, each phase one round at least, by what the first roll-out costs."""
        state, luck = self._imagined()
        self._first = self._rollouts.worth_after(state, action, luck)
        return max(AFFORDED_MIN, tries // (2 * self._rollouts.tries))

    def _imagined(self) -> tuple[Any, bytes]:
        """The position of the round that is next, and its luck."""
        luck = hkdf_expand(self._seed, b"round/%d" % self._rounds)
        return self._rules.imagine(self._view, SeededChance(luck)), luck

    def _add_round(self, actions: list[Any], left: list[int], sums: list[int], is_late: IsLate) -> bool:
        """Every action that is left once more in one imagined position; nothing is added where it is late before the
        last of them, and that is answered."""
        state, luck = self._imagined()
        worths = []
        for place in left:
            if self._rounds == place == 0:
                worths.append(self._first)
                continue
            if is_late():
                return True
            worths.append(self._rollouts.worth_after(state, actions[place], luck))
        for place, worth in zip(left, worths, strict=True):
            sums[place] += worth
        self._rounds += 1
        return False
