"""Tasks of the agenda: the decisions and automatic steps that are due, and the seat each belongs to.

The agenda is open information and works as a stack: the last task is processed first. In step `donkeys` all seats act
at the same time, so there the last task *of each seat* is active. Some tasks wait for an action of their seat; the
types in `AUTOMATIC` are carried out without one.
"""

from typing import Final

from domain.kernel.rules import Seat
from domain.kernel.values import Value, tagger


class Task(Value, frozen=True, tag=tagger("la_granja")):
    """A decision or automatic step due for a seat."""

    seat: Seat


class Window(Task, frozen=True):
    """A task during which any-time actions are open (LG-2.1.1); `purchases` counts towards the limit of LG-2.4."""

    purchases: int = 0


# Windows: any-time actions are legal in addition to the actions of the task.


class CardStep(Window, frozen=True):
    """Step I.1: play up to `plays` more cards (LG-3.1.1)."""

    plays: int = 1


class GrowthStep(Window, frozen=True):
    """Step I.3: growth and newborn pig in any order (LG-3.3.3)."""

    grown: bool = False
    bred: bool = False


class RoofStep(Window, frozen=True):
    """Step I.4: buy one of the open roof tiles (LG-3.4.1)."""

    bought: bool = False


class DieChoice(Window, frozen=True):
    """Take a first or second die (LG-4.2)."""


class DieResolution(Window, frozen=True):
    """Resolve a revenue space, or decline it (LG-4.4).

    `source` is `chosen`, `last`, `merchant` or `again` (Night Owl). `picks` is the number of options still allowed (2
    with the Porter), and options in `taken` cannot be chosen again. No window is open for the Merchant's space, the
    Night Owl's second use or the Porter's options, because they are parts of a helper's effect (LG-10.4).
    """

    pips: int = 0
    source: str = "chosen"
    picks: int = 1
    taken: tuple[str, ...] = ()
    porter: bool = False


class DieWindow(Window, frozen=True):
    """The any-time window after a die was resolved."""


class DonkeyChoice(Window, frozen=True):
    """Step III.1: choose a donkey tile in secret (LG-5.1.1)."""


class DeliveryStep(Window, frozen=True):
    """Steps III.3 and III.4: make up to `left` more deliveries, free or, if `paid`, for 1 silver each."""

    left: int = 0
    paid: bool = False


class DeliveryPurchase(Window, frozen=True):
    """Step III.4 under `at_once`: buy up to `limit` extra deliveries before the first is made (LG-12.4)."""

    limit: int = 0


class BoughtDeliveries(Window, frozen=True):
    """Step III.4 under `at_once`: make up to `left` of the deliveries already bought."""

    left: int = 0


# Decisions without a window.


class CardDiscard(Task, frozen=True):
    """Discard `count` cards down to the hand limit (LG-3.1.8)."""

    count: int


class CardChoice(Task, frozen=True):
    """Play 1 card from hand or, if `may_draw`, draw 1 (LG-2.3 c)."""

    may_draw: bool


class ExtensionPayment(Task, frozen=True):
    """Pay `owed` more kinds for the extension, starting at index `kind` of the list in LG-0.4 (LG-3.1.4)."""

    card: int
    owed: int
    kind: int


class Replacement(Task, frozen=True):
    """Discard one of three barrows or helpers before `card` is played (LG-3.1.6); `side` is `barrow` or `helper`."""

    card: int
    side: str


class GoodChoice(Task, frozen=True):
    """Take `count` different goods out of `goods`; they go to the field of card `number` unless it is 0."""

    goods: tuple[str, ...]
    count: int
    cause: str
    number: int = 0


class UpgradeChoice(Task, frozen=True):
    """Upgrade up to `left` resources free of charge.

    If `resources` is not empty, only these kinds count and all `left` must be upgraded.
    """

    left: int
    resources: tuple[str, ...] = ()


class DeliveryChoice(Task, frozen=True):
    """Make one delivery or decline it."""


class StallChoice(Task, frozen=True):
    """Choose a market space of `value` for a stall (LG-6.4); value 0 allows any free space (market roof tile)."""

    value: int


class RoofChoice(Task, frozen=True):
    """Turn a used roof tile other than `tile` face up (LG-9.4)."""

    tile: str


class RoofPlacement(Task, frozen=True):
    """Take the `vp` printed on the roof space just covered, optionally doubled by a doubling tile (LG-9.8)."""

    vp: int


class DieShift(Task, frozen=True):
    """Change the die just taken by up to `steps` (LG-9.5), then advance `siesta_steps`.

    The `DieResolution` of the die is the task below.
    """

    steps: int
    siesta_steps: int = 0


class SpaceReservation(Task, frozen=True):
    """Village Elder: mark one revenue space."""


class HelperOffer(Task, frozen=True):
    """Use or decline a triggered helper (LG-10.5).

    `good` and `place` name the delivered good. `number` is the market space of a stall, and `count` the number of
    markers it removed.
    """

    helper: int
    good: str = ""
    place: str = ""
    number: int = 0
    count: int = 0


class HelperDue(Task, frozen=True):
    """Apply an automatic helper, unless its owner first picks another helper with the same trigger (LG-10.7)."""

    helper: int


class HelperChoice(Task, frozen=True):
    """Make the choice that a helper in use requires; `number` and `count` are copied from its `HelperOffer`."""

    helper: int
    number: int = 0
    count: int = 0


class RoofPayment(Task, frozen=True):
    """Joiner: pay the `owed` rest of a roof tile's price with resources or silver; the `RoofStep` is the task below."""

    tile: str
    owed: int


class MarkerShortage(Task, frozen=True):
    """Give up a gain or take back a marker because no marker is left (LG-0.9); the `Gain` is the task below."""

    good: str
    place: str


class SaleOwed(Task, frozen=True):
    """The final sale of LG-8.2, carried out by the service as seat -1."""


# Tasks that need no action.


class Gain(Task, frozen=True):
    """Give the seat `amount` of a good, one marker each; silver and VP need no marker.

    `place` is `store`, `pen`, `field`, `space` (commodities), `market` (the good is then `stall`), or empty for silver
    and VP. `number` is the card of the field or the market space. `cause` is for narration.
    """

    good: str
    amount: int
    place: str
    cause: str
    number: int = 0


class Income(Task, frozen=True):
    """Pay all income of LG-3.2.1."""


class HandCheck(Task, frozen=True):
    """Draw up to, or discard down to, the hand limit (LG-3.1.8)."""


class CardDraw(Task, frozen=True):
    """Draw `count` cards; set them `aside` if only some of them will be kept."""

    count: int
    aside: bool = False


class CardKeeping(Task, frozen=True):
    """Bookkeeper: keep `keep` of the cards set aside and discard the others."""

    keep: int


class Layout(Task, frozen=True):
    """Place a card at the farm after it was paid for; `side` is `field`, `barrow`, `extension` or `helper`."""

    card: int
    side: str


class Growth(Task, frozen=True):
    """Grow a crop on every empty field (LG-3.3.1)."""


class GrowthEnd(Task, frozen=True):
    """Offer the helpers triggered by growth."""


class Birth(Task, frozen=True):
    """Add a newborn pig if the farm has two pigs and a free pen (LG-3.3.2)."""


class DiceRoll(Task, frozen=True):
    """Roll the revenue dice (LG-4.1); the seat is first in turn order."""


class DieEnd(Task, frozen=True):
    """End the resolution of a revenue space after all its gains."""

    pips: int
    source: str


class Advance(Task, frozen=True):
    """Advance `steps` on the siesta track."""

    steps: int


class DonkeyAdvance(Task, frozen=True):
    """Step III.2 of a seat: advance by the number of hats on its donkey tile (LG-5.2.1)."""


class DeliveryTurn(Task, frozen=True):
    """Begin a seat's part of step III.3, or of III.4 if `paid`, and fix its number of deliveries (LG-5.4.3)."""

    paid: bool


class DonkeyEnd(Task, frozen=True):
    """Put the donkey tile aside as used (LG-5.3.2)."""


class Completion(Task, frozen=True):
    """After a delivery, check whether the row of `building` or the barrow of `card` is full."""

    building: int
    card: int


class DieDiscard(Task, frozen=True):
    """Solo: discard a revenue die (LG-11.5)."""


class NeutralPlacement(Task, frozen=True):
    """Solo: place a marker of the neutral player on the market (LG-11.7)."""


class SiestaReward(Task, frozen=True):
    """Take the VP of the seat's siesta space (Wainwright)."""


AnyTask = (
    CardStep
    | GrowthStep
    | RoofStep
    | DieChoice
    | DieResolution
    | DieWindow
    | DonkeyChoice
    | DeliveryStep
    | DeliveryPurchase
    | BoughtDeliveries
    | CardDiscard
    | CardChoice
    | ExtensionPayment
    | Replacement
    | GoodChoice
    | UpgradeChoice
    | DeliveryChoice
    | StallChoice
    | RoofChoice
    | RoofPlacement
    | DieShift
    | SpaceReservation
    | HelperOffer
    | HelperDue
    | HelperChoice
    | RoofPayment
    | CardKeeping
    | MarkerShortage
    | SaleOwed
    | Gain
    | Income
    | HandCheck
    | CardDraw
    | Layout
    | Growth
    | GrowthEnd
    | Birth
    | DiceRoll
    | DieEnd
    | Advance
    | DonkeyAdvance
    | DeliveryTurn
    | DonkeyEnd
    | Completion
    | DieDiscard
    | NeutralPlacement
    | SiestaReward
)

AnyWindow = (
    CardStep
    | GrowthStep
    | RoofStep
    | DieChoice
    | DieResolution
    | DieWindow
    | DonkeyChoice
    | DeliveryStep
    | DeliveryPurchase
    | BoughtDeliveries
)

AUTOMATIC: Final[frozenset[type]] = frozenset((
    Gain, Income, HandCheck, CardDraw, Layout, Growth, GrowthEnd, Birth, DiceRoll, DieEnd, Advance, DonkeyAdvance,
    DeliveryTurn, DonkeyEnd, Completion, DieDiscard, NeutralPlacement, SiestaReward,
))  # fmt: skip
