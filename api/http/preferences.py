"""How a reader wants the pages: kept with the account, a guest's too, and in the browser for who has none.

What is drawn for many is the same whatever they want. Their choices stand on the element `html` of the page around it,
as `data-motion="off"`; style sheets and scripts go by these attributes.
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
"""All but language and colours, which have cookies of their own from before there were others."""
COOKIE_SECONDS: Final = 365 * 24 * 3600
WORD_LENGTH_MAX: Final = 400
"""More than all choices there are: what is longer is none of ours."""

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
    """The choices of a reader; each default is what is shown to who has chosen nothing."""

    language: str = ""
    """Empty: as the browser asks for."""
    theme: Theme = "auto"
    motion: Motion = "auto"
    sound: Sound = "off"
    confirm: Confirm = "ask"
    """Whether it is asked before an action that cannot be taken back."""
    clicks: Clicks = "one"
    """How many presses an action takes."""
    colours: Colours = "usual"
    """The seats' colours: the usual ones, or those that are told apart without red and green, or blue and yellow."""
    patterns: Patterns = "off"
    density: Density = "usual"
    numbers: Numbers = "off"
    """Whether the lines of the log have the numbers of their entries."""
    hours: Hours = "usual"
    presence: Presence = "usual"
    """Whether others see that one is at a table: as a player alone, by name where one watches too, or never."""


USUAL: Final = Preferences()
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
"""What can be chosen, but for the languages; `tests/api/http/test_preferences.py` holds it against the fields."""


def word_of(preferences: Preferences) -> str:
    """The choices in one word, those that are usual left out; `read_word` reads it."""
    chosen = ((name, getattr(preferences, name)) for name in Preferences.__struct_fields__)
    return ".".join(f"{name}-{value}" for name, value in chosen if value != getattr(USUAL, name))


@lru_cache(512)
def read_word(word: str) -> Preferences:
    """The choices in such a word. What is unknown is left out: another version of the service may have written it."""
    found = {}
    for part in word[:WORD_LENGTH_MAX].split("."):
        name, _, value = part.partition("-")
        if value in CHOICES.get(name, ()) or (name == "language" and value.isalpha()):
            found[name] = value
    return msgspec.convert(found, Preferences)


def preferences_of(connection: ASGIConnection[Any, Any, Any, Any]) -> Preferences:
    """What the reader of a page has chosen: the person, else the browser."""
    caller = connection.scope.get("user")
    kept = caller.person.preferences if caller is not None and caller.person is not None else None
    return browser_preferences(connection.cookies) if kept is None else read_word(kept)


def chosen_in(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """What was chosen in this browser, as a word that is kept with a person; empty: nothing was."""
    return word_of(browser_preferences(connection.cookies))


def browser_preferences(cookies: Mapping[str, str]) -> Preferences:
    """What was chosen in this browser, whoever signs in there."""
    language, theme = cookies.get(LANGUAGE_COOKIE, ""), cookies.get(THEME_COOKIE, "")
    return read_word(f"{cookies.get(COOKIE, '')}.language-{language}.theme-{theme}")


@lru_cache(512)
def attributes_of(preferences: Preferences) -> Mapping[str, str]:
    """The attributes of the element `html`, by their names without `data-`."""
    return {name: getattr(preferences, name) for name in CHOICES if getattr(preferences, name) != getattr(USUAL, name)}
