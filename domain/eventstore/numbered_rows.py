"""The rows of a store by stream, each with its position in the log: for whoever reads all of it, line by line."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable
from uuid import UUID

from eventsourcing.persistence import Notification


class StreamPlace(NamedTuple):
    """A stream, the position of its first row, its number of rows, and the topic of the first one."""

    id: UUID
    first: int
    rows: int
    topic: str


@runtime_checkable
class NumberedRecorder(Protocol):
    """A recorder that tells where the rows of a stream stand in the log."""

    def stream_places(self, upto: int) -> Sequence[StreamPlace]:
        """All streams, in the order of their first rows, as they were at a position."""
        ...

    def numbered(self, stream: UUID, upto: int) -> Sequence[Notification]:
        """The rows of a stream up to a position of the log."""
        ...
