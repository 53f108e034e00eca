"""The glossary of game terms in every language, which the catalogues must follow."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

FILE: Final = Path(__file__).parent / "locales" / "glossary.toml"
CASES: Final = ("accusative", "into", "from", "in", "at")
"""The cases that messages need: objects that a player takes, pays or delivers, and places with their preposition."""
COUNTS: Final = ("", "{count} ")
FORMS: Final[Mapping[str, tuple[int, ...]]] = {
    "en": (0, 1),
    "cs": (0, 1, 3),
    "uk": (0, 1, 2),
    "pl": (0, 1, 2),
    "de": (0, 1),
}
"""Indices of the plural forms of whole numbers, in catalogue order; the glossary also has forms for fractions."""


class Term(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A term in every language, with its plural forms if it is counted."""

    en: str
    cs: str
    uk: str
    pl: str
    de: str
    origin: Mapping[str, str]
    """By language: whether the rules of that edition use the word (`seed`) or it was supplied (`translated`)."""
    plural: Mapping[str, tuple[str, ...]] = {}
    cases: Mapping[str, Mapping[str, str]] = {}
    """By case, the singular in languages where it differs."""

    def word(self, language: str) -> str:
        """Return the word in a language."""
        word: str = getattr(self, language)
        return word

    def plural_forms(self, language: str) -> tuple[str, ...]:
        """Return the plural forms of a catalogue; empty if the term is not counted."""
        forms = self.plural.get(language, ())
        return tuple(forms[index] for index in FORMS[language]) if forms else ()

    @property
    def names(self) -> frozenset[str]:
        """The English words for the term."""
        return frozenset({self.en, *self.plural.get("en", ())})


@cache
def glossary() -> Mapping[str, Term]:
    """Load all terms by id."""
    return msgspec.convert(tomllib.loads(FILE.read_text(encoding="utf-8")), dict[str, Term])


@cache
def inflections(language: str) -> Mapping[str, Mapping[str, str]]:
    """Return by case a map from nominative to inflected phrases, with and without a number."""
    return {
        case: {
            f"{count}{term.word(language)}": f"{count}{term.cases[case][language]}"
            for term in glossary().values()
            if language in term.cases.get(case, {})
            for count in COUNTS
        }
        for case in CASES
    }
