"""Sentences about pairings, stored with the ids of entries, as readers see them."""

from collections.abc import Mapping
from typing import Final

from api.http.languages import localize_decimal
from domain.kernel.messages import Message
from domain.kernel.values import replace
from domain.pairing.former_sentences import with_current_wording

POINTS: Final = frozenset({"points", "fewest", "most"})
"""Arguments of pairing sentences that are points."""


def with_names(message: Message, names: Mapping[str, str]) -> Message:
    """Return a message in the current wording, with names in place of the entry ids among its arguments."""
    message = with_current_wording(message)
    return replace(message, args={key: shown_argument(key, value, names) for key, value in message.args.items()})


def shown_argument(key: str, value: int | str | Message, names: Mapping[str, str]) -> int | str | Message:
    """Return an argument with the name of an entry, or points with the decimal mark of the language."""
    if not isinstance(value, str):
        return value
    found = names.get(value, value)
    return localize_decimal(found) if key in POINTS else found
