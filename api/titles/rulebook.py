"""The rules of a title for players: paragraphs in every language, what each tells, and drawings from positions."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
from markdown_it import MarkdownIt
from markupsafe import Markup

OUTLINE: Final = "outline.toml"
HEADING: Final = "title"
WRITTEN_WITH: Final = ("paragraph", "newline", "escape", "emphasis", "list", "link", "entity")
"""The Markdown that paragraphs are written in."""
PARSER: Final = MarkdownIt("zero", {"html": False}).enable(list(WRITTEN_WITH))


class Rulebook(msgspec.Struct, frozen=True):
    """Where the rules of a title stand, and how they are illustrated."""

    folder: Path
    """Holds the outline, and a file for each language."""
    figures: str
    """The template of the drawings; it finds the name of one in `figure`."""
    preface: str
    """The template of what drawings need once on the page; "" for nothing."""
    picture: Callable[[], Mapping[str, Any]]
    """What the drawings are made of, in the language that is spoken."""


class Outline(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The paragraphs in their order."""

    sections: Mapping[str, Mapping[str, tuple[str, ...]]]
    """Section -> paragraph -> the ids of the rules it tells."""
    figures: Mapping[str, str]
    """Paragraph -> the drawing behind it."""
    varieties: Mapping[str, Mapping[str, tuple[str, ...]]]
    """Option of a table -> value -> the paragraphs that say what it changes."""

    @property
    def paragraphs(self) -> Mapping[str, tuple[str, ...]]:
        """All paragraphs with their rules; no two have the same name."""
        return {name: rules for section in self.sections.values() for name, rules in section.items()}


class Paragraph(msgspec.Struct, frozen=True):
    """A paragraph as it is shown."""

    id: str
    rules: tuple[str, ...]
    html: Markup
    figure: str
    """The drawing behind it; "" for none."""


class Section(msgspec.Struct, frozen=True):
    """A section as it is shown."""

    id: str
    title: str
    paragraphs: tuple[Paragraph, ...]


@cache
def load_outline(folder: Path) -> Outline:
    """The outline of a title, read strictly."""
    return msgspec.convert(read(folder / OUTLINE), Outline)


@cache
def load_texts(folder: Path, language: str) -> Mapping[str, Mapping[str, str]]:
    """Section -> paragraph -> what it says, with the heading of the section among them."""
    return msgspec.convert(read(folder / f"{language}.toml"), dict[str, dict[str, str]])


def read(path: Path) -> Mapping[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


@cache
def build_sections(folder: Path, language: str) -> tuple[Section, ...]:
    """The rules in a language, in the order of the outline."""
    outline, texts = load_outline(folder), load_texts(folder, language)
    return tuple(
        Section(
            name,
            texts[name][HEADING],
            tuple(
                Paragraph(id, rules, render_paragraph(texts[name][id]), outline.figures.get(id, ""))
                for id, rules in section.items()
            ),
        )
        for name, section in outline.sections.items()
    )


def render_paragraph(text: str) -> Markup:
    """A paragraph as HTML."""
    return Markup(PARSER.render(text.strip()))  # noqa: S704 -- the parser escapes everything


IN: Final = "in-"
"""How the anchor of a whole section begins."""


def find_section(folder: Path, language: str, anchor: str) -> Section | None:
    """What an anchor of the page of the rules stands for: a whole section, or a section with one paragraph alone."""
    for section in build_sections(folder, language):
        if anchor == f"{IN}{section.id}":
            return section
        told = tuple(paragraph for paragraph in section.paragraphs if paragraph.id == anchor)
        if told:
            return Section(section.id, section.title, told)
    return None


def find_variety(folder: Path, language: str, option: str, value: str) -> tuple[Paragraph, ...]:
    """The paragraphs that say what an option of a table changes; empty where there is no such option or value."""
    told = {paragraph.id: paragraph for section in build_sections(folder, language) for paragraph in section.paragraphs}
    return tuple(told[id] for id in load_outline(folder).varieties.get(option, {}).get(value, ()))


@cache
def find_paragraph(folder: Path, rule: str) -> str | None:
    """The paragraph that tells a rule, else the first that tells a part of it, else that of what it is a part of.

    None where nothing near it is told.
    """
    told: dict[str, str] = {}
    for name, rules in load_outline(folder).paragraphs.items():
        for each in rules:
            told.setdefault(each, name)
    while rule not in told:
        below = next((name for each, name in told.items() if each.startswith(f"{rule}.")), None)
        if below is not None:
            return below
        rule, _, last = rule.rpartition(".")
        if not last:
            return None
    return told[rule]
