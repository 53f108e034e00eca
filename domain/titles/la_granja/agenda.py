"""The tasks of the agenda: what must be decided or carried out next, and by whom. All of it is open information.

The agenda is a stack; its last task comes next. While donkey tiles are chosen (step `donkeys`) everybody acts at the
same time, so there the last task *of each seat* counts. Some tasks ask their seat, the others run by themselves.
"""

from typing import Final

from domain.kernel.rules import Seat
from domain.kernel.values import Value, tagger


class Task(Value, frozen=True, tag=tagger("la_granja")):
    """Something owed by a seat."""

    seat: Seat


class Window(Task, frozen=True):
    """A task in which any-time actions are open (LG-2.1.1); `purchases` counts towards the 12 of LG-2.4."""

    purchases: int = 0


# Windows: any-time actions are legal beside what the task itself asks.


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
    """Resolve a revenue space, or decline it (LG-4.4). `source` is `chosen`, `last`, `merchant` or `again` (Night Owl).

    `picks` options may still be taken (2 with the Porter), none of those in `taken` again. The Merchant's space,
    the Night Owl's second use and the Porter's options are parts of a helper's effect, and no window is
    open then (LG-10.4).
    """

    pips: int = 0
    source: str = "chosen"
    picks: int = 1
    taken: tuple[str, ...] = ()
    porter: bool = False


class DieWindow(Window, frozen=True):
    """The window after a die was resolved."""


class DonkeyChoice(Window, frozen=True):
    """Step III.1: choose a donkey tile in secret (LG-5.1.1)."""


class DeliveryStep(Window, frozen=True):
    """Steps III.3 and III.4: `left` more deliveries, free or `paid` with 1 silver each."""

    left: int = 0
    paid: bool = False


class DeliveryPurchase(Window, frozen=True):
    """Step III.4 where all extra deliveries are bought before the first (LG-12.4), at most `limit`."""

    limit: int = 0


class BoughtDeliveries(Window, frozen=True):
    """Step III.4 after that: `left` more of the deliveries bought."""

    left: int = 0


# Tasks that ask one thing, with no window.


class CardDiscard(Task, frozen=True):
    """Discard `count` cards down to the hand limit (LG-3.1.8)."""

    count: int


class CardChoice(Task, frozen=True):
    """Play 1 card from hand or, if `may_draw`, draw 1 (LG-2.3 c)."""

    may_draw: bool


class ExtensionPayment(Task, frozen=True):
    """Pay `owed` more kinds for the extension, the kinds from number `kind` of LG-0.4 on (LG-3.1.4)."""

    card: int
    owed: int
    kind: int


class Replacement(Task, frozen=True):
    """Discard one of three barrows or helpers before `card` is laid (LG-3.1.6); `side` is `barrow` or `helper`."""

    card: int
    side: str


class GoodChoice(Task, frozen=True):
    """Take `count` different ones of these goods; to the field of card `number` if one is named."""

    goods: tuple[str, ...]
    count: int
    cause: str
    number: int = 0


class UpgradeChoice(Task, frozen=True):
    """Upgrade up to `left` resources free of charge; of these kinds only, if any are named, and then not fewer."""

    left: int
    resources: tuple[str, ...] = ()


class DeliveryChoice(Task, frozen=True):
    """Make one delivery or decline it."""


class StallChoice(Task, frozen=True):
    """Choose a market space of `value` for a stall (LG-6.4); `value` 0 is the market roof tile: any free one."""

    value: int


class RoofChoice(Task, frozen=True):
    """Turn a used roof tile other than `tile` face up (LG-9.4)."""

    tile: str


class RoofPlacement(Task, frozen=True):
    """Take the `vp` printed on the roof space just covered, doubled by a doubling tile if wished (LG-9.8)."""

    vp: int


class DieShift(Task, frozen=True):
    """Change the die just taken by up to `steps` (LG-9.5); the `DieResolution` lies below. Siesta steps may follow."""

    steps: int
    siesta_steps: int = 0


class SpaceReservation(Task, frozen=True):
    """Village Elder: mark one revenue space."""


class HelperOffer(Task, frozen=True):
    """A triggered helper is offered and may be declined (LG-10.5); `good` and `place` name the delivered good.

    `number` and `count` are the market space of a stall and how many markers it removed.
    """

    helper: int
    good: str = ""
    place: str = ""
    number: int = 0
    count: int = 0


class HelperDue(Task, frozen=True):
    """An automatic helper works next, unless its owner lets another one that answers the same event work first
    (LG-10.7)."""

    helper: int


class HelperChoice(Task, frozen=True):
    """A helper in use asks its owner something; `number` and `count` are those of its offer."""

    helper: int
    number: int = 0
    count: int = 0


class RoofPayment(Task, frozen=True):
    """Joiner: pay `owed` more for a roof tile with resources, or the rest in silver; the `RoofStep` lies below."""

    tile: str
    owed: int


class MarkerShortage(Task, frozen=True):
    """No marker is left for a gain: give it up or take back one own marker (LG-0.9). The `Gain` lies below."""

    good: str
    place: str


class SaleOwed(Task, frozen=True):
    """The final sale of LG-8.2, owed by the service (seat -1)."""


# Tasks that run by themselves.


class Gain(Task, frozen=True):
    """`amount` of a good come to the seat, one marker each; silver and VP need none.

    `place` is `store`, `pen`, `field`, `space` (commodities), `market` (the good is then `stall`), or empty for silver
    and VP; `number` is the card of the field or the market space. `cause` says why, for narration.
    """

    good: str
    amount: int
    place: str
    cause: str
    number: int = 0


class Income(Task, frozen=True):
    """The whole income of LG-3.2.1."""


class HandCheck(Task, frozen=True):
    """Draw up to, or discard down to, the hand limit (LG-3.1.8)."""


class CardDraw(Task, frozen=True):
    """Draw `count` cards; `aside` when not all of them will be kept."""

    count: int
    aside: bool = False


class CardKeeping(Task, frozen=True):
    """Bookkeeper: of the cards drawn aside `keep` are kept; the others are discarded."""

    keep: int


class Layout(Task, frozen=True):
    """Lay a card that is paid for at the farm; `side` is `field`, `barrow`, `extension` or `helper`."""

    card: int
    side: str


class Growth(Task, frozen=True):
    """Every empty field gets a crop (LG-3.3.1)."""


class GrowthEnd(Task, frozen=True):
    """The fields have grown; helpers are asked."""


class Birth(Task, frozen=True):
    """A pig is born if there are two and a free pen (LG-3.3.2)."""


class DiceRoll(Task, frozen=True):
    """Roll the revenue dice (LG-4.1); the seat is the first in turn order."""


class DieEnd(Task, frozen=True):
    """A revenue space has been resolved with all its gains."""

    pips: int
    source: str


class Advance(Task, frozen=True):
    """Advance `steps` on the siesta track."""

    steps: int


class DonkeyAdvance(Task, frozen=True):
    """Step III.2 of a seat: as many steps as the donkey tile shows hats (LG-5.2.1)."""


class DeliveryTurn(Task, frozen=True):
    """A seat's part of step III.3 or (`paid`) III.4 begins: the number of deliveries is fixed now (LG-5.4.3)."""

    paid: bool


class DonkeyEnd(Task, frozen=True):
    """The donkey tile is put aside as used (LG-5.3.2)."""


class Completion(Task, frozen=True):
    """After a delivery: see whether the row of `building`, or the barrow of `card`, is full."""

    building: int
    card: int


class DieDiscard(Task, frozen=True):
    """Solo: a revenue die is discarded (LG-11.5)."""


class NeutralPlacement(Task, frozen=True):
    """Solo: the neutral player places a marker on the market (LG-11.7)."""


class SiestaReward(Task, frozen=True):
    """Take the VP of the own siesta space (Wainwright)."""


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
