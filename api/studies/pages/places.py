"""Contents of a study by place, and the parts of a board that rings and arrows can name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import unescape
from typing import Final, TypeVar

import msgspec
from markupsafe import Markup

from api.accounts.display_names import Names
from api.studies.markdown import render_markdown
from domain.studies.facts import Shape, StudyPlace
from domain.studies.state import Comment, Marks, Study, Variation

T = TypeVar("T", Comment, Variation)

PAGE_WEIGHT: Final = 60
"""Approximate number of comments and variations per page."""
PART: Final = re.compile(r'data-part="([a-z0-9_-]+)"(?:[^<>]*?aria-label="([^"<>]*)")?')


class RenderedComment(msgspec.Struct, frozen=True):
    """A comment with its author's name and HTML."""

    comment: Comment
    name: str
    html: Markup


class PlaceShown(msgspec.Struct, frozen=True):
    """The contents of a place."""

    place: StudyPlace
    marks: Marks | None
    comments: tuple[RenderedComment, ...]
    variations: tuple[Variation, ...]

    @property
    def shapes(self) -> str:
        """Rings and arrows as the board's script and the form's field write them: `region-3 region-1>court`."""
        return " ".join(map(shape_word, self.marks.shapes)) if self.marks else ""


def shape_word(shape: Shape) -> str:
    """Return a shape as text."""
    text = shape.part if shape.to is None else f"{shape.part}>{shape.to}"
    return text if shape.colour == "green" else f"{shape.colour}:{text}"


class StudyIndex:
    """A study indexed by place, so that look-ups need no search."""

    def __init__(self, study: Study, names: Names) -> None:
        self._study = study
        self._names = names
        self._comments = by_place(study.comments)
        self._variations = by_place(study.variations)
        self._marks: Mapping[StudyPlace, Marks] = {each.at: each for each in study.marks}

    def at(self, place: StudyPlace) -> PlaceShown:
        """Return marks, comments (as HTML) and variations of a place; without any, None for marks and () for others."""
        comments = self._comments.get(place, ())
        return PlaceShown(
            place,
            self._marks.get(place),
            tuple(RenderedComment(each, self._names[each.by], render_markdown(each.text)) for each in comments),
            tuple(self._variations.get(place, ())),
        )

    @property
    def entries(self) -> tuple[int, ...]:
        """The entries with any content, sorted."""
        return tuple(sorted({place.entry for place in (*self._comments, *self._marks, *self._variations)}))

    @property
    def marked_places(self) -> Iterator[StudyPlace]:
        """The places with any content, each once."""
        return iter(dict.fromkeys((*self._marks, *self._comments, *self._variations)))

    @property
    def pages(self) -> tuple[tuple[int, ...], ...]:
        """The entries divided into pages."""
        weights = dict.fromkeys(self.entries, 1)
        places = [each.at for each in self._study.comments] + [each.at for each in self._study.variations]
        for place in places:
            weights[place.entry] += 1
        return divide_into_pages(self.entries, weights.__getitem__)


def by_place(all_of_them: Iterable[T]) -> dict[StudyPlace, list[T]]:
    """Return items by place, each list in the given order."""
    found: dict[StudyPlace, list[T]] = {}
    for each in all_of_them:
        found.setdefault(each.at, []).append(each)
    return found


def divide_into_pages(entries: Sequence[int], weight: Callable[[int], int]) -> tuple[tuple[int, ...], ...]:
    """Divide entries, in order, into pages of at least `PAGE_WEIGHT`, except the last; without entries one is empty."""
    pages: list[list[int]] = [[]]
    total = 0
    for entry in entries:
        if total >= PAGE_WEIGHT:
            pages.append([])
            total = 0
        pages[-1].append(entry)
        total += weight(entry)
    return tuple(tuple(page) for page in pages)


class BoardPart(msgspec.Struct, frozen=True):
    """A part of a board: its name in the drawing, and its label."""

    name: str
    label: str


def part_words(name: str) -> str:
    """Return a part's name as words: `area-castilla` becomes "area castilla"."""
    return name.replace("-", " ").replace("_", " ")


def parts_of(pieces: Iterable[tuple[str, str]]) -> tuple[BoardPart, ...]:
    """Return the parts of a rendered board, each once, in order, labelled by its first label that is not empty."""
    found: dict[str, str] = {}
    for _, html in pieces:
        for name, label in PART.findall(html):
            if not found.get(name):
                found[name] = unescape(label)
    return tuple(
        BoardPart(name, f"{label} ({part_words(name)})" if label else part_words(name)) for name, label in found.items()
    )
