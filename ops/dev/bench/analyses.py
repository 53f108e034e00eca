"""Measure the analysis of a long match, and the share of puzzles found, with the standard budget."""

import time
from collections.abc import Callable
from functools import partial
from typing import Final

from domain.analyses.report import STANDARD, pieces_of
from domain.matches.log.entries import Entry
from domain.matches.play.in_memory import play_to_end, seeded_origins, table_of_bots
from domain.puzzles.puzzle_file import load_puzzles
from domain.titles import TITLES
from ops.dev.bench.figures import Figure, Section
from ops.dev.puzzles.measuring import WANTED, measure
from ops.processes import WorkerDied, in_processes
from workers.analyses.matches import analyse_piece
from workers.bots import BOTS
from workers.bots.evaluation import load_evaluations

ENTRIES: Final = 600
SECONDS_BUDGET: Final = 180.0
PROCESSES: Final = 2
"""Number of cores that the time budget assumes."""
TITLE, BOT, SEATS = "la_granja", "greedy", 4
"""Parameters that produce matches of about 600 entries."""
EVERY: Final = 15
"""Only every 15th puzzle is tried."""


def section() -> Section:
    """Measure the analysis of one match in `PROCESSES` processes, and the share of puzzles found.

    Raises `AssertionError` if a piece could not be analysed.
    """
    entries = match_of_600()
    spans, started = pieces_of(ENTRIES), time.perf_counter()
    results = [result for _, result in in_processes(partial(analysing, entries), spans, PROCESSES)]
    elapsed = time.perf_counter() - started
    successful = [each for each in results if not isinstance(each, WorkerDied)]
    assert len(successful) == len(spans), f"{len(spans) - len(successful)} parts could not be analysed"
    decisions, busy = sum(each[0] for each in successful), sum(each[1] for each in successful)
    label = f"{ENTRIES} entries, {decisions} decisions, {STANDARD.tries:,} samples each, in {PROCESSES} processes"
    return Section(
        "Analysis of a match",
        (
            Figure(label, f"{elapsed:.0f} s", f"≤ {SECONDS_BUDGET:.0f} s", elapsed <= SECONDS_BUDGET),
            Figure("… CPU time per process", f"{busy / PROCESSES:.0f} s"),
            find_solved_share(),
        ),
    )


def find_solved_share() -> Figure:
    """Return the share of sampled puzzles that the standard budget solves; met from `WANTED` per cent on.

    The puzzles were checked with a larger budget.
    """
    result = measure(TITLES, load_puzzles(), EVERY)
    return Figure(
        f"puzzles found, 1 in {EVERY} of the shipped ones",
        f"{result.found} of {result.puzzles}",
        f"≥ {WANTED} %",
        result.percent >= WANTED,
    )


def match_of_600() -> tuple[Entry, ...]:
    """Play bot matches until one has at least `ENTRIES` entries, and return its log."""
    number = 0
    while True:
        table = table_of_bots(TITLES[TITLE], [BOTS[BOT].actor] * SEATS, {}, seeded_origins(b"analysis/%d" % number))
        entries = play_to_end(table, {BOTS[BOT].actor: BOTS[BOT].choose}).entries
        if len(entries) >= ENTRIES:
            return entries
        number += 1


def analysing(entries: tuple[Entry, ...]) -> Callable[[tuple[int, int]], tuple[int, float]]:
    """Return a function that analyses one piece and returns its number of decisions and its processor time."""
    evaluations = load_evaluations(TITLES)

    def analyse(span: tuple[int, int]) -> tuple[int, float]:
        started = time.process_time()
        part = analyse_piece(TITLES, evaluations, entries, *span)
        return len(part.decisions), time.process_time() - started

    return analyse
