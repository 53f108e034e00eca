"""Traits of ended matches, by which they are searched and counted: the choices of seats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from domain.kernel.messages import Message
from domain.kernel.rules import Seat

Numbered = Literal["", "round", "order"]


class Trait(msgspec.Struct, frozen=True):
    """A choice of a seat, with the number of the round if its kind is numbered by rounds."""

    seat: int
    kind: str
    thing: str
    number: int = 0


class TraitKind(msgspec.Struct, frozen=True):
    """A kind of things: its heading, and the meaning of numbers (the round, or the position in the seat's order).

    At most `counted_max` ordered things are counted; all can be searched for.
    """

    heading: str
    numbered: Numbered = ""
    counted_max: int = 0


def no_traits(_seat: Seat, _action: object, _effects: Iterable[Any], _round: int) -> Iterator[Trait]:
    """Return no traits, for a title without any."""
    return iter(())


@dataclass(frozen=True)
class Traits:
    """The traits by which a title is searched and counted."""

    kinds: Mapping[str, TraitKind] = field(default_factory=dict)
    """The kinds in display order."""
    read: Callable[[Seat, Any, Iterable[Any], int], Iterator[Trait]] = no_traits
    """Yield the traits of an entry from its seat (`SERVICE_SEAT` at the start), action, effects and the next round."""
    choice: Callable[[Any], tuple[str, str] | None] = lambda _action: None
    """Return kind and thing that an action would be counted as, or None."""
    name: Callable[[str, str], Message | str] = lambda _kind, thing: thing
    """Return a thing in words, from its kind and id."""
    edition: str = "edition"
    """The option that selects the edition."""
    round_ahead: int = 0
    """The number to add to a round, for titles that count from 0."""
