"""Hints and verdicts on choices, computed from the view of a seat only. No facts."""

from typing import Final, Literal

import msgspec

from domain.analyses.report import Budget, Choice, Grade, grade_of, interval_of
from domain.kernel.values import Value

Kind = Literal["hint", "verdict"]
"""`hint`: the best choice now. `verdict`: the cost of the last choice."""
BUDGET: Final = Budget(tries=1_500, width=6, draws=0, finalists=3)
"""Less than a second of work at most tables."""
VERDICT_BUDGET: Final = Budget(tries=1_500, width=6, draws=0, finalists=2)
"""As much work: the played choice replaces the third finalist."""
MARKED_MIN, MARKED_MAX = 2, 3
THIRD_CHOICE_LOSS_MAX: Final = 300
"""Maximum loss of winning chance, in ten-thousandths, for a third marked choice."""
REASONS_MAX: Final = 2
"""Maximum number of reasons for a marked choice."""


class Reason(Value, frozen=True):
    """A part of the evaluation in which a choice exceeds the best unmarked one, in hundredths of a point."""

    part: str
    points: int


class Marked(Value, frozen=True):
    """A suggested choice, with reasons."""

    choice: Choice
    reasons: tuple[Reason, ...]


class Advice(Value, frozen=True):
    """The best choices, best first; for a verdict, also the played one."""

    choices: tuple[Marked, ...]
    played: Choice | None = None
    error: int = 0
    """The standard error of the difference between the chances of the best and the played choice."""

    @property
    def best(self) -> Choice:
        """The best choice."""
        return self.choices[0].choice

    @property
    def loss(self) -> int:
        """The winning chance lost; 0 without a played choice, or if the difference is within its 95 % interval."""
        if self.played is None or self.played.action == self.best.action:
            return 0
        difference = self.best.chance - self.played.chance
        return 0 if difference <= interval_of(self.error, min(self.best.count, self.played.count)) else difference

    @property
    def grade(self) -> Grade:
        """The grade of the played choice."""
        return grade_of(self.loss)

    @property
    def is_blunder(self) -> bool:
        """Whether the played choice is a blunder."""
        return self.grade == "blunder"


class HintTask(Value, frozen=True):
    """The view of a seat with its legal actions; `played` is the index of the chosen one."""

    title: str
    version: int
    view: msgspec.Raw
    actions: tuple[msgspec.Raw, ...]
    played: int | None = None
