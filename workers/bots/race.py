"""A race between actions: each is played on from the same imagined positions, with the same luck.

So the differences are their own. What is clearly worse than the best is given up at once, and after every phase the
worse half (sequential halving: Karnin, Koren and Somekh, 2013).
"""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from workers.bots.kinds import IsLate
from workers.bots.rounds import Rounds

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
    """A race between these actions, most promising first."""

    def __init__(self, rounds: Rounds, actions: Sequence[Any]) -> None:
        self._rounds = rounds
        self._actions = actions
        self._worths: list[list[int]] = [[] for _ in actions]
        self._played = 0
        self._tries = 0
        self._given_up: list[int] = []

    def run(self, tries: int, is_late: IsLate, until: int = 1) -> tuple[Tried, ...]:
        """All that took part, the best first; if it is late, as far as is known. It goes on until no more are left."""
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
        """Who takes part: as many as can be afforded by what the first roll-out costs, each phase one round at least; a
        race that ends sooner has hardly more than the first."""
        places = list(range(len(self._actions)))
        if is_late():
            return places
        afforded = max(AFFORDED_MIN, tries // (self._rounds.first_tries() * (2 if until == 1 else 1)))
        return places[:afforded]

    def _add_round(self, left: list[int], is_late: IsLate) -> bool:
        """Every action that is left once more in one imagined position; where it is late before the last of them,
        nothing is added and the answer is no."""
        found = self._rounds.play(self._played, left, is_late)
        if found is None:
            return False
        for place, each in zip(left, found, strict=True):
            self._worths[place].append(each.worth)
            self._tries += each.tries
        self._played += 1
        return True

    def _rank(self, place: int) -> tuple[int, int]:
        """The best comes first; of equals what looked best at first."""
        return -sum(self._worths[place]), place

    def _clearly_worse(self, left: list[int]) -> list[int]:
        """Those that are clearly worse than the best, or have ever brought the same."""
        if self._played < COMPARED_MIN:
            return []
        best, *others = sorted(left, key=self._rank)
        return [place for place in others if self._is_clear(best, place)]

    def _is_clear(self, best: int, place: int) -> bool:
        differences = [mine - yours for mine, yours in zip(self._worths[best], self._worths[place], strict=True)]
        lead, squares, count = sum(differences), sum([each * each for each in differences]), len(differences)
        return lead * lead * (count - 1) >= CLEAR * (count * squares - lead * lead)

    def _without(self, left: list[int], worse: list[int]) -> list[int]:
        """Those that are left when these, the worst of them last, are given up."""
        self._given_up += reversed(worse)
        return [place for place in left if place not in worse]
