"""What the effects of a title say of its balance: who has how many points from where, who used which component."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from domain.kernel.loading import find_part, load
from domain.kernel.title import Titles


class Points(NamedTuple):
    """The points a seat gets from a source; points paid are less than 0."""

    seat: int
    source: str
    points: int


class Use(NamedTuple):
    """A seat takes a component (a helper, a roof tile, a building, a card), or uses once more what it has taken."""

    seat: int
    kind: str
    id: str
    is_again: bool = False

    @property
    def component(self) -> str:
        """Kind and id, as in `helper 32`."""
        return f"{self.kind} {self.id}"


Names = Mapping[str, Mapping[str, str]]
"""Per kind of component what each id is called."""


class Ledger(NamedTuple):
    """How the effects of a title are read; the state is the one before the effect."""

    sources: tuple[str, ...]
    """All there are, in the order they are printed in."""
    points: Callable[[Any, Any], tuple[Points, ...]]
    uses: Callable[[Any, Any], tuple[Use, ...]]
    names: Callable[[Mapping[str, str]], Names]
    """The components there are with these options: what nobody used is named as well."""


def load_ledger(title: str) -> Ledger:
    """The ledger of a title that has one."""
    ledger: Ledger = load(f"ops.dev.titles.{title}.ledger", "LEDGER")
    return ledger


def load_ledgers(titles: Titles) -> Mapping[str, Ledger]:
    """The ledgers of the titles that have one; the balance of another title cannot be told."""
    found = {name: find_part(f"ops.dev.titles.{name}.ledger", "LEDGER") for name in titles}
    return {name: ledger for name, ledger in found.items() if ledger is not None}
