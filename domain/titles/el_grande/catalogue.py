"""The action cards of both editions and the grey power cards for reference pages, with the provenance of each value."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from domain.kernel.catalogue import CataloguedCard, Side
from domain.titles.el_grande import data
from domain.titles.el_grande.cards import BOX, GREY_CARDS, Card
from domain.titles.el_grande.components import FILE, TABLE
from domain.titles.el_grande.decks import OLDER, OLDER_CHANGES, OlderEntry, copies_of

SETS: Final = {
    "base": "2023 edition",
    "king": "2023 edition",
    "new_regency": "New Regency",
    "veteran": "Veteran cards",
}
WORKING_TITLE: Final = "A working title of this project: the printed name is not documented."
DIFFERENT: Final = "Differs from the card of 2023: "
LIKE: Final = re.compile(r"^as [\w-]+; ")
"""The reference to another card's id in a note, which readers cannot resolve."""
PRINTED: Final = ("name", "stack", "caballeros", "effect", "set")


def catalogue(_: Mapping[str, str]) -> tuple[CataloguedCard, ...]:
    """Return the cards of 2023 with both extensions, then the cards of 2006, then the grey power cards."""
    return (*map(_newer, BOX.values()), *_older(), *_greys())


def _newer(card: Card) -> CataloguedCard:
    """Return a card of 2023 for the catalogue, its values with their provenance."""
    return CataloguedCard(
        id=card.id,
        name=card.name,
        group=f"{SETS[card.set]}, stack {card.stack}",
        sides=(
            Side("name", card.name, _provenance(card, "name")),
            Side("stack", str(card.stack), _provenance(card, "stack", "set")),
            Side("places", str(card.caballeros), _provenance(card, "caballeros")),
            Side("special action", card.text, _provenance(card, "effect")),
            *_further(card),
        ),
        notes=_notes(card),
    )


def _older() -> Iterable[CataloguedCard]:
    """Yield the cards of 2006 under the names of the corresponding cards of 2023 (EG-26.1)."""
    differs = data.part(TABLE, "older_differs", FILE)
    for entry in data.records(OlderEntry, TABLE, "older_stack", FILE, "stack"):
        for copies in entry.cards:
            changed = (DIFFERENT + LIKE.sub("", differs[copies.id]),) if copies.id in OLDER_CHANGES else ()
            for id in copies_of(copies, FILE):
                card = OLDER[id]
                sides = (
                    Side("name", card.name, _provenance(card, "name")),
                    Side("stack", str(card.stack), _word(entry.prov["cards"])),
                    Side("places", str(card.caballeros), _word(entry.prov["caballeros"])),
                    Side("special action", card.text, _provenance(card, "effect")),
                    *_further(card),
                )
                quotation = (f"In the 2006 edition: “{card.older}”.",) if card.older else ()
                group = f"2006 edition, stack {card.stack}"
                yield CataloguedCard(id, card.name, group, sides, (*changed, *quotation, *_notes(card)))


def _further(card: Card) -> Iterable[Side]:
    """Return further values that have a provenance, such as copies, amounts and affected players."""
    return tuple(Side(key, "", _word(provenance)) for key, provenance in card.prov.items() if key not in PRINTED)


def _greys() -> Iterable[CataloguedCard]:
    """Yield the grey cards for the catalogue, their values with their provenance."""
    for card in GREY_CARDS:
        sides = (
            Side("value", str(card.value), _word(card.prov["value"])),
            Side("effect", card.text, _word(card.prov["kind"])),
        )
        yield CataloguedCard(card.id, f"Grey card {card.value}", "Shift of Power", sides, _lines_of_note(card.note))


def _provenance(card: Card, *keys: str) -> str:
    """Return the provenance of the first key that has one, or else the provenance of the card's effect."""
    return _word(next((card.prov[key] for key in keys if key in card.prov), card.prov["effect"]))


def _word(provenance: str | tuple[str, ...]) -> str:
    return provenance if isinstance(provenance, str) else ", ".join(provenance)


def _notes(card: Card) -> tuple[str, ...]:
    return (*((WORKING_TITLE,) if card.working_title else ()), *_lines_of_note(card.note))


def _lines_of_note(note: str) -> tuple[str, ...]:
    return (note,) if note else ()
