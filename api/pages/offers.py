"""What the lobby offers of each title: how many may sit down, and the variants a visitor may tick."""

from __future__ import annotations

from typing import Final

import msgspec

from domain.match.registry import GAMES


class Variant(msgspec.Struct, frozen=True):
    """A box to tick: the option of the table and the value it then has."""

    option: str
    value: str
    label: str


class Offer(msgspec.Struct, frozen=True):
    """A title on the first page."""

    title: str
    words: str
    variants: tuple[Variant, ...] = ()

    @property
    def seats(self) -> range:
        """With so many players a table can be opened here; the solo game has no table to sit down at."""
        options = GAMES[self.title].rules.options({})
        return range(max(2, options.seats_min), options.seats_max + 1)


OFFERS: Final = (
    Offer("la_granja", "A farm in the hills of Mallorca: cards with four uses, dice, donkeys and a market."),
    Offer(
        "el_grande",
        "Caballeros for the majority in the regions of Spain, and never too near the king.",
        (
            Variant("cards", "2023", "Cards of the 2023 edition instead of those of 2006"),
            Variant("veterans", "all", "Veteran cards, Veto among them (needs the cards of 2023)"),
            Variant("new_regency", "yes", "New Regency: ten cards that send the king about"),
            Variant("shift_of_power", "yes", "Shift of Power: grey power cards"),
            Variant("short", "yes", "Short game: six rounds"),
            Variant("castillo", "open", "Open Castillo"),
        ),
    ),
)
