"""The actions a seat can choose; an action never names its seat.

`place` is the location of a good: `field`, `helper_field` (of the Grove Warden), `store`, `pen`, `helper` (on the
card) or `space` (trade commodities).
"""

from domain.kernel.values import Value, tagger


class Tagged(Value, frozen=True, tag=tagger("la_granja")):
    """Base of all actions; the tag is the name of the class."""


class Pass(Tagged, frozen=True):
    """Close the any-time window, or end a series of choices."""


class Decline(Tagged, frozen=True):
    """Decline a gain, a helper or a doubling; give up a gain when no marker is left."""


class PlayCard(Tagged, frozen=True):
    """Play a card from hand as `field`, `barrow`, `extension` or `helper`."""

    card: int
    side: str


class DrawCard(Tagged, frozen=True):
    """Draw 1 card instead of playing one."""


class DiscardCard(Tagged, frozen=True):
    """Discard a card from hand down to the hand limit."""

    card: int


class ReplaceCard(Tagged, frozen=True):
    """Discard this barrow or helper to make room for the card being played."""

    card: int


class PayGood(Tagged, frozen=True):
    """Pay 1 good of this kind for a farm extension."""

    good: str
    place: str


class PassOver(Tagged, frozen=True):
    """Skip this kind of good when paying for a farm extension."""

    good: str


class GrowCrops(Tagged, frozen=True):
    """Grow 1 crop on every empty field."""


class BreedPig(Tagged, frozen=True):
    """Take the newborn pig."""


class BuyRoof(Tagged, frozen=True):
    """Buy an open roof tile."""

    tile: str


class TakeDie(Tagged, frozen=True):
    """Take a revenue die of this number."""

    pips: int


class TakeOption(Tagged, frozen=True):
    """Resolve a revenue space with one of its options, by its id in the component table."""

    option: str


class ChangeDie(Tagged, frozen=True):
    """Change the die just taken to this number."""

    pips: int


class ReserveSpace(Tagged, frozen=True):
    """Village Elder: mark this revenue space."""

    space: int


class ChooseDonkey(Tagged, frozen=True):
    """Choose the donkey tile with this many donkeys; secret until all have chosen."""

    tile: int


class DeliverToBuilding(Tagged, frozen=True):
    """Deliver 1 good or trade commodity to the seat's row of a craft building.

    `asked` is the good the symbol shows when a substitute is delivered, else empty.
    """

    good: str
    place: str
    building: int
    asked: str = ""


class DeliverToBarrow(Tagged, frozen=True):
    """Deliver 1 good to one of the seat's market barrows.

    `asked` is the good the symbol shows when a substitute is delivered, else empty.
    """

    good: str
    place: str
    card: int
    asked: str = ""


class BuyDeliveries(Tagged, frozen=True):
    """Buy this number of extra deliveries at once (LG-12.4)."""

    count: int


class PlaceStall(Tagged, frozen=True):
    """Put a marker on this market space (its index in the component table)."""

    cell: int


class MoveStall(Tagged, frozen=True):
    """Move one of the seat's markers from one market space to another."""

    cell: int
    to: int


class RemoveStall(Tagged, frozen=True):
    """Remove an opponent's marker from this market space."""

    cell: int


class RecoverDonkey(Tagged, frozen=True):
    """Take back a used donkey tile."""

    tile: int


class TakeGood(Tagged, frozen=True):
    """Take 1 good of this kind."""

    good: str


class SpendCommodity(Tagged, frozen=True):
    """Give back a trade commodity for one of its options, by its id in the component table (LG-2.3)."""

    option: str


class BuyResource(Tagged, frozen=True):
    """Buy 1 resource (LG-2.4)."""

    resource: str


class SellResource(Tagged, frozen=True):
    """Sell 1 resource (LG-2.5)."""

    resource: str
    place: str


class UpgradeResource(Tagged, frozen=True):
    """Upgrade 1 resource: for its price in an any-time window, otherwise free of charge (LG-2.6)."""

    resource: str
    place: str


class UseRoof(Tagged, frozen=True):
    """Use a roof tile and turn it face down."""

    tile: str


class TurnRoof(Tagged, frozen=True):
    """Turn a used roof tile face up again."""

    tile: str


class UseHelper(Tagged, frozen=True):
    """Use a helper."""

    card: int


class TakeBackMarker(Tagged, frozen=True):
    """Take back one of the seat's markers to use it for a gain (LG-0.9).

    `place` is `store`, `pen`, `field`, `helper_field`, `helper`, `space`, `barrow`, `row`, `mark` or `market`. `good`
    names the good, if any. `number` is the card of a barrow, the number of a building, or the market space.
    """

    place: str
    good: str = ""
    number: int = 0


class FinalSale(Tagged, frozen=True):
    """Sell all resources and commodities after round 6; only the service plays this action (LG-8.2, LG-8.3)."""


Action = (
    Pass
    | Decline
    | PlayCard
    | DrawCard
    | DiscardCard
    | ReplaceCard
    | PayGood
    | PassOver
    | GrowCrops
    | BreedPig
    | BuyRoof
    | TakeDie
    | TakeOption
    | ChangeDie
    | ReserveSpace
    | ChooseDonkey
    | DeliverToBuilding
    | DeliverToBarrow
    | BuyDeliveries
    | PlaceStall
    | MoveStall
    | RemoveStall
    | RecoverDonkey
    | TakeGood
    | SpendCommodity
    | BuyResource
    | SellResource
    | UpgradeResource
    | UseRoof
    | TurnRoof
    | UseHelper
    | TakeBackMarker
    | FinalSale
)
