"""The definition of a title: its rules and all data that other packages need to offer it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from operator import attrgetter
from typing import Any, Final, Generic, Protocol, TypeVar

import msgspec

from domain.kernel.catalogue import CataloguedCard
from domain.kernel.messages import Message
from domain.kernel.rules import Codec, Rules
from domain.kernel.traits import Traits

S = TypeVar("S")
A = TypeVar("A")
E = TypeVar("E")
V = TypeVar("V")

AnyRules = Rules[Any, Any, Any, Any]

USUAL: Final = Message("as usual")


class Choice(msgspec.Struct, frozen=True):
    """An option of a title in words, with its values in words, the default first."""

    option: str
    label: Message
    values: tuple[tuple[str, Message], ...]
    is_always_said: bool = False
    """Whether descriptions of a match state the value even if it is the default."""

    @property
    def is_checkbox(self) -> bool:
        """Return whether the option is a checkbox: the default or a single alternative."""
        return self.values[0][1] == USUAL


def checkbox(option: str, default: str, value: str, label: Message) -> Choice:
    """Return an option with two values: the default, and a labelled one."""
    return Choice(option, label, ((default, USUAL), (value, label)))


class FileRegistry(Protocol):
    """The files that an option can select, built-in ones first."""

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the files, built-in ones first."""
        ...

    def add(self, text: str, file: str) -> str:
        """Check and add a file; return the name to select it by. Raise `DataFault` if it is invalid."""
        ...


Counted = tuple[str, str, int]
"""A kind of thing, the thing, and the number chosen."""


@dataclass(frozen=True)
class Habits:
    """The actions that reveal a player's preferences."""

    choices: Mapping[str, Callable[[Any], Counted]] = field(default_factory=dict)
    """The function that reads the fields of an action, by the action's tag."""
    headings: Mapping[str, str] = field(default_factory=dict)
    """Kind of thing to message id, in display order."""
    name: Callable[[str, str], Message | str] = lambda _kind, thing: thing
    """Return a thing in words, from its kind and id."""


class Gain(msgspec.Struct, frozen=True):
    """Points a seat gained or paid (negative) with an entry: their source, and the place if the source is one."""

    version: int
    seat: int
    source: str
    points: int
    place: str = ""


@dataclass(frozen=True)
class Sources:
    """The sources of a title's points, which add up to the final scores over a match."""

    headings: Mapping[str, str]
    """Source to message id, in display order."""
    gains: Callable[[Iterable[tuple[int, Any]]], Iterator[Gain]]
    """Yield the gains of a match from its effects and the versions of their entries, in order."""
    place: Callable[[str], Message] | None = None
    """Return a place in words, if places are sources."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Title(Generic[S, A, E, V]):
    """A title: its rules, its wire types, and its presentation. Its name is the name of its packages."""

    rules: Rules[S, A, E, V]
    """The current rules, by which all new matches are played."""
    codec: Codec
    earlier: Mapping[int, Rules[S, A, E, V]] = field(default_factory=dict)
    """Earlier rules by which matches can still be played and verified, by version.

    A version that is missing here is retired: its logs can be folded and displayed, because effects never change their
    meaning, but not played or verified.
    """
    printed_name: str
    """Message id of the printed name."""
    words: Message
    """A sentence about the title for the start page."""
    choices: tuple[Choice, ...] = ()
    """The options of a match, in words."""
    shelves: Mapping[str, FileRegistry] = field(default_factory=dict)
    """The options that select a file, each with the available files."""
    catalogue: Callable[[Mapping[str, str]], tuple[CataloguedCard, ...]] | None = None
    """Return the cards for readers, for the options of a match."""
    habits: Habits = field(default_factory=Habits)
    traits: Traits = field(default_factory=Traits)
    """The traits by which ended matches are searched and counted."""
    sources: Sources | None = None
    """The sources of its points; without them a result shows places and scores only."""
    round_of: Callable[[Any], int] = attrgetter("round")
    """Return the number of a state's round; titles may count from 0."""
    earlier_defaults: Mapping[str, str] = field(default_factory=dict)
    """The former default of an option, for stored plans that omit it."""
    bot_words: Mapping[str, Message] = field(default_factory=dict)
    """Descriptions of bots by short name, for bots whose strength differs from other titles."""
    judged_words: Mapping[str, Message] = field(default_factory=dict)
    """The names of the parts of a position's evaluation."""
    discloses: Mapping[type, Callable[[Any, Any], bool]] = field(default_factory=dict)
    """Effect types that may reveal hidden information, such as a card played from a hand.

    Each has a function of the state before the action and the effect that returns whether this effect does.
    """
    is_judged: bool = False
    """Whether workers can evaluate its positions; bots that need an evaluation play no other title."""
    is_default: bool = False
    """Whether it is the default title of forms and of the demonstration."""

    @property
    def name(self) -> str:
        """Return the title's name."""
        return self.rules.TITLE

    @property
    def players(self) -> range:
        """Return the possible numbers of players; some options allow fewer."""
        options = self.rules.options({})
        return range(options.seats_min, options.seats_max + 1)

    def is_played(self, version: int) -> bool:
        """Return whether matches of this version of the rules can be played and verified."""
        return version == self.rules.RULES_VERSION or version in self.earlier


AnyTitle = Title[Any, Any, Any, Any]


@cache
def title_at(title: AnyTitle, version: int) -> AnyTitle:
    """Return the title with the rules of a version, or with the current ones if that version is retired."""
    rules = title.earlier.get(version, title.rules)
    return title if rules is title.rules else replace(title, rules=rules)


Titles = Mapping[str, AnyTitle]


def titles_by_name(*titles: AnyTitle) -> Titles:
    """Return titles by name, in the given order; raise `AssertionError` if two have the same name."""
    by_name = {title.name: title for title in titles}
    assert len(by_name) == len(titles), "two titles have the same name"
    return by_name


def default_title(titles: Titles) -> AnyTitle:
    """Return the default title, or the first one if no title is the default."""
    return next((title for title in titles.values() if title.is_default), next(iter(titles.values())))
