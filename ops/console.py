"""Shared parts of console commands: exit statuses, errors and output."""

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Protocol

import msgspec

from projections.platform.settings import describe

SUCCESS: Final = 0
NEGATIVE: Final = 1
USAGE: Final = 2


class Finding(Exception):
    """The error of a negative result: the log is false, the match does not exist. Exit status 1."""


class WrongUsage(Exception):
    """The error of an unusable argument, with a message that names it. Exit status 2."""


def add_data_option(parser: ArgumentParser, meaning: str = "", default: object = None) -> None:
    """Add the option `--data`."""
    parser.add_argument("--data", type=Path, default=default, help=describe("data", meaning))


class ResultWriter(Protocol):
    """Writes the result of a command: `document` as JSON, or `text`."""

    def __call__(self, document: object, text: str) -> None:
        """Write the document or the text."""
        ...


def result_writer(as_json: bool) -> ResultWriter:
    """Return the function that writes a result to stdout: the document as one line of JSON, or else the text."""

    def write(document: object, text: str) -> None:
        if as_json:
            sys.stdout.write(msgspec.json.encode(document).decode() + "\n")
        else:
            sys.stdout.write(text.rstrip("\n") + "\n")
        sys.stdout.flush()

    return write


def table(rows: Sequence[tuple[str, ...]], *, right: frozenset[int] = frozenset()) -> str:
    """Format rows in columns two spaces apart; columns in `right` are right-aligned. Needs at least one row."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]

    def cell(column: int, text: str) -> str:
        return text.rjust(widths[column]) if column in right else text.ljust(widths[column])

    return "\n".join("  ".join(cell(column, text) for column, text in enumerate(row)).rstrip() for row in rows)
