"""Decks and component files at hand, and the boxes made of one of each; a box is known by the names of both.

The names of files from outside end in the beginning of their digest: a name always means the same cards, in every
process and for ever, so that finding a box by its name is as pure as finding a constant.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import PurePath
from typing import Any, Final, Generic, TypeVar

from domain.kernel import component_data
from domain.kernel.rules import MissingComponents
from domain.titles.la_granja import cards, components, data
from domain.titles.la_granja.cards import Card, load_cards
from domain.titles.la_granja.components import Components
from domain.titles.la_granja.components_market import Market, load_markets
from domain.titles.la_granja.components_sense import demand_sense

DEFAULT_DECK: Final = "standard"
DEFAULT_COMPONENTS: Final = "standard"
DIGITS: Final = 16
"""Of a digest, in the name of what came from a file."""
AND: Final = "+"
"""Between deck and components in the name of a box; the usual components are left out."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Box(Components):
    """All that comes in a box: a deck, the components beside it, and what is worked out from both once."""

    cards: Mapping[int, Card]
    markets: Mapping[str, Market]
    buying: Mapping[str, int]
    selling: Mapping[str, int]
    upgrading: Mapping[str, int]
    upgrades_to: Mapping[str, str]


T = TypeVar("T")


@dataclass(frozen=True)
class BoxPart(Generic[T]):
    """A deck or a component file that has been read and checked."""

    name: str
    digest: str
    value: T


class BoxShelf(Generic[T]):
    """The files of one sort at hand, by name."""

    def __init__(self, sort: str, load: Callable[[Mapping[str, Any], str], T], digest: Callable[[Any], str]) -> None:
        self._sort = sort
        self._load = load
        self._digest = digest
        self._parts = dict[str, BoxPart[T]]()

    @property
    def names(self) -> tuple[str, ...]:
        """What can be asked for; what the package brings comes first."""
        return tuple(self._parts)

    def pack(self, name: str, table: Mapping[str, Any], file: str) -> None:
        """What the package brings: its name stands for itself."""
        self._parts[name] = BoxPart(name, self._digest(table), self._load(table, file))

    def add(self, text: str, file: str) -> str:
        """Reads and checks a file from outside; answers the name it can be asked for by."""
        table = component_data.parse_table(text, file)
        value, digest = self._load(table, file), self._digest(table)
        stem = re.sub(r"[^a-z0-9]+", "_", PurePath(file).stem.lower()).strip("_") or self._sort
        name = f"{stem}@{digest[:DIGITS]}"
        self._parts.setdefault(name, BoxPart(name, digest, value))
        return name

    def get(self, name: str) -> BoxPart[T]:
        """The part of this name; `MissingComponents` says what is needed otherwise."""
        if name in self._parts:
            return self._parts[name]
        stem, at, digest = name.partition("@")
        which = f"{stem!r} whose digest begins with {digest}" if at else f"{name!r}"
        raise MissingComponents(
            f"the {self._sort} {which} is needed and not at hand; there are: {', '.join(self._parts)}"
        )


def _load_components(table: Mapping[str, Any], file: str) -> tuple[Components, Mapping[str, Market]]:
    loaded, markets = components.load_components(table, file), load_markets(table, file)
    demand_sense(loaded, markets, file)
    return loaded, markets


def _load_deck(table: Mapping[str, Any], file: str) -> Mapping[int, Card]:
    return {card.number: card for card in load_cards(table, file)}


DECK_SHELF: Final = BoxShelf("deck", _load_deck, lambda table: data.digest_of({"cards": table["cards"]}))
DECK_SHELF.pack(DEFAULT_DECK, cards.TABLE, cards.FILE)
COMPONENT_SHELF: Final = BoxShelf("component file", _load_components, data.digest_of)
COMPONENT_SHELF.pack(DEFAULT_COMPONENTS, components.TABLE, components.FILE)


def box_name(deck: str, others: str) -> str:
    """What a state calls its box."""
    return deck if others == DEFAULT_COMPONENTS else f"{deck}{AND}{others}"


def digest_of_box(deck: str, others: str) -> str:
    """SHA-256 (hex) of everything these two play with."""
    return data.digest_of({"deck": DECK_SHELF.get(deck).digest, "components": COMPONENT_SHELF.get(others).digest})


class _Boxes(dict[str, Box]):
    """The boxes by name, each put together when it is first asked for."""

    def __missing__(self, name: str) -> Box:
        deck, _, others = name.partition(AND)
        parts, markets = COMPONENT_SHELF.get(others or DEFAULT_COMPONENTS).value
        box = _build_box(parts, markets, DECK_SHELF.get(deck).value)
        self[name] = box
        return box


class _Decks(dict[str, Mapping[int, Card]]):
    """The cards of the boxes."""

    def __missing__(self, name: str) -> Mapping[int, Card]:
        return BOXES[name].cards


def _build_box(parts: Components, markets: Mapping[str, Market], deck: Mapping[int, Card]) -> Box:
    prices = parts.prices.values()
    return Box(
        **{each.name: getattr(parts, each.name) for each in fields(Components)},
        cards=deck,
        markets=markets,
        buying={price.id: price.buy for price in prices},
        selling={price.id: price.sell for price in prices},
        upgrading={price.id: price.upgrade for price in prices},
        upgrades_to={price.id: price.upgrades_to for price in prices},
    )


BOXES: Final[Mapping[str, Box]] = _Boxes()
DECKS: Final[Mapping[str, Mapping[int, Card]]] = _Decks()
UPGRADES_TO: Final = BOXES[DEFAULT_DECK].upgrades_to
