"""`esporles export`: write a match of the service's store as a LOG file."""

from argparse import ArgumentParser, Namespace
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import msgspec

from domain.eventstore.log_files import export_log
from domain.matches.errors import MatchError
from domain.matches.facts import SERVICE
from domain.matches.log.entries import ALL, Reader
from domain.matches.log.log_files import log_bytes, parse_log
from domain.roles import commands
from ops.console import SUCCESS, Finding, WrongUsage, add_data_option, result_writer
from ops.matches import writable, writing
from ops.players import players_of
from ops.service_client import fetch, find_address
from ops.stores import open_matches, read_settings


def arguments(parser: ArgumentParser) -> None:
    """Add MATCH, the required `--out`, `--seat`, `--whole` and `--data`."""
    parser.add_argument("match", metavar="MATCH", help="the id of the match")
    parser.add_argument("--out", type=Path, required=True, metavar="LOG", help="the file to write")
    parser.add_argument(
        "--seat", type=int, metavar="S", help="of a running match, the view of this seat; the export is recorded"
    )
    parser.add_argument("--whole", action="store_true", help="of a running match, everything; the export is recorded")
    add_data_option(parser)


def match_id_of(text: str) -> UUID:
    """Parse the id of a match; raise `WrongUsage` if it is no UUID."""
    try:
        return UUID(text)
    except ValueError:
        raise WrongUsage(f"invalid match id {text!r}") from None


class SeatShown(msgspec.Struct):
    """A match with its seats, which are only counted."""

    seats: tuple[msgspec.Raw, ...]


def require_seat(seat: int, count: int) -> None:
    """Raise `WrongUsage` if the seat does not exist."""
    if not 0 <= seat < count:
        raise WrongUsage(f"invalid --seat {seat}: expected a seat from 0 to {count - 1}")


def exported_log(arguments: Namespace, match_id: UUID) -> bytes:
    """Return the log of a match, from the running service or else its store, redacted for a spectator by default.

    With `--seat` or `--whole`, the export of a running match is recorded. Raises `Finding` if it is refused,
    `WrongUsage` for a seat that does not exist.
    """
    settings = read_settings(arguments)
    service = find_address(settings.data)
    if service is not None:
        if arguments.seat is not None:
            match = msgspec.json.decode(fetch(service, "GET", f"/api/matches/{match_id}"), type=SeatShown)
            require_seat(arguments.seat, len(match.seats))
        choice = "?whole=true" if arguments.whole else "" if arguments.seat is None else f"?seat={arguments.seat}"
        return fetch(service, "GET", f"/api/matches/{match_id}/log{choice}")
    reader: Reader = ALL if arguments.whole else arguments.seat
    at, has_reader = datetime.now(UTC), reader is not None
    with open_matches(settings, players_of(arguments).titles, to_write=has_reader) as matches:
        try:
            if arguments.seat is not None:
                require_seat(arguments.seat, len(matches.get(match_id).seats))
            if has_reader and matches.lines.last_closed_version(match_id):
                commands.note_export(matches, match_id, by=SERVICE, whole=arguments.whole, at=at)
            return log_bytes(export_log(matches, match_id, reader, by=SERVICE, at=at))
        except MatchError as error:
            raise Finding(str(error)) from error


def run(arguments: Namespace) -> int:
    """Write the log of a match to `--out`, print its header and return `SUCCESS`.

    Raises `WrongUsage` if `--whole` and `--seat` are both given, for a bad id or seat, or if the file cannot be
    written; `Finding` if the export is refused.
    """
    if arguments.whole and arguments.seat is not None:
        raise WrongUsage("--whole and --seat cannot be combined")
    match_id, out = match_id_of(arguments.match), writable(arguments.out)
    content = exported_log(arguments, match_id)
    log = parse_log(content)
    assert out is not None
    with writing(out):
        out.write_bytes(content)
    audience = log.header.redacted_for or "everyone (nothing is redacted)"
    lines = [
        f"match    {log.header.match} of {log.header.title}",
        f"entries  {log.header.entries}",
        f"head     {log.header.head}",
        f"for      {audience}",
        f"written  {out}",
    ]
    result_writer(arguments.json)({"out": str(out), "header": log.header}, "\n".join(lines))
    return SUCCESS
