"""`esporles play`: play a whole match of bots in this process."""

from argparse import ArgumentParser, Namespace
from datetime import UTC, datetime
from pathlib import Path

from domain.kernel.rules import UnknownOption
from domain.matches.errors import MatchError
from domain.matches.log.log_files import write_log
from domain.matches.play.in_memory import play_to_end, random_origins, seeded_origins, table_of_bots
from domain.matches.titles import find_title
from ops.console import SUCCESS, WrongUsage, result_writer
from ops.deck_files import file_arguments, files_of, with_files
from ops.matches import bots_of, choosers, options_of, outcome_of, outcome_text, seed_of, writable, writing
from ops.players import players_of
from ops.progress import progress


def arguments(parser: ArgumentParser) -> None:
    """Add `--title`, `--bots`, `--players`, `--option`, `--deck`, `--components`, `--seed` and `--out`.

    Only `--title` is required; the default bot is `greedy`.
    """
    parser.add_argument("--title", required=True, help=f"the game: {', '.join(players_of(parser).titles)}")
    parser.add_argument(
        "--bots", default="greedy", help="bots by seat, separated by commas; repeated until all seats are taken"
    )
    parser.add_argument("--players", type=int, help="number of seats (default: one per bot)")
    parser.add_argument(
        "--option", action="append", default=[], metavar="K=V", help="an option of the game; may be repeated"
    )
    file_arguments(parser)
    parser.add_argument(
        "--seed",
        metavar="HEX",
        help="derive ids, times and luck from this seed, so that every run writes the same bytes",
    )
    parser.add_argument("--out", type=Path, metavar="LOG", help="the file to write the log to")


def run(arguments: Namespace) -> int:
    """Play a match of bots to its end, write its log to `--out` if given, print the outcome and return `SUCCESS`.

    With `--seed` the log is the same on every run. Raises `WrongUsage` for an unknown bot or option, bad numbers, a
    refused table, or a file that cannot be written.
    """
    players = players_of(arguments)
    seed, bots, out = seed_of(arguments.seed), bots_of(players.bots, arguments), writable(arguments.out)
    origins = random_origins(lambda: datetime.now(UTC)) if seed is None else seeded_origins(seed)
    chosen = with_files(players.titles, arguments.title, options_of(arguments.option), files_of(arguments))
    try:
        playout = table_of_bots(find_title(players.titles, arguments.title), bots, chosen, origins)
    except (MatchError, UnknownOption) as refusal:
        raise WrongUsage(str(refusal)) from refusal
    with progress(f"{arguments.title}: entries") as step:
        result = play_to_end(playout, choosers(players.bots, bots), lambda match: step(match.version))
    if out is not None:
        with writing(out):
            write_log(out, result.entries)
    outcome = outcome_of(result.match, len(result.entries), out)
    result_writer(arguments.json)(outcome, outcome_text(outcome))
    return SUCCESS
