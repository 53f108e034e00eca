"""A race between actions, each played on from the same imagined positions with the same luck.

Differences are therefore due to the actions. Clearly worse ones are dropped at once, and the worse half after every
phase (sequential halving: Karnin, Koren and Somekh, 2013).
"""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from workers.bots.kinds import IsLate
from workers.bots.rounds import Rounds

AFFORDED_MIN: Final = 4
"""Actions compared at least, however long rollouts are."""

COMPARED_MIN: Final = 8
"""Rounds before an action can be dropped as clearly worse."""
CLEAR: Final = 16
"""Squared Student's t of the differences above which an action is clearly worse; high because it is tested often."""


class Tried(msgspec.Struct, frozen=True):
    """An action with its value to the seat in each imagined position, in hundredths of a point.

    The positions are the same for all actions; dropped actions met fewer of them.
    """

    action: Any
    worths: tuple[int, ...]

    @property
    def count(self) -> int:
        """Return the number of rollouts."""
        return len(self.worths)

    @property
    def mean(self) -> int:
        """Return the mean value, rounded down; 0 without rollouts.

        To compare actions with different counts use `lead_over`.
        """
        return sum(self.worths) // self.count if self.worths else 0

    def lead_over(self, other: "Tried") -> int:
        """Return the mean difference in the positions that both actions met, rounded down."""
        shared_count = min(self.count, other.count)
        return (
            (sum(self.worths[:shared_count]) - sum(other.worths[:shared_count])) // shared_count if shared_count else 0
        )


class Race:
    """A race between actions, most promising first."""

    def __init__(self, rounds: Rounds, actions: Sequence[Any]) -> None:
        self._rounds = rounds
        self._actions = actions
        self._worths: list[list[int]] = [[] for _ in actions]
        self._played = 0
        self._tries = 0
        self._given_up: list[int] = []

    def run(self, tries: int, is_late: IsLate, finalist_count: int = 1) -> tuple[Tried, ...]:
        """Run until `finalist_count` actions are left, the budget is spent or time is over.

        The actions are returned, best first. After each phase the worse half is given up; dropped actions follow the
        others, the last dropped first.
        Actions for which the budget does not suffice never start and are left out.
        """
        remaining = self._enter(tries, is_late, finalist_count)
        size, phases = len(remaining), ((len(remaining) - 1) // finalist_count).bit_length()
        for phase in range(1, phases + 1):
            tries_limit, size = tries * phase // phases, max(finalist_count, (size + 1) // 2)
            while len(remaining) > finalist_count and self._add_round(remaining, is_late):
                remaining = self._without(remaining, self._clearly_worse(remaining))
                if self._tries >= tries_limit:
                    break
            remaining.sort(key=self._rank)
            if is_late() or self._tries >= tries:
                break
            remaining = self._without(remaining, remaining[size:])
        return tuple(
            Tried(self._actions[index], tuple(self._worths[index])) for index in (*remaining, *reversed(self._given_up))
        )

    def _enter(self, tries: int, is_late: IsLate, finalist_count: int) -> list[int]:
        """Return the indexes of actions that start: as many as the budget affords, given the cost of the first rollout.

        Every phase needs one round at least; a race that ends early needs hardly more than the first.
        """
        indexes = list(range(len(self._actions)))
        if is_late():
            return indexes
        affordable_count = max(AFFORDED_MIN, tries // (self._rounds.first_tries() * (2 if finalist_count == 1 else 1)))
        return indexes[:affordable_count]

    def _add_round(self, remaining: list[int], is_late: IsLate) -> bool:
        """Play one more round of the remaining actions; return False and discard it if time runs out."""
        found = self._rounds.play(self._played, remaining, is_late)
        if found is None:
            return False
        for index, each in zip(remaining, found, strict=True):
            self._worths[index].append(each.worth)
            self._tries += each.tries
        self._played += 1
        return True

    def _rank(self, index: int) -> tuple[int, int]:
        """Return the sort key: highest total first, ties by first impression."""
        return -sum(self._worths[index]), index

    def _clearly_worse(self, remaining: list[int]) -> list[int]:
        """Return the actions clearly worse than the best, including actions with equal results in every round.

        None before `COMPARED_MIN` rounds.
        """
        if self._played < COMPARED_MIN:
            return []
        best, *others = sorted(remaining, key=self._rank)
        return [index for index in others if self._is_clear(best, index)]

    def _is_clear(self, best: int, index: int) -> bool:
        differences = [
            best_worth - other_worth
            for best_worth, other_worth in zip(self._worths[best], self._worths[index], strict=True)
        ]
        total, squares, count = sum(differences), sum([each * each for each in differences]), len(differences)
        return total * total * (count - 1) >= CLEAR * (count * squares - total * total)

    def _without(self, remaining: list[int], worse: list[int]) -> list[int]:
        """Drop the actions in `worse`, given best first, and return the others."""
        self._given_up += reversed(worse)
        return [index for index in remaining if index not in worse]
