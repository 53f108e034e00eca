"""`esporles import`: audit a LOG file and add it to the service's store."""

from argparse import ArgumentParser, Namespace
from datetime import UTC, datetime
from pathlib import Path

from domain.matches.errors import MatchError
from domain.matches.log.log_files import log_bytes
from ops.console import SUCCESS, Finding, add_data_option, result_writer
from ops.matches import import_match, load
from ops.players import players_of
from ops.service_client import fetch, find_address
from ops.stores import open_matches, read_settings


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("log", type=Path, metavar="LOG")
    add_data_option(parser)


def run(arguments: Namespace) -> int:
    """Import a log through the running service or else into its store; print match, entries and head.

    The match is never rated. Returns `SUCCESS`. Raises `WrongUsage` if the file is missing, `Finding` if the log is
    unreadable or refused.
    """
    log, settings = load(arguments.log), read_settings(arguments)
    service = find_address(settings.data)
    if service is not None:
        fetch(service, "POST", "/api/logs", log_bytes(log), "application/jsonl")
    else:
        players = players_of(arguments)
        with open_matches(settings, players.titles, to_write=True) as matches:
            try:
                import_match(matches, log, players.bots, at=datetime.now(UTC))
            except MatchError as error:
                raise Finding(f"{arguments.log}: {error}") from error
    header = log.header
    document = {"match": str(header.match), "entries": header.entries, "head": header.head}
    lines = [*(f"{name:<8} {value}" for name, value in document.items()), "imported, unrated"]
    result_writer(arguments.json)(document, "\n".join(lines))
    return SUCCESS
