"""The rules of a title for players: paragraphs in every language, their rule ids, and illustrations."""

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
MARKDOWN_FEATURES: Final = ("paragraph", "newline", "escape", "emphasis", "list", "link", "entity")
"""The Markdown features that paragraphs may use."""
PARSER: Final = MarkdownIt("zero", {"html": False}).enable(list(MARKDOWN_FEATURES))


class Rulebook(msgspec.Struct, frozen=True):
    """The location of a title's rules and their illustrations."""

    folder: Path
    """The folder with the outline and a file for each language."""
    figures: str
    """The template of the illustrations; it receives the name in `figure`."""
    preface: str
    """The template of definitions shared by illustrations, included once; "" for none."""
    picture: Callable[[], Mapping[str, Any]]
    """Return the template context of the illustrations, in the current language."""


class Outline(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The paragraphs in order."""

    sections: Mapping[str, Mapping[str, tuple[str, ...]]]
    """Section to paragraph to the ids of the rules it explains."""
    figures: Mapping[str, str]
    """Paragraph to the illustration after it."""
    varieties: Mapping[str, Mapping[str, tuple[str, ...]]]
    """Option to value to the paragraphs that explain the change."""

    @property
    def paragraphs(self) -> Mapping[str, tuple[str, ...]]:
        """Return all paragraphs with their rule ids; names are unique."""
        return {name: rules for section in self.sections.values() for name, rules in section.items()}


class Paragraph(msgspec.Struct, frozen=True):
    """A rendered paragraph."""

    id: str
    rules: tuple[str, ...]
    html: Markup
    figure: str
    """The illustration after it; "" for none."""


class Section(msgspec.Struct, frozen=True):
    """A rendered section."""

    id: str
    title: str
    paragraphs: tuple[Paragraph, ...]


@cache
def load_outline(folder: Path) -> Outline:
    """Return the outline of a title; raise `ValidationError` for unknown keys."""
    return msgspec.convert(read_toml(folder / OUTLINE), Outline)


@cache
def load_texts(folder: Path, language: str) -> Mapping[str, Mapping[str, str]]:
    """Return section to paragraph to text, with the heading of each section."""
    return msgspec.convert(read_toml(folder / f"{language}.toml"), dict[str, dict[str, str]])


def read_toml(path: Path) -> Mapping[str, Any]:
    """Return a parsed TOML file."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


@cache
def build_sections(folder: Path, language: str) -> tuple[Section, ...]:
    """Return the rules in a language, in the order of the outline."""
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
    """Return a paragraph as HTML."""
    return Markup(PARSER.render(text.strip()))  # noqa: S704 -- the parser escapes everything


IN: Final = "in-"
"""The anchor prefix of a whole section."""


def find_section(folder: Path, language: str, anchor: str) -> Section | None:
    """Return the section of an anchor, with only the paragraph that the anchor names; None if unknown."""
    for section in build_sections(folder, language):
        if anchor == f"{IN}{section.id}":
            return section
        matching = tuple(paragraph for paragraph in section.paragraphs if paragraph.id == anchor)
        if matching:
            return Section(section.id, section.title, matching)
    return None


def find_variety(folder: Path, language: str, option: str, value: str) -> tuple[Paragraph, ...]:
    """Return the paragraphs about an option's value; empty for an unknown option or value."""
    paragraphs_by_id = {
        paragraph.id: paragraph for section in build_sections(folder, language) for paragraph in section.paragraphs
    }
    return tuple(paragraphs_by_id[id] for id in load_outline(folder).varieties.get(option, {}).get(value, ()))


@cache
def find_paragraph(folder: Path, rule: str) -> str | None:
    """Return the paragraph that explains a rule, or a part of it, or the rule that contains it; None if not found."""
    paragraph_names: dict[str, str] = {}
    for name, rules in load_outline(folder).paragraphs.items():
        for each in rules:
            paragraph_names.setdefault(each, name)
    while rule not in paragraph_names:
        subrule = next((name for each, name in paragraph_names.items() if each.startswith(f"{rule}.")), None)
        if subrule is not None:
            return subrule
        rule, _, last = rule.rpartition(".")
        if not last:
            return None
    return paragraph_names[rule]
