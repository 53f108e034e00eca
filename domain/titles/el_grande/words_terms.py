"""The terms of the game as messages in the rulebook's words: players, places, cards. Each is translated separately."""

from typing import Final

from domain.kernel import messages
from domain.kernel.messages import N_, Message
from domain.titles.el_grande.cards import GREY_NUMBER, GREYS, GreyCard
from domain.titles.el_grande.components import AREA_NAMES, BOARD_PRICES, BOARDS
from domain.titles.el_grande.decks import CARDS
from domain.titles.el_grande.state import DraftLine, Setting
from domain.titles.el_grande.view import HandCard, View

Args = dict[str, int | str | Message]
"""The arguments of a message."""


def player(setting: Setting, colour: int) -> Message:
    """Return the player of a colour, for which a page may substitute the name, or the dummy."""
    if colour == setting.dummy:
        return Message("the dummy")
    return messages.player(colour)


WITH_ARTICLE: Final = {
    "castillo": N_("the Castillo"),
    "court": N_("the Court"),
    "province": N_("the Province"),
}


def place(name: str) -> Message:
    """Return the name of a region, the Castillo, France, Portugal, the Court or the Province."""
    return Message(WITH_ARTICLE.get(name) or AREA_NAMES[name])


def caballeros(count: int) -> Message:
    """Return a number of caballeros in words."""
    return Message("{count} caballero", {"count": count}, plural="{count} caballeros", count=count)


def action_card(view: View, id: str) -> Message:
    """Return the name of an action card. Cards with the same name may place different numbers (EG-26.1)."""
    return Message(CARDS[view.setting.cards][id].name)


def grey_effect(card: GreyCard) -> Message:
    """Return the effect of a grey card in a few words, without numbers."""
    if card.kind == "muster":
        return Message("call more caballeros")
    if card.kind == "place_from_court":
        return Message("place more caballeros")
    is_own = card.params.parts[0].who == "own"
    return Message("move own caballeros") if is_own else Message("move opposing caballeros")


def grey(id: str) -> Message:
    """Return a grey card by its value and effect."""
    card = GREYS[GREY_NUMBER[id]]
    return Message("grey card {value} ({effect})", {"value": card.value, "effect": grey_effect(card)})


def hand_card(card: HandCard) -> Message:
    """Return the name of a power card or grey card."""
    return grey(card) if isinstance(card, str) else Message("power card {power}", {"power": card})


def card_name(view: View, id: str) -> Message:
    """Return the name of an action card or a grey card."""
    return grey(id) if id in GREY_NUMBER else action_card(view, id)


def scoreboard(board: str) -> Message:
    """Return the name of a scoreboard, with its points."""
    first, second, third = BOARD_PRICES[[str(each) for each in BOARDS].index(board)]
    return Message("scoreboard {first}/{second}/{third}", {"first": first, "second": second, "third": third})


def line(view: View, draft_line: DraftLine) -> Args:
    """Return the message arguments of a line: count, owner, source and target."""
    return {
        "caballeros": caballeros(draft_line.count),
        "player": player(view.setting, draft_line.colour),
        "source": place(draft_line.source),
        "target": place(draft_line.target),
    }
