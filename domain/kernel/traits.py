"""What an ended match is found by and counted for: who chose what, as its title says it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from domain.kernel.messages import Message
from domain.kernel.rules import Seat

Numbered = Literal["", "round", "order"]


class Trait(msgspec.Struct, frozen=True):
    """A seat chose a thing of a kind; in that round, where its kind goes by rounds."""

    seat: int
    kind: str
    thing: str
    number: int = 0


class TraitKind(msgspec.Struct, frozen=True):
    """What things of a kind are called together, and what their number is: the round, or which one it was in the order
    of its seat. Of those in order, so many are counted; all of them can be searched for."""

    heading: str
    numbered: Numbered = ""
    counted_max: int = 0


def no_traits(_seat: Seat, _action: object, _effects: Iterable[Any], _round: int) -> Iterator[Trait]:
    """A title that counts nothing."""
    return iter(())


@dataclass(frozen=True)
class Traits:
    """What a title is searched by, and what its explorer counts."""

    kinds: Mapping[str, TraitKind] = field(default_factory=dict)
    """In the order in which they are shown."""
    read: Callable[[Seat, Any, Iterable[Any], int], Iterator[Trait]] = no_traits
    """What an entry says: whose it is (the service's at the start), the action, the effects, the round after it."""
    choice: Callable[[Any], tuple[str, str] | None] = lambda _action: None
    """The kind and the thing that an action would be counted as."""
    name: Callable[[str, str], Message | str] = lambda _kind, thing: thing
    """A kind and a thing -> the thing in words."""
    edition: str = "edition"
    """The option that says which edition is played."""
    round_ahead: int = 0
    """What has to be added to the number of a round, where a title counts them from 0."""
