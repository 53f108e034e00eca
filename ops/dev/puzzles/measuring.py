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
    titles: Titles, puzzle_file: PuzzleFile, interval: int = 1, step: Callable[[int], None] = lambda _: None
) -> Measured:
    """Replay the matches of every `interval`-th puzzle and analyse it; `step` is called with the number done.

    Raises `Finding` if a match does not replay to its recorded end.
    """
    missed_ids, selected, evaluations, count = list[str](), puzzle_file.puzzles[::interval], load_evaluations(titles), 0
    for match in puzzle_file.matches:
        match_puzzles = [puzzle for puzzle in selected if puzzle.match == match.head]
        if not match_puzzles:
            continue
        log = replay_match(titles, match)
        if log.match.head != match.head:
            raise Finding(f"match {match.head} now ends differently; search its puzzles again")
        for puzzle, moment in moments_of(titles, log, match_puzzles):
            if not is_found(evaluations[match.title], puzzle, moment, STANDARD):
                missed_ids.append(puzzle.id)
            count += 1
            step(count)
    found = count - len(missed_ids)
    return Measured(count, found, 100 * found // max(1, count), tuple(missed_ids))
