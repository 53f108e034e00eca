"""The effects: elementary changes of a match. `place` is as in the actions; `cause` is for narration only."""

from domain.kernel.hidden import Hidden
from domain.kernel.rules import Seat
from domain.titles.la_granja.agenda import AnyTask
from domain.titles.la_granja.effects_solo import CardTurnedUp, DieDiscarded, NeutralSeated
from domain.titles.la_granja.effects_village import (
    BarrowCompleted,
    BuildingBlocked,
    BuildingCompleted,
    BuildingOpened,
    CraftMarkerGained,
    CraftMarkersFlipped,
    Delivered,
    StallMoved,
    StallPlaced,
    StallRemoved,
    StallSettled,
    Tagged,
)

__all__ = [
    "BarrowCompleted",
    "BuildingBlocked",
    "BuildingCompleted",
    "BuildingOpened",
    "CraftMarkerGained",
    "CraftMarkersFlipped",
    "Delivered",
    "StallMoved",
    "StallPlaced",
    "StallRemoved",
    "StallSettled",
]  # Exported from here with all other effects.


class MatchBegun(Tagged, frozen=True, omit_defaults=True):
    """The match begins with empty farms, `markers` per player and a market board of `cells` spaces.

    `extra_deliveries` has a default because logs written before the option existed lack it.
    """

    edition: str
    deck: str
    seats: int
    board: str
    cells: int
    markers: int
    extra_deliveries: str = "one_by_one"


class TurnOrderSet(Tagged, frozen=True):
    """The turn order is set; before round 1 the siesta markers are stacked in the same order."""

    order: tuple[Seat, ...]


class StepBegun(Tagged, frozen=True):
    """A step begins with these tasks on the agenda."""

    round: int
    step: str
    tasks: tuple[AnyTask, ...] = ()


class Planned(Tagged, frozen=True):
    """The last `done` tasks of the seat leave the agenda and `tasks` are pushed; the last one is processed first."""

    seat: Seat
    done: int
    tasks: tuple[AnyTask, ...] = ()


class GoodGained(Tagged, frozen=True):
    """A seat gains goods, silver, VP or commodities; `number` is the card of a field or helper."""

    seat: Seat
    good: str
    amount: int
    place: str
    cause: str
    number: int = 0


class GoodPaid(Tagged, frozen=True):
    """A seat pays goods, silver, VP or commodities."""

    seat: Seat
    good: str
    amount: int
    place: str
    cause: str


class GainGivenUp(Tagged, frozen=True):
    """A gain is given up because no marker is left (LG-0.9)."""

    seat: Seat
    good: str


class MarkerTakenBack(Tagged, frozen=True):
    """A seat takes back a marker and loses the marked good (LG-0.9); fields as in `TakeBackMarker`.

    `symbol` is the index in the row or barrow.
    """

    seat: Seat
    place: str
    good: str
    number: int
    symbol: int = 0


class ResourceSold(Tagged, frozen=True):
    """Resources (in the final sale also commodities) are sold for `silver` in total."""

    seat: Seat
    resource: str
    place: str
    amount: int
    silver: int


class PigUnhoused(Tagged, frozen=True):
    """A pig gained without a free pen is sold at once (LG-3.2.2)."""

    seat: Seat
    silver: int


class ResourceUpgraded(Tagged, frozen=True):
    """A resource becomes its upgraded good."""

    seat: Seat
    resource: str
    place: str
    good: str
    silver: int


class CardsDrawn(Tagged, frozen=True):
    """A seat draws cards; `aside` if only some of them will be kept."""

    seat: Seat
    count: int
    cards: Hidden[tuple[int, ...]]
    aside: bool = False


class CardsKept(Tagged, frozen=True):
    """The cards left of those drawn aside go to the hand."""

    seat: Seat


class DiscardReshuffled(Tagged, frozen=True):
    """The discard pile becomes the new draw pile (LG-0.10)."""


class CardPlayed(Tagged, frozen=True):
    """A card is played from hand to the farm; `crop` and `symbols` are copied from the side played."""

    seat: Seat
    card: int
    side: str
    crop: str = ""
    symbols: int = 0


class CardDiscarded(Tagged, frozen=True):
    """A card is discarded from `hand`, `aside`, `barrow` or `helper`; markers on it return to the supply."""

    seat: Seat
    card: int
    side: str


class RoofsRevealed(Tagged, frozen=True):
    """The roof tiles of the round are turned up; unsold tiles of the previous round leave the game."""

    tiles: tuple[str, ...]


class RoofBought(Tagged, frozen=True):
    """A roof tile covers the leftmost free roof space."""

    seat: Seat
    tile: str
    silver: int


class RoofUsed(Tagged, frozen=True):
    """A roof tile is turned face down."""

    seat: Seat
    tile: str


class RoofTurned(Tagged, frozen=True):
    """A used roof tile is turned face up again."""

    seat: Seat
    tile: str


class SpaceReserved(Tagged, frozen=True):
    """The Village Elder marks a revenue space."""

    seat: Seat
    space: int


class DiceRolled(Tagged, frozen=True):
    """The revenue dice are rolled."""

    pips: tuple[int, ...]


class RevenueCleared(Tagged, frozen=True):
    """Phase II ends: dice and the Village Elder's marker leave the board."""


class DieTaken(Tagged, frozen=True):
    """A seat takes a die."""

    seat: Seat
    pips: int


class DieChanged(Tagged, frozen=True):
    """The die that a seat has just taken changes to another number."""

    seat: Seat
    pips: int
    to: int


class DieResolved(Tagged, frozen=True):
    """A revenue space has been resolved with all its gains; `source` as in `DieResolution`."""

    seat: Seat
    pips: int
    source: str


class SiestaAdvanced(Tagged, frozen=True):
    """A siesta marker moves to a space, on top of its stack."""

    seat: Seat
    space: int


class SiestaReturned(Tagged, frozen=True):
    """All siesta markers go back to space 0, stacked in turn order (LG-7.3)."""


class DonkeyChosen(Tagged, frozen=True):
    """A seat has chosen a donkey tile."""

    seat: Seat
    tile: Hidden[int]


class DonkeysRevealed(Tagged, frozen=True):
    """All chosen donkey tiles are revealed, in seat order."""

    tiles: tuple[int, ...]


class DonkeyUsed(Tagged, frozen=True):
    """A donkey tile is put aside."""

    seat: Seat
    tile: int


class DonkeysReturned(Tagged, frozen=True):
    """All players get their donkey tiles back (LG-5.1.2)."""


class DonkeyRecovered(Tagged, frozen=True):
    """A used donkey tile becomes available again."""

    seat: Seat
    tile: int


class MomentReached(Tagged, frozen=True):
    """A moment that can trigger helpers.

    `moment` is `grown`, `advancing` (`number` is the steps) or `delivered` (`number` is the unused free deliveries).
    """

    seat: Seat
    moment: str
    number: int = 0


class HelperUsed(Tagged, frozen=True):
    """A helper is used; it is exhausted afterwards if `exhausts`."""

    seat: Seat
    card: int
    exhausts: bool


class HelperMarked(Tagged, frozen=True):
    """A player marker is laid on an exhausted helper (LG-12.6)."""

    seat: Seat
    card: int


class HelpersRefreshed(Tagged, frozen=True):
    """Exhausted helpers become usable again and markers on them return to the supply (LG-7.5)."""


class SilverExchanged(Tagged, frozen=True):
    """Silver is exchanged for VP after the last round (LG-8.3)."""

    seat: Seat
    silver: int
    vp: int


Effect = (
    MatchBegun
    | TurnOrderSet
    | BuildingBlocked
    | BuildingOpened
    | StepBegun
    | Planned
    | GoodGained
    | GoodPaid
    | GainGivenUp
    | MarkerTakenBack
    | ResourceSold
    | PigUnhoused
    | ResourceUpgraded
    | CardsDrawn
    | CardsKept
    | DiscardReshuffled
    | CardPlayed
    | CardDiscarded
    | RoofsRevealed
    | RoofBought
    | RoofUsed
    | RoofTurned
    | SpaceReserved
    | DiceRolled
    | RevenueCleared
    | DieTaken
    | DieChanged
    | DieResolved
    | SiestaAdvanced
    | SiestaReturned
    | DonkeyChosen
    | DonkeysRevealed
    | DonkeyUsed
    | DonkeysReturned
    | Delivered
    | BuildingCompleted
    | CraftMarkerGained
    | CraftMarkersFlipped
    | BarrowCompleted
    | StallPlaced
    | StallRemoved
    | StallSettled
    | StallMoved
    | DonkeyRecovered
    | MomentReached
    | HelperUsed
    | HelperMarked
    | HelpersRefreshed
    | SilverExchanged
    | NeutralSeated
    | DieDiscarded
    | CardTurnedUp
)


def plan_tasks(seat: Seat, *tasks: AnyTask, done: int = 1) -> Planned:
    """Return the effect that ends the seat's last `done` tasks and pushes `tasks`, the first to be processed first."""
    return Planned(seat, done, tasks[::-1])
