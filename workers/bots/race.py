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
        both = min(self.count, other.count)
        return (sum(self.worths[:both]) - sum(other.worths[:both])) // both if both else 0


class Race:
    """A race between actions, most promising first."""

    def __init__(self, rounds: Rounds, actions: Sequence[Any]) -> None:
        self._rounds = rounds
        self._actions = actions
        self._worths: list[list[int]] = [[] for _ in actions]
        self._played = 0
        self._tries = 0
        self._given_up: list[int] = []

    def run(self, tries: int, is_late: IsLate, until: int = 1) -> tuple[Tried, ...]:
        """Run until `until` actions are left, the budget is spent or time is over; return the actions, best first.

        After each phase the worse half is given up; dropped actions follow the others, the last dropped first.
        Actions for which the budget does not suffice never start and are left out.
        """
        left = self._enter(tries, is_late, until)
        size, phases = len(left), ((len(left) - 1) // until).bit_length()
        for phase in range(1, phases + 1):
            end, size = tries * phase // phases, max(until, (size + 1) // 2)
            while len(left) > until and self._add_round(left, is_late):
                left = self._without(left, self._clearly_worse(left))
                if self._tries >= end:
                    break
            left.sort(key=self._rank)
            if is_late() or self._tries >= tries:
                break
            left = self._without(left, left[size:])
        return tuple(
            Tried(self._actions[place], tuple(self._worths[place])) for place in (*left, *reversed(self._given_up))
        )

    def _enter(self, tries: int, is_late: IsLate, until: int) -> list[int]:
        """Return the places that start: as many as the budget affords, given the cost of the first rollout.

        Every phase needs one round at least; a race that ends early needs hardly more than the first.
        """
        places = list(range(len(self._actions)))
        if is_late():
            return places
        afforded = max(AFFORDED_MIN, tries // (self._rounds.first_tries() * (2 if until == 1 else 1)))
        return places[:afforded]

    def _add_round(self, left: list[int], is_late: IsLate) -> bool:
        """Play one more round of the remaining actions; return False and discard it if time runs out."""
        found = self._rounds.play(self._played, left, is_late)
        if found is None:
            return False
        for place, each in zip(left, found, strict=True):
            self._worths[place].append(each.worth)
            self._tries += each.tries
        self._played += 1
        return True

    def _rank(self, place: int) -> tuple[int, int]:
        """Return the sort key: highest total first, ties by first impression."""
        return -sum(self._worths[place]), place

    def _clearly_worse(self, left: list[int]) -> list[int]:
        """Return the places clearly worse than the best, including places with equal results in every round.

        None before `COMPARED_MIN` rounds.
        """
        if self._played < COMPARED_MIN:
            return []
        best, *others = sorted(left, key=self._rank)
        return [place for place in others if self._is_clear(best, place)]

    def _is_clear(self, best: int, place: int) -> bool:
        differences = [mine - yours for mine, yours in zip(self._worths[best], self._worths[place], strict=True)]
        lead, squares, count = sum(differences), sum([each * each for each in differences]), len(differences)
        return lead * lead * (count - 1) >= CLEAR * (count * squares - lead * lead)

    def _without(self, left: list[int], worse: list[int]) -> list[int]:
        """Drop the places in `worse`, given best first, and return the others."""
        self._given_up += reversed(worse)
        return [place for place in left if place not in worse]
