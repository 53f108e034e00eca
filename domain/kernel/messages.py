"""Sentences as data: a message id, which is the English sentence, and its arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from domain.kernel.values import Value

Translate = Callable[[str, str | None, int, str], str]
"""A translator: (message id, plural id or None, count, case) to a sentence, as in gettext.

The case is the grammatical case of a term, "" for its base form.
"""


def N_(id: str) -> str:  # noqa: N802 - gettext's name for it, which its tools and readers know
    """Mark a sentence for extraction into the catalogues without translating it."""
    return id


def plural(one: str, many: str) -> tuple[str, str]:
    """Mark a sentence with singular and plural for extraction, as `N_` marks others."""
    return one, many


class Message(Value, frozen=True):
    """A sentence that can be rendered in any language.

    `id` is the English text with `{name}` placeholders, as in gettext; `plural` and `count` select the form. An
    argument may be a message, which is translated separately.
    """

    id: str
    args: Mapping[str, int | str | Message] = {}
    plural: str | None = None
    count: int = 1


PLAYER: Final = N_("Player {number}")
"""The message id for a seat by its number; a page substitutes the name of the player or bot."""


def player(seat: int) -> Message:
    """Return the message for the player in a seat."""
    return Message(PLAYER, {"number": seat + 1})


def join_terms(terms: Iterable[Message]) -> Message:
    """Return several terms separated by commas as one message; raise `ValueError` without any."""
    first, *rest = terms
    for term in rest:
        first = Message("{first}, {second}", {"first": first, "second": term})
    return first


class Term:
    """A message as an argument of a sentence.

    `{goods:accusative}` renders it in that grammatical case, `{goods}` in the surrounding one; English sentences use
    no cases.
    """

    __slots__ = ("_case", "_message", "_translate")

    def __init__(self, message: Message, translate: Translate, case: str = "") -> None:
        self._message, self._translate, self._case = message, translate, case

    def __format__(self, case: str) -> str:
        return say(self._message, self._translate, case or self._case)


def english(id: str, plural: str | None, count: int, _case: str = "") -> str:
    """Return the untranslated form; English nouns have no cases."""
    return id if plural is None or count == 1 else plural


def say(message: Message, translate: Translate = english, case: str = "") -> str:
    """Return the message as text in the language and grammatical case of `translate`; arguments may be messages too."""
    pattern = translate(message.id, message.plural, message.count, case)
    if not message.args:
        return pattern
    return pattern.format(
        **{
            name: Term(value, translate, case) if isinstance(value, Message) else value
            for name, value in message.args.items()
        }
    )
