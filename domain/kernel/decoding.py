"""Prepare types for decoding in threads.

msgspec describes a struct when it is first decoded, and publishes the description before it is complete. A second
thread that decodes the same struct at that moment crashes the process (0.22.0, `StructInfo_Convert` fills in field
types too late). A process therefore calls `prepare_types` after its imports and before it starts threads. The readers
of facts describe structs with a title's types (`ActionTaken[Action, Effect]`), see
`domain.matches.titles.prepare_readers`.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final
from weakref import WeakSet

import msgspec

PREPARED: Final[WeakSet[type[Any]]] = WeakSet()


def prepare_types() -> int:
    """Prepare every imported struct for decoding; return the number of new ones.

    Structs that cannot be decoded, because a field's type is missing or ambiguous, count but are skipped: no thread
    can decode them.
    """
    new = {kind for kind in structures(msgspec.Struct) if kind not in PREPARED}
    for kind in new:
        with suppress(TypeError, NameError):
            msgspec.json.Decoder(kind)
    PREPARED.update(new)
    return len(new)


def structures(base: type[Any]) -> Iterator[type[Any]]:
    """Yield all subclasses of a class, recursively, each before its own subclasses."""
    for kind in base.__subclasses__():
        yield kind
        yield from structures(kind)
