"""Cards, tiles and buildings of a title as they are shown to read: in lists, and each in its large form."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec

from domain.kernel.catalogue import CataloguedCard
from domain.kernel.messages import Message

ORIGINS: Final = re.compile(
    r"Found|Reconstructed|Confirmed|Seed:|Only the name|One source"
    r"|English name|Also listed|A working title|In the words"
)
"""How a note begins that says where a value comes from, not how the card is played."""


class Thing(msgspec.Struct, frozen=True):
    """A card, a tile or a building."""

    id: str
    name: Message
    group: Message
    kind: str
    """Which part of the title's template draws it."""
    value: Any
    """What it is drawn from."""
    notes: tuple[str, ...] = ()
    """What has to be known to play with it."""
    seen_as: tuple[str, ...] = ()
    """Under which other names examples of it are kept."""
    alike: tuple[str, ...] = ()
    """The ids of all that are the same, itself among them; the first stands for them in lists."""
    example: Message | None = None
    """What it changes, in figures, where no match tells of it."""


class Gallery(msgspec.Struct, frozen=True):
    """How the things of a title are drawn for their readers."""

    preface: str
    """The template of what stands on the page once; "" for nothing."""
    template: str
    """The template of one thing in its large form; it finds it as `thing`."""
    things: Callable[[Mapping[str, str]], tuple[Thing, ...]]
    """Options of a table -> all there is to show."""
    picture: Callable[[Mapping[str, str]], Mapping[str, Any]]
    """Options of a table -> what the template needs beside."""
    examples: Path
    """Return the narrated example of each component (`ops.dev.examples`)."""


def plain_things(cards: Iterable[CataloguedCard]) -> tuple[Thing, ...]:
    """The cards of a title that draws none: their sides in words."""
    return tuple(
        Thing(f"card-{card.id}", Message(card.name), Message(card.group), "", card.sides, plain_notes(card.notes))
        for card in cards
    )


def plain_notes(notes: Sequence[str]) -> tuple[str, ...]:
    """The notes that a player needs."""
    return tuple(note for note in notes if not ORIGINS.match(note))


def grouped(things: Iterable[Thing]) -> dict[str, list[Thing]]:
    """The things by their groups, in the order in which they come, each sort once."""
    groups: dict[str, list[Thing]] = {}
    for thing in things:
        if thing.id in thing.alike[:1] or not thing.alike:
            groups.setdefault(thing.group.id, []).append(thing)
    return groups


class Origin(msgspec.Struct, frozen=True):
    """Values that come from one sort of source: a use of the cards, and which cards."""

    use: str
    names: tuple[str, ...]


def origins(cards: Sequence[CataloguedCard]) -> Mapping[str, tuple[Origin, ...]]:
    """By the first word of a provenance: the uses whose values come from there, with the cards."""
    found: dict[str, dict[str, dict[str, None]]] = {}
    for card in cards:
        for side in card.sides:
            for word in side.provenance.split(", "):
                if side.text:
                    found.setdefault(word.partition(":")[0], {}).setdefault(side.name, {})[card.name] = None
    return {
        word: tuple(Origin(use, tuple(names)) for use, names in uses.items()) for word, uses in sorted(found.items())
    }


def told_origins(cards: Sequence[CataloguedCard]) -> tuple[tuple[str, str], ...]:
    """Cards with the notes that say where something comes from; each once."""
    pairs = ((card.name, note) for card in cards for note in card.notes if ORIGINS.match(note))
    return tuple(dict.fromkeys(pairs))


@cache
def read_examples(path: Path) -> Mapping[str, tuple[Message, ...]]:
    """By thing, what was told when it did something."""
    return msgspec.json.decode(path.read_bytes(), type=dict[str, tuple[Message, ...]])


def example_of(gallery: Gallery, thing: Thing) -> tuple[Message, ...]:
    """What was told when it, or one like it, did something; nothing where no match has it."""
    examples = read_examples(gallery.examples)
    return next((examples[id] for id in (thing.id, *thing.seen_as, *thing.alike) if id in examples), ())
