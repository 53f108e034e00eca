"""Shared parts of commands about matches and logs: bots, results and LOG files."""

import os
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from domain.eventstore.application import Matches
from domain.eventstore.log_files import add_log
from domain.kernel.title import Titles
from domain.matches.aggregate import Match
from domain.matches.errors import LogFault
from domain.matches.facts import SERVICE, Actor
from domain.matches.log.imports import examine_log
from domain.matches.log.log_files import LogFile, read_log
from domain.matches.play.in_memory import Choose
from domain.matches.seats.bots import bot_name
from domain.matches.verification.verify import verify
from domain.roles import commands
from ops.console import Finding, WrongUsage
from ops.deck_files import register_files
from workers.bots import Bots

PLAYERS_MAX = 8


class Outcome(msgspec.Struct, rename="camel"):
    """The output of `play` and `fork`."""

    title: str
    match: str
    players: tuple[str, ...]
    scores: tuple[int, ...]
    ranking: tuple[int, ...]
    entries: int
    head: str
    out: str | None


def actor_of(bots: Bots, name: str) -> Actor:
    """Return the actor of a bot named on the command line; raise `WrongUsage` for an unknown one."""
    if name not in bots:
        raise WrongUsage(f"unknown bot {name!r}; choose from {', '.join(sorted(bots))}")
    return bots[name].actor


def import_match(matches: Matches, log: LogFile, bots: Bots, *, at: datetime) -> None:
    """Import a match into the store of a stopped service; if it was not stored yet, note that in the audit trail.

    It may continue with bots that the workers know, even in another version. Raises `MatchError` if the log is refused.
    """

    def is_known_bot(actor: Actor) -> bool:
        return bot_name(actor) in bots

    examined_log = examine_log(log, matches.titles, at=at)
    if add_log(matches, examined_log, by=SERVICE, at=at, plays=is_known_bot):
        commands.note_import(matches, examined_log.line.id, examined_log.line.head, by=SERVICE, at=at)


def choosers(bots: Bots, actors: Sequence[Actor | None]) -> Mapping[Actor, Choose]:
    """Return the choosing function of every known bot by actor; raise `Finding` if one of `actors` is no known bot."""
    names = {kind.actor: name for name, kind in bots.items()}
    for actor in actors:
        if actor not in names:
            raise Finding(f"cannot continue for {actor or 'an empty seat'}; known bots: {', '.join(sorted(names))}")
    return {actor: bots[name].choose for actor, name in names.items()}


def load(path: Path) -> LogFile:
    """Read a log; raise `WrongUsage` if the file is missing, `Finding` if it is unreadable."""
    if not path.is_file():
        raise WrongUsage(f"no such file: {path}")
    try:
        return read_log(path)
    except LogFault as fault:
        raise Finding(f"{path}: {fault}") from fault


def load_true(titles: Titles, path: Path, files: Mapping[str, Path]) -> LogFile:
    """Read and verify a log, so that no output is based on a false one; register the files for its title first.

    Raises `Finding` if it is false or unreadable, `WrongUsage` if it or a deck file is missing or invalid.
    """
    log = load(path)
    register_files(titles, log.header.title, files)
    fault = verify(log, titles=titles).fault
    if fault is not None:
        raise Finding(f"{path}: {LogFault(fault.entry, fault.kind, fault.why)}")
    return log


def writable(path: Path | None) -> Path | None:
    """Return the path after checking that it can be written, before a whole match is played in vain.

    None stays None. Raises `WrongUsage` for a folder, a missing folder around it, or missing rights.
    """
    if path is None:
        return None
    folder = path.absolute().parent
    if not folder.is_dir():
        raise WrongUsage(f"cannot write {path}: no such folder")
    if path.is_dir():
        raise WrongUsage(f"cannot write {path}: is a folder")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise WrongUsage(f"cannot write {path}: permission denied")
    return path


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Convert errors of writing the file into `WrongUsage`."""
    try:
        yield
    except OSError as error:
        raise WrongUsage(f"cannot write {path}: {error.strerror}") from error


def outcome_of(match: Match, entries: int, out: Path | None) -> Outcome:
    """Return the outcome of a match that has a result; an empty seat has a placeholder instead of an actor.

    `out` is the written log, if any.
    """
    assert match.result is not None
    players = tuple(info.actor or "nobody" for info in match.seats)
    result = match.result
    path_text = None if out is None else str(out)
    return Outcome(match.title, str(match.id), players, result.scores, result.ranking, entries, match.head, path_text)


def outcome_text(outcome: Outcome) -> str:
    """Format an outcome in lines, with the seats from first to last place."""
    lines = [f"title    {outcome.title}", f"match    {outcome.match}"]
    for rank, seat in sorted((rank, seat) for seat, rank in enumerate(outcome.ranking)):
        lines.append(f"place {rank}  seat {seat}  {outcome.scores[seat]:>4} points  {outcome.players[seat]}")
    lines += [f"entries  {outcome.entries}", f"head     {outcome.head}"]
    if outcome.out is not None:
        lines.append(f"written  {outcome.out}")
    return "\n".join(lines)


def options_of(texts: Sequence[str]) -> dict[str, str]:
    """Parse options of the form NAME=VALUE; raise `WrongUsage` for another form or a repeated name."""
    chosen: dict[str, str] = {}
    for each in texts:
        name, separator, value = each.partition("=")
        if not separator or not name or name in chosen:
            raise WrongUsage(f"invalid --option {each!r}: expected NAME=VALUE, each name once")
        chosen[name] = value
    return chosen


def seed_of(text: str | None) -> bytes | None:
    """Parse `--seed`; raise `WrongUsage` unless it is an even number of hexadecimal digits. None stays None."""
    if text is None:
        return None
    try:
        if not text or text != "".join(text.split()):
            raise ValueError
        return bytes.fromhex(text)
    except ValueError:
        raise WrongUsage(f"invalid --seed {text!r}: expected an even number of hexadecimal digits") from None


def bots_of(bots: Bots, arguments: Namespace) -> tuple[Actor, ...]:
    """Return the bots of `--bots` by seat, repeated to the number of `--players`; by default one seat for each bot.

    Raises `WrongUsage` unless there are 1 to `PLAYERS_MAX` seats, for more bots than seats, or for an unknown bot.
    """
    names = [name.strip() for name in arguments.bots.split(",")]
    count: Any = arguments.players if arguments.players is not None else len(names)
    if not 1 <= count <= PLAYERS_MAX:
        raise WrongUsage(f"invalid --players {count}: expected a number from 1 to {PLAYERS_MAX}")
    if len(names) > count:
        raise WrongUsage(f"--bots lists {len(names)} bots for {count} players")
    return tuple(actor_of(bots, names[seat % len(names)]) for seat in range(count))
