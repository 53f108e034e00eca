"""The base of every state, action, effect and view, and the one function that changes one."""

import re
from collections.abc import Callable

import msgspec
from msgspec.structs import replace

__all__ = ["Value", "replace", "tagger"]


class Value(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False, rename="camel"):
    """Immutable, and strict on the wire; names are camelCase there.

    Frozen values cannot refer to each other in a circle: the collector of such circles need not walk the positions of a
    thousand matches that are kept in memory, while everybody waits for it.
    """


def tagger(title: str) -> Callable[[str], str]:
    """The tag of a tagged class: `PlayPowerCard` of `el_grande` becomes `el_grande.play_power_card`."""

    def tag(name: str) -> str:
        return f"{title}.{re.sub(r'(?<!^)(?=[A-Z])', '_', name).lower()}"

    return tag
