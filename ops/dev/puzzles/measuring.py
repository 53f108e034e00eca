"""How many of the shipped puzzles an analysis with the standard budget finds."""

from collections.abc import Callable
from typing import Final

import msgspec

from domain.analyses.report import STANDARD
from domain.kernel.title import Titles
from domain.puzzles.shelf import Shelf, play_again
from ops.console import Finding
from ops.dev.puzzles.finding import is_found, moments_of
from workers.bots.evaluation import load_evaluations

WANTED: Final = 80
"""Per cent of the puzzles that the standard budget of an analysis has to find."""


class Measured(msgspec.Struct, rename="camel"):
    """How many of the puzzles the standard budget finds."""

    puzzles: int
    found: int
    percent: int
    missed: tuple[str, ...]


def measure(titles: Titles, shelf: Shelf, every: int = 1, step: Callable[[int], None] = lambda _: None) -> Measured:
    """Plays the matches of every so-manieth puzzle again, and looks for its choice; `step` hears how many are done."""
    missed, wanted, evaluations, done = list[str](), shelf.puzzles[::every], load_evaluations(titles), 0
    for played in shelf.matches:
        here = [puzzle for puzzle in wanted if puzzle.match == played.head]
        if not here:
            continue
        log = play_again(titles, played)
        if log.match.head != played.head:
            raise Finding(f"the match {played.head} comes out otherwise now; its puzzles have to be found again")
        for puzzle, moment in moments_of(titles, log, here):
            if not is_found(evaluations[played.title], puzzle, moment, STANDARD):
                missed.append(puzzle.id)
            done += 1
            step(done)
    found = done - len(missed)
    return Measured(done, found, 100 * found // max(1, done), tuple(missed))
