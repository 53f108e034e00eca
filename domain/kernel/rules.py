"""The protocol every game satisfies, and the small types it speaks in."""

from collections.abc import Mapping
from typing import Any, Final, NewType, Protocol, TypeVar

import msgspec

from domain.kernel.chance import Chance
from domain.kernel.messages import Message
from domain.kernel.refusals import Refusal
from domain.kernel.values import Value

Seat = NewType("Seat", int)
"""A place at the match, 0..n-1."""

HOUSE: Final = Seat(-1)
"""The seat of the service itself: it takes the steps that nobody chooses."""


class IllegalAction(Exception):
    """The action is not among the seat's legal actions."""


class UnknownOption(Exception):
    """A table option the title does not know, or a value it does not allow."""


class MissingComponents(UnknownOption):
    """A deck or component file that is not at hand; the message says which one is needed."""


class Options(Value, frozen=True):
    """What a table chose for its title: every option with its value, defaults filled in, sorted by name."""

    chosen: dict[str, str]
    seats_min: int
    seats_max: int


S = TypeVar("S")
A = TypeVar("A")
E = TypeVar("E")
V = TypeVar("V")


class Rules(Protocol[S, A, E, V]):
    """What every game answers. A game is a module; it satisfies this without importing it."""

    TITLE: str
    RULES_VERSION: int

    def options(self, chosen: Mapping[str, str]) -> Options:
        """The options with defaults filled in; raises `UnknownOption` naming the bad key or value."""
        ...

    def data_digest(self, options: Options) -> str:
        """SHA-256 (hex) of the component data these options play with."""
        ...

    def start(self, options: Options, seats: int, chance: Chance) -> tuple[E, ...]: ...

    def seats_to_act(self, state: S) -> tuple[Seat, ...]:
        """The seats that owe a decision, sorted; may hold `HOUSE`; empty when the match is over."""
        ...

    def legal_actions(self, state: S, seat: Seat) -> tuple[A, ...]:
        """Every legal action of the seat; the first one closes, declines or is the least committing."""
        ...

    def decide(self, state: S, seat: Seat, action: A, chance: Chance) -> tuple[E, ...]:
        """The effects of a *legal* action and of all that follows without asking anybody."""
        ...

    def evolve(self, state: S | None, effect: E) -> S: ...

    def view(self, state: S, seat: Seat | None) -> V:
        """What the seat may see; `None` is a spectator."""
        ...

    def imagine(self, view: V, chance: Chance) -> S:
        """A state that agrees with the view: `view(imagine(v), v.seat) == v`."""
        ...

    def describe(self, view: V, action: A) -> Message: ...

    def why_not(self, state: S, seat: Seat, part: str) -> Refusal | None:
        """Why the seat can choose nothing at a part of the table; `None` where it can.

        The names of parts are the title's own. The answer is the same for every state that agrees with the seat's view.
        """
        ...

    def narrate(self, view: V, effects: tuple[E, ...]) -> tuple[Message, ...]:
        """What happened, in sentences; `view` is the reader's, after the effects."""
        ...

    def phase(self, state: S) -> str:
        """Where the match stands, as a short stable word such as `3/II/die`: round, phase, step."""
        ...

    def scores(self, state: S) -> tuple[int, ...]: ...

    def open_scores(self, state: S) -> tuple[int, ...]:
        """The points as everybody may see them while the match goes on; empty where they are kept secret."""
        ...

    def ranking(self, state: S) -> tuple[int, ...] | None:
        """The place of every seat, 1 the best, shared places allowed; `None` while the match is not over."""
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
    """Effect types that show what seats chose in secret: from then on it does decide."""
