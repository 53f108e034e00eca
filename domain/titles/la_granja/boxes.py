"""Loaded decks and component files, and the boxes that combine one of each.

The name of a file from outside the package ends in the beginning of its digest. A name therefore always means the same
content, in every process, and looking up a box by name is as pure as reading a constant.
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
from domain.titles.la_granja.components_checks import check_consistency
from domain.titles.la_granja.components_market import Market, load_markets

DEFAULT_DECK: Final = "standard"
DEFAULT_COMPONENTS: Final = "standard"
DIGEST_DIGITS: Final = 16
"""Number of digest digits in the name of an external file."""
NAME_SEPARATOR: Final = "+"
"""Separator of deck and components in the name of a box; the standard components are not named."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Box(Components):
    """The content of a box: a deck, the other components, and lookup tables derived from both."""

    cards: Mapping[int, Card]
    markets: Mapping[str, Market]
    buying: Mapping[str, int]
    selling: Mapping[str, int]
    upgrading: Mapping[str, int]
    upgrades_to: Mapping[str, str]


T = TypeVar("T")


@dataclass(frozen=True)
class BoxPart(Generic[T]):
    """A deck or component file that has been loaded and checked."""

    name: str
    digest: str
    value: T


class PartRegistry(Generic[T]):
    """A registry of loaded files of one kind (decks or component files), by name."""

    def __init__(self, kind: str, load: Callable[[Mapping[str, Any], str], T], digest: Callable[[Any], str]) -> None:
        self._kind = kind
        self._load = load
        self._digest = digest
        self._parts = dict[str, BoxPart[T]]()

    @property
    def names(self) -> tuple[str, ...]:
        """The names that can be chosen, with the files of the package first."""
        return tuple(self._parts)

    def add_packaged(self, name: str, table: Mapping[str, Any], file: str) -> None:
        """Register a file of the package under its plain name."""
        self._parts[name] = BoxPart(name, self._digest(table), self._load(table, file))

    def add(self, text: str, file: str) -> str:
        """Load and check an external file and return the name `STEM@DIGEST` under which it is registered.

        Raise `DataFault` if it is invalid. The same content again changes nothing.
        """
        table = component_data.parse_table(text, file)
        value, digest = self._load(table, file), self._digest(table)
        stem = re.sub(r"[^a-z0-9]+", "_", PurePath(file).stem.lower()).strip("_") or self._kind
        name = f"{stem}@{digest[:DIGEST_DIGITS]}"
        self._parts.setdefault(name, BoxPart(name, digest, value))
        return name

    def get(self, name: str) -> BoxPart[T]:
        """Return the part of this name; raise `MissingComponents` if it is not loaded."""
        if name in self._parts:
            return self._parts[name]
        stem, separator, digest = name.partition("@")
        description = f"{stem!r} whose digest begins with {digest}" if separator else f"{name!r}"
        raise MissingComponents(
            f"the {self._kind} {description} is needed, but unknown here; known: {', '.join(self._parts)}"
        )


def _load_components(table: Mapping[str, Any], file: str) -> tuple[Components, Mapping[str, Market]]:
    loaded, markets = components.load_components(table, file), load_markets(table, file)
    check_consistency(loaded, markets, file)
    return loaded, markets


def _load_deck(table: Mapping[str, Any], file: str) -> Mapping[int, Card]:
    return {card.number: card for card in load_cards(table, file)}


DECK_REGISTRY: Final = PartRegistry("deck", _load_deck, lambda table: data.digest_of({"cards": table["cards"]}))
DECK_REGISTRY.add_packaged(DEFAULT_DECK, cards.TABLE, cards.FILE)
COMPONENT_REGISTRY: Final = PartRegistry("component file", _load_components, data.digest_of)
COMPONENT_REGISTRY.add_packaged(DEFAULT_COMPONENTS, components.TABLE, components.FILE)


def box_name(deck: str, components_name: str) -> str:
    """Return the name under which a state refers to its box."""
    return deck if components_name == DEFAULT_COMPONENTS else f"{deck}{NAME_SEPARATOR}{components_name}"


def digest_of_box(deck: str, components_name: str) -> str:
    """Return the SHA-256 (hex) of the content of the deck and the component file."""
    return data.digest_of(
        {"deck": DECK_REGISTRY.get(deck).digest, "components": COMPONENT_REGISTRY.get(components_name).digest}
    )


class _Boxes(dict[str, Box]):
    """Boxes by name, built on first access."""

    def __missing__(self, name: str) -> Box:
        deck, _, components_name = name.partition(NAME_SEPARATOR)
        parts, markets = COMPONENT_REGISTRY.get(components_name or DEFAULT_COMPONENTS).value
        box = _build_box(parts, markets, DECK_REGISTRY.get(deck).value)
        self[name] = box
        return box


class _Decks(dict[str, Mapping[int, Card]]):
    """Card mappings of the boxes, by name of the box."""

    def __missing__(self, name: str) -> Mapping[int, Card]:
        return BOXES[name].cards


def _build_box(parts: Components, markets: Mapping[str, Market], deck: Mapping[int, Card]) -> Box:
    """Return the components with deck and markets, and the prices and upgrades by resource."""
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
