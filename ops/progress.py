"""Progress bars on stderr; a separate module, because the library is slow to import."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn


class Steps(Protocol):
    """Reports progress; `what` replaces the description."""

    def __call__(self, done: int, total: int | None = None, /, what: str = "") -> None:
        """Set the completed and total amounts."""
        ...


def silence(_done: int, _total: int | None = None, /, what: str = "") -> None:
    """Report nothing."""


@contextmanager
def progress(what: str, total: int | None = None) -> Iterator[Steps]:
    """Provide a function that updates a progress bar on stderr, or does nothing if stderr is no terminal.

    The function takes the number done and may change total and text; None is an unknown total. The bar disappears at
    the end.
    """
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
