"""`esporles balance`: estimate the value of a title's components from bot matches."""

from argparse import ArgumentParser, Namespace
from functools import partial
from pathlib import Path
from typing import Final

from domain.kernel.rules import UnknownOption
from domain.kernel.title import AnyTitle
from domain.matches.errors import MatchError
from domain.matches.seats.opening import options_for_seats
from ops.computing.spread import add_workers_option, spread_of
from ops.console import SUCCESS, WrongUsage, result_writer
from ops.deck_files import file_arguments, files_of, with_files
from ops.dev.balance.ledgers import load_ledgers
from ops.dev.balance.matches import MatchResult, WantedMatches, key_of, play_here, taking_of
from ops.dev.balance.report import report_of
from ops.dev.balance.taking import NeverTaken
from ops.dev.balance.words import text
from ops.dev.computing import play_spread
from ops.dev.resumable_runs import StoredMatches
from ops.matches import actor_of, options_of
from ops.players import find_players_of, players_of
from ops.progress import progress
from workers.bots import Bots

MATCHES: Final = 200
JOBS_MAX: Final = 64


def arguments(parser: ArgumentParser) -> None:
    """Add `--title`, required, the matches' parameters, `--taking`, `--seed`, `--workers`, `--jobs` and `--out`."""
    parser.add_argument(
        "--title", required=True, choices=sorted(load_ledgers(players_of(parser).titles)), help="the game"
    )
    parser.add_argument("--matches", type=int, default=MATCHES, help=f"number of matches (default: {MATCHES})")
    parser.add_argument("--players", default="", help="numbers of seats to alternate, such as 2,3,4 (default: all)")
    parser.add_argument("--bots", default="greedy", help="bots, separated by commas, rotated over the seats")
    parser.add_argument(
        "--option", action="append", default=[], metavar="K=V", help="an option of the game; may be repeated"
    )
    file_arguments(parser)
    parser.add_argument(
        "--taking",
        default="",
        metavar="COMPONENT",
        help="only deals in which a player can take this component, such as 'helper 32', as a first choice, and does",
    )
    parser.add_argument("--seed", default="balance", help="any word; the same seed gives the same report")
    add_workers_option(parser)
    parser.add_argument("--jobs", type=int, default=1, help="number of processes; does not affect the report")
    parser.add_argument("--out", type=Path, metavar="FILE", help="store every match in this file, and resume from it")


def run(arguments: Namespace) -> int:
    """Play a run, or resume it from `--out`, print its report and return `SUCCESS`.

    Raises `WrongUsage` for parameters that do not fit, or deck files on workers.
    """
    plan = parse_parameters(arguments)
    if not 1 <= arguments.jobs <= JOBS_MAX:
        raise WrongUsage(f"invalid --jobs {arguments.jobs}: expected a number from 1 to {JOBS_MAX}")
    spread = spread_of(is_wanted=arguments.workers)
    if spread is not None and plan.files:
        raise WrongUsage("--workers cannot be combined with deck or component files")
    stored = StoredMatches(arguments.out, plan, MatchResult, "balance run")
    numbers = stored.missing()
    with progress(f"balance of {plan.title}: matches", plan.matches) as step:
        play_local = partial(play_here, plan, numbers, arguments.jobs, find_players_of(arguments))
        for match in play_local() if spread is None else play_spread(spread, plan, numbers):
            stored.add(match)
            step(stored.count)
    report = report_of(plan, stored.matches)
    result_writer(arguments.json)(report, text(report))
    return SUCCESS


def parse_parameters(arguments: Namespace) -> WantedMatches:
    """Return the parameters of a run, fully checked; raise `WrongUsage` at the first that does not fit.

    Without `--players` the numbers of seats are all that the title allows.
    """
    if arguments.matches < 1:
        raise WrongUsage(f"invalid --matches {arguments.matches}: expected a number of at least 1")
    players = players_of(arguments)
    bots = tuple(name.strip() for name in arguments.bots.split(","))
    for bot in bots:
        actor_of(players.bots, bot)
        if not players.bots[bot].can_play(arguments.title):
            raise WrongUsage(f"the bot {bot!r} cannot play {arguments.title}")
    files, title = files_of(arguments), players.titles[arguments.title]
    options = with_files(players.titles, arguments.title, options_of(arguments.option), files)
    try:
        chosen_options = title.rules.options(options)
        seats = seats_of(arguments.players) or tuple(range(chosen_options.seats_min, chosen_options.seats_max + 1))
        for count in seats:
            options_for_seats(title, options, count)
    except (MatchError, UnknownOption) as refusal:
        raise WrongUsage(str(refusal)) from refusal
    versions = {bot: players.bots[bot].version for bot in sorted(set(bots))}
    plan = WantedMatches(
        arguments.title,
        arguments.matches,
        seats,
        bots,
        chosen_options.chosen,
        arguments.seed,
        versions,
        files,
        arguments.taking,
    )
    check_taking(plan, title, players.bots)
    return plan


def check_taking(plan: WantedMatches, title: AnyTitle, bots: Bots) -> None:
    """Raise `WrongUsage` if the component to take is unknown, or cannot be taken at some number of seats."""
    first_choice = taking_of(title, plan)
    if first_choice is None:
        return
    names = first_choice.ledger.names(plan.options)
    components = [f"{kind} {id}" for kind, ids in names.items() for id in ids]
    if first_choice.component not in components:
        raise WrongUsage(
            f"invalid --taking {first_choice.component!r}: expected a component, such as {components[0]!r}"
        )
    try:
        for number in range(len(plan.players)):
            key_of(title, plan, number, [bots[bot].actor for bot in plan.seats_of(number)], first_choice)
    except NeverTaken as refusal:
        raise WrongUsage(str(refusal)) from refusal


def seats_of(value: str) -> tuple[int, ...]:
    """Parse numbers of seats such as `2,3,4`, none for ""; raise `WrongUsage` if one is no number."""
    try:
        return tuple(int(count) for count in value.split(",")) if value else ()
    except ValueError:
        raise WrongUsage(
            f"invalid --players {value!r}: expected numbers of seats separated by commas, such as 2,3,4"
        ) from None
