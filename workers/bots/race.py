"""A race between actions: each is played on from the same imagined positions, with the same luck.

So the differences are their own. What is clearly worse than the best is given up at once, and after every phase the
worse half (sequential halving: Karnin, Koren and Somekh, 2013).
"""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from domain.kernel.chance import hkdf_expand
from domain.kernel.rules import Seat
from domain.kernel.title import AnyRules
from workers.bots.evaluation import Weights
from workers.bots.kinds import IsLate
from workers.bots.luck import Luck
from workers.bots.rollouts import RollOuts

AFFORDED_MIN: Final = 4
"""However long roll-outs are, so many actions are looked at."""

COMPARED_MIN: Final = 8
"""Nothing is given up as clearly worse before it was compared in so many positions."""
CLEAR: Final = 16
"""Clearly worse: the square of Student's t of the differences is at least this. It is asked often, and of many."""


class Tried(msgspec.Struct, frozen=True):
    """An action that was looked at, with what it brought to the seat in one imagined position after the other, in
    hundredths of a point. The positions are the same for all actions; those given up sooner met fewer of them."""

    action: Any
    worths: tuple[int, ...]

    @property
    def count(self) -> int:
        return len(self.worths)

    @property
    def mean(self) -> int:
        """Rounded down; 0 where it was never played on. Where counts differ, luck did too: `lead_over` compares."""
        return sum(self.worths) // self.count if self.worths else 0

    def lead_over(self, other: "Tried") -> int:
        """The mean difference in the positions that both have met, rounded down."""
        both = min(self.count, other.count)
        return (sum(self.worths[:both]) - sum(other.worths[:both])) // both if both else 0


class Race:
    """A race from a view."""

    def __init__(self, rules: AnyRules, weights: Weights, view: Any, seed: bytes, stages: int) -> None:
        assert weights.outline is not None, f"{rules.TITLE} has no outline"
        self._rules = rules
        self._view = view
        self._seed = seed
        self._rollouts = RollOuts(rules, weights, weights.outline, Seat(view.seat), stages)
        self._rounds = 0
        self._first = 0
        self._actions: list[Any] = []
        self._worths: list[list[int]] = []
        self._kept: frozenset[int] = frozenset()
        self._given_up: list[int] = []

    def run(self, actions: Sequence[Any], tries: int, is_late: IsLate, kept: Sequence[Any] = ()) -> tuple[Tried, ...]:
        """All that took part, the best first; if it is late, as far as is known. Actions come most promising first."""
        left = self._enter(actions, tries, kept, is_late)
        size, phases = len(left), (len(left) - 1).bit_length()
        for phase in range(1, phases + 1):
            end, size = tries * phase // phases, (size + 1) // 2
            while len(left) > 1 and self._add_round(left, is_late):
                left = self._without(left, self._clearly_worse(left))
                if self._rollouts.tries >= end:
                    break
            left.sort(key=self._rank)
            if is_late():
                break
            left = self._without(left, left[size:])
        return tuple(
            Tried(self._actions[place], tuple(self._worths[place])) for place in (*left, *reversed(self._given_up))
        )

    def _enter(self, actions: Sequence[Any], tries: int, kept: Sequence[Any], is_late: IsLate) -> list[int]:
        """Who takes part: as many as can be afforded, each phase one round at least, by what the first roll-out costs;
        and those that are kept."""
        if not is_late():
            state, luck = self._imagined()
            self._first = self._rollouts.worth_after(state, actions[0], luck)
            actions = actions[: max(AFFORDED_MIN, tries // (2 * self._rollouts.tries))]
        self._actions = [*actions, *(action for action in dict.fromkeys(kept) if action not in actions)]
        self._worths = [[] for _ in self._actions]
        self._kept = frozenset(place for place, action in enumerate(self._actions) if action in kept)
        return list(range(len(self._actions)))

    def _imagined(self) -> tuple[Any, bytes]:
        """The position of the round that is next, and its luck."""
        luck = hkdf_expand(self._seed, b"round/%d" % self._rounds)
        return self._rules.imagine(self._view, Luck(luck)), luck

    def _add_round(self, left: list[int], is_late: IsLate) -> bool:
        """Every action that is left once more in one imagined position; where it is late before the last of them,
        nothing is added and the answer is no."""
        state, luck = self._imagined()
        found = []
        for place in left:
            if self._rounds == place == 0:
                found.append(self._first)
            elif is_late():
                return False
            else:
                found.append(self._rollouts.worth_after(state, self._actions[place], luck))
        for place, worth in zip(left, found, strict=True):
            self._worths[place].append(worth)
        self._rounds += 1
        return True

    def _rank(self, place: int) -> tuple[int, int]:
        """The best comes first; of equals what looked best at first."""
        return -sum(self._worths[place]), place

    def _clearly_worse(self, left: list[int]) -> list[int]:
        """Those that are clearly worse than the best, or have ever brought the same."""
        if self._rounds < COMPARED_MIN:
            return []
        best, *others = sorted(left, key=self._rank)
        return [place for place in others if self._is_clear(best, place)]

    def _is_clear(self, best: int, place: int) -> bool:
        differences = [mine - yours for mine, yours in zip(self._worths[best], self._worths[place], strict=True)]
        lead, squares, count = sum(differences), sum([each * each for each in differences]), len(differences)
        return lead * lead * (count - 1) >= CLEAR * (count * squares - lead * lead)

    def _without(self, left: list[int], worse: list[int]) -> list[int]:
        """Those that are left when these, the worst of them last, are given up."""
        lost = [place for place in reversed(worse) if place not in self._kept]
        self._given_up += lost
        return [place for place in left if place not in lost]
