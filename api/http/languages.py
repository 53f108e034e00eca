"""Localisation: language negotiation, catalogues of messages, and formats of numbers and dates.

A message id is the English sentence. The catalogues are `locales/LANGUAGE/SUBJECT.po` here and `locales/LANGUAGE.po` of
each title; they are loaded when a language is first used. Former ids of a title's messages, which studies and analyses
still store, are in `api/titles/TITLE/locales/former_sentences.toml`.
"""

from __future__ import annotations

import gettext
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, date, datetime, tzinfo
from functools import cache
from pathlib import Path
from typing import Any, Final, get_args

from babel.core import Locale
from babel.dates import format_date, format_skeleton, format_time
from babel.lists import format_list
from babel.messages.pofile import read_po
from babel.numbers import format_decimal, get_decimal_symbol
from jinja2 import Environment
from litestar.connection import ASGIConnection
from litestar.types import ASGIApp, Receive, Scope, Send
from markupsafe import Markup, escape

from api.http.glossary import inflections
from api.http.preferences import DEFAULTS, Hours, preferences_of
from domain.kernel.messages import Message, Term, english
from domain.kernel.messages import say as say_with

LOCALES: Final = Path(__file__).parent / "locales"
ENGLISH: Final = "en"
LANGUAGES: Final[Mapping[str, str]] = {
    ENGLISH: "English",
    "cs": "Čeština",
    "uk": "Українська",
    "pl": "Polski",
    "de": "Deutsch",
}
"""The supported languages by tag, with their native names."""
GROUPING_MIN: Final = 1_000
"""Smaller whole numbers have no separators in any language."""

TITLES: Final = Path(__file__).parent.parent / "titles"
TITLE_AREAS: Final = tuple(sorted(folder.parent.name for folder in TITLES.glob("*/locales")))
SUBJECT_AREAS: Final = (
    "http",
    "matches",
    "tournaments",
    "leagues",
    "ratings",
    "rankings",
    "archive",
    "studies",
    "disputes",
    "roles",
    "integrity",
    "accounts",
    "notifications",
    "transparency",
    "analyses",
    "puzzles",
    "talk",
    "friends",
    "quick",
    "site",
    "clubs",
    "circuits",
)
AREAS: Final = (*SUBJECT_AREAS[:1], *TITLE_AREAS, *SUBJECT_AREAS[1:])
"""Catalogues of a language; a message in several is translated by the first."""

FORMER_SENTENCES: Final[Mapping[str, str]] = {
    former: current
    for path in sorted(TITLES.glob("*/locales/former_sentences.toml"))
    for former, current in tomllib.loads(path.read_text(encoding="utf-8")).items()
}
"""The current message id of each former one."""

WEIGHTED_LANGUAGE: Final = re.compile(
    r"\s*([A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*|\*)\s*(?:;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?\s*"
)
"""A part of Accept-Language: language range and weight (RFC 9110, 12.5.4)."""

CURRENT_LANGUAGE: Final[ContextVar[str]] = ContextVar("spoken", default=ENGLISH)
CURRENT_HOURS: Final[ContextVar[Hours]] = ContextVar("hours", default=DEFAULTS.hours)
"""The format of the time of day, 12 or 24 hours."""
SKELETONS: Final[Mapping[Hours, str]] = {"12": "hm", "24": "Hm"}


def choose_language(chosen: str | None, header: str | None) -> str:
    """Return the chosen language if it is supported, otherwise the best match for Accept-Language."""
    return chosen if chosen is not None and chosen in LANGUAGES else negotiate_language(header or "")


def negotiate_language(header: str) -> str:
    """Return the supported language with the highest weight in Accept-Language, the first of equals; else English."""
    weights: dict[str, float] = {}
    default_weight = 0.0
    for part in header.split(","):
        if not (parsed := WEIGHTED_LANGUAGE.fullmatch(part)):
            continue
        tag, weight = parsed[1].lower(), float(parsed[2] or 1)
        if tag == "*":
            default_weight = weight
        elif (language := tag.partition("-")[0]) in LANGUAGES:
            weights[language] = max(weight, weights.get(language, 0.0))
    for language in LANGUAGES:
        weights.setdefault(language, default_weight)
    best = max(weights, key=lambda language: weights[language])
    return best if weights[best] > 0 else ENGLISH


def language_of(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Return the language for the reader of a page; the API uses English."""
    if connection.scope["path"].startswith("/api/"):
        return ENGLISH
    return choose_language(preferences_of(connection).language, connection.headers.get("accept-language"))


def hours_of(connection: ASGIConnection[Any, Any, Any, Any]) -> Hours:
    """Return the reader's format of the time of day; the API uses the default."""
    return DEFAULTS.hours if connection.scope["path"].startswith("/api/") else preferences_of(connection).hours


def current_language() -> str:
    """Return the language of the current context."""
    return CURRENT_LANGUAGE.get()


@contextmanager
def use_language(language: str, hours: Hours = DEFAULTS.hours) -> Iterator[None]:
    """Use this language and time format for texts inside the block."""
    language_token, hours_token = CURRENT_LANGUAGE.set(language), CURRENT_HOURS.set(hours)
    try:
        yield
    finally:
        CURRENT_LANGUAGE.reset(language_token)
        CURRENT_HOURS.reset(hours_token)


def language_middleware(app: ASGIApp) -> ASGIApp:
    """Add middleware that handles each request in the language of the browser's cookies and headers."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        connection = ASGIConnection[Any, Any, Any, Any](scope)
        with use_language(language_of(connection), hours_of(connection)):
            await app(scope, receive, send)

    return answer


def use_caller_language(connection: ASGIConnection[Any, Any, Any, Any]) -> None:
    """Switch to language and time format of the identified person, until the surrounding `use_language` block ends."""
    CURRENT_LANGUAGE.set(language_of(connection))
    CURRENT_HOURS.set(hours_of(connection))


def path_of(language: str, area: str) -> Path:
    """Return the file of a catalogue."""
    return TITLES / area / "locales" / f"{language}.po" if area in TITLE_AREAS else LOCALES / language / f"{area}.po"


class Catalogue:
    """All messages of a language."""

    def __init__(self, language: str) -> None:
        self.forms: dict[str, tuple[str, ...]] = {}
        self.inflections = inflections(language)
        self.choose: Callable[[int], int] = lambda _: 0
        for path in (path_of(language, area) for area in AREAS):
            with path.open("rb") as file:
                catalogue = read_po(file, locale=language)
            self.choose = gettext.c2py(catalogue.plural_expr)
            for message in catalogue:
                forms = (message.string,) if isinstance(message.string, str) else tuple(message.string or ())
                if message.id and forms and all(forms) and not message.fuzzy:
                    self.forms[str(message.id if isinstance(message.id, str) else message.id[0])] = forms

    def translate(self, id: str, plural: str | None, count: int, case: str = "") -> str:
        """Return the translation in the plural form for `count`, in the given case.

        English if it is missing, which a test forbids.
        """
        forms = self.forms.get(id)
        if not forms:
            return english(id, plural, count)
        form = forms[self.choose(count)] if len(forms) > 1 else forms[0]
        return self.inflect(form, case) if case else form

    def inflect(self, form: str, case: str) -> str:
        """Return a term in a case; of `power card {power}` the words before the placeholder are inflected."""
        forms = self.inflections.get(case, {})
        term, brace, placeholder = form.partition(" {")
        return forms.get(form) or forms.get(term, term) + brace + placeholder


@cache
def catalogue(language: str) -> Catalogue:
    """Load a catalogue, once."""
    return Catalogue(language)


def translate(id: str, plural: str | None = None, count: int = 1, case: str = "") -> str:
    """Return the pattern of a message, in its current wording, in the current language."""
    id, language = FORMER_SENTENCES.get(id, id), current_language()
    return english(id, plural, count) if language == ENGLISH else catalogue(language).translate(id, plural, count, case)


def fill_placeholders(pattern: str, args: Mapping[str, Any]) -> str:
    """Fill the placeholders of a pattern, translating messages; if an argument is HTML, everything else is escaped."""
    args = {name: Term(value, translate) if isinstance(value, Message) else value for name, value in args.items()}
    if any(hasattr(value, "__html__") for value in args.values()):
        return escape(pattern).format(**args)
    return pattern.format(**args) if args else pattern


def _(id: str, **args: object) -> str:
    """Return a message in the current language."""
    return fill_placeholders(translate(id), args)


def ngettext(one: str, many: str, count: int, **args: object) -> str:
    """Return a message with plural forms; `{count}` is replaced by the number."""
    return fill_placeholders(translate(one, many, count), {"count": count, **args})


def say(message: Message) -> str:
    """Return a domain message in the current language."""
    return say_with(message, translate)


def current_locale() -> Locale:
    """Return the locale for numbers and dates; British for English."""
    return babel_locale(current_language())


@cache
def babel_locale(language: str) -> Locale:
    """Return the Babel locale of a language."""
    return Locale.parse("en_GB" if language == ENGLISH else language)


def format_number(value: float) -> str:
    """Format a number with the separators of the language; integers below `GROUPING_MIN` have none."""
    if isinstance(value, int) and 0 <= value < GROUPING_MIN:
        return str(value)
    return format_decimal(value, locale=current_locale())


def localize_decimal(text: str) -> str:
    """Return a number as text, for example `12.5`, with the decimal mark of the language."""
    return text.replace(".", get_decimal_symbol(current_locale()))


def format_day(at: date) -> str:
    """Format a date, short enough for a table."""
    return format_date(at, "medium", locale=current_locale())


def time_of_day(at: datetime) -> str:
    """Format hours and minutes of the time in its own zone, by the reader's preference, otherwise by the language."""
    hours = CURRENT_HOURS.get()
    if hours == "usual":
        return format_time(at, "short", locale=current_locale())
    return format_skeleton(SKELETONS[hours], at, locale=current_locale())


def time_element(at: datetime) -> Markup:
    """Return a `<time>` element with date and time in UTC; scripts convert it to local time."""
    at = at.astimezone(UTC)
    text = f"{format_date(at, 'medium', locale=current_locale())} {time_of_day(at)} UTC"
    return Markup('<time datetime="{}">{}</time>').format(at.isoformat(timespec="seconds"), text)


def time_element_for_all(at: datetime) -> Markup:
    """Return `time_element` in every time format, for shared HTML; the style sheet shows one of them."""
    elements = {}
    for hours in get_args(Hours):
        with use_language(current_language(), hours):
            elements[hours] = time_element(at)
    spans = (Markup('<span class="hours-{}">{}</span>').format(hours, element) for hours, element in elements.items())
    return Markup("").join(spans)


def local_moment(at: datetime, zone: tzinfo) -> str:
    """Format weekday, date and time in a time zone."""
    local = at.astimezone(zone)
    return f"{format_skeleton('yMMMEd', local, locale=current_locale())}, {time_of_day(local)}"


def local_end(at: datetime, since: datetime, zone: tzinfo) -> str:
    """Format the end of a period in a time zone; on the day of its start, only the time."""
    local = at.astimezone(zone)
    if since.astimezone(zone).date() == local.date():
        return time_of_day(local)
    return local_moment(at, zone)


def join_words(words: Iterable[str]) -> str:
    """Join words as a list in the current language."""
    return format_list(list(words), locale=current_locale())


def add_localisation(environment: Environment) -> None:
    """Add the localisation functions and filters to a template environment."""
    environment.globals |= {"_": _, "ngettext": ngettext, "languages": LANGUAGES, "spoken": current_language}
    environment.filters |= {
        "say": say,
        "number": format_number,
        "decimal": localize_decimal,
        "day": format_day,
        "moment": time_element,
        "listed": join_words,
    }
    environment.filters |= {"moment_for_all": time_element_for_all}
