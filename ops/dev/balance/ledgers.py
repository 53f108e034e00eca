"""Ledgers read balance data from a title's effects: points by source, and uses of components."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from domain.kernel.loading import find_part, load
from domain.kernel.title import Titles


class Points(NamedTuple):
    """The points a seat gets from a source; negative for points paid."""

    seat: int
    source: str
    points: int


class Use(NamedTuple):
    """A seat takes a component (a helper, a roof tile, a building, a card), or uses it again."""

    seat: int
    kind: str
    id: str
    is_again: bool = False

    @property
    def component(self) -> str:
        """Return kind and id, as in `helper 32`."""
        return f"{self.kind} {self.id}"


Names = Mapping[str, Mapping[str, str]]
"""Names by kind of component and id."""


class Ledger(NamedTuple):
    """The functions that read a title's effects; their state is the one before the effect."""

    sources: tuple[str, ...]
    """All sources, in display order."""
    points: Callable[[Any, Any], tuple[Points, ...]]
    uses: Callable[[Any, Any], tuple[Use, ...]]
    names: Callable[[Mapping[str, str]], Names]
    """Returns all components with these options, including unused ones."""


def load_ledger(title: str) -> Ledger:
    """Load the ledger of a title that has one."""
    ledger: Ledger = load(f"ops.dev.titles.{title}.ledger", "LEDGER")
    return ledger


def load_ledgers(titles: Titles) -> Mapping[str, Ledger]:
    """Load the ledgers of all titles that have one."""
    ledgers = {name: find_part(f"ops.dev.titles.{name}.ledger", "LEDGER") for name in titles}
    return {name: ledger for name, ledger in ledgers.items() if ledger is not None}
