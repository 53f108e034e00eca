"""`esporles tree`: declare a new transparency tree, with the reason in its first leaf."""

from argparse import ArgumentParser, Namespace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from domain.matches.entropy import system_entropy
from ops.console import SUCCESS, Finding, WrongUsage, add_data_option, result_writer
from ops.players import players_of
from ops.service_client import find_address
from ops.stores import open_matches, read_settings
from ops.transparency.new_tree import Declared, declare_tree
from projections.platform.database import DatabaseUnavailable

NEW: Final = "new"
WHAT: Final = {NEW: "set the tree aside and declare a new one, to which all entries of the log are added again"}


def arguments(parser: ArgumentParser) -> None:
    """Add WHAT, `--reason`, `--predecessor` and `--data`."""
    help_text = "; ".join(f"{what}: {does}" for what, does in WHAT.items())
    parser.add_argument("what", choices=tuple(WHAT), metavar="WHAT", help=help_text)
    parser.add_argument("--reason", metavar="TEXT", help="why there is a new tree, published in its first leaf")
    parser.add_argument(
        "--predecessor",
        type=Path,
        metavar="FILE",
        help="the last signed checkpoint of the earlier tree, for example from a witness (default: the last one known)",
    )
    add_data_option(parser)


def run(arguments: Namespace) -> int:
    """Declare a new tree, print its name, its predecessor and where the earlier tree is, and return `SUCCESS`.

    Raises `WrongUsage` without `--reason` or for a bad `--predecessor`, `Finding` if the service runs.
    """
    settings = read_settings(arguments)
    if not arguments.reason:
        raise WrongUsage("missing --reason TEXT, which is published in the new tree")
    if find_address(settings.data) is not None:
        raise Finding("the service is running; stop it on all hosts first")
    try:
        with open_matches(settings, players_of(arguments).titles, to_write=True) as matches:
            declared = declare_tree(
                settings, matches, arguments.reason, arguments.predecessor, datetime.now(UTC), system_entropy
            )
    except DatabaseUnavailable as error:
        raise Finding(str(error)) from error
    result_writer(arguments.json)(declared, text_of(declared))
    return SUCCESS


def text_of(declared: Declared) -> str:
    """Describe a declared tree in lines."""
    size = declared.predecessor_size
    return "\n".join(
        (
            f"new tree     {declared.origin}",
            f"predecessor  {'none known' if size is None else f'checkpoint of {size:,} leaves'}",
            f"earlier tree {declared.earlier_tree or 'none'}",
            "Start the service. Witnesses of this name refuse the new tree: tell them the reason, or use a new name.",
        )
    )
