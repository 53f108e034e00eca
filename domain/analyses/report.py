"""The analysis of a match: the value of each decision compared with the best found, and the luck of the draws.

Chances are in ten-thousandths, margins in hundredths of a point. All numbers are integers, so that an analysis is the
same on every machine.
"""

from collections.abc import Iterable, Sequence
from math import isqrt
from typing import Final, Literal

import msgspec

from domain.kernel.messages import Message
from domain.kernel.values import Value
from domain.matches.aggregate import Match

VERSION: Final = 4
"""Version of the analysis; documents of other versions are computed again."""

WHOLE: Final = 10_000
"""A chance of one."""
POINT: Final = 100
"""A point of a margin."""

Grade = Literal["best", "good", "inaccuracy", "mistake", "blunder"]
GRADES: Final[tuple[Grade, ...]] = ("best", "good", "inaccuracy", "mistake", "blunder")
BOUNDS: Final[tuple[tuple[int, Grade], ...]] = ((50, "best"), (200, "good"), (500, "inaccuracy"), (1_000, "mistake"))
"""Largest loss of winning chance for each grade; beyond the last it is a blunder."""
ACCURACY_LOST: Final = 5
"""Points of accuracy, of a hundred, lost per hundredth of the winning chance."""
FULL: Final = 100
PIECE_ENTRIES: Final = 4
"""Entries per job: a few seconds of work at the standard budget."""
DRAWS_MIN: Final = 2
"""Minimum number of draws to estimate an error."""


class NotAnalysed(Exception):
    """A match that cannot be analysed; the message gives the reason."""


def why_unfit(match: Match) -> str:
    """Return why a match cannot be analysed, or an empty string.

    Only started matches that have ended with a result, with two or more seats, can be.
    """
    if match.status != "ended" or match.started_version is None:
        return f"the match {match.id} is {match.status}; only finished matches can be analysed"
    if len(match.seats) == 1:
        return f"the match {match.id} has one seat; solo matches cannot be analysed"
    return ""


class Budget(Value, frozen=True):
    """Bounds of the work for a decision: roll-outs in all (`tries`), and actions examined (`width`)."""

    tries: int
    width: int
    draws: int
    """Times that the luck of an entry is redrawn."""
    stages: int = 1
    """Roll-outs end after this many stages (rounds)."""
    finalists: int = 0
    """Actions in the nested roll-outs of a playoff, for titles that have one.

    0: all actions are compared by plain roll-outs.
    """
    rounds: int = 0
    """Minimum roll-outs of finalists that stay to the end of a playoff, to separate them from luck."""


STANDARD: Final = Budget(tries=6_000, width=8, draws=16, finalists=3, rounds=8)
TRIES_MIN: Final = 100
"""Minimum tries that a request may set."""
PLAYOFF_TRIES: Final = 1_500
"""Minimum tries for a playoff; its first roll-outs alone take as many."""


def budget_of(tries: int) -> Budget:
    """Return the standard budget with another number of tries and proportionally fewer draws.

    At least `DRAWS_MIN` and at most the standard draws; finalists and rounds are 0 below `PLAYOFF_TRIES`.
    """
    draws = max(DRAWS_MIN, min(STANDARD.draws, STANDARD.draws * tries // STANDARD.tries))
    finalists = STANDARD.finalists if tries >= PLAYOFF_TRIES else 0
    rounds = STANDARD.rounds if finalists else 0
    return Budget(tries=tries, width=STANDARD.width, draws=draws, finalists=finalists, rounds=rounds)


DEEP: Final = Budget(tries=10_000, width=6, draws=0, stages=2, finalists=4, rounds=8)
"""Budget for finding puzzles."""
DEEPEST: Final = Budget(tries=20_000, width=6, draws=0, stages=2, finalists=4, rounds=16)
"""Budget for checking puzzles, twice as deep."""
SCREEN: Final = Budget(tries=1_000, width=5, draws=0)
"""Budget for finding candidate positions of puzzles."""


T_95: Final = (
    *(1271, 430, 318, 278, 257, 245, 236, 231, 226, 223, 220, 218, 216, 214, 213, 212, 211, 210, 209, 209),
    *(208, 207, 207, 206, 206, 206, 205, 205, 205),
)
"""Student's t for 95 %, in hundredths, by the degrees of freedom from one on."""
T_MANY: Final = 200
"""Approximate value for more degrees of freedom."""


def interval_of(error: int, count: int) -> int:
    """Return half of the 95 % confidence interval of a mean with this standard error and sample count.

    A single sample is treated as two.
    """
    freedom = max(1, count - 1)
    return error * (T_95[freedom - 1] if freedom <= len(T_95) else T_MANY) // 100


class Choice(Value, frozen=True):
    """An action, and its expected result by roll-outs."""

    action: msgspec.Raw
    told: Message
    margin: int
    """Final points above the mean of the others."""
    chance: int
    """The winning chance."""
    count: int
    """The number of roll-outs."""


class LineStep(Value, frozen=True):
    """One action of the line after the best choice."""

    seat: int
    action: msgspec.Raw
    told: Message


class Decision(Value, frozen=True):
    """An entry in which a seat had a choice, judged by the seat's view."""

    entry: int
    seat: int
    phase: str
    legal: int
    played: Choice
    best: Choice
    others: tuple[Choice, ...]
    """The next best choices, best first."""
    error: int
    """The standard error of the difference between the chances of the best and the played choice."""
    chances: tuple[int, ...]
    """The chances of all seats after the played choice."""
    line: tuple[LineStep, ...]

    @property
    def is_best(self) -> bool:
        """Whether the best choice was played."""
        return self.played.action == self.best.action

    @property
    def interval(self) -> int:
        """Half of the 95 % interval of the difference between the chances."""
        return interval_of(self.error, min(self.best.count, self.played.count))

    @property
    def loss(self) -> int:
        """The winning chance lost; 0 if the difference is within the interval."""
        difference = self.best.chance - self.played.chance
        return 0 if self.is_best or difference <= self.interval else difference

    @property
    def points_lost(self) -> int:
        """The margin lost with it."""
        return max(0, self.best.margin - self.played.margin) if self.loss else 0

    @property
    def grade(self) -> Grade:
        """The grade of the choice."""
        return "best" if self.is_best else grade_of(self.loss)

    @property
    def accuracy(self) -> int:
        """Accuracy from 0 to 100."""
        return max(0, FULL - self.loss * ACCURACY_LOST * FULL // WHOLE)


class Drawn(Value, frozen=True):
    """An entry decided by chance: each seat's gain or loss against expectation."""

    entry: int
    chances: tuple[int, ...]
    margins: tuple[int, ...]
    error: int
    """The largest standard error of the chances."""


class Analysis(Value, frozen=True):
    """The analysis of a match. `head` is the digest of its last entry, which identifies the analysed log."""

    version: int
    title: str
    match: str
    head: str
    entries: int
    seats: int
    budget: Budget
    decisions: tuple[Decision, ...]
    draws: tuple[Drawn, ...]


class Piece(Value, frozen=True):
    """The analysis of a range of entries."""

    decisions: tuple[Decision, ...]
    draws: tuple[Drawn, ...]


def pieces_of(entries: int) -> tuple[tuple[int, int], ...]:
    """Return the ranges of entries that are analysed separately."""
    return tuple((first, min(first + PIECE_ENTRIES - 1, entries)) for first in range(1, entries + 1, PIECE_ENTRIES))


def analysis_of(match: Match, entries: int, pieces: Iterable[Piece], budget: Budget = STANDARD) -> Analysis:
    """Join the pieces of a match, given in order of entries, into one analysis of the current version.

    `entries`: the number of entries analysed.
    """
    all_pieces = tuple(pieces)
    return Analysis(
        VERSION,
        match.title,
        str(match.id),
        match.head,
        entries,
        len(match.seats),
        budget,
        tuple(decision for piece in all_pieces for decision in piece.decisions),
        tuple(draw for piece in all_pieces for draw in piece.draws),
    )


class PhaseLosses(Value, frozen=True):
    """The decisions of a seat in one phase of the rounds."""

    phase: str
    decisions: int
    inaccuracies: int
    mistakes: int
    blunders: int
    loss: int
    """The sum of the chances lost."""


class SeatSummary(Value, frozen=True):
    """The decisions and the luck of a seat."""

    seat: int
    decisions: int
    accuracy: int
    grades: tuple[int, ...]
    """The number of decisions of each grade, in the order of `GRADES`."""
    loss: int
    points_lost: int
    luck: int
    """The sum of winning chances gained by draws against expectation."""
    luck_error: int
    luck_points: int
    phases: tuple[PhaseLosses, ...]


def costly_decisions(analysis: Analysis) -> list[Decision]:
    """Return the decisions that are inaccuracies or worse, costliest first."""
    return sorted((each for each in analysis.decisions if each.grade in GRADES[2:]), key=lambda each: -each.loss)


def grade_of(loss: int) -> Grade:
    """Return the grade of a loss."""
    return next((grade for bound, grade in BOUNDS if loss <= bound), "blunder")


def phase_of(phase: str) -> str:
    """Return the phase within a round: the middle part of `Rules.phase`."""
    return phase.split("/")[1] if phase.count("/") > 1 else phase


def summary_of(analysis: Analysis, seat: int) -> SeatSummary:
    """Return the summary of one seat: accuracy, grades, losses by phase, and luck with its error.

    The accuracy is the rounded mean of its decisions, `FULL` without any. Luck sums the draws of the whole
    match.
    """
    decisions = [each for each in analysis.decisions if each.seat == seat]
    count = len(decisions)
    return SeatSummary(
        seat=seat,
        decisions=count,
        accuracy=FULL if not count else (2 * sum(each.accuracy for each in decisions) + count) // (2 * count),
        grades=tuple(sum(each.grade == grade for each in decisions) for grade in GRADES),
        loss=sum(each.loss for each in decisions),
        points_lost=sum(each.points_lost for each in decisions),
        luck=sum(each.chances[seat] for each in analysis.draws),
        luck_error=isqrt(sum(each.error * each.error for each in analysis.draws)),
        luck_points=sum(each.margins[seat] for each in analysis.draws),
        phases=tuple(
            losses_in(phase, decisions) for phase in dict.fromkeys(phase_of(each.phase) for each in decisions)
        ),
    )


def losses_in(phase: str, decisions: Sequence[Decision]) -> PhaseLosses:
    """Return a seat's losses in one phase: decisions, inaccuracies, mistakes, blunders and the sum of the losses.

    `decisions`: the decisions of that seat in all phases.
    """
    phase_decisions = [each for each in decisions if phase_of(each.phase) == phase]
    grades = [each.grade for each in phase_decisions]
    return PhaseLosses(
        phase,
        len(phase_decisions),
        grades.count("inaccuracy"),
        grades.count("mistake"),
        grades.count("blunder"),
        sum(each.loss for each in phase_decisions),
    )
