"""Hints: what a seat could choose, and what its last choice has cost; both by what the seat sees alone. No facts."""

from typing import Final, Literal

import msgspec

from domain.analyses.report import Budget, Choice, Grade, grade_of, interval_of
from domain.kernel.values import Value

Kind = Literal["hint", "verdict"]
"""What would be best now, or what the choice that was made here has cost."""
BUDGET: Final = Budget(tries=1_500, width=6, draws=0, finalists=3)
"""Less than a second of work at most tables."""
VERDICT_BUDGET: Final = Budget(tries=1_500, width=6, draws=0, finalists=2)
"""As long: what was chosen takes the place of a third."""
MARKED_MIN, MARKED_MAX = 2, 3
NEARLY: Final = 300
"""A third choice is marked that gives away no more of the chance to win than this."""
REASONS: Final = 2
"""So many parts of the judgement say why a choice is marked."""


class Reason(Value, frozen=True):
    """A part of the judgement in which a choice ends higher than the best that is not marked, by hundredths of a
    point."""

    part: str
    points: int


class Marked(Value, frozen=True):
    """A choice worth a look, and why."""

    choice: Choice
    reasons: tuple[Reason, ...]


class Advice(Value, frozen=True):
    """The best choices, the best first; in a verdict what was played beside them."""

    choices: tuple[Marked, ...]
    played: Choice | None = None
    error: int = 0
    """The standard error of the difference between the chances of the best and of what was played."""

    @property
    def best(self) -> Choice:
        return self.choices[0].choice

    @property
    def loss(self) -> int:
        """The chance to win that was given away; what lies within its 95 % interval counts for nothing."""
        if self.played is None or self.played.action == self.best.action:
            return 0
        lost = self.best.chance - self.played.chance
        return 0 if lost <= interval_of(self.error, min(self.best.count, self.played.count)) else lost

    @property
    def grade(self) -> Grade:
        return grade_of(self.loss)

    @property
    def is_blunder(self) -> bool:
        return self.grade == "blunder"


class HintTask(Value, frozen=True):
    """A position as its seat sees it, and what may be chosen; `played` is the place of what was chosen there."""

    title: str
    version: int
    view: msgspec.Raw
    actions: tuple[msgspec.Raw, ...]
    played: int | None = None
