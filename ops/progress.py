"""How far a long command is, on a terminal's stderr; apart from the console, because its library is slow to load."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn


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
