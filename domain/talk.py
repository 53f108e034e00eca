"""Chat: rooms, allowed texts and mentions.

There are no facts: messages are not logged, so that they can be erased.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Final, Literal
from uuid import UUID

from domain.kernel.messages import N_
from domain.kernel.values import Value

RoomKind = Literal["players", "spectators", "entrants"]

WORDS_MAX: Final = 500
"""Characters of a message."""
LINES_MAX: Final = 8
JOINERS: Final = "\t\u200c\u200d"
INVISIBLE_CATEGORIES: Final = frozenset({"Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp"})
"""Categories of characters that are invisible or change the direction of their neighbours."""
REASON_MAX: Final = 300
"""Characters of the reason for a report or a removal."""
ERASED: Final = "…"
"""Replaces the mention of an erased account."""
PHRASES: Final[Mapping[str, str]] = {
    "hello": N_("Hello, and good luck!"),
    "have_fun": N_("Have fun, everyone!"),
    "well_played": N_("Well played!"),
    "nice_move": N_("Nice move!"),
    "unlucky": N_("Bad luck!"),
    "thanks": N_("Thank you!"),
    "sorry": N_("Sorry!"),
    "one_moment": N_("One moment, please."),
    "thinking": N_("I need to think about this."),
    "back": N_("I'm back."),
    "must_go": N_("I have to go soon."),
    "good_game": N_("Good game, thanks!"),
    "again": N_("Play again?"),
}
"""Ready sentences, shown in each reader's language."""


class TalkRefused(Exception):
    """An invalid message."""


class SaidAlready(Exception):
    """A repetition of the person's last message."""


class TalkOff(Exception):
    """Chat is off there."""


class NotInRoom(Exception):
    """The caller is not in the room."""


class NoSuchMessage(Exception):
    """No message has this id, or it was erased."""


class Room(Value, frozen=True):
    """A chat room: the players of a match, its spectators, or the entrants of an event."""

    kind: RoomKind
    about: UUID
    """The match, the tournament or the league."""

    @property
    def key(self) -> str:
        """The room as a string, unique among rooms."""
        return f"{self.kind}/{self.about}"


def room_of(key: str) -> Room:
    """Return the room of a valid key, `KIND/UUID`."""
    kind, _, about = key.partition("/")
    kinds: Mapping[str, RoomKind] = {"players": "players", "spectators": "spectators", "entrants": "entrants"}
    return Room(kinds[kind], UUID(about))


def normalise_message(message: str) -> str:
    """Return the normalised text of a message; raise `TalkRefused` if it is unreadable or too long.

    Blanks are joined and invisible characters removed; line breaks stay, at most `LINES_MAX` lines.
    """
    normal = unicodedata.normalize("NFC", message.replace("\r\n", "\n"))
    readable = "".join(each for each in normal if each == "\n" or is_text(each))
    lines = [" ".join(line.split()) for line in readable.split("\n")]
    text = "\n".join(lines).strip()
    if not any(unicodedata.category(each)[0] in "LNPS" for each in text):
        raise TalkRefused("the message has no visible text")
    if len(text) > WORDS_MAX:
        raise TalkRefused(f"a message has at most {WORDS_MAX} characters, not {len(text)}")
    if len(lines) > LINES_MAX:
        raise TalkRefused(f"a message has at most {LINES_MAX} lines, not {len(lines)}")
    return text


def is_text(character: str) -> bool:
    """Return whether a character is readable or a joiner."""
    return character in JOINERS or unicodedata.category(character) not in INVISIBLE_CATEGORIES


def require_phrase(name: str) -> str:
    """Return the name of a ready sentence; raise `TalkRefused` if it is unknown."""
    if name not in PHRASES:
        raise TalkRefused(f"unknown phrase {name!r}; choose from: {', '.join(PHRASES)}")
    return name


def find_mentions(message: str, people: Mapping[str, str]) -> tuple[str, ...]:
    """Return the ids of the people that a message mentions by `@name`, sorted; `people` maps ids to names.

    Case is ignored, an `@` after a letter or digit is no mention, and of two names with the same start the
    longer one counts.
    """
    folded = fold(message)
    by_length = sorted(((fold(name), person) for person, name in people.items()), key=lambda each: -len(each[0]))
    mentioned = set[str]()
    for index, character in enumerate(folded):
        if character != "@" or (index and folded[index - 1].isalnum()):
            continue
        after = folded[index + 1 :]
        mention = next((person for name, person in by_length if name and is_named(name, after)), None)
        mentioned |= set() if mention is None else {mention}
    return tuple(sorted(mentioned))


def without_name(message: str, name: str) -> str:
    """Return a message with `ERASED` in place of mentions `@name`, in any case; the `@` stays."""
    folded = fold(name)
    for index in reversed([index for index, character in enumerate(message) if character == "@"]):
        message = f"{message[: index + 1]}{without_beginning(message[index + 1 :], folded)}"
    return message


def without_beginning(text: str, name: str) -> str:
    """Return a text with `ERASED` in place of a whole, folded name at its start; others unchanged."""
    lengths = range(1, len(text) + 1)
    ends = (length for length in lengths if fold(text[:length]) == name and not text[length : length + 1].isalnum())
    length = next(ends, 0)
    return f"{ERASED}{text[length:]}" if length else text


def fold(text: str) -> str:
    """Return a text in a form for comparing names."""
    return unicodedata.normalize("NFKC", text).casefold()


def is_named(name: str, after: str) -> bool:
    """Return whether a text starts with a whole name."""
    return after.startswith(name) and not after[len(name) : len(name) + 1].isalnum()
