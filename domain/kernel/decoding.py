"""Types of what is read from outside, made known to the decoder before threads read at the same time.

msgspec looks a structure up when it is first decoded, and hands out what it has found before it has found all of it:
a second thread that decodes the same structure in that moment ends the process (0.22.0, `StructInfo_Convert`: the types
of fields are filled in after the structure has been put into its place). A process that starts threads calls
`prepare_types` before it does, when everything it needs has been imported. What is known only later, a structure with
the types of a title in it, gets its decoder from `new_decoder`, one thread after the other.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, Final
from weakref import WeakSet

import msgspec

ALONE: Final = threading.Lock()
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


def new_decoder(kind: Any, dec_hook: Callable[[Any, Any], Any] | None = None) -> msgspec.json.Decoder[Any]:
    """A decoder for structures with types in them (`Started[Effect]`): whoever has one has all of them whole, for
    nobody else makes one meanwhile."""
    with ALONE:
        return msgspec.json.Decoder(kind, dec_hook=dec_hook)


def structures(base: type[Any]) -> Iterator[type[Any]]:
    """Everything that is made from a structure."""
    for kind in base.__subclasses__():
        yield kind
        yield from structures(kind)
