"""Effects on craft buildings, barrows and the market; `effects` exports them with all others."""

from domain.kernel.rules import Seat
from domain.kernel.values import Value, tagger


class Tagged(Value, frozen=True, tag=tagger("la_granja")):
    """An effect; its tag is its name."""


class BuildingBlocked(Tagged, frozen=True):
    """A building order tile is put on a craft building."""

    building: int
    tile: int


class BuildingOpened(Tagged, frozen=True):
    """A seat removes the building order tile from a building."""

    seat: Seat
    building: int
    tile: int


class Delivered(Tagged, frozen=True):
    """A good is delivered to index `symbol` of a row of `building`, or of the barrow `card`.

    `symbols` is the length of the row; `building` is 0 for a barrow.
    """

    seat: Seat
    good: str
    place: str
    building: int
    card: int
    symbol: int
    symbols: int


class BuildingCompleted(Tagged, frozen=True):
    """A row is complete: one marker becomes the seat's mark, the others return to the supply (LG-6.2.3 a)."""

    seat: Seat
    building: int


class CraftMarkerGained(Tagged, frozen=True):
    """A seat gains a craft marker, instant side up."""

    seat: Seat
    building: int


class CraftMarkersFlipped(Tagged, frozen=True):
    """All craft markers are turned to their lasting side (LG-7.4)."""


class BarrowCompleted(Tagged, frozen=True):
    """A barrow is complete: its card goes to the discard pile and its markers return to the supply (LG-6.3.1)."""

    seat: Seat
    card: int


class StallPlaced(Tagged, frozen=True):
    """A seat puts a marker on a market space."""

    seat: Seat
    cell: int


class StallRemoved(Tagged, frozen=True):
    """A seat removes an opponent's marker from the market."""

    seat: Seat
    cell: int
    owner: Seat


class StallSettled(Tagged, frozen=True):
    """The placement of a stall for a completed barrow is finished; `removed` counts the opponents' markers removed."""

    seat: Seat
    cell: int
    removed: int


class StallMoved(Tagged, frozen=True):
    """A seat moves one of its markers on the market."""

    seat: Seat
    cell: int
    to: int
