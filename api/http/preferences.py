"""Display preferences, stored in the account and in cookies of the browser.

Shared HTML does not depend on preferences. The `html` element has them as attributes, such as `data-motion="off"`,
which style sheets and scripts use.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, Literal, get_args

import msgspec
from litestar.connection import ASGIConnection

LANGUAGE_COOKIE: Final = "language"
THEME_COOKIE: Final = "theme"
COOKIE: Final = "preferences"
"""Cookie for all preferences except language and theme, whose cookies are older."""
COOKIE_SECONDS: Final = 365 * 24 * 3600
WORD_LENGTH_MAX: Final = 400
"""Maximum length of stored preferences; valid ones are shorter."""

Theme = Literal["auto", "light", "dark"]
Motion = Literal["auto", "off"]
Sound = Literal["off", "turn", "all"]
Confirm = Literal["ask", "never"]
Clicks = Literal["one", "two"]
Colours = Literal["usual", "red-green", "blue-yellow"]
Patterns = Literal["off", "on"]
Density = Literal["usual", "compact", "roomy"]
Numbers = Literal["off", "on"]
Hours = Literal["usual", "12", "24"]
Presence = Literal["usual", "named", "hidden"]


class Preferences(msgspec.Struct, frozen=True):
    """Preferences of a reader; the defaults apply to readers who have chosen nothing."""

    language: str = ""
    """Empty: the language of the browser."""
    theme: Theme = "auto"
    motion: Motion = "auto"
    sound: Sound = "off"
    confirm: Confirm = "ask"
    """Whether to confirm irreversible actions."""
    clicks: Clicks = "one"
    """Number of clicks for an action."""
    colours: Colours = "usual"
    """Colours of the seats: the default, or palettes for red-green and blue-yellow colour blindness."""
    patterns: Patterns = "off"
    density: Density = "usual"
    numbers: Numbers = "off"
    """Whether log lines show entry numbers."""
    hours: Hours = "usual"
    presence: Presence = "usual"
    """Whether others see the reader at a table: only as a player, by name also as a spectator, or never."""


DEFAULTS: Final = Preferences()
CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "theme": get_args(Theme),
    "motion": get_args(Motion),
    "sound": get_args(Sound),
    "confirm": get_args(Confirm),
    "clicks": get_args(Clicks),
    "colours": get_args(Colours),
    "patterns": get_args(Patterns),
    "density": get_args(Density),
    "numbers": get_args(Numbers),
    "hours": get_args(Hours),
    "presence": get_args(Presence),
}
"""Choices by preference, without languages; `tests/api/http/test_preferences.py` compares them with the fields."""


def encode_preferences(preferences: Preferences) -> str:
    """Return the non-default preferences as one word, which `decode_preferences` parses."""
    chosen = ((name, getattr(preferences, name)) for name in Preferences.__struct_fields__)
    return ".".join(f"{name}-{value}" for name, value in chosen if value != getattr(DEFAULTS, name))


@lru_cache(512)
def decode_preferences(text: str) -> Preferences:
    """Return the preferences in a stored text; unknown ones, from other versions of the service, are ignored."""
    found = {}
    for part in text[:WORD_LENGTH_MAX].split("."):
        name, _, value = part.partition("-")
        if value in CHOICES.get(name, ()) or (name == "language" and value.isalpha()):
            found[name] = value
    return msgspec.convert(found, Preferences)


def preferences_of(connection: ASGIConnection[Any, Any, Any, Any]) -> Preferences:
    """Return the preferences of the person; if they have stored none, or for visitors, of the browser's cookies."""
    caller = connection.scope.get("user")
    stored = caller.person.preferences if caller is not None and caller.person is not None else None
    return browser_preferences(connection.cookies) if stored is None else decode_preferences(stored)


def encode_browser_preferences(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Return the browser's preferences as a word to store with a person; empty if there are none."""
    return encode_preferences(browser_preferences(connection.cookies))


def browser_preferences(cookies: Mapping[str, str]) -> Preferences:
    """Return the preferences in the cookies."""
    language, theme = cookies.get(LANGUAGE_COOKIE, ""), cookies.get(THEME_COOKIE, "")
    return decode_preferences(f"{cookies.get(COOKIE, '')}.language-{language}.theme-{theme}")


@lru_cache(512)
def attributes_of(preferences: Preferences) -> Mapping[str, str]:
    """Return the attributes of the `html` element, by name without `data-`; defaults are left out."""
    return {
        name: getattr(preferences, name) for name in CHOICES if getattr(preferences, name) != getattr(DEFAULTS, name)
    }
