"""Names: which can be had, and which two would be taken for each other.

Names are compared by their skeletons (Unicode TS 39, `confusable-homoglyphs`): two that look alike are one name,
whatever letters they are made of.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import Final

from confusable_homoglyphs import __version__ as confusables_version
from confusable_homoglyphs import categories
from confusable_homoglyphs.confusables import confusables_data

from api.http.languages import LANGUAGES, _, speaking
from api.http.names import BOT_NAMES, ERASED_NAME, HOUSE_NAME, erased_name
from domain.kernel.messages import N_
from domain.kernel.texts import IGNORABLE

NAME_LENGTH_MIN: Final = 2
NAME_LENGTH_MAX: Final = 40
ERASED_BEFORE: Final = N_("somebody")
"""How such a person was called once: nobody takes the name now either."""
GUEST_NAME: Final = N_("Guest {number}")
"""The name of a guest, in the language of each reader; the store has the number alone."""
GUEST_NUMBER: Final = re.compile(r"\b[0-9a-f]{6}$")

MADE_BY: Final = f"1 {confusables_version}"
"""Raised with anything that changes a look: stored ones of another maker are made again."""
BLANKS: Final = frozenset("\u2800")
"""Braille without a dot: a symbol to Unicode, a blank to the eye."""
MARK: Final = "\u200e"
"""Stands around what is written from right to left in the package's data, and belongs to nothing."""
NO_SCRIPT: Final = frozenset({"COMMON", "INHERITED"})
MIXES: Final = (
    frozenset({"LATIN", "HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "HAN", "BOPOMOFO"}),
    frozenset({"LATIN", "HAN", "HANGUL"}),
)
"""Scripts that are written together (TS 39, "highly restrictive")."""
OWN_NAMES: Final = (N_("service"), ERASED_NAME, ERASED_BEFORE, HOUSE_NAME, *BOT_NAMES.values())
"""What the service calls itself, its bots and those it has forgotten, in whatever language."""
OWN_WORDS: Final = ("Esporles", "service", *BOT_NAMES)
ACTOR: Final = re.compile(r"(?:bot|guest|service):|[0-9a-f]{32}$|.*\bбот\b|.*\bbot\b")
"""How the log writes of bots and of people, and a bot by any name."""


class BadName(Exception):
    """The name cannot be used."""


class BlankName(BadName):
    """Nothing of the name, or not all of it, can be seen."""


class MixedName(BadName):
    """The name mixes scripts that nobody writes together."""


class ReservedName(BadName):
    """The service itself, its bots or its guests are called so."""


class NameTaken(Exception):
    """Somebody else has the name."""


class NameAlike(NameTaken):
    """Somebody else has a name that looks the same."""


def acceptable_name(name: str) -> str:
    """The name as it is shown; refused where nobody could tell whose it is."""
    shown = " ".join(unicodedata.normalize("NFC", name).split())
    if not NAME_LENGTH_MIN <= len(shown) <= NAME_LENGTH_MAX:
        raise BadName(f"a name has {NAME_LENGTH_MIN} to {NAME_LENGTH_MAX} characters, not {len(shown)}")
    if not shown.isprintable() or IGNORABLE.search(shown) or BLANKS & set(shown):
        raise BlankName(f"the name {shown!a} holds a character that cannot be seen")
    if not any(unicodedata.category(each)[0] in "LN" for each in unicodedata.normalize("NFKC", shown)):
        raise BlankName(f"the name {shown!r} holds neither a letter nor a digit")
    _require_one_script(shown)
    if is_reserved(shown):
        raise ReservedName(f"the name {shown!r} belongs to the service")
    return shown


def _require_one_script(shown: str) -> None:
    plain = unicodedata.normalize("NFKC", shown)
    scripts = {categories.alias(each) for each in plain} - NO_SCRIPT
    if len(scripts) > 1 and not any(scripts <= mix for mix in MIXES):
        raise MixedName(f"the name {shown!r} mixes scripts: {', '.join(sorted(each.title() for each in scripts))}")
    zeros = {ord(each) - unicodedata.decimal(each) for each in plain if each.isdecimal()}
    if len(zeros) > 1:
        raise MixedName(f"the name {shown!r} mixes digits of several scripts")


def is_reserved(name: str) -> bool:
    """Whether it is, or looks like, a name of the service, of a bot, of a guest or of an account that was erased."""
    own, numbered = _own_looks()
    return any(
        look in own or look.startswith(tuple(f"{word} " for word in numbered)) or look in numbered or ACTOR.match(look)
        for look in (*looks_of(name), name_key(name))
    )


@cache
def _own_looks() -> tuple[frozenset[str], frozenset[str]]:
    """The looks of our own names, and of the words that stand before a number, in all languages."""

    def spoken() -> Iterator[tuple[list[str], list[str]]]:
        for language in LANGUAGES:
            with speaking(language):
                yield [_(each) for each in OWN_NAMES], [_(GUEST_NAME, number="").strip(), erased_name()]

    found = list(spoken())
    written = {form for names, _numbered in found for name in (*names, *OWN_WORDS) for form in (name, name.upper())}
    own = {look for name in written for look in (*looks_of(name), name_key(name))}
    numbered = {look for _names, words in found for word in words for look in (*looks_of(word), name_key(word))}
    return frozenset(own), frozenset(numbered)


def shown_name(name: str, *, is_guest: bool, is_bot: bool = False) -> str:
    """The name somebody has chosen as it is; a guest's number in words, and a bot's with what it is."""
    if is_bot:
        return _("{name} (bot)", name=name)
    return _(GUEST_NAME, number=name) if is_guest else name


def guest_key(number: str) -> str:
    """The key of a guest's name, the same in every language."""
    return f"guest {number}"


def name_key(name: str) -> str:
    """By what somebody is found who gives a name: whatever its case and form of writing."""
    return unicodedata.normalize("NFKC", name).strip().casefold()


def looks_of(name: str) -> tuple[str, str]:
    """What the name looks like in small letters, and as it is written: names that share one of them look alike.

    Both are needed: `ВОВ` (Cyrillic) looks like `BOB` and not like `bob`, `BILL` is `bill` and looks like `BlLL`.
    """
    plain = " ".join(IGNORABLE.sub("", unicodedata.normalize("NFKC", name)).split())
    return skeleton(plain.casefold()), skeleton(plain).casefold()


def skeleton(text: str) -> str:
    """The text with each character replaced by the one that stands for all that look like it (TS 39, 4)."""
    stand_ins = _stand_ins()
    decomposed = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFD", "".join(stand_ins.get(each, each) for each in decomposed))


@cache
def _stand_ins() -> dict[str, str]:
    """What stands for a character. The package's data says who looks like whom in both directions; those who look alike
    all point to the one that stands for them, which has most neighbours."""
    near: dict[str, set[str]] = {}
    for text, others in confusables_data.items():
        near.setdefault(text.strip(MARK), set()).update(other["c"].strip(MARK) for other in others)

    def choose(text: str) -> str:
        (other, *more) = near.get(text, {text})
        if more:
            return text
        return other if len(near.get(other, ())) > 1 or len(other) > 1 else min(text, other)

    return {text: "".join(map(choose, choose(text))) for text in near if len(text) == 1}
