"""Sentences as data: a message id, which is the English sentence, and its arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from domain.kernel.values import Value

Translate = Callable[[str, str | None, int, str], str]
"""(message id, plural id or None, count, case) -> the sentence in some language: gettext's shape, and the case in which
a term is wanted, "" for the one in which it stands alone."""


def N_(id: str) -> str:  # noqa: N802 - gettext's name for it, which its tools and readers know
    """Marks a sentence that is said later, so that the scan for the catalogues finds it."""
    return id


def plural(one: str, many: str) -> tuple[str, str]:
    """Marks a sentence about one thing or several, as `N_` marks a plain one."""
    return one, many


class Message(Value, frozen=True):
    """A sentence to be said in any language.

    `id` is the English text with `{name}` places, as gettext uses it; `plural` and `count` choose the form where
    one thing or several are meant; an argument may itself be a message, a term that is translated on its own.
    """

    id: str
    args: Mapping[str, int | str | Message] = {}
    plural: str | None = None
    count: int = 1


PLAYER: Final = N_("Player {number}")
"""The sentence for a seat by its number; a page puts the name of the person or bot in its place."""


def player(seat: int) -> Message:
    """Whoever sits there."""
    return Message(PLAYER, {"number": seat + 1})


def join_terms(terms: Iterable[Message]) -> Message:
    """Several terms in a row."""
    first, *rest = terms
    for term in rest:
        first = Message("{first}, {second}", {"first": first, "second": term})
    return first


class Term:
    """A message in a place of a sentence. `{goods:accusative}` has it said in the case of that name, `{goods}` in that
    of what is around it; no sentence in English asks for one."""

    __slots__ = ("_case", "_message", "_translate")

    def __init__(self, message: Message, translate: Translate, case: str = "") -> None:
        self._message, self._translate, self._case = message, translate, case

    def __format__(self, case: str) -> str:
        return say(self._message, self._translate, case or self._case)


def english(id: str, plural: str | None, count: int, _case: str = "") -> str:
    """The untranslated form; in English a noun has the same in every case."""
    return id if plural is None or count == 1 else plural


def say(message: Message, translate: Translate = english, case: str = "") -> str:
    """The message as text."""
    pattern = translate(message.id, message.plural, message.count, case)
    if not message.args:
        return pattern
    return pattern.format(
        **{
            name: Term(value, translate, case) if isinstance(value, Message) else value
            for name, value in message.args.items()
        }
    )
