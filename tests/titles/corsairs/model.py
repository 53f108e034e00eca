"""The actions, effects and state of Corsairs."""

from domain.kernel.hidden import Hidden
from domain.kernel.values import Value, tagger

NAME = "corsairs"


class Tagged(Value, frozen=True, tag_field="type", tag=tagger(NAME)):
    """The base class of actions and effects."""


class SendShip(Tagged, frozen=True):
    """Lay a ship of the hand face down."""

    strength: int


class DivideTreasure(Tagged, frozen=True):
    """Give the treasure away, as the service."""


Action = SendShip | DivideTreasure


class FleetDealt(Tagged, frozen=True):
    seat: int
    rounds: int
    ships: Hidden[tuple[int, ...]]


class PrizeSighted(Tagged, frozen=True):
    worth: int


class ShipSent(Tagged, frozen=True):
    seat: int
    strength: Hidden[int]


class ShipsRevealed(Tagged, frozen=True):
    strengths: tuple[int, ...]


class TreasureDivided(Tagged, frozen=True):
    seat: int
    worth: int


Effect = FleetDealt | PrizeSighted | ShipSent | ShipsRevealed | TreasureDivided


SHIPS = tuple(range(1, 31))
UNKNOWN = 0
"""A ship unknown to the reader of a redacted log."""


class State(Value, frozen=True):
    """A position; a ship is known by its strength, and the prize is 0 before it is sighted."""

    rounds: int
    hands: tuple[tuple[int, ...], ...] = ()
    sent: tuple[int | None, ...] = ()
    sunk: tuple[int, ...] = ()
    """Ships that have been revealed."""
    points: tuple[int, ...] = ()
    effort: tuple[int, ...] = ()
    """The strength each seat has spent."""
    prize: int = 0
    round: int = 1
    is_over: bool = False


class View(Value, frozen=True):
    """A position as a seat or a spectator sees it."""

    seat: int | None
    rounds: int
    hand: tuple[int, ...]
    hand_counts: tuple[int, ...]
    own_ship: int | None
    has_sent: tuple[bool, ...]
    sunk: tuple[int, ...]
    points: tuple[int, ...]
    effort: tuple[int, ...]
    prize: int
    round: int
    is_over: bool
