"""`esporles import`: a LOG file into the service's store, audited first."""

from argparse import ArgumentParser, Namespace
from datetime import UTC, datetime
from pathlib import Path

from domain.matches.errors import MatchError
from domain.matches.file import log_bytes
from ops.console import SUCCESS, Finding, answer
from ops.door import ask, find_address
from ops.matches import bring, load
from ops.stores import opened_matches, settings_for


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("log", type=Path, metavar="LOG")
    parser.add_argument("--data", type=Path, help="the data folder (ESPORLES_DATA, var)")


def run(arguments: Namespace) -> int:
    log, settings = load(arguments.log), settings_for(arguments.data)
    door = find_address(settings.data)
    if door is not None:
        ask(door, "POST", "/api/logs", log_bytes(log), "application/jsonl")
    else:
        with opened_matches(settings, to_write=True) as matches:
            try:
                bring(matches, log, at=datetime.now(UTC))
            except MatchError as error:
                raise Finding(f"{arguments.log}: {error}") from error
    header = log.header
    document = {"match": str(header.match), "entries": header.entries, "head": header.head}
    lines = [*(f"{name:<8} {value}" for name, value in document.items()), "imported; it is never rated"]
    answer(arguments.json)(document, "\n".join(lines))
    return SUCCESS
