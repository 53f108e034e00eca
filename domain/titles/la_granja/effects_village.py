"""What happens in the village: craft buildings, barrows, the market; had from `effects` with all the others."""

from domain.kernel.rules import Seat
from domain.kernel.values import Value, tagger


class Tagged(Value, frozen=True, tag=tagger("la_granja")):
    """An effect; its tag is its name."""


class BuildingBlocked(Tagged, frozen=True):
    """A building order tile is laid on a craft building."""

    building: int
    tile: int


class BuildingOpened(Tagged, frozen=True):
    """The building order tile on this building is removed by a seat."""

    seat: Seat
    building: int
    tile: int


class Delivered(Tagged, frozen=True):
    """A good goes to symbol `symbol` of a row of `building` (of `symbols`), or of the barrow `card`."""

    seat: Seat
    good: str
    place: str
    building: int
    card: int
    symbol: int
    symbols: int


class BuildingCompleted(Tagged, frozen=True):
    """A row is full: one marker becomes the mark of the seat, the others return (LG-6.2.3 a)."""

    seat: Seat
    building: int


class CraftMarkerGained(Tagged, frozen=True):
    """A seat takes a craft marker, instant side up."""

    seat: Seat
    building: int


class CraftMarkersFlipped(Tagged, frozen=True):
    """All craft markers are turned to their lasting side (LG-7.4)."""


class BarrowCompleted(Tagged, frozen=True):
    """A barrow is full; its card goes to the discard pile and the markers on it return (LG-6.3.1)."""

    seat: Seat
    card: int


class StallPlaced(Tagged, frozen=True):
    """A marker is put on a market space."""

    seat: Seat
    cell: int


class StallRemoved(Tagged, frozen=True):
    """A seat removes an opponent's marker from the market."""

    seat: Seat
    cell: int
    owner: Seat


class StallSettled(Tagged, frozen=True):
    """A stall placed after completing a barrow stands; so many markers were removed for it."""

    seat: Seat
    cell: int
    removed: int


class StallMoved(Tagged, frozen=True):
    """A seat moves a marker of its own on the market."""

    seat: Seat
    cell: int
    to: int
