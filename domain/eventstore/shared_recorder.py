"""A store to which several processes write: what a command has only read is proven where its rows are stored."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any, Protocol
from uuid import UUID

Ends = Mapping[UUID, int]
"""The version after which a stream had nothing, when it was read."""


class SharedRecorder(Protocol):
    """The recorder of such a store. Its `insert_events` takes `ends`, and stores nothing where one of these streams has
    grown: `IntegrityError`."""

    def has_grown(self, ends: Ends) -> bool:
        """Whether one of these streams goes on after its version."""
        ...

    def holding(self) -> AbstractContextManager[None]:
        """Nobody else writes until the end of the block, and what this thread stores is kept then or not at all."""
        ...


def shared(recorder: Any) -> SharedRecorder | None:
    """The recorder as that of a store of several processes, if it is one."""
    found: SharedRecorder | None = recorder if getattr(recorder, "is_shared", False) else None
    return found
