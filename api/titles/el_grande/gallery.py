"""The large forms of El Grande's action cards, power cards and grey cards; identical cards are shown once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec

from api.titles.gallery import Thing, plain_notes
from domain.kernel.messages import Message
from domain.titles.el_grande.cards import BOX, GREY_NUMBER, GREYS
from domain.titles.el_grande.catalogue import catalogue
from domain.titles.el_grande.components import CALLS, POWERS
from domain.titles.el_grande.decks import OLDER

CATALOGUE: Final = catalogue({})
OF_2006: Final = "2006 edition"
"""The prefix of the older set's groups."""


class Power(msgspec.Struct, frozen=True):
    """The large form of a power card."""

    value: int
    calls: int


class Action(msgspec.Struct, frozen=True):
    """The large form of an action card."""

    stack: str
    caballeros: int
    text: str


def things(_: Mapping[str, str]) -> tuple[Thing, ...]:
    """Return power cards, the action cards of every set, and grey cards."""
    return (*powers(), *alike(action_cards()), *greys())


def powers() -> Iterator[Thing]:
    """Yield the power cards."""
    for value in POWERS:
        name = Message("Power card {value}", {"value": value})
        yield Thing(f"power-{value}", name, Message("Power cards"), "power", Power(value, CALLS[value]))


def action_cards() -> Iterator[Thing]:
    """Yield the action cards in catalogue order: 2023, extensions, 2006."""
    for catalogued in CATALOGUE:
        if catalogued.id not in GREY_NUMBER:
            is_older = catalogued.group.startswith(OF_2006)
            card = OLDER[catalogued.id] if is_older else BOX[catalogued.id]
            action = Action(str(card.stack), card.caballeros, card.text)
            id = address_of(catalogued.id, is_older=is_older)
            yield Thing(
                id, Message(card.name), Message(catalogued.group), "card", action, plain_notes(catalogued.notes)
            )


def greys() -> Iterator[Thing]:
    """Yield the grey cards in catalogue order."""
    for catalogued in CATALOGUE:
        if catalogued.id in GREY_NUMBER:
            grey = GREYS[GREY_NUMBER[catalogued.id]]
            yield Thing(f"card-{grey.id}", Message(catalogued.name), Message(catalogued.group), "grey", grey)


def alike(cards: Iterable[Thing]) -> Iterator[Thing]:
    """Yield the cards, each with the ids of all identical cards of its stack."""
    groups = dict[tuple[Any, ...], list[Thing]]()
    for card in cards:
        groups.setdefault((card.group.id, card.name.id, card.value), []).append(card)
    for identical in groups.values():
        ids = tuple(each.id for each in identical)
        yield from (msgspec.structs.replace(each, alike=ids) for each in identical)


def address_of(card: str, *, is_older: bool) -> str:
    """Return the id of an action card in addresses; cards of 2006 have a prefix because texts differ."""
    return f"card-older-{card}" if is_older else f"card-{card}"


def address_in(cards: str, card: str) -> str:
    """Return the id of an action card in addresses, for a match with this card set."""
    return address_of(card, is_older=cards == "2006" and card in OLDER)


def picture(_: Mapping[str, str]) -> Mapping[str, Any]:
    """Return no further context: the card suffices."""
    return {}
