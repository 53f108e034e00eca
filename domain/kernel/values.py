"""The base class of states, actions, effects and views, and the function that changes them."""

import re
from collections.abc import Callable

import msgspec
from msgspec.structs import replace

__all__ = ["Value", "replace", "tagger"]


class Value(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False, rename="camel"):
    """An immutable struct that is strict on the wire, with camelCase names there.

    Frozen values cannot form reference cycles, so `gc=False` spares the garbage collector the states of thousands of
    matches in memory, which would pause all requests.
    """


def tagger(title: str) -> Callable[[str], str]:
    """Return the tag function of a title: `PlayPowerCard` of `el_grande` becomes `el_grande.play_power_card`."""

    def tag(name: str) -> str:
        return f"{title}.{re.sub(r'(?<!^)(?=[A-Z])', '_', name).lower()}"

    return tag
