"""`esporles puzzles`: find puzzles in bot matches, pack them into the shipped file, and measure them."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Final

import msgspec

from domain.puzzles.puzzle_file import load_puzzles
from ops.console import SUCCESS, Finding, WrongUsage, result_writer
from ops.dev.puzzles import file
from ops.dev.puzzles.finding import SearchedMatch, current_parameters, search_match
from ops.dev.puzzles.measuring import WANTED, measure
from ops.dev.resumable_runs import StoredMatches
from ops.matches import writable, writing
from ops.players import players_of
from ops.progress import progress
from workers.bots.evaluation import load_evaluations

MATCHES: Final = 10


class Searched(msgspec.Struct, rename="camel"):
    """The summary of a search."""

    matches: int
    looked: int
    puzzles: int
    found_by_standard: int


def arguments(parser: ArgumentParser) -> None:
    """Add `find`, `pack` or `check`, FILEs, `--title`, `--keep`, `--matches`, `--seed`, `--every` and `--out`."""
    parser.add_argument("what", choices=("find", "pack", "check"))
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="pack: files with found puzzles")
    parser.add_argument("--title", help=f"find: the game, one of {', '.join(players_of(parser).titles)}")
    parser.add_argument("--keep", action="store_true", help="pack: keep the shipped puzzles of other games")
    parser.add_argument("--matches", type=int, default=MATCHES, help=f"find: number of matches (default: {MATCHES})")
    parser.add_argument("--seed", default="puzzles", help="find: any word; the same seed gives the same puzzles")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="check: only one of N puzzles")
    parser.add_argument("--out", type=Path, metavar="FILE", help="find: file for all matches; pack: the file to ship")


def run(arguments: Namespace) -> int:
    """Run a subcommand."""
    return {"find": find, "pack": pack, "check": check}[arguments.what](arguments)


def output_of(arguments: Namespace) -> Path:
    """Return the output file; raise `WrongUsage` without `--out` or if it cannot be written."""
    if arguments.out is None:
        raise WrongUsage(f"puzzles {arguments.what} requires --out FILE")
    out = writable(arguments.out)
    assert out is not None, "a file was named"
    return out


def find(arguments: Namespace) -> int:
    """Search matches for puzzles, or resume the search in `--out`, print the counts and return `SUCCESS`.

    Raises `WrongUsage` for a title without an evaluation, or an `--out` that is missing or of another search.
    """
    players, out = players_of(arguments), output_of(arguments)
    evaluations = load_evaluations(players.titles)
    if arguments.title not in evaluations:
        raise WrongUsage(f"unknown game {arguments.title!r}; choose from {', '.join(sorted(evaluations))}")
    plan = current_parameters(players.bots, arguments.title, arguments.matches, arguments.seed)
    stored = StoredMatches(out, plan, SearchedMatch, "search for puzzles")
    with progress(f"puzzles in {plan.title}: matches", plan.matches) as step:
        for number in stored.missing():
            stored.add(search_match(players.titles, players.bots, evaluations, plan, number))
            step(stored.count)
    matches = stored.matches
    puzzles = [puzzle for each in matches for puzzle in each.puzzles]
    report = Searched(
        len(matches), sum(each.looked for each in matches), len(puzzles), sum(each.standard for each in puzzles)
    )
    result_writer(arguments.json)(
        report, f"{report.puzzles} puzzles in {report.matches} matches; {report.looked} positions searched"
    )
    return SUCCESS


def pack(arguments: Namespace) -> int:
    """Merge search results into the file to ship, print its extent and return `SUCCESS`.

    `--keep` adds other titles'. Raises `WrongUsage` without `--out` or files, or for a file that is no search.
    """
    out = output_of(arguments)
    if not arguments.files:
        raise WrongUsage("puzzles pack requires the files of a search")
    puzzle_file = file.pack(map(file.read, arguments.files), load_puzzles() if arguments.keep else None)
    with writing(out):
        out.write_bytes(msgspec.json.encode(puzzle_file) + b"\n")
    result_writer(arguments.json)(
        puzzle_file.provenance, f"{len(puzzle_file.puzzles)} puzzles of {len(puzzle_file.matches)} matches in {out}"
    )
    return SUCCESS


def check(arguments: Namespace) -> int:
    """Analyse the shipped puzzles, or every N-th, with the standard budget and print the share it finds.

    Raises `Finding` if it is below `WANTED` per cent, `WrongUsage` if N is below 1.
    """
    if arguments.every < 1:
        raise WrongUsage(f"invalid --every {arguments.every}: expected a number of at least 1")
    titles, puzzle_file = players_of(arguments).titles, load_puzzles()
    with progress("puzzles", len(puzzle_file.puzzles[:: arguments.every])) as step:
        measured = measure(titles, puzzle_file, arguments.every, step)
    text = f"the standard budget finds {measured.found} of {measured.puzzles} puzzles ({measured.percent} %)"
    result_writer(arguments.json)(measured, text)
    if measured.percent < WANTED:
        raise Finding(f"{measured.percent} % is less than {WANTED} %")
    return SUCCESS
