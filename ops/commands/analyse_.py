"""`esporles analyse`: find the decisive moments of a match with the search bots."""

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from domain.analyses.report import (
    GRADES,
    POINT,
    WHOLE,
    Analysis,
    Decision,
    NotAnalysed,
    Piece,
    SeatSummary,
    analysis_of,
    pieces_of,
    summary_of,
)
from domain.kernel.messages import say
from domain.kernel.title import Titles
from domain.matches.log.entries import Entry
from domain.matches.log.log_files import read_log
from ops.console import SUCCESS, Finding, result_writer, table
from ops.deck_files import file_arguments, files_of
from ops.matches import load_true, writable, writing
from ops.players import FindPlayers, find_players_of, players_of
from ops.processes import WorkerDied, in_processes, processes_asked
from ops.progress import progress
from ops.verifying.deck_files import register_files_for
from workers.analyses.matches import analyse_piece, fold_analysable
from workers.bots.evaluation import load_evaluations

SHOWN: Final = 10
"""Number of costliest decisions in the text output."""


def arguments(parser: ArgumentParser) -> None:
    """Add LOG, `--jobs` (one per core by default), `--deck`, `--components` and `--out`."""
    parser.add_argument("log", type=Path, metavar="LOG", help="complete log of a finished match")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="number of processes (default: one per core)"
    )
    file_arguments(parser)
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the analysis to FILE as JSON")


def run(arguments: Namespace) -> int:
    """Verify the log, analyse it in `--jobs` processes, print the analysis, and write it to `--out` as JSON.

    Returns 0. Raises `Finding` for a false log, a match that cannot be analysed, or a process that died; `WrongUsage`
    for bad options.
    """
    titles, out = players_of(arguments).titles, writable(arguments.out)
    processes, files = processes_asked(arguments.jobs), files_of(arguments)
    entries = load_true(titles, arguments.log, files).entries
    try:
        match = fold_analysable(titles, entries, load_evaluations(titles))
    except NotAnalysed as refusal:
        raise Finding(f"{arguments.log}: {refusal}") from refusal
    spans, analysed = pieces_of(len(entries)), dict[int, Piece]()
    analyse = partial(analysing, find_players_of(arguments), arguments.log, files)
    with progress(f"analysing {match.title}: entries", len(entries)) as step:
        for index, part in in_processes(analyse, spans, processes):
            if isinstance(part, WorkerDied):
                raise Finding(f"entries from {spans[index][0]} on could not be analysed: {part}")
            analysed[index] = part
            step(sum(spans[each][1] - spans[each][0] + 1 for each in analysed))
    analysis = analysis_of(match, len(entries), (analysed[index] for index in range(len(spans))))
    if out is not None:
        with writing(out):
            out.write_bytes(msgspec.json.encode(analysis) + b"\n")
    result_writer(arguments.json)(analysis, text_of(analysis))
    return SUCCESS


def analysing(find_players: FindPlayers, path: Path, files: dict[str, Path]) -> Callable[[tuple[int, int]], Piece]:
    """Return the function that a process runs on spans of entries; reads the log once and registers its deck files."""
    titles: Titles = find_players().titles
    register_files_for(titles, path, files)
    return partial(analyse_span, titles, read_log(path).entries)


def analyse_span(titles: Titles, entries: tuple[Entry, ...], span: tuple[int, int]) -> Piece:
    """Analyse a range of entries."""
    return analyse_piece(titles, load_evaluations(titles), entries, *span)


def text_of(analysis: Analysis) -> str:
    """Format a heading, a table row per seat, and the `SHOWN` decisions that lost the most, worst first."""
    rows = [("seat", "decisions", "accuracy", *GRADES, "points lost", "luck")]
    rows += [seat_row(summary_of(analysis, seat)) for seat in range(analysis.seats)]
    worst_decisions = sorted((each for each in analysis.decisions if each.loss), key=lambda each: -each.loss)[:SHOWN]
    budget = analysis.budget
    head = f"{analysis.title} {analysis.match}: {len(analysis.decisions)} decisions, about {budget.tries} samples each"
    return "\n".join(
        [head, "", table(rows, right=frozenset(range(9))), "", *map(decision_text, worst_decisions)]
    ).rstrip()


def seat_row(summary: SeatSummary) -> tuple[str, ...]:
    """Format a seat's row: decisions, accuracy, count of each grade, points lost, luck ± two standard errors."""
    luck = f"{percent(summary.luck)} ± {percent(2 * summary.luck_error)}"
    counts = (str(count) for count in summary.grades)
    points_lost = f"{summary.points_lost / POINT:.1f}"
    return (str(summary.seat), str(summary.decisions), f"{summary.accuracy} %", *counts, points_lost, luck)


def percent(chance: int) -> str:
    """Format a chance in per cent with its sign."""
    return f"{100 * chance / WHOLE:+.1f} %"


def decision_text(decision: Decision) -> str:
    """Format a decision in one line: entry, seat, grade, loss in per cent, the decision and the best alternative."""
    points_lost = f"{100 * decision.loss / WHOLE:.1f} %"
    return (
        f"entry {decision.entry}, seat {decision.seat}: {decision.grade}, -{points_lost}: {say(decision.played.told)};"
        f" best: {say(decision.best.told)}"
    )
