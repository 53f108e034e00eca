"""Cards, tiles and buildings of a title as reference: in lists, and each in a large form."""

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
"""The beginnings of notes that explain provenance and not the use of a card."""


class Thing(msgspec.Struct, frozen=True):
    """A card, a tile or a building."""

    id: str
    name: Message
    group: Message
    kind: str
    """The part of the title's template that draws it."""
    value: Any
    """The template context."""
    notes: tuple[str, ...] = ()
    """The notes that players need."""
    seen_as: tuple[str, ...] = ()
    """Other ids under which examples of it are stored."""
    alike: tuple[str, ...] = ()
    """The ids of all identical things, itself included; the first represents them in lists."""
    example: Message | None = None
    """An explanation of the change in numbers, for things without an example match."""


class Gallery(msgspec.Struct, frozen=True):
    """The large forms of a title's cards, tiles and buildings."""

    preface: str
    """The template of shared definitions, included once on the page; "" for none."""
    template: str
    """The template of a thing's large form; it receives `thing`."""
    things: Callable[[Mapping[str, str]], tuple[Thing, ...]]
    """Return all things for the options of a match."""
    picture: Callable[[Mapping[str, str]], Mapping[str, Any]]
    """Return further template context for the options of a match."""
    examples: Path
    """The file with the narrated example of each component (`ops.dev.examples`)."""


def plain_things(cards: Iterable[CataloguedCard]) -> tuple[Thing, ...]:
    """Return cards in words, for a title without drawings."""
    return tuple(
        Thing(f"card-{card.id}", Message(card.name), Message(card.group), "", card.sides, plain_notes(card.notes))
        for card in cards
    )


def plain_notes(notes: Sequence[str]) -> tuple[str, ...]:
    """Return the notes that players need."""
    return tuple(note for note in notes if not ORIGINS.match(note))


def group_things(things: Iterable[Thing]) -> dict[str, list[Thing]]:
    """Return the things by group, in order; of identical things only the first."""
    groups: dict[str, list[Thing]] = {}
    for thing in things:
        if thing.id in thing.alike[:1] or not thing.alike:
            groups.setdefault(thing.group.id, []).append(thing)
    return groups


class Origin(msgspec.Struct, frozen=True):
    """A field of the cards and the cards whose value for it has the same kind of provenance."""

    use: str
    names: tuple[str, ...]


def origins(cards: Sequence[CataloguedCard]) -> Mapping[str, tuple[Origin, ...]]:
    """Return the named texts of cards by provenance, sorted, each with the names of the cards.

    Only the part of a provenance before a colon counts; empty texts are left out.
    """
    cards_by_code: dict[str, dict[str, dict[str, None]]] = {}
    for card in cards:
        for side in card.sides:
            for code in side.provenance.split(", "):
                if side.text:
                    cards_by_code.setdefault(code.partition(":")[0], {}).setdefault(side.name, {})[card.name] = None
    return {
        code: tuple(Origin(use, tuple(names)) for use, names in uses.items())
        for code, uses in sorted(cards_by_code.items())
    }


def origin_notes(cards: Sequence[CataloguedCard]) -> tuple[tuple[str, str], ...]:
    """Return pairs of card name and provenance note, without duplicates."""
    pairs = ((card.name, note) for card in cards for note in card.notes if ORIGINS.match(note))
    return tuple(dict.fromkeys(pairs))


@cache
def read_examples(path: Path) -> Mapping[str, tuple[Message, ...]]:
    """Return the narration of an example for each thing."""
    return msgspec.json.decode(path.read_bytes(), type=dict[str, tuple[Message, ...]])


def example_of(gallery: Gallery, thing: Thing) -> tuple[Message, ...]:
    """Return the narration of an example for the thing or an identical one; empty if no match has one."""
    examples = read_examples(gallery.examples)
    return next((examples[id] for id in (thing.id, *thing.seen_as, *thing.alike) if id in examples), ())
