"""`esporles show`: print the position after an entry of a log."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

import msgspec

from domain.kernel.title import Titles
from domain.matches.aggregate import Match, view
from domain.matches.apply import fold
from domain.matches.log.entries import ALL, Reader, redact
from domain.matches.log.log_files import LogFile
from ops.console import SUCCESS, Finding, WrongUsage, result_writer
from ops.deck_files import file_arguments, files_of
from ops.drawing import open_view, text_of
from ops.matches import load_true
from ops.players import players_of


class ShownPosition(msgspec.Struct, rename="camel"):
    """A position; `view` is the view of the seat or a spectator, `seats` are all views available in the file."""

    title: str
    match: str
    at: int
    entries: int
    status: str
    phase: str | None
    head: str
    view: Any
    seats: tuple[Any, ...]


def arguments(parser: ArgumentParser) -> None:
    """Add LOG, `--at` (the last entry by default), `--seat`, `--deck` and `--components`."""
    parser.add_argument("log", type=Path, metavar="LOG")
    parser.add_argument("--at", type=int, metavar="N", help="show the position after entry N (default: the last)")
    file_arguments(parser)
    parser.add_argument(
        "--seat", type=int, metavar="S", help="show the view of this seat (default: everything in the file)"
    )


def position(titles: Titles, log: LogFile, at_version: int, seat: int | None) -> Match:
    """Return the match after the entry, from the log as redacted for the seat."""
    reader: Reader = ALL if seat is None else seat
    return fold(titles, (redact(entry, reader) for entry in log.entries[:at_version]))


def run(arguments: Namespace) -> int:
    """Verify a log and print the position after entry `--at`, as a seat sees it or as the file has it.

    Returns `SUCCESS`. Raises `WrongUsage` for an entry or seat out of bounds, `Finding` if the log is false or redacted
    for another reader.
    """
    titles = players_of(arguments).titles
    log = load_true(titles, arguments.log, files_of(arguments))
    count = len(log.entries)
    at_version = count if arguments.at is None else arguments.at
    if not 1 <= at_version <= count:
        raise WrongUsage(f"invalid --at {at_version}: expected an entry from 1 to {count}")
    match = position(titles, log, at_version, arguments.seat)
    if arguments.seat is not None and not 0 <= arguments.seat < len(match.seats):
        raise WrongUsage(f"invalid --seat {arguments.seat}: expected a seat from 0 to {len(match.seats) - 1}")
    if arguments.seat is not None and log.reader not in (ALL, arguments.seat):
        raise Finding(f"{arguments.log} is redacted for {log.header.redacted_for} without the view of that seat")
    result_writer(arguments.json)(*show_position(log, match, at_version, arguments.seat))
    return SUCCESS


def show_position(log: LogFile, match: Match, at_version: int, seat: int | None) -> tuple[ShownPosition, str]:
    """Describe a position as a document for JSON and as text; before the start the text lists the seats.

    Without a seat and after the start, the document has the view of every seat.
    """
    started = match.state is not None
    seat_view = view(match, seat)
    seat_views = tuple(view(match, each) for each in range(len(match.seats))) if started and seat is None else ()
    phase = match.definition.rules.phase(match.state) if started else None
    document = ShownPosition(
        match.title, str(match.id), at_version, len(log.entries), match.status, phase, match.head, seat_view, seat_views
    )
    perspective = "everything in the file" if seat is None else f"seen by seat {seat}"
    lines = [
        f"{match.title} {match.id}, after entry {at_version} of {len(log.entries)} ({match.status}), {perspective}"
    ]
    if not started:
        seating = ", ".join(f"{index} {info.actor or 'free'}" for index, info in enumerate(match.seats))
        lines.append(f"not started; seats: {seating}")
    else:
        lines.append(text_of(match.title, seat_view if seat is not None else open_view(seat_view, seat_views)))
    return document, "\n".join(lines)
