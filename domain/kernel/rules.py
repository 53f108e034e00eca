"""The protocol of a title's rules, and its basic types."""

from collections.abc import Mapping
from typing import Any, Final, NewType, Protocol, TypeVar

import msgspec

from domain.kernel.chance import Chance
from domain.kernel.messages import Message
from domain.kernel.refusals import Refusal
from domain.kernel.values import Value

Seat = NewType("Seat", int)
"""A seat of a match, numbered from 0."""

SERVICE_SEAT: Final = Seat(-1)
"""The seat of the service itself, which takes the steps without a player's decision."""


class IllegalAction(Exception):
    """The action is not among the seat's legal actions."""


class UnknownOption(Exception):
    """The title does not know the option or does not allow its value."""


class MissingComponents(UnknownOption):
    """A deck or component file is missing; the message names it."""


class Options(Value, frozen=True):
    """The options of a match: every option with its value, defaults filled in, sorted by name."""

    chosen: dict[str, str]
    seats_min: int
    seats_max: int


S = TypeVar("S")
A = TypeVar("A")
E = TypeVar("E")
V = TypeVar("V")


class Rules(Protocol[S, A, E, V]):
    """The functions of a title's rules. A module satisfies the protocol without importing it."""

    TITLE: str
    RULES_VERSION: int

    def options(self, chosen: Mapping[str, str]) -> Options:
        """Return the options with defaults filled in; raise `UnknownOption` for a bad name or value."""
        ...

    def data_digest(self, options: Options) -> str:
        """Return the SHA-256 (hex) of the component data for these options."""
        ...

    def start(self, options: Options, seats: int, chance: Chance) -> tuple[E, ...]:
        """Return the effects of the setup, up to the first decision."""
        ...

    def seats_to_act(self, state: S) -> tuple[Seat, ...]:
        """Return the seats that owe a decision, sorted; may include `SERVICE_SEAT`; empty when the match is over."""
        ...

    def legal_actions(self, state: S, seat: Seat) -> tuple[A, ...]:
        """Return every legal action of the seat; the first one closes, declines or commits to the least."""
        ...

    def decide(self, state: S, seat: Seat, action: A, chance: Chance) -> tuple[E, ...]:
        """Return the effects of a *legal* action and of all automatic steps after it."""
        ...

    def evolve(self, state: S | None, effect: E) -> S:
        """Return the state after the effect; the state before the first effect is `None`."""
        ...

    def view(self, state: S, seat: Seat | None) -> V:
        """Return the state as the seat may see it; `None` is a spectator."""
        ...

    def imagine(self, view: V, chance: Chance) -> S:
        """Return a state consistent with the view: `view(imagine(v), v.seat) == v`."""
        ...

    def describe(self, view: V, action: A) -> Message:
        """Return the action as a sentence in the imperative."""
        ...

    def why_not(self, state: S, seat: Seat, part: str) -> Refusal | None:
        """Return why the seat can choose nothing at a part of the board; `None` if it can.

        The title defines the names of parts. The answer depends only on the seat's view.
        """
        ...

    def narrate(self, view: V, effects: tuple[E, ...]) -> tuple[Message, ...]:
        """Return sentences for the effects; `view` is the reader's view after them."""
        ...

    def phase(self, state: S) -> str:
        """Return round, phase and step as a short stable word, such as `3/II/die`."""
        ...

    def scores(self, state: S) -> tuple[int, ...]:
        """Return the points of every seat."""
        ...

    def open_scores(self, state: S) -> tuple[int, ...]:
        """Return the public points during the match; empty if points are secret."""
        ...

    def ranking(self, state: S) -> tuple[int, ...] | None:
        """Return the place of every seat, 1 the best, ties sharing a place; `None` before the match is over."""
        ...


class Codec(msgspec.Struct, frozen=True):
    """The wire types of a title: `action`, `effect` (tagged unions), `view` and `state` (structs)."""

    action: Any
    effect: Any
    view: Any
    state: Any
    secret_actions: frozenset[type] = frozenset()
    """Action types stored whole as `Hidden`, readable by their seat only."""
    reveals: frozenset[type] = frozenset()
    """Effect types that reveal secret choices, which then affect the match."""
