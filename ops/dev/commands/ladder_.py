"""`esporles ladder`: measure the strength of bots in matches with rotated seats and shared chance."""

import os
from argparse import ArgumentParser, Namespace
from functools import partial
from pathlib import Path
from typing import Final

from domain.kernel.rules import UnknownOption
from domain.matches.errors import MatchError
from domain.matches.seats.opening import options_for_seats
from ops.computing.spread import add_workers_option, spread_of
from ops.console import SUCCESS, Finding, WrongUsage, result_writer
from ops.dev.computing import ladder_spread
from ops.dev.ladder.matches import PlayedMatch, WantedLadder, play_all
from ops.dev.ladder.report import report_of
from ops.dev.ladder.words import text
from ops.dev.resumable_runs import StoredMatches
from ops.matches import actor_of, options_of
from ops.players import find_players_of, players_of
from ops.processes import WorkerDied, processes_asked
from ops.progress import progress

MATCHES: Final = 200


def arguments(parser: ArgumentParser) -> None:
    """Add `--title` and `--bots`, both required, `--seats`, `--matches`, `--option` and `--seed`.

    Also `--workers`, `--jobs` (one per core by default) and `--out`.
    """
    parser.add_argument("--title", required=True, help=f"the game: {', '.join(players_of(parser).titles)}")
    parser.add_argument(
        "--bots", required=True, help="bots by seat, separated by commas; the last one takes the remaining seats"
    )
    parser.add_argument("--seats", type=int, help="number of seats (default: one per bot)")
    parser.add_argument(
        "--matches",
        type=int,
        default=MATCHES,
        help=f"minimum number of matches, rounded up to whole deals (default: {MATCHES})",
    )
    parser.add_argument(
        "--option", action="append", default=[], metavar="K=V", help="an option of the game; may be repeated"
    )
    parser.add_argument("--seed", default="ladder", help="any word; the same seed gives the same matches")
    add_workers_option(parser)
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="number of processes (default: one per core)"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="store every match in this file, and resume from it")


def run(arguments: Namespace) -> int:
    """Play a ladder, or resume it from `--out`, print its report and return `SUCCESS`.

    Raises `WrongUsage` for parameters that do not fit, `Finding` if a process dies.
    """
    plan, processes = parse_parameters(arguments), processes_asked(arguments.jobs)
    spread = spread_of(is_wanted=arguments.workers)
    stored = StoredMatches(arguments.out, plan, PlayedMatch, "ladder")
    numbers = stored.missing()
    with progress(f"ladder of {plan.title}: matches", plan.matches) as step:
        play_local = partial(play_all, plan, numbers, processes=processes, find_players=find_players_of(arguments))
        for match in play_local() if spread is None else ladder_spread(spread, plan, numbers):
            if isinstance(match, WorkerDied):
                raise Finding(f"cannot play a match: {match}")
            stored.add(match)
            step(stored.count)
    report = report_of(plan, stored.matches)
    result_writer(arguments.json)(report, text(report))
    return SUCCESS


def parse_parameters(arguments: Namespace) -> WantedLadder:
    """Return the parameters of a ladder, fully checked; raise `WrongUsage` at the first that does not fit.

    The last bot takes the seats that are left; the number of matches is rounded up to whole deals.
    """
    players, bot_names = players_of(arguments), [name.strip() for name in arguments.bots.split(",")]
    if arguments.title not in players.titles:
        raise WrongUsage(f"unknown game {arguments.title!r}; choose from {', '.join(players.titles)}")
    for bot in bot_names:
        actor_of(players.bots, bot)
        if not players.bots[bot].can_play(arguments.title):
            raise WrongUsage(f"the bot {bot!r} cannot play {arguments.title}")
    seats = len(bot_names) if arguments.seats is None else arguments.seats
    if len(bot_names) > seats:
        raise WrongUsage(f"--bots lists {len(bot_names)} bots for {seats} seats")
    if arguments.matches < 1:
        raise WrongUsage(f"invalid --matches {arguments.matches}: expected a number of at least 1")
    title, options = players.titles[arguments.title], options_of(arguments.option)
    try:
        options_for_seats(title, options, seats)
        chosen = title.rules.options(options).chosen
    except (MatchError, UnknownOption) as refusal:
        raise WrongUsage(str(refusal)) from refusal
    bots = (*bot_names, *(bot_names[-1],) * (seats - len(bot_names)))
    versions = {bot: players.bots[bot].version for bot in sorted(set(bots))}
    plan = WantedLadder(arguments.title, bots, arguments.matches, chosen, arguments.seed, versions)
    deal_size = len(plan.rotations)
    return WantedLadder(
        arguments.title, bots, -(-arguments.matches // deal_size) * deal_size, chosen, arguments.seed, versions
    )
