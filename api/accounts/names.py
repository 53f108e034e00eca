"""Rules for account names: allowed characters, reserved names and lookalikes.

Names are compared by their skeletons (Unicode TS 39, `confusable-homoglyphs`), so that names that look alike count as
the same.
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

from api.http.languages import LANGUAGES, _, use_language
from api.http.names import BOT_NAMES, ERASED_NAME, SERVICE_NAME, erased_name
from domain.kernel.messages import N_
from domain.kernel.texts import IGNORABLE

NAME_LENGTH_MIN: Final = 2
NAME_LENGTH_MAX: Final = 40
ERASED_BEFORE: Final = N_("somebody")
"""Former name of erased accounts, which stays reserved."""
ERASED_IN_ENGLISH: Final = "erased"
"""Former English name of erased accounts, which stays reserved; the other languages keep theirs."""
GUEST_NAME: Final = N_("Guest {number}")
"""Name of a guest, localised for each reader; the store holds only the number."""
GUEST_NUMBER: Final = re.compile(r"\b[0-9a-f]{6}$")

MADE_BY: Final = f"1 {confusables_version}"
"""Version of the stored skeletons; raise it with every change to the skeletons."""
BLANKS: Final = frozenset("\u2800")
"""Characters that look blank but are symbols to Unicode: braille without a dot."""
MARK: Final = "\u200e"
"""A direction mark around right-to-left text in the package's data."""
NO_SCRIPT: Final = frozenset({"COMMON", "INHERITED"})
MIXES: Final = (
    frozenset({"LATIN", "HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "HAN", "BOPOMOFO"}),
    frozenset({"LATIN", "HAN", "HANGUL"}),
)
"""Scripts that may be mixed (TS 39, "highly restrictive")."""
OWN_NAMES: Final = (N_("service"), ERASED_NAME, ERASED_BEFORE, SERVICE_NAME, *BOT_NAMES.values())
"""Reserved names of the service, its bots and erased accounts, in every language."""
OWN_WORDS: Final = ("Esporles", "service", ERASED_IN_ENGLISH, *BOT_NAMES)
ACTOR: Final = re.compile(r"(?:bot|guest|service):|[0-9a-f]{32}$|.*\bбот\b|.*\bbot\b")
"""Names that resemble actor ids in the log, or contain "bot"."""


class BadName(Exception):
    """The name is not allowed."""


class BlankName(BadName):
    """The name contains invisible characters, or only such."""


class MixedName(BadName):
    """The name mixes scripts."""


class ReservedName(BadName):
    """The name is reserved for the service, its bots or its guests."""


class NameTaken(Exception):
    """Another person has the name."""


class NameAlike(NameTaken):
    """Another person has a name that looks the same."""


def acceptable_name(name: str) -> str:
    """Return the name in NFC with single spaces; raise `BadName` if it is not allowed.

    Kinds of `BadName`: wrong length, `BlankName` (invisible characters, no letter or digit), `MixedName` (several
    scripts), `ReservedName` (a name of the service).
    """
    normalised = " ".join(unicodedata.normalize("NFC", name).split())
    if not NAME_LENGTH_MIN <= len(normalised) <= NAME_LENGTH_MAX:
        raise BadName(f"a name has {NAME_LENGTH_MIN} to {NAME_LENGTH_MAX} characters, not {len(normalised)}")
    if not normalised.isprintable() or IGNORABLE.search(normalised) or BLANKS & set(normalised):
        raise BlankName(f"the name {normalised!a} contains an invisible character")
    if not any(unicodedata.category(each)[0] in "LN" for each in unicodedata.normalize("NFKC", normalised)):
        raise BlankName(f"the name {normalised!r} has no letter or digit")
    _require_one_script(normalised)
    if is_reserved(normalised):
        raise ReservedName(f"the name {normalised!r} is reserved")
    return normalised


def _require_one_script(name: str) -> None:
    """Raise `MixedName` for a name with letters or digits of several scripts, except for the usual mixes."""
    compatible = unicodedata.normalize("NFKC", name)
    scripts = {categories.alias(each) for each in compatible} - NO_SCRIPT
    if len(scripts) > 1 and not any(scripts <= mix for mix in MIXES):
        raise MixedName(f"the name {name!r} mixes scripts: {', '.join(sorted(each.title() for each in scripts))}")
    zeros = {ord(each) - unicodedata.decimal(each) for each in compatible if each.isdecimal()}
    if len(zeros) > 1:
        raise MixedName(f"the name {name!r} mixes digits of several scripts")


def is_reserved(name: str) -> bool:
    """Return whether a name equals or looks like a name of the service, a bot, a guest or an erased account."""
    reserved, prefixes = _reserved_skeletons()
    return any(
        form in reserved
        or form.startswith(tuple(f"{prefix} " for prefix in prefixes))
        or form in prefixes
        or ACTOR.match(form)
        for form in (*skeletons_of(name), name_key(name))
    )


@cache
def _reserved_skeletons() -> tuple[frozenset[str], frozenset[str]]:
    """Return the skeletons of reserved names, and the skeletons of prefixes of numbered names, in all languages."""

    def names_by_language() -> Iterator[tuple[list[str], list[str]]]:
        for language in LANGUAGES:
            with use_language(language):
                prefixes = [_(GUEST_NAME, number="").strip(), erased_name(), ERASED_IN_ENGLISH]
                yield [_(each) for each in OWN_NAMES], prefixes

    names_and_prefixes = list(names_by_language())
    spellings = {
        form
        for names, _numbered in names_and_prefixes
        for name in (*names, *OWN_WORDS)
        for form in (name, name.upper())
    }
    reserved = {key for name in spellings for key in (*skeletons_of(name), name_key(name))}
    prefixes = {
        key
        for _names, numbered_names in names_and_prefixes
        for prefix in numbered_names
        for key in (*skeletons_of(prefix), name_key(prefix))
    }
    return frozenset(reserved), frozenset(prefixes)


def shown_name(name: str, *, is_guest: bool, is_bot: bool = False) -> str:
    """Return the displayed name in the current language: "Guest" and number for guests, marked for bots."""
    if is_bot:
        return _("{name} (bot)", name=name)
    return _(GUEST_NAME, number=name) if is_guest else name


def guest_key(number: str) -> str:
    """Return the name key of a guest, the same in every language."""
    return f"guest {number}"


def name_key(name: str) -> str:
    """Return the key for finding people by name, ignoring case and Unicode form."""
    return unicodedata.normalize("NFKC", name).strip().casefold()


def skeletons_of(name: str) -> tuple[str, str]:
    """Return the skeletons of the lower-case name and of the name; names that share one look alike.

    Both are needed: `ВОВ` (Cyrillic) looks like `BOB` and not like `bob`, `BILL` is `bill` and looks like `BlLL`.
    """
    visible = " ".join(IGNORABLE.sub("", unicodedata.normalize("NFKC", name)).split())
    return skeleton(visible.casefold()), skeleton(visible).casefold()


def skeleton(text: str) -> str:
    """Return the text with each character replaced by the representative of its lookalikes (TS 39, 4)."""
    representatives = _representatives()
    decomposed = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFD", "".join(representatives.get(each, each) for each in decomposed))


@cache
def _representatives() -> dict[str, str]:
    """Return the representative of each character, the lookalike with the most neighbours.

    The package's data lists lookalikes in both directions.
    """
    neighbours: dict[str, set[str]] = {}
    for text, lookalikes in confusables_data.items():
        neighbours.setdefault(text.strip(MARK), set()).update(lookalike["c"].strip(MARK) for lookalike in lookalikes)

    def choose(text: str) -> str:
        (lookalike, *further) = neighbours.get(text, {text})
        if further:
            return text
        return lookalike if len(neighbours.get(lookalike, ())) > 1 or len(lookalike) > 1 else min(text, lookalike)

    return {text: "".join(map(choose, choose(text))) for text in neighbours if len(text) == 1}
