"""Names of countries in the language of the reader."""

from __future__ import annotations

from functools import cache

from babel.core import Locale

from api.http.languages import babel_locale, current_language
from api.http.names import without_accents
from domain.contests.countries import CODES


def country_name(code: str) -> str:
    """Return the name of a country in the current language; the code if it has none there."""
    return name_in(babel_locale(current_language()), code)


def country_names() -> dict[str, str]:
    """Return the names of all countries in the current language by code, sorted by name without accents."""
    return sorted_names(current_language())


@cache
def sorted_names(language: str) -> dict[str, str]:
    """Return the names of all countries in a language by code, sorted by name without accents."""
    locale = babel_locale(language)
    names = {code: name_in(locale, code) for code in CODES}
    return dict(sorted(names.items(), key=lambda item: (without_accents(item[1]), item[0])))


def name_in(locale: Locale, code: str) -> str:
    """Return the name of a country in a locale; the code if it has none there."""
    return str(locale.territories.get(code, code))
