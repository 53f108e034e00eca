"""What happens in Corsairs."""

from domain.kernel.hidden import Hidden
from tests.titles.corsairs.actions import Tagged


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
