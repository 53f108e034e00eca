"""The stores of analyses, hints and puzzles."""

from __future__ import annotations

from contextlib import ExitStack

from litestar import Litestar

from api.analyses.service import ANALYSES
from api.hints.service import HINTS
from api.puzzles.scores import PUZZLE_SCORES, PuzzleScores
from projections.analyses import Analyses
from projections.hints import Hints
from projections.platform.settings import Settings


def open_learning_stores(stack: ExitStack, app: Litestar, settings: Settings) -> None:
    """Open the stores of analyses, hints and puzzle scores, and register their closing on the stack."""
    analyses = ANALYSES.put(app, Analyses(settings.analyses_place))
    stack.callback(analyses.close)
    hints = HINTS.put(app, Hints(settings.analyses_place))
    stack.callback(hints.close)
    scores = PUZZLE_SCORES.put(app, PuzzleScores(settings.people_place))
    stack.callback(scores.close)
