"""Registration of La Granja as a title: names, options, statistics and texts."""

from collections.abc import Mapping
from typing import Any, Final

from domain.kernel.messages import N_, Message
from domain.kernel.title import Choice, Habits, Title, checkbox
from domain.titles import la_granja
from domain.titles.la_granja.boxes import COMPONENT_REGISTRY, DECK_REGISTRY
from domain.titles.la_granja.cards import CARD_NUMBERS
from domain.titles.la_granja.catalogue import catalogue
from domain.titles.la_granja.disclosures import DISCLOSES
from domain.titles.la_granja.point_sources import SOURCES
from domain.titles.la_granja.tables import DEFAULT_DECK
from domain.titles.la_granja.traits import TRAITS
from domain.titles.la_granja.words_terms import helper

EDITIONS: Final = Choice(
    "edition",
    Message("Edition"),
    (
        ("deluxe", Message("Deluxe edition")),
        ("original", Message("First edition (2014)")),
        ("yucata", Message("As on Yucata")),
        ("bga", Message("As on Board Game Arena")),
    ),
    is_always_said=True,
)

EXTRA_DELIVERIES_CHOICE: Final = checkbox(
    "extra_deliveries",
    "one_by_one",
    "at_once",
    Message("Buy all extra deliveries before making the first (first edition only)"),
)


def played_card(action: Mapping[str, Any]) -> tuple[str, str, int]:
    """Return the side and the number of the farm card played, for the play statistics."""
    return action["side"], str(action["card"]), 1


def card_name(_: str, id: str) -> Message | str:
    """Return the name of the card's helper; the number if the standard deck lacks the card."""
    return helper(int(id), DEFAULT_DECK) if int(id) in CARD_NUMBERS else id


LA_GRANJA: Final[Title[la_granja.State, la_granja.Action, la_granja.Effect, la_granja.View]] = Title(
    rules=la_granja,
    codec=la_granja.CODEC,
    printed_name=N_("La Granja"),
    words=Message("A farm in the hills of Mallorca: cards with four uses, dice, donkeys and a market."),
    choices=(EDITIONS, EXTRA_DELIVERIES_CHOICE),
    shelves={"deck": DECK_REGISTRY, "components": COMPONENT_REGISTRY},
    catalogue=catalogue,
    sources=SOURCES,
    habits=Habits(
        choices={"la_granja.play_card": played_card},
        headings={
            "helper": N_("Helpers played"),
            "field": N_("Cards played as fields"),
            "barrow": N_("Cards played as market barrows"),
            "extension": N_("Cards played as farm extensions"),
        },
        name=card_name,
    ),
    traits=TRAITS,
    bot_words={
        "search-steady": Message(
            "Steady search bot: thinks for up to 1 second, plays two-player matches about as well as the quick one"
        ),
        "search-strong": Message(
            "Strong search bot: thinks for up to 5 seconds, wins 6 of 10 two-player matches against the quick one"
        ),
    },
    judged_words={
        "points": Message("Points already scored"),
        "silver": Message("Silver"),
        "goods": Message("Goods"),
        "barrows": Message("Market barrows"),
        "buildings": Message("Craft buildings"),
        "market": Message("Market"),
        "siesta": Message("Siesta"),
        "cards": Message("Cards"),
        "fields": Message("Fields"),
        "extensions": Message("Farm extensions"),
        "helpers": Message("Helpers"),
        "roofs": Message("Roof tiles"),
    },
    discloses=DISCLOSES,
    is_judged=True,
    is_default=True,
)
