"""El Grande as a title: its name, variants, catalogue, statistics and bots."""

from collections.abc import Mapping
from operator import attrgetter
from typing import Any, Final

from domain.kernel.messages import N_, Message
from domain.kernel.title import Habits, Title, checkbox
from domain.titles import el_grande
from domain.titles.el_grande.catalogue import catalogue
from domain.titles.el_grande.decks import CARDS
from domain.titles.el_grande.disclosures import DISCLOSES
from domain.titles.el_grande.sources import SOURCES
from domain.titles.el_grande.traits import TRAITS
from domain.titles.el_grande.words_terms import place

VARIANTS: Final = (
    checkbox("cards", "2023", "2006", Message("2006 edition cards instead of the 2023 cards")),
    checkbox("veterans", "none", "all", Message("Veteran cards, including Veto (already part of the 2006 cards)")),
    checkbox("new_regency", "no", "yes", Message("New Regency: ten cards that replace the king card")),
    checkbox("shift_of_power", "no", "yes", Message("Shift of Power: grey power cards")),
    checkbox("short", "no", "yes", Message("Short game: six rounds")),
    checkbox("castillo", "remembered", "open", Message("Open Castillo")),
    checkbox("merged_stacks", "no", "yes", Message("Merged stacks (2 or 3 players)")),
)


def card_taken(action: Mapping[str, Any]) -> tuple[str, str, int]:
    """Return the action card that was taken."""
    return "action_card", action["card"], 1


def caballeros_placed(action: Mapping[str, Any]) -> tuple[str, str, int]:
    """Return the region in which caballeros were placed, and their number."""
    return "region", action["area"], action["count"]


def thing_name(kind: str, id: str) -> Message | str:
    """Return the name of a region or an action card; an id that no card set knows is returned as is."""
    if kind == "region":
        return place(id)
    card = next((cards[id] for cards in CARDS.values() if id in cards), None)
    return Message(card.name) if card else id


EL_GRANDE: Final[Title[el_grande.State, el_grande.Action, el_grande.Effect, el_grande.View]] = Title(
    rules=el_grande,
    codec=el_grande.CODEC,
    printed_name=N_("El Grande"),
    words=Message("Win majorities in the regions of Spain with your caballeros, but stay out of the king's region."),
    choices=VARIANTS,
    catalogue=catalogue,
    sources=SOURCES,
    habits=Habits(
        choices={"el_grande.take_action_card": card_taken, "el_grande.place_caballeros": caballeros_placed},
        headings={"region": N_("Caballeros placed from the Court"), "action_card": N_("Action cards taken")},
        name=thing_name,
    ),
    traits=TRAITS,
    round_of=attrgetter("round_index"),
    earlier_defaults={"cards": "2006"},
    bot_words={
        "search-steady": Message(
            "Steady search bot: thinks for up to 1 second, wins 7 of 10 two-player matches against the quick one"
        ),
        "search-strong": Message(
            "Strong search bot: thinks for up to 5 seconds, wins 7 of 10 two-player matches against the quick one"
        ),
    },
    judged_words={
        "points": Message("Points already scored"),
        "others": Message("Points denied to the others"),
        "majorities": Message("Majorities"),
        "castillo": Message("Castillo"),
        "board": Message("Caballeros on the board"),
        "court": Message("Caballeros in the Court"),
        "province": Message("Caballeros in the Province"),
        "cards": Message("Cards"),
        "vetoes": Message("Veto"),
        "turn": Message("Rest of the turn"),
    },
    discloses=DISCLOSES,
    is_judged=True,
)
