"""All text in templates goes through the catalogues."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

import pytest
from jinja2 import Environment

API: Final = Path(__file__).parents[3] / "api"
SHOWN: Final = frozenset({"aria-label", "alt", "title", "placeholder", "aria-description", "aria-roledescription"})
"""Attributes with visible or spoken text."""
UNSEEN: Final = frozenset({"script", "style", "code", "kbd"})
VOID: Final = frozenset({"meta", "link", "input", "img", "br", "hr", "path", "use", "circle", "rect"})
NAMES: Final = re.compile(r"^\s*s\s*$|\b(Esporles|UTC|CSV|JSON|ZIP|csv|json|[IVX]+|[A-Z]|x|px)\b")
"""Words that are the same in every language; `s` alone means seconds."""
BARE: Final = re.compile(r' [a-z-]+="[^"]*"')
"""An attribute in a block that the surrounding page places inside a tag."""


class Words(HTMLParser):
    """Collects the visible text of a page's source."""

    def __init__(self) -> None:
        super().__init__()
        self.inside: list[str] = []
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.inside.append(tag)
        self.found += [value for name, value in attrs if name in SHOWN and value and is_word(value)]

    def handle_endtag(self, tag: str) -> None:
        if tag in self.inside:
            del self.inside[len(self.inside) - 1 - self.inside[::-1].index(tag) :]

    def handle_data(self, data: str) -> None:
        if not UNSEEN & {*self.inside} and is_word(data):
            self.found.append(data.strip())


def is_word(text: str) -> bool:
    return any(letter.isalpha() for letter in NAMES.sub("", BARE.sub("", text)))


def said_by_itself(source: str) -> list[str]:
    """Return the text of a template outside of expressions."""
    texts = [value for _, kind, value in Environment().lex(source) if kind == "data"]
    words = Words()
    words.feed(" ".join(texts))
    return words.found


@pytest.mark.parametrize("path", sorted(API.rglob("templates/**/*.html")), ids=lambda path: str(path.relative_to(API)))
def test_a_template_has_no_untranslated_text(path: Path) -> None:
    assert said_by_itself(path.read_text()) == []


def test_words_outside_of_expressions_are_found() -> None:
    source = (
        '<p class="x" title="Hello">{{ _("Sit down") }} now <b aria-label="{{ name }}">{% if a %}b{% endif %}</b></p>'
    )

    assert said_by_itself(source) == ["Hello", "now", "b"]
