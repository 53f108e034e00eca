"""The glossary: every word of both games and of playing them, in every language; the catalogues are held to it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

FILE: Final = Path(__file__).parent / "locales" / "glossary.toml"
ACCUSATIVE: Final = "accusative"
"""The case of what somebody takes, pays or delivers: the only one that sentences ask for."""
COUNTS: Final = ("", "{count} ")
FORMS: Final[Mapping[str, tuple[int, ...]]] = {
    "en": (0, 1),
    "cs": (0, 1, 3),
    "uk": (0, 1, 2),
    "pl": (0, 1, 2),
    "de": (0, 1),
}
"""Which of the plural forms, which know fractions too, are those of whole numbers, in the order of a catalogue."""


class Term(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A word in every language, with the forms it is counted in where it is counted."""

    en: str
    cs: str
    uk: str
    pl: str
    de: str
    origin: Mapping[str, str]
    """Whether the rules of that edition use the word (`seed`) or it was supplied (`translated`)."""
    plural: Mapping[str, tuple[str, ...]] = {}
    accusative: Mapping[str, str] = {}
    """The form for one, in the languages in which it is another than the word alone."""

    def word(self, language: str) -> str:
        said: str = getattr(self, language)
        return said

    def plural_forms(self, language: str) -> tuple[str, ...]:
        """The forms of a catalogue; none where the word is not counted."""
        forms = self.plural.get(language, ())
        return tuple(forms[index] for index in FORMS[language]) if forms else ()

    @property
    def names(self) -> frozenset[str]:
        """How English text may call it."""
        return frozenset({self.en, *self.plural.get("en", ())})


@cache
def glossary() -> Mapping[str, Term]:
    """All terms by their ids, read strictly."""
    return msgspec.convert(tomllib.loads(FILE.read_text(encoding="utf-8")), dict[str, Term])


@cache
def accusatives(language: str) -> Mapping[str, str]:
    """By sentences that are a term, alone or with a number: the same as what somebody takes."""
    terms = [term for term in glossary().values() if language in term.accusative]
    return {
        f"{count}{term.word(language)}": f"{count}{term.accusative[language]}" for term in terms for count in COUNTS
    }
