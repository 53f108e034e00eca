"""What analyses and puzzles keep: those in a database of their own, answers to these with people."""

from __future__ import annotations

from contextlib import ExitStack

from litestar.datastructures import State

from api.puzzles.scores import PuzzleScores
from projections.analyses import Analyses
from projections.hints import Hints
from projections.platform.settings import Settings


def open_teacher(stack: ExitStack, state: State, settings: Settings) -> None:
    """For as long as the process lives."""
    state.analyses = analyses = Analyses(settings.analyses_place)
    stack.callback(analyses.close)
    state.hints = hints = Hints(settings.analyses_place)
    stack.callback(hints.close)
    state.puzzle_scores = scores = PuzzleScores(settings.people_place)
    stack.callback(scores.close)
