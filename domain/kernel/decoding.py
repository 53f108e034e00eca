"""Make types known to msgspec before threads decode them.

msgspec describes a structure when it is first decoded, and shows other threads the description before it is complete:
a second thread that decodes the same structure in that moment ends the process (0.22.0, `StructInfo_Convert`: the types
of fields are filled in after the structure has been put into its place). So a process calls `prepare_types` before it
starts threads, when everything it needs has been imported. Structures with the types of a title in them
(`ActionTaken[Action, Effect]`) are described by the readers of facts: `domain.matches.titles.prepare_readers`.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final
from weakref import WeakSet

import msgspec

PREPARED: Final[WeakSet[type[Any]]] = WeakSet()


def prepare_types() -> int:
    """Makes every structure that has been imported known to the decoder; how many were not before. One that cannot be
    decoded at all, for which a field names no type or several at once, is left out: no thread can decode it either."""
    new = {kind for kind in structures(msgspec.Struct) if kind not in PREPARED}
    for kind in new:
        with suppress(TypeError, NameError):
            msgspec.json.Decoder(kind)
    PREPARED.update(new)
    return len(new)


def structures(base: type[Any]) -> Iterator[type[Any]]:
    """Everything that is made from a structure."""
    for kind in base.__subclasses__():
        yield kind
        yield from structures(kind)
