"""Prompts for the reader, by the active task of the seat."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from domain.kernel.messages import N_, Message
from domain.titles.la_granja import actions as a
from domain.titles.la_granja import agenda as t
from domain.titles.la_granja import words_terms as terms
from domain.titles.la_granja.tables import BOXES
from domain.titles.la_granja.view import View
from domain.titles.la_granja.words import task_of

Actions = Sequence[Any]

PHASES: Final[Mapping[str, str]] = {
    "0": N_("Setup"),
    "I": N_("Farm phase"),
    "II": N_("Revenue phase"),
    "III": N_("Transport phase"),
    "IV": N_("Scoring phase"),
}

SENTENCES: Final[Mapping[type[Any], str]] = {
    t.DieChoice: N_("Take a revenue die."),
    t.DieWindow: N_("The die is resolved: take any other actions you like, then finish it."),
    t.DonkeyChoice: N_(
        "Choose a donkey tile: donkeys are free deliveries, hats are steps on the siesta track."
        " All tiles are revealed at once."
    ),
    t.CardKeeping: N_("Choose which of the cards you just drew to discard."),
    t.DeliveryChoice: N_("Make a delivery to a craft building or a market barrow."),
    t.GoodChoice: N_("Choose what to take."),
    t.RoofChoice: N_("Choose a used roof tile to turn face up again."),
    t.RoofPlacement: N_("Take the victory points of the roof space, doubled or as printed."),
    t.SpaceReservation: N_("Mark a revenue space: no other player may take its last die."),
    t.DeliveryPurchase: N_("Buy all the extra deliveries you want before you make the first one."),
    t.MarkerShortage: N_("You have no markers left: take one back or give up the gain."),
}
"""Tasks whose prompt is always the same."""


def _any_of(legal: Actions, kinds: tuple[type[Any], ...]) -> bool:
    return any(isinstance(action, kinds) for action in legal)


def with_price(prompt: Message, view: View, legal: Actions) -> Message:
    """Return the prompt, with the price of a farm extension if the reader can play one."""
    if view.seat is None or not any(isinstance(each, a.PlayCard) and each.side == "extension" for each in legal):
        return prompt
    price = view.farms[view.seat].extension_price
    return Message(
        "{asked} Extension: {count} good.",
        {"asked": prompt, "count": price},
        plural="{asked} Extension: {count} different goods.",
        count=price,
    )


def card_step(view: View, task: t.CardStep, legal: Actions) -> Message:
    """Return the prompt of step I.1: to play a card, with the price of an extension, or to finish if all are played.

    It says whether the hand as it is will be filled or cut to its limit.
    """
    farm = view.farms[task.seat]
    is_over_limit = farm.hand_count > farm.hand_limit
    if not task.plays:
        if is_over_limit:
            return Message("You have played your cards for this step: finish it to discard down to your hand limit.")
        return Message("You have played your cards for this step: finish it to draw up to your hand limit.")
    prompt = Message("You may play a card; then you draw up to your hand limit.")
    if is_over_limit:
        prompt = Message("You may play a card; then you discard down to your hand limit.")
    return with_price(prompt, view, legal)


def card_choice(view: View, task: t.CardChoice, legal: Actions) -> Message:
    """Return the prompt to play a card, with the price of an extension, or to draw one if that is allowed."""
    if task.may_draw:
        return with_price(Message("Play a card from your hand, or draw one."), view, legal)
    return with_price(Message("You may play a card from your hand."), view, legal)


def growth(_: View, __: t.GrowthStep, legal: Actions) -> Message:
    """Return the prompt of step I.3: to grow and breed, or to finish if nothing is left."""
    if _any_of(legal, (a.GrowCrops, a.BreedPig)):
        return Message("Let your fields grow and your pigs breed, in any order.")
    return Message("Nothing is left to grow or breed: take any other actions you like, then finish the step.")


def roof_step(_: View, task: t.RoofStep, legal: Actions) -> Message:
    """Return the prompt of step I.4: whether a roof tile is bought, cannot be bought, or may be bought."""
    if task.bought:
        return Message("You have bought a roof tile: take any other actions you like, then finish the step.")
    if not _any_of(legal, (a.BuyRoof,)):
        return Message("You cannot buy a roof tile now: take any other actions you like, then finish the step.")
    return Message("You may buy a roof tile.")


def resolution(_: View, task: t.DieResolution) -> Message:
    """Return the prompt to resolve a revenue space."""
    return Message("Revenue space {space}: choose what to take.", {"space": task.pips})


DELIVERING: Final = (a.DeliverToBuilding, a.DeliverToBarrow, a.BuyDeliveries)


def deliveries(view: View, task: t.DeliveryStep, legal: Actions) -> Message:
    """Return the prompt of free or extra deliveries; it depends on the number left and on the legal actions."""
    args: terms.Args = {"count": task.left}
    if not task.left:
        return Message("You have made all your deliveries: finish the step.")
    if not _any_of(legal, DELIVERING):
        return Message("No delivery is possible now: take any other actions you like, then finish the step.")
    if task.paid and (price := view.farms[task.seat].delivery_price):
        args["silver"] = terms.goods("silver", price)
        return Message(
            "You may buy {count} extra delivery for {silver}.",
            args,
            plural="You may buy {count} extra deliveries for {silver} each.",
            count=task.left,
        )
    if task.paid:
        return Message(
            "You have {count} extra delivery free of charge.",
            args,
            plural="You have {count} extra deliveries free of charge.",
            count=task.left,
        )
    return Message("You have {count} free delivery.", args, plural="You have {count} free deliveries.", count=task.left)


def bought_deliveries(_: View, task: t.BoughtDeliveries) -> Message:
    """Return the prompt of extra deliveries bought at once."""
    return Message(
        "You have {count} extra delivery left.",
        {"count": task.left},
        plural="You have {count} extra deliveries left.",
        count=task.left,
    )


def discard(_: View, task: t.CardDiscard) -> Message:
    """Return the prompt to discard down to the hand limit."""
    return Message(
        "Discard {count} card from your hand.",
        {"count": task.count},
        plural="Discard {count} cards from your hand.",
        count=task.count,
    )


def payment(_: View, task: t.ExtensionPayment) -> Message:
    """Return the prompt to pay for a farm extension."""
    return Message(
        "Pay {count} more good for the farm extension.",
        {"count": task.owed},
        plural="Pay {count} more goods of different kinds for the farm extension.",
        count=task.owed,
    )


def replacement(_: View, task: t.Replacement) -> Message:
    """Return the prompt to discard a barrow or helper for a new one."""
    if task.side == "barrow":
        return Message("You can have at most three market barrows: choose one to discard.")
    return Message("You can have at most three helpers: choose one to discard.")


def upgrades(_: View, task: t.UpgradeChoice) -> Message:
    """Return the prompt of free upgrades."""
    return Message(
        "Upgrade {count} resource free of charge.",
        {"count": task.left},
        plural="Upgrade up to {count} resources free of charge.",
        count=task.left,
    )


def stall(_: View, task: t.StallChoice) -> Message:
    """Return the prompt to place a stall, on a space of a given value or on any free one."""
    if task.value:
        return Message("Place a stall on a market space of value {value}.", {"value": task.value})
    return Message("Place a stall on any free market space.")


def die_shift(_: View, task: t.DieShift) -> Message:
    """Return the prompt to change a die."""
    return Message("You may change the die by up to {steps}.", {"steps": task.steps})


def offer(view: View, task: t.HelperOffer | t.HelperDue) -> Message:
    """Return the prompt to use an offered helper."""
    return Message("You may use the {helper}.", {"helper": terms.helper(task.helper, view.deck)})


def helper_choice(view: View, task: t.HelperChoice) -> Message:
    """Return the prompt to make a helper's choice."""
    return Message("Make a choice for the {helper}.", {"helper": terms.helper(task.helper, view.deck)})


def roof_payment(_: View, task: t.RoofPayment) -> Message:
    """Return the prompt to pay for a roof tile with resources."""
    return Message("Pay {silver} more for the roof tile, with resources or silver.", {"silver": task.owed})


BY_TASK: Final[Mapping[type[Any], Callable[[View, Any], Message]]] = {
    t.DieResolution: resolution,
    t.BoughtDeliveries: bought_deliveries,
    t.CardDiscard: discard,
    t.ExtensionPayment: payment,
    t.Replacement: replacement,
    t.UpgradeChoice: upgrades,
    t.StallChoice: stall,
    t.DieShift: die_shift,
    t.HelperOffer: offer,
    t.HelperDue: offer,
    t.HelperChoice: helper_choice,
    t.RoofPayment: roof_payment,
}


BY_CHOICES: Final[Mapping[type[Any], Callable[[View, Any, Actions], Message]]] = {
    t.CardStep: card_step,
    t.CardChoice: card_choice,
    t.GrowthStep: growth,
    t.RoofStep: roof_step,
    t.DeliveryStep: deliveries,
}
"""Tasks whose prompt depends on the actions that are still legal."""


def prompt(view: View, legal: Actions) -> Message:
    """Return the prompt for the reader's task; for readers without one, the name of the step."""
    task = task_of(view) if view.seat in view.to_act else None
    if task is not None and type(task) in SENTENCES:
        return Message(SENTENCES[type(task)])
    if task is not None and type(task) in BY_TASK:
        return BY_TASK[type(task)](view, task)
    if task is not None and type(task) in BY_CHOICES:
        return BY_CHOICES[type(task)](view, task, legal)
    return terms.step(view.step)


PARAGRAPHS: Final[Mapping[type[Any], str]] = {
    t.CardStep: "uses",
    t.GrowthStep: "growth",
    t.RoofStep: "roofs",
    t.RoofPayment: "roofs",
    t.RoofPlacement: "roofs",
    t.RoofChoice: "tiles-closer",
    t.DieShift: "tiles-closer",
    t.DieChoice: "dice",
    t.DieWindow: "any-time-when",
    t.DieResolution: "spaces",
    t.DonkeyChoice: "donkeys",
    t.DeliveryPurchase: "extra-deliveries",
    t.BoughtDeliveries: "extra-deliveries",
    t.DeliveryChoice: "delivery",
    t.CardDiscard: "hand",
    t.CardKeeping: "helpers-closer",
    t.CardChoice: "uses",
    t.ExtensionPayment: "extension",
    t.Replacement: "room",
    t.GoodChoice: "goods",
    t.UpgradeChoice: "upgrading",
    t.StallChoice: "stalls",
    t.SpaceReservation: "helpers-closer",
    t.HelperOffer: "helpers-when",
    t.HelperDue: "helpers-when",
    t.HelperChoice: "helpers-closer",
    t.MarkerShortage: "markers",
}
"""Paragraph of the rules that explains each task."""


def paragraph(view: View) -> str:
    """Return the paragraph of the rules that explains the reader's task; "" if there is none."""
    task = task_of(view) if view.seat in view.to_act else None
    if isinstance(task, t.DeliveryStep):
        return "extra-deliveries" if task.paid else "free-deliveries"
    return PARAGRAPHS.get(type(task), "")


def match_progress(view: View) -> Message:
    """Return round, phase and step of the match as one line."""
    args: terms.Args = {
        "round": view.round,
        "rounds": BOXES[view.deck].rounds,
        "phase": Message(PHASES[view.phase]),
        "step": terms.step(view.step),
    }
    return Message("Round {round} of {rounds} · {phase}: {step}", args)
