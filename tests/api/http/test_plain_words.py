"""Words that pages avoid."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from api.http.languages import catalogue

NOT_SAID: Final = {
    "en": r"\b(the|this|our) house\b|shares? of luck|doubted|at one click|\(s\)|\brow id\b",
    "de": r"\bdieses Haus|\bdes Hauses\b|\(e?n\)|\(s\)|Glücksanteil",
    "cs": r"tohoto domu|v tomto domě|mladé prasat|\(y\)",
    "pl": r"tego domu|w tym domu|\(y\)",
    "uk": r"цього дому|у цьому домі",
}
"""By language: metaphors of the server, abstract luck, plurals in brackets, and internal jargon."""


@pytest.mark.parametrize("language", NOT_SAID)
def test_pages_avoid_unusual_words(language: str) -> None:
    known = catalogue("de" if language == "en" else language).forms
    sentences = list(known) if language == "en" else [form for forms in known.values() for form in forms]
    not_said = re.compile(NOT_SAID[language], re.IGNORECASE)

    assert len(sentences) > 1_000
    assert [sentence for sentence in sentences if not_said.search(sentence)] == []


BUTTON: Final = re.compile(r"<(button|summary)\b[^>]*>(.*?)</\1>", re.DOTALL)
SAID: Final = re.compile(r'_\("([^"]+)"')
INFINITIVE: Final = re.compile(r"(Tak, )?(?!\w+ość\b)\w+([aeiyą]|[śź])ć( się)?\b")


def test_polish_buttons_use_the_imperative() -> None:
    """Buttons use the imperative; an infinitive is the name of an action."""
    polish = catalogue("pl").forms
    buttons = {
        polish[sentence][0]
        for template in Path("api").rglob("templates/**/*.html")
        for _, button in BUTTON.findall(template.read_text(encoding="utf-8"))
        for sentence in SAID.findall(button)
    }

    assert len(buttons) > 150
    assert [button for button in buttons if INFINITIVE.match(button)] == []
