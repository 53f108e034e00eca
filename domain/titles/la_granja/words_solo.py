"""Narration of the neutral player's effects in the solo game."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from domain.kernel.messages import N_, Message
from domain.titles.la_granja import effects_solo as s
from domain.titles.la_granja import words_terms as terms
from domain.titles.la_granja.tables import DECKS
from domain.titles.la_granja.view import View
from domain.titles.la_granja.words_terms import Args


def _neutral_seated(_: View, effect: s.NeutralSeated) -> Message:
    return Message(NEUTRAL_PLACES[effect.place])


def _die_discarded(_: View, effect: s.DieDiscarded) -> Message:
    return Message("A die showing {pips} is discarded", {"pips": effect.pips})


def _card_turned_up(view: View, effect: s.CardTurnedUp) -> Message:
    vp = DECKS[view.deck][effect.card].barrow.vp
    args: Args = {"card": terms.card(effect.card, view.deck), "vp": terms.goods("vp", vp)}
    return Message("Card {card} is turned up for the neutral player: a market barrow of {vp}", args)


NEUTRAL_PLACES: Final = {
    1: N_("The neutral player goes first this round, the player second"),
    2: N_("The player goes first this round, the neutral player second"),
}

NARRATE: Final[Mapping[type, Callable[[View, Any], Message | None]]] = {
    s.NeutralSeated: _neutral_seated,
    s.DieDiscarded: _die_discarded,
    s.CardTurnedUp: _card_turned_up,
}
