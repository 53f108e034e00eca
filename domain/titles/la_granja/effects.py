"""What happens, one elementary change each. `place` is as in the actions; `cause` says why, for narration only."""

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
]  # had from here, like those that follow


class MatchBegun(Tagged, frozen=True, omit_defaults=True):
    """The table is laid: empty farms with their markers, the market board with its number of spaces.

    Logs from before there was a choice of how to buy extra deliveries do not speak of it.
    """

    edition: str
    deck: str
    seats: int
    board: str
    cells: int
    markers: int
    extra_deliveries: str = "one_by_one"


class TurnOrderSet(Tagged, frozen=True):
    """Turn order is set; at the start the siesta markers are stacked in it."""

    order: tuple[Seat, ...]


class StepBegun(Tagged, frozen=True):
    """A step begins and lays its tasks on the agenda."""

    round: int
    step: str
    tasks: tuple[AnyTask, ...] = ()


class Planned(Tagged, frozen=True):
    """The last `done` tasks of the seat leave the agenda and these are laid on it, the last to come first."""

    seat: Seat
    done: int
    tasks: tuple[AnyTask, ...] = ()


class GoodGained(Tagged, frozen=True):
    """Goods, silver, VP or commodities come to a seat. `number` is the card of a field or helper."""

    seat: Seat
    good: str
    amount: int
    place: str
    cause: str
    number: int = 0


class GoodPaid(Tagged, frozen=True):
    """Goods, silver, VP or commodities are paid."""

    seat: Seat
    good: str
    amount: int
    place: str
    cause: str


class GainGivenUp(Tagged, frozen=True):
    """A gain is given up for want of markers (LG-0.9)."""

    seat: Seat
    good: str


class MarkerTakenBack(Tagged, frozen=True):
    """An own marker returns to the supply; what it marked is lost (LG-0.9). Fields as in `TakeBackMarker`.

    `symbol` is the place in the row or barrow.
    """

    seat: Seat
    place: str
    good: str
    number: int
    symbol: int = 0


class ResourceSold(Tagged, frozen=True):
    """Resources (or, in the final sale, commodities) are sold for so much silver in all."""

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
    """A seat draws cards; `aside` when not all of them will be kept."""

    seat: Seat
    count: int
    cards: Hidden[tuple[int, ...]]
    aside: bool = False


class CardsKept(Tagged, frozen=True):
    """The cards drawn aside and not discarded go to the hand."""

    seat: Seat


class DiscardReshuffled(Tagged, frozen=True):
    """The discard pile becomes the new draw pile (LG-0.10)."""


class CardPlayed(Tagged, frozen=True):
    """A card goes from hand to the farm. `crop` and `symbols` say what its side shows."""

    seat: Seat
    card: int
    side: str
    crop: str = ""
    symbols: int = 0


class CardDiscarded(Tagged, frozen=True):
    """A card goes to the discard pile from `hand`, `aside`, `barrow` or `helper`; markers on it return."""

    seat: Seat
    card: int
    side: str


class RoofsRevealed(Tagged, frozen=True):
    """The roof tiles of the round are turned up; older ones left over leave the game."""

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
    """A revenue space is marked by the Village Elder."""

    seat: Seat
    space: int


class DiceRolled(Tagged, frozen=True):
    """The revenue dice are rolled."""

    pips: tuple[int, ...]


class RevenueCleared(Tagged, frozen=True):
    """Phase II is over: dice and the Village Elder's marker are taken off the board."""


class DieTaken(Tagged, frozen=True):
    """A seat takes a die."""

    seat: Seat
    pips: int


class DieChanged(Tagged, frozen=True):
    """The die a seat has just taken is changed."""

    seat: Seat
    pips: int
    to: int


class DieResolved(Tagged, frozen=True):
    """A revenue space has been resolved with all its gains; `source` as in the task."""

    seat: Seat
    pips: int
    source: str


class SiestaAdvanced(Tagged, frozen=True):
    """A siesta marker arrives on top of a space."""

    seat: Seat
    space: int


class SiestaReturned(Tagged, frozen=True):
    """All siesta markers go back to space 0, stacked in turn order (LG-7.3)."""


class DonkeyChosen(Tagged, frozen=True):
    """A seat has chosen a donkey tile."""

    seat: Seat
    tile: Hidden[int]


class DonkeysRevealed(Tagged, frozen=True):
    """All show their donkey tiles, by seat."""

    tiles: tuple[int, ...]


class DonkeyUsed(Tagged, frozen=True):
    """A donkey tile is put aside."""

    seat: Seat
    tile: int


class DonkeysReturned(Tagged, frozen=True):
    """Everybody gets all donkey tiles back (LG-5.1.2)."""


class DonkeyRecovered(Tagged, frozen=True):
    """A donkey tile already used can be chosen again."""

    seat: Seat
    tile: int


class MomentReached(Tagged, frozen=True):
    """A moment at which helpers are asked: `grown`, `advancing` (steps) or `delivered` (free deliveries unused)."""

    seat: Seat
    moment: str
    number: int = 0


class HelperUsed(Tagged, frozen=True):
    """A helper is used; `exhausts` if it works once per round."""

    seat: Seat
    card: int
    exhausts: bool


class HelperMarked(Tagged, frozen=True):
    """A player marker is laid on an exhausted helper (LG-12.6)."""

    seat: Seat
    card: int


class HelpersRefreshed(Tagged, frozen=True):
    """Exhausted helpers are usable again (LG-7.5); markers on them return."""


class SilverExchanged(Tagged, frozen=True):
    """Silver is turned into VP after the last round (LG-8.3)."""

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
    """The seat's last `done` tasks are over, and these come next, in the order given."""
    return Planned(seat, done, tasks[::-1])
