"""Narration as sentences with players' names."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import msgspec

from api.http.languages import current_language, say
from domain.kernel.messages import PLAYER, Message

SENTENCES_CACHED_MAX: Final = 8_192
"""The maximum number of cached entries, about 200 bytes each: the latest fifty of dozens of matches, by language."""


def sentences(narration: Sequence[Message], names: Sequence[str]) -> tuple[str, ...]:
    """Return the sentences of an entry in the current language, cached."""
    return render_sentences(current_language(), msgspec.json.encode(narration), tuple(names))


@lru_cache(SENTENCES_CACHED_MAX)
def render_sentences(_: str, narration: bytes, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the sentences of an entry in the current language."""
    messages = msgspec.json.decode(narration, type=tuple[Message, ...])
    return tuple(say(with_names(message, names)) for message in messages)


def with_names(message: Message, names: Sequence[str]) -> Message:
    """Return the message with names in place of seat numbers, also in nested messages; numbers without a name stay."""
    number = message.args.get("number")
    if message.id == PLAYER and isinstance(number, int) and 1 <= number <= len(names):
        return Message("{name}", {"name": names[number - 1]})
    args = {
        name: with_names(value, names) if isinstance(value, Message) else value for name, value in message.args.items()
    }
    return msgspec.structs.replace(message, args=args)
