"""What a title says of itself beside its rules: everything another room needs to offer it without knowing it."""

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
    """An option of a title in words; its values in words, the default first."""

    option: str
    label: Message
    values: tuple[tuple[str, Message], ...]
    is_always_said: bool = False
    """A table says of it which value it has even if that is the usual one."""

    @property
    def is_tick(self) -> bool:
        """Whether it is the one thing or not: a box to tick."""
        return self.values[0][1] == USUAL


def tick(option: str, usual: str, value: str, label: Message) -> Choice:
    """An option with two values: the usual one, and the one with a label."""
    return Choice(option, label, ((usual, USUAL), (value, label)))


class FileShelf(Protocol):
    """The files that can be asked for by an option, those of the package first."""

    @property
    def names(self) -> tuple[str, ...]: ...

    def add(self, text: str, file: str) -> str:
        """Reads and checks a file; answers the name it can be asked for by. `DataFault` says why not."""
        ...


Counted = tuple[str, str, int]
"""A kind of thing, the thing, and how many of it were chosen."""


@dataclass(frozen=True)
class Habits:
    """Which actions show what a player likes to choose."""

    choices: Mapping[str, Callable[[Any], Counted]] = field(default_factory=dict)
    """By the tag of an action: what its fields say."""
    headings: Mapping[str, str] = field(default_factory=dict)
    """Kind of thing -> message id, in the order in which they are shown."""
    name: Callable[[str, str], Message | str] = lambda _kind, thing: thing
    """A kind and a thing -> the thing in words."""


class Gain(msgspec.Struct, frozen=True):
    """Points that came to a seat with an entry, or were paid there (less than 0): from what, and where if that is a
    place."""

    version: int
    seat: int
    source: str
    points: int
    place: str = ""


@dataclass(frozen=True)
class Sources:
    """Where the points of a title come from. Of a whole match they are the final scores."""

    headings: Mapping[str, str]
    """Source -> message id, in the order in which they are shown."""
    gains: Callable[[Iterable[tuple[int, Any]]], Iterator[Gain]]
    """The effects of a match with the versions of their entries, in order."""
    place: Callable[[str], Message] | None = None
    """A place in words, where points come from places."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Title(Generic[S, A, E, V]):
    """A title: its rules, its wire types, and what is said and offered of it. Its name is that of its folders."""

    rules: Rules[S, A, E, V]
    """The newest rules: every match that is opened now is played by them."""
    codec: Codec
    earlier: Mapping[int, Rules[S, A, E, V]] = field(default_factory=dict)
    """The rules of earlier versions by which matches are still played and examined, by number. A version that is not
    here is retired: its logs are folded and shown, because what effects mean never changes, and nothing more."""
    printed_name: str
    """Message id of the name on the box."""
    words: Message
    """The title in one sentence, for the first page."""
    choices: tuple[Choice, ...] = ()
    """The options a table may choose from, in words."""
    shelves: Mapping[str, FileShelf] = field(default_factory=dict)
    """The options that take a file from outside, each with the files at hand."""
    catalogue: Callable[[Mapping[str, str]], tuple[CataloguedCard, ...]] | None = None
    """The cards as a table with these options plays with them, for readers."""
    habits: Habits = field(default_factory=Habits)
    traits: Traits = field(default_factory=Traits)
    """What its ended matches are found by and counted for."""
    sources: Sources | None = None
    """Where its points come from; without it an end is told by places and scores alone."""
    round_of: Callable[[Any], int] = attrgetter("round")
    """The number of the round a state stands in, however it is counted."""
    earlier_defaults: Mapping[str, str] = field(default_factory=dict)
    """What an option meant where a plan that was stored before its default changed leaves it out."""
    bot_words: Mapping[str, Message] = field(default_factory=dict)
    """What bots are worth in it, by their short names: those that are worth something else in other titles."""
    judged_words: Mapping[str, Message] = field(default_factory=dict)
    """What the parts are called of which the evaluation of a position is made."""
    discloses: Mapping[type, Callable[[Any, Any], bool]] = field(default_factory=dict)
    """Effect types that may openly state hidden information, such as a card played from a hand, each with a function
    of the position before the action and the effect that returns whether this effect does."""
    is_judged: bool = False
    """Whether the workers have an evaluation of its positions; bots that need one play no other title."""
    is_default: bool = False
    """Whether it is the title of a form in which none was chosen, and of the demonstration."""

    @property
    def name(self) -> str:
        return self.rules.TITLE

    @property
    def players(self) -> range:
        """The numbers of players it can be played with; some options allow fewer."""
        options = self.rules.options({})
        return range(options.seats_min, options.seats_max + 1)

    def is_played(self, version: int) -> bool:
        """Whether matches of this version of the rules can be played on and examined."""
        return version == self.rules.RULES_VERSION or version in self.earlier


AnyTitle = Title[Any, Any, Any, Any]


@cache
def title_at(title: AnyTitle, version: int) -> AnyTitle:
    """The title with the rules of a version; with the newest ones, which fold it too, where that version is retired."""
    rules = title.earlier.get(version, title.rules)
    return title if rules is title.rules else replace(title, rules=rules)


Titles = Mapping[str, AnyTitle]


def titles_by_name(*titles: AnyTitle) -> Titles:
    """A list of titles, found by their names; the order is that in which they are offered."""
    found = {title.name: title for title in titles}
    assert len(found) == len(titles), "two titles have the same name"
    return found


def default_title(titles: Titles) -> AnyTitle:
    """The title that is taken where none was chosen; the first of a list without a default."""
    return next((title for title in titles.values() if title.is_default), next(iter(titles.values())))
