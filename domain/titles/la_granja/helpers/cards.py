"""Helpers about cards in hand and fields."""

from collections.abc import Mapping
from typing import Final

from domain.kernel.rules import Seat
from domain.titles.la_granja.actions import Action, DiscardCard
from domain.titles.la_granja.agenda import AnyTask, CardChoice, CardStep, Gain, HelperChoice
from domain.titles.la_granja.cards import Card
from domain.titles.la_granja.effects import CardDiscarded, CardPlayed, Effect, GoodPaid, plan_tasks
from domain.titles.la_granja.helpers.kinds import Helper, gain, gain_at_once, start_choice
from domain.titles.la_granja.state import State
from domain.titles.la_granja.tables import deck_of


def can_pay_vp_for_a_card(state: State, seat: Seat, card: Card, _: AnyTask) -> bool:
    """Return whether the seat has a card in hand and VP to pay with; VP must have been taken before (LG-10.9)."""
    farm = state.farms[seat]
    return farm.vp >= card.helper.params["vp_cost"] and bool(farm.hand)


def can_pay_silver_for_a_card(state: State, seat: Seat, card: Card, task: AnyTask) -> bool:
    """Return whether the seat has a card and enough silver in its part of step I.1, before drawing."""
    farm = state.farms[seat]
    return isinstance(task, CardStep) and farm.silver >= card.helper.params["silver_cost"] and bool(farm.hand)


def pay_for_a_card(_: State, seat: Seat, card: Card, __: AnyTask) -> tuple[Effect, ...]:
    """Pay VP or silver to play cards (Farm Worker, Foreman); a farm extension has its price on top."""
    params = card.helper.params
    good = "vp" if "vp_cost" in params else "silver"
    cards = [CardChoice(seat, may_draw=False)] * params["cards"]
    return plan_tasks(seat, *cards, done=0), GoodPaid(seat, good, params[f"{good}_cost"], "", "helper")


def has_a_card(state: State, seat: Seat, card: Card, _: AnyTask) -> bool:
    """Return whether the hand has enough cards to discard."""
    return len(state.farms[seat].hand) >= int(card.helper.params["cards"])


def cards_to_discard(state: State, seat: Seat, _: Card, __: HelperChoice) -> tuple[Action, ...]:
    """Return a discard action for each card in hand."""
    return tuple(DiscardCard(number) for number in state.farms[seat].hand)


def crop_of_a_card(state: State, seat: Seat, card: Card, _: HelperChoice, action: DiscardCard) -> tuple[Effect, ...]:
    """Discard a card for the crop of its field side and silver (Land Surveyor)."""
    params = card.helper.params
    return (
        CardDiscarded(seat, action.card, "hand"),
        plan_tasks(seat, gain(seat, deck_of(state)[action.card].crop, params["crops"]), done=0),
        *gain_at_once(seat, "silver", params["silver_gain"]),
    )


def grow_new_field(_: State, seat: Seat, card: Card, effect: CardPlayed) -> tuple[Effect, ...]:
    """Grow the crop at once on a field that the owner plays (Irrigator); `()` for any other card."""
    if effect.seat != seat or effect.side != "field":
        return ()
    crops = card.helper.params["crops"]
    return (plan_tasks(seat, Gain(seat, effect.crop, crops, "field", "helper", effect.card), done=0),)


KINDS: Final[Mapping[str, Helper]] = {
    "pay_vp_play_card": Helper(offers=can_pay_vp_for_a_card, performs=pay_for_a_card),
    "pay_silver_play_card": Helper(offers=can_pay_silver_for_a_card, performs=pay_for_a_card),
    "discard_card_for_crop": Helper(
        offers=has_a_card, performs=start_choice, choices=cards_to_discard, chosen=crop_of_a_card
    ),
    "field_starts_grown": Helper(reacts={CardPlayed: grow_new_field}),
}
