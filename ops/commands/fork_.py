"""`esporles fork`: create a new match from an entry of a log and optionally let bots play it on."""

from argparse import ArgumentParser, Namespace
from datetime import UTC, datetime
from pathlib import Path

from domain.kernel.title import Titles
from domain.matches.errors import MatchError
from domain.matches.facts import SERVICE, Actor
from domain.matches.log.log_files import LogFile, write_log
from domain.matches.play.in_memory import Origins, fork_log, play_to_end, random_origins, seeded_origins
from domain.matches.titles import read_fact
from ops.console import SUCCESS, WrongUsage, result_writer
from ops.deck_files import file_arguments, files_of
from ops.matches import actor_of, choosers, load_true, outcome_of, outcome_text, seed_of, writable, writing
from ops.players import players_of
from ops.progress import progress
from workers.matches.bot_turn import Players


def arguments(parser: ArgumentParser) -> None:
    """Add LOG, `--at`, `--out`, `--bots`, `--luck` (`fresh` by default), `--deck`, `--components` and `--seed`.

    `--at` and `--out` are required.
    """
    parser.add_argument("log", type=Path, metavar="LOG")
    parser.add_argument("--at", type=int, required=True, metavar="N", help="the last entry that both matches share")
    parser.add_argument(
        "--out", type=Path, required=True, metavar="LOG2", help="the file to write the log of the fork to"
    )
    parser.add_argument("--bots", help="bots by seat, separated by commas, or `same` for the bots of the parent")
    parser.add_argument(
        "--luck", choices=("same", "fresh"), default="fresh", help="keep the luck of the parent, or draw new luck"
    )
    file_arguments(parser)
    parser.add_argument("--seed", metavar="HEX", help="derive the id and the new luck of the fork from this seed")


def seats_of(players: Players, log: LogFile, bots: str | None) -> tuple[Actor | None, ...] | None:
    """Return the bots of the fork's seats, repeated to their number; None without names or for `same`.

    None means the default: the parent's bots stay, people do not. Raises `WrongUsage` for more bots than seats or an
    unknown bot.
    """
    if bots is None or bots == "same":
        return None
    names, count = bots.split(","), seat_count(players.titles, log)
    if len(names) > count:
        raise WrongUsage(f"--bots lists {len(names)} bots for {count} seats")
    return tuple(actor_of(players.bots, names[seat % len(names)].strip()) for seat in range(count))


def seat_count(titles: Titles, log: LogFile) -> int:
    """Return the number of seats in the log's first entry, 0 if it has none."""
    fact = read_fact(titles[log.header.title], log.entries[0])
    count: int = getattr(fact, "seats", 0)
    return count


def origins_of(seed: bytes | None, log: LogFile, at_version: int) -> Origins:
    """Return the source of ids and chance: random, or always the same for one seed, parent and entry."""
    if seed is None:
        return random_origins(lambda: datetime.now(UTC))
    return seeded_origins(seed + bytes.fromhex(log.header.head) + at_version.to_bytes(8, "big"))


def run(arguments: Namespace) -> int:
    """Fork a verified log after entry `--at`, write the fork's log to `--out`, print its outcome or state.

    Returns `SUCCESS`. With `--bots` the fork is played to its end. Raises `WrongUsage` if the fork is refused or for
    bad options, `Finding` for a false log, or with `--bots` if a seat has no known bot.
    """
    players = players_of(arguments)
    log, out = load_true(players.titles, arguments.log, files_of(arguments)), writable(arguments.out)
    try:
        playout = fork_log(
            log,
            at_version=arguments.at,
            luck=arguments.luck,
            by=SERVICE,
            origins=origins_of(seed_of(arguments.seed), log, arguments.at),
            titles=players.titles,
            seats=seats_of(players, log, arguments.bots),
        )
    except MatchError as refusal:
        raise WrongUsage(str(refusal)) from refusal
    if arguments.bots is not None:
        with progress("entries") as step:
            players_by_seat = choosers(players.bots, [info.actor for info in playout.match.seats])
            play_to_end(playout, players_by_seat, lambda match: step(match.version))
    assert out is not None
    with writing(out):
        write_log(out, playout.entries)
    if playout.match.result is None:
        document = {
            "title": playout.match.title,
            "match": str(playout.match.id),
            "status": playout.match.status,
            "entries": len(playout.entries),
            "head": playout.match.head,
            "out": str(out),
        }
        result_writer(arguments.json)(document, "\n".join(f"{name:<8} {value}" for name, value in document.items()))
    else:
        outcome = outcome_of(playout.match, len(playout.entries), out)
        result_writer(arguments.json)(outcome, outcome_text(outcome))
    return SUCCESS
