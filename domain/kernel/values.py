"""The base of every state, action, effect and view, and the one function that changes one."""

import re
from collections.abc import Callable

import msgspec
from msgspec.structs import replace

__all__ = ["Value", "replace", "tagger"]


class Value(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """Immutable, and strict on the wire; names are camelCase there."""


def tagger(title: str) -> Callable[[str], str]:
    """The tag of a tagged class: `PlayPowerCard` of `el_grande` becomes `el_grande.play_power_card`."""

    def tag(name: str) -> str:
        return f"{title}.{re.sub(r'(?<!^)(?=[A-Z])', '_', name).lower()}"

    return tag
