"""General reasons: the current task of the seat, or the reason why it has none."""

from collections.abc import Mapping
from typing import Final

from domain.kernel.messages import Message
from domain.kernel.refusals import Refusal
from domain.kernel.rules import SERVICE_SEAT
from domain.titles.la_granja import agenda as t
from domain.titles.la_granja import words_terms as terms
from domain.titles.la_granja.agenda import AnyTask
from domain.titles.la_granja.holdings import can_draw
from domain.titles.la_granja.phases import revenue
from domain.titles.la_granja.state import State
from domain.titles.la_granja.turns import seats_to_act

DELIVER: Final = Message("Right now you can deliver goods to craft buildings and market barrows.")
HELPER: Final = Refusal("LG-10.4", Message("First finish your helper's effect."))
PLAY_OR_DRAW: Final = Refusal("LG-3.1.9", Message("First play or draw a card."))

TASK_REASONS: Final[Mapping[type, Refusal]] = {
    t.CardStep: Refusal("LG-3.1.1", Message("In this step you can play cards from your hand.")),
    t.GrowthStep: Refusal("LG-3.3.3", Message("In this step your fields grow and your pigs breed.")),
    t.RoofStep: Refusal("LG-3.4.1", Message("In this step you may buy a roof tile.")),
    t.DieChoice: Refusal("LG-4.2", Message("First take a die.")),
    t.DieResolution: Refusal("LG-4.2", Message("First choose what to take from the revenue space.")),
    t.DieWindow: Refusal("LG-2.1.1", Message("You have resolved this die: finish it to continue.")),
    t.DonkeyChoice: Refusal("LG-5.1.1", Message("In this step you choose a donkey tile.")),
    t.DeliveryStep: Refusal("LG-5.3.1", DELIVER),
    t.DeliveryPurchase: Refusal("LG-12.4", Message("First choose how many extra deliveries to buy.")),
    t.BoughtDeliveries: Refusal("LG-5.4.1", DELIVER),
    t.CardDiscard: Refusal("LG-3.1.8", Message("First discard cards down to your hand limit.")),
    t.CardChoice: Refusal("LG-3.1.9", Message("First play a card.")),
    t.ExtensionPayment: Refusal("LG-3.1.4", Message("First pay for the farm extension.")),
    t.Replacement: Refusal("LG-3.1.6", Message("First discard a card to make room for the new one.")),
    t.GoodChoice: Refusal("LG-2.1", Message("First choose which good to take.")),
    t.UpgradeChoice: Refusal("LG-2.6", Message("First use your free upgrades.")),
    t.DeliveryChoice: Refusal("LG-6.1.1", DELIVER),
    t.StallChoice: Refusal("LG-6.4.1", Message("First choose a market space for your stall.")),
    t.RoofChoice: Refusal("LG-9.4", Message("First choose the roof tile to turn face up.")),
    t.RoofPlacement: Refusal("LG-9.8", Message("First decide whether to double the points of the roof space.")),
    t.DieShift: Refusal("LG-9.5", Message("First choose the new number of the die.")),
    t.SpaceReservation: HELPER,
    t.HelperOffer: Refusal("LG-10.5", Message("First decide whether to use your helper.")),
    t.HelperDue: Refusal("LG-10.7", Message("First choose which of your helpers takes effect first.")),
    t.HelperChoice: HELPER,
    t.RoofPayment: Refusal("LG-10.4", Message("First pay for the roof tile.")),
    t.CardKeeping: Refusal("LG-10.4", Message("First choose which of the cards you drew to keep.")),
    t.MarkerShortage: Refusal("LG-0.9", Message("You have no markers left: take one back or give up the gain.")),
}
"""Reason for each type of task: the choice that must be made before anything else."""


def task_reason(state: State, task: AnyTask) -> Refusal:
    """Return the reason that names the seat's current choice."""
    if isinstance(task, t.CardChoice) and task.may_draw and can_draw(state):
        return PLAY_OR_DRAW
    return TASK_REASONS[type(task)]


def is_window(task: AnyTask) -> bool:
    """Return whether any-time actions are open (LG-2.1.1)."""
    return isinstance(task, t.Window) and not (isinstance(task, t.DieResolution) and not revenue.has_window(task))


def waiting_reason(state: State) -> Refusal:
    """Return the reason why a seat without a task cannot act: match over, final sale, donkeys, another's turn."""
    seats = seats_to_act(state)
    if not seats:
        return Refusal("LG-8.1", Message("The match is over."))
    if seats == (SERVICE_SEAT,):
        return Refusal("LG-8.2", Message("Everything is being sold for the final scoring."))
    if state.step == "donkeys":
        return Refusal("LG-5.1.1", Message("You have chosen your donkey tile; the others are still choosing."))
    return Refusal("LG-2.2", Message("It is {player}'s turn.", {"player": terms.player(seats[0])}))
