"""The interfaces of recorders: read the log, read it by streams, share it with other writing processes.

`sqlite_recorder` and `postgres_recorder` store rows, `pending_recorder` holds those that wait.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol, runtime_checkable
from uuid import UUID

from eventsourcing.persistence import Notification, StoredEvent

Ends = Mapping[UUID, int]
"""The version after which a stream had nothing, when it was read."""


class LogRecorder(Protocol):
    """Read rows of the log by stream and by position."""

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]: ...
    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> Sequence[Notification]: ...
    def max_notification_id(self) -> int | None: ...


class StreamPlace(NamedTuple):
    """A stream, the position of its first row, its number of rows, and the topic of the first one."""

    id: UUID
    first: int
    rows: int
    topic: str


@runtime_checkable
class NumberedRecorder(Protocol):
    """Read streams with the positions of their rows in the log."""

    def stream_places(self, upto: int) -> Sequence[StreamPlace]:
        """All streams, in the order of their first rows, as they were at a position."""
        ...

    def numbered(self, stream: UUID, upto: int) -> Sequence[Notification]:
        """The rows of a stream up to a position of the log."""
        ...


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
