"""Interfaces of recorders: reads by position, reads by stream, and several writing processes.

`sqlite_recorder` and `postgres_recorder` store rows, `pending_recorder` holds pending rows.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol, runtime_checkable
from uuid import UUID

from eventsourcing.persistence import Notification, StoredEvent

Ends = Mapping[UUID, int]
"""The last version of each stream when it was read."""


class LogRecorder(Protocol):
    """Read access to the log by stream and by position."""

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        """Return at most `limit` rows of a stream after version `gt` up to `lte`; `desc` reverses the order."""
        ...

    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> Sequence[Notification]:
        """Return at most `limit` rows by position from `start` to `stop`, of these topics or, without any, of all."""
        ...

    def max_notification_id(self) -> int | None:
        """Return the last position, or None."""
        ...


class StreamSummary(NamedTuple):
    """A stream with the position and topic of its first row and its number of rows."""

    id: UUID
    first: int
    rows: int
    topic: str


@runtime_checkable
class StreamRecorder(Protocol):
    """Read access to streams with the log positions of their rows."""

    def list_streams(self, upto: int) -> Sequence[StreamSummary]:
        """Return all streams as of a position, ordered by their first rows."""
        ...

    def select_stream(self, stream: UUID, upto: int) -> Sequence[Notification]:
        """Return the rows of a stream up to a log position."""
        ...


class SharedRecorder(Protocol):
    """A recorder for several writing processes.

    Its `insert_events` takes `ends` and raises `IntegrityError`, storing nothing, if one of these streams has grown.
    """

    def has_grown(self, ends: Ends) -> bool:
        """Return whether one of these streams has grown."""
        ...

    def lock_out_writers(self) -> AbstractContextManager[None]:
        """Lock out other writers; rows stored by this thread are committed at the end of the block."""
        ...


def as_shared_recorder(recorder: Any) -> SharedRecorder | None:
    """Return the recorder if it supports several writing processes, otherwise None."""
    shared: SharedRecorder | None = recorder if getattr(recorder, "is_shared", False) else None
    return shared
