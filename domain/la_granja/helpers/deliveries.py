"""Helpers about deliveries."""

from typing import Final

from domain.kernel.rules import Seat
from domain.la_granja.agenda import Gain, HelperOffer
from domain.la_granja.effects import Delivered, Effect, planned
from domain.la_granja.helpers.kinds import Helper, exhausts, is_ready
from domain.la_granja.state import State

BARTER_TRADER_CARD: Final = 63


def offer_to_keep(state: State, effect: Delivered) -> tuple[Effect, ...]:
    """The Barter Trader is asked before the delivery completes anything."""
    seat = effect.seat
    if not effect.place or not is_ready(state, seat, BARTER_TRADER_CARD):
        return ()
    return (planned(seat, HelperOffer(seat, BARTER_TRADER_CARD, effect.good, effect.place), done=0),)


def keep(state: State, seat: Seat, offer: HelperOffer) -> tuple[Effect, ...]:
    """Barter Trader: the delivered good is kept; the marker of the delivery comes from the supply."""
    field = 0
    if offer.place == "field":
        # The delivery emptied the first full field of the kind, so the first empty one is as good as it.
        field = next(f.card for f in state.farms[seat].fields if f.crop == offer.good and not f.full)
    kept = Gain(seat, offer.good, 1, offer.place, "helper", field)
    return planned(seat, kept), exhausts(seat, BARTER_TRADER_CARD)


BARTER_TRADER: Final = Helper(performs=keep, reacts={Delivered: offer_to_keep})
