"""`esporles retire`: void matches under rules that are no longer played, with a notice."""

from argparse import ArgumentParser, Namespace
from datetime import UTC, datetime

from domain.matches.retired_rules import find_retired, void_retired
from ops.console import SUCCESS, Finding, add_data_option, result_writer, table
from ops.players import players_of
from ops.progress import progress
from ops.service_client import find_address
from ops.stores import open_matches, read_settings


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("--list", action="store_true", help="list them without voiding")
    add_data_option(parser)


def run(arguments: Namespace) -> int:
    """Void all matches with retired rules that are not over; with `--list` only find them. Print them.

    Returns `SUCCESS`. Raises `Finding` if the service runs, unless `--list` is given.
    """
    settings = read_settings(arguments)
    if not arguments.list and find_address(settings.data) is not None:
        raise Finding(f"the service is running on {settings.data}; stop it first")
    with open_matches(settings, players_of(arguments).titles, to_write=not arguments.list) as matches:
        with progress("searching the log", matches.last_position()) as step:
            retired = list(find_retired(matches, step))
        if not arguments.list:
            for match in retired:
                void_retired(matches, match, at=datetime.now(UTC))
    rows = [("MATCH", "TITLE", "RULES", "WAS")]
    rows += [(str(match.id), match.title, str(match.rules_version), match.status) for match in retired]
    document = [
        {"match": match.id, "title": match.title, "rulesVersion": match.rules_version, "status": match.status}
        for match in retired
    ]
    result_key = "found" if arguments.list else "voided"
    text = table(rows) if retired else "no running match uses retired rules"
    result_writer(arguments.json)({result_key: document}, text)
    return SUCCESS
