"""The analysis of a match: what each decision was worth beside the best that was found, and how the draws went.

Chances are in ten-thousandths, margins in hundredths of a point. Whole numbers throughout: an analysis is the same on
every machine.
"""

from collections.abc import Iterable, Sequence
from math import isqrt
from typing import Final, Literal

import msgspec

from domain.kernel.messages import Message
from domain.kernel.values import Value
from domain.matches.aggregate import Match

VERSION: Final = 4
"""Of what an analysis says; one of another version is made again."""

WHOLE: Final = 10_000
"""A chance of one."""
POINT: Final = 100
"""A point of a margin."""

Grade = Literal["best", "good", "inaccuracy", "mistake", "blunder"]
GRADES: Final[tuple[Grade, ...]] = ("best", "good", "inaccuracy", "mistake", "blunder")
BOUNDS: Final[tuple[tuple[int, Grade], ...]] = ((50, "best"), (200, "good"), (500, "inaccuracy"), (1_000, "mistake"))
"""A chance to win lost, up to which an action is graded so; beyond the last it is a blunder."""
ACCURACY_LOST: Final = 5
"""Of a hundred points of accuracy so many are lost with every hundredth of the chance to win."""
FULL: Final = 100
PIECE_ENTRIES: Final = 4
"""So many entries one job of the service looks at: a few seconds of work at the standard budget."""
DRAWS_MIN: Final = 2
"""An error needs two."""


class NotAnalysed(Exception):
    """Of this match no analysis can be made; the text says why."""


def unfit(match: Match) -> str:
    """Why nobody can have the match analysed; the empty word: nothing in the match itself forbids it."""
    if match.status != "ended" or match.started_version is None:
        return f"the match {match.id} is {match.status}; a match is analysed once it has ended"
    if len(match.seats) == 1:
        return f"the match {match.id} has one seat: there is nobody to win against"
    return ""


class Budget(Value, frozen=True):
    """How long a decision is looked into: actions tried out, and how many actions are looked at."""

    tries: int
    width: int
    draws: int
    """How often the luck of an entry is drawn anew."""
    stages: int = 1
    """Up to the end of how many stages (rounds) matches are played on."""
    finalists: int = 0
    """In titles that have a playoff: how many actions meet in its nested roll-outs, beside those that are asked about.
    Without it all are weighed in plain ones."""
    rounds: int = 0
    """How many roll-outs those have at least that stay to the end of a playoff, where luck tells them apart."""


STANDARD: Final = Budget(tries=6_000, width=8, draws=16, finalists=3, rounds=8)
TRIES_MIN: Final = 100
"""The least an analysis can be asked to try for a decision."""
PLAYOFF_TRIES: Final = 1_500
"""With fewer tries for a decision there is no playoff: its first roll-outs alone take more."""


def budget_of(tries: int) -> Budget:
    """The standard budget with other tries for a decision; luck is drawn anew less often where there are fewer."""
    draws = max(DRAWS_MIN, min(STANDARD.draws, STANDARD.draws * tries // STANDARD.tries))
    finalists = STANDARD.finalists if tries >= PLAYOFF_TRIES else 0
    rounds = STANDARD.rounds if finalists else 0
    return Budget(tries=tries, width=STANDARD.width, draws=draws, finalists=finalists, rounds=rounds)


DEEP: Final = Budget(tries=10_000, width=6, draws=0, stages=2, finalists=4, rounds=8)
"""What puzzles are found by."""
DEEPEST: Final = Budget(tries=20_000, width=6, draws=0, stages=2, finalists=4, rounds=16)
"""Twice as deep: what they are checked by."""
SCREEN: Final = Budget(tries=1_000, width=5, draws=0)
"""What says where a puzzle may be."""


T_95: Final = (
    *(1271, 430, 318, 278, 257, 245, 236, 231, 226, 223, 220, 218, 216, 214, 213, 212, 211, 210, 209, 209),
    *(208, 207, 207, 206, 206, 206, 205, 205, 205),
)
"""Student's t for 95 %, in hundredths, by the degrees of freedom from one on."""
T_MANY: Final = 200
"""The same of more than these, about."""


def interval_of(error: int, count: int) -> int:
    """How far the mean of so many samples may lie from the truth on either side, with 95 %, if this is its standard
    error. One sample says nothing of that and is taken for two."""
    freedom = max(1, count - 1)
    return error * (T_95[freedom - 1] if freedom <= len(T_95) else T_MANY) // 100


class Choice(Value, frozen=True):
    """An action, and what can be expected after it by the roll-outs."""

    action: msgspec.Raw
    told: Message
    margin: int
    """Points over the mean of the others, in the end."""
    chance: int
    """The chance to win."""
    count: int
    """From so many roll-outs."""


class LineStep(Value, frozen=True):
    """One action of the line that the best choice leads to."""

    seat: int
    action: msgspec.Raw
    told: Message


class Decision(Value, frozen=True):
    """An entry in which a seat had a choice, judged by what the seat saw."""

    entry: int
    seat: int
    phase: str
    legal: int
    played: Choice
    best: Choice
    others: tuple[Choice, ...]
    """What did best besides, the best first."""
    error: int
    """The standard error of the difference between the chances of the best and of what was played."""
    chances: tuple[int, ...]
    """Of all seats, after what was played."""
    line: tuple[LineStep, ...]

    @property
    def is_best(self) -> bool:
        return self.played.action == self.best.action

    @property
    def interval(self) -> int:
        """The 95 % interval of the difference between the chances, on either side."""
        return interval_of(self.error, min(self.best.count, self.played.count))

    @property
    def loss(self) -> int:
        """The chance to win that was given away; what lies within the interval counts for nothing."""
        lost = self.best.chance - self.played.chance
        return 0 if self.is_best or lost <= self.interval else lost

    @property
    def points_lost(self) -> int:
        """The margin that was given away with it."""
        return max(0, self.best.margin - self.played.margin) if self.loss else 0

    @property
    def grade(self) -> Grade:
        return "best" if self.is_best else grade_of(self.loss)

    @property
    def accuracy(self) -> int:
        """From 0 to 100."""
        return max(0, FULL - self.loss * ACCURACY_LOST * FULL // WHOLE)


class Drawn(Value, frozen=True):
    """An entry in which chance decided: what every seat won or lost by how it came, against what could be expected."""

    entry: int
    chances: tuple[int, ...]
    margins: tuple[int, ...]
    error: int
    """The largest standard error of one of the chances."""


class Analysis(Value, frozen=True):
    """A whole match. `head` is the digest of its last entry: what was analysed is what is there."""

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
    """What is known of a range of entries."""

    decisions: tuple[Decision, ...]
    draws: tuple[Drawn, ...]


def pieces_of(entries: int) -> tuple[tuple[int, int], ...]:
    """The ranges of entries that are looked at one by one."""
    return tuple((first, min(first + PIECE_ENTRIES - 1, entries)) for first in range(1, entries + 1, PIECE_ENTRIES))


def analysis_of(match: Match, entries: int, pieces: Iterable[Piece], budget: Budget = STANDARD) -> Analysis:
    """The whole from its pieces, in the order of the entries."""
    known = tuple(pieces)
    return Analysis(
        VERSION,
        match.title,
        str(match.id),
        match.head,
        entries,
        len(match.seats),
        budget,
        tuple(decision for piece in known for decision in piece.decisions),
        tuple(drawn for piece in known for drawn in piece.draws),
    )


class PhaseLosses(Value, frozen=True):
    """The decisions of a seat in one phase of the rounds."""

    phase: str
    decisions: int
    inaccuracies: int
    mistakes: int
    blunders: int
    loss: int
    """The chances given away, together."""


class SeatSummary(Value, frozen=True):
    """How a seat played, and how the draws went for it."""

    seat: int
    decisions: int
    accuracy: int
    grades: tuple[int, ...]
    """How many decisions of each grade, by `GRADES`."""
    loss: int
    points_lost: int
    luck: int
    """What the draws brought against expectation, in chances to win; together over the match."""
    luck_error: int
    luck_points: int
    phases: tuple[PhaseLosses, ...]


def costly(analysis: Analysis) -> list[Decision]:
    """The decisions that were not good, from an inaccuracy on; the costliest first."""
    return sorted((each for each in analysis.decisions if each.grade in GRADES[2:]), key=lambda each: -each.loss)


def grade_of(loss: int) -> Grade:
    return next((grade for bound, grade in BOUNDS if loss <= bound), "blunder")


def phase_of(word: str) -> str:
    """The phase within a round: the middle of what `Rules.phase` says."""
    return word.split("/")[1] if word.count("/") > 1 else word


def summary_of(analysis: Analysis, seat: int) -> SeatSummary:
    """What the analysis says of one seat."""
    own = [each for each in analysis.decisions if each.seat == seat]
    count = len(own)
    return SeatSummary(
        seat=seat,
        decisions=count,
        accuracy=FULL if not count else (2 * sum(each.accuracy for each in own) + count) // (2 * count),
        grades=tuple(sum(each.grade == grade for each in own) for grade in GRADES),
        loss=sum(each.loss for each in own),
        points_lost=sum(each.points_lost for each in own),
        luck=sum(each.chances[seat] for each in analysis.draws),
        luck_error=isqrt(sum(each.error * each.error for each in analysis.draws)),
        luck_points=sum(each.margins[seat] for each in analysis.draws),
        phases=tuple(losses_in(phase, own) for phase in dict.fromkeys(phase_of(each.phase) for each in own)),
    )


def losses_in(phase: str, own: Sequence[Decision]) -> PhaseLosses:
    here = [each for each in own if phase_of(each.phase) == phase]
    grades = [each.grade for each in here]
    return PhaseLosses(
        phase,
        len(here),
        grades.count("inaccuracy"),
        grades.count("mistake"),
        grades.count("blunder"),
        sum(each.loss for each in here),
    )
