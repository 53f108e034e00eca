"""What all console commands share: the words they end with, and progress on a terminal's stderr."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, Protocol

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

SUCCESS: Final = 0
NEGATIVE: Final = 1
USAGE: Final = 2


class Finding(Exception):
    """A negative finding: the log is false, the match does not exist. Exit status 1."""


class WrongUsage(Exception):
    """An argument that cannot be used; the sentence names the bad value. Exit status 2."""


class Answer(Protocol):
    """How a command says what it found: `document` for programs, `text` for people."""

    def __call__(self, document: Any, text: str) -> None: ...


def answer(as_json: bool) -> Answer:
    """Writes one JSON document, or the text, to stdout."""

    def write(document: Any, text: str) -> None:
        if as_json:
            sys.stdout.write(msgspec.json.encode(document).decode() + "\n")
        else:
            sys.stdout.write(text.rstrip("\n") + "\n")
        sys.stdout.flush()

    return write


class Steps(Protocol):
    """Counts what has been done; `what` says from now on what it is."""

    def __call__(self, done: int, total: int | None = None, /, what: str = "") -> None: ...


def silence(_done: int, _total: int | None = None, /, what: str = "") -> None:
    """Counts for nobody."""


@contextmanager
def progress(what: str, total: int | None = None) -> Iterator[Steps]:
    """A bar on stderr when it is a terminal; silence otherwise, so that pipes and logs stay clean."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield silence
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as bars:
        task = bars.add_task(what, total=total)

        def step(done: int, total: int | None = total, /, what: str = what) -> None:
            bars.update(task, completed=done, total=total, description=what)

        yield step


def table(rows: Sequence[tuple[str, ...]], *, right: frozenset[int] = frozenset()) -> str:
    """Columns of text, padded with blanks; `right` names the columns set flush right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]

    def cell(column: int, text: str) -> str:
        return text.rjust(widths[column]) if column in right else text.ljust(widths[column])

    return "\n".join("  ".join(cell(column, text) for column, text in enumerate(row)).rstrip() for row in rows)
