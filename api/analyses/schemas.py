"""Requests and responses of the analyses API. Chances are in ten-thousandths, margins in hundredths of a point."""

from __future__ import annotations

from typing import Annotated, Final, Literal
from uuid import UUID

import msgspec

from api.http.languages import say
from api.http.structs import RequestStruct, ResponseStruct, Version
from domain.analyses.report import Analysis, Choice, Decision, Grade, PhaseLosses, summary_of

PIECE_BYTES_MAX: Final = 1024 * 1024
Stage = Literal["none", "waiting", "done"]


class HandIn(RequestStruct, frozen=True):
    """A worker's results for entries from `first`."""

    head: Annotated[str, msgspec.Meta(max_length=64)]
    first: Version
    version: int
    piece: Annotated[str, msgspec.Meta(max_length=PIECE_BYTES_MAX)]
    """A part of an analysis, as JSON."""


class ChoiceShown(ResponseStruct, frozen=True):
    """An action as text with its expectations; `count`: number of roll-outs."""

    told: str
    margin: int
    chance: int
    count: int


class DecisionShown(ResponseStruct, frozen=True):
    """A decision compared with the best one found. `loss`: winning chance lost."""

    entry: int
    seat: int
    grade: Grade
    loss: int
    error: int
    played: ChoiceShown
    best: ChoiceShown
    others: tuple[ChoiceShown, ...]
    chances: tuple[int, ...]
    line: tuple[str, ...]


class DrawnShown(ResponseStruct, frozen=True):
    """The effect of an entry's draws on every seat, relative to the expectation."""

    entry: int
    chances: tuple[int, ...]
    margins: tuple[int, ...]
    error: int


class PhaseShown(ResponseStruct, frozen=True):
    """Losses of a seat in a phase."""

    phase: str
    decisions: int
    inaccuracies: int
    mistakes: int
    blunders: int
    loss: int


class SummaryShown(ResponseStruct, frozen=True):
    """Accuracy of a seat, and effect of luck. `grades`: number of decisions by grade, from best to blunder."""

    seat: int
    decisions: int
    accuracy: int
    grades: tuple[int, ...]
    loss: int
    points_lost: int
    luck: int
    luck_error: int
    luck_points: int
    phases: tuple[PhaseShown, ...]


class AnalysisShown(ResponseStruct, frozen=True):
    """The progress of an analysis, and its results once finished."""

    match_id: UUID
    stage: Stage
    pieces: int = 0
    pieces_done: int = 0
    tries: int = 0
    summaries: tuple[SummaryShown, ...] = ()
    decisions: tuple[DecisionShown, ...] = ()
    draws: tuple[DrawnShown, ...] = ()


def show_analysis(match_id: UUID, analysis: Analysis) -> AnalysisShown:
    """Convert a finished analysis, with a summary for each seat."""
    return AnalysisShown(
        match_id,
        "done",
        tries=analysis.budget.tries,
        summaries=tuple(show_summary(analysis, seat) for seat in range(analysis.seats)),
        decisions=tuple(map(show_decision, analysis.decisions)),
        draws=tuple(DrawnShown(each.entry, each.chances, each.margins, each.error) for each in analysis.draws),
    )


def show_summary(analysis: Analysis, seat: int) -> SummaryShown:
    """Convert the summary of a seat."""
    found = summary_of(analysis, seat)
    return SummaryShown(
        found.seat,
        found.decisions,
        found.accuracy,
        found.grades,
        found.loss,
        found.points_lost,
        found.luck,
        found.luck_error,
        found.luck_points,
        tuple(map(show_phase, found.phases)),
    )


def show_phase(each: PhaseLosses) -> PhaseShown:
    """Convert the losses in a phase."""
    return PhaseShown(each.phase, each.decisions, each.inaccuracies, each.mistakes, each.blunders, each.loss)


def show_decision(each: Decision) -> DecisionShown:
    """Convert a decision; the steps of its better line are texts in the current language."""
    return DecisionShown(
        each.entry,
        each.seat,
        each.grade,
        each.loss,
        each.error,
        show_choice(each.played),
        show_choice(each.best),
        tuple(map(show_choice, each.others)),
        each.chances,
        tuple(say(step.told) for step in each.line),
    )


def show_choice(choice: Choice) -> ChoiceShown:
    """Convert a choice."""
    return ChoiceShown(say(choice.told), choice.margin, choice.chance, choice.count)
