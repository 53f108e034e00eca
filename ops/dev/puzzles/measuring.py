"""Measure the share of shipped puzzles that an analysis with the standard budget solves."""

from collections.abc import Callable
from typing import Final

import msgspec

from domain.analyses.report import STANDARD
from domain.kernel.title import Titles
from domain.puzzles.puzzle_file import PuzzleFile, replay_match
from ops.console import Finding
from ops.dev.puzzles.finding import is_found, moments_of
from workers.bots.evaluation import load_evaluations

WANTED: Final = 80
"""Least percentage of puzzles that the standard budget must solve."""


class Measured(msgspec.Struct, rename="camel"):
    """The result of a measurement; `missed` are ids of puzzles."""

    puzzles: int
    found: int
    percent: int
    missed: tuple[str, ...]


def measure(
    titles: Titles, shelf: PuzzleFile, every: int = 1, step: Callable[[int], None] = lambda _: None
) -> Measured:
    """Replay the matches of every `every`-th puzzle and analyse it; `step` is called with the number done.

    Raises `Finding` if a match does not replay to its recorded end.
    """
    missed, wanted, evaluations, done = list[str](), shelf.puzzles[::every], load_evaluations(titles), 0
    for played in shelf.matches:
        here = [puzzle for puzzle in wanted if puzzle.match == played.head]
        if not here:
            continue
        log = replay_match(titles, played)
        if log.match.head != played.head:
            raise Finding(f"match {played.head} now ends differently; search its puzzles again")
        for puzzle, moment in moments_of(titles, log, here):
            if not is_found(evaluations[played.title], puzzle, moment, STANDARD):
                missed.append(puzzle.id)
            done += 1
            step(done)
    found = done - len(missed)
    return Measured(done, found, 100 * found // max(1, done), tuple(missed))
