"""The interface of a log of events: rows to read, rows to append."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from eventsourcing.persistence import StoredEvent

from domain.eventstore.mapper import MatchMapper, Note
from domain.eventstore.recorders import Ends, LogRecorder
from domain.matches.log.entries import Entry
from domain.matches.log.records import Record


class EventLog(Protocol):
    """Read and append rows: at once in `MatchStore`, later in a pending transaction."""

    @property
    def recorder(self) -> LogRecorder: ...
    @property
    def mapper(self) -> MatchMapper: ...

    def put(self, rows: Sequence[StoredEvent], ends: Ends | None = None) -> int:
        """Append rows and return the position of the last.

        `ends` are the streams that the transaction has read without adding to them, with their versions.
        `IntegrityError` if another writer has taken the place of a row or added to a stream of `ends`.
        """
        ...

    def notify(self, position: int, events: Iterable[Entry | Record | Note]) -> None:
        """Notify the listener of events that are stored up to a position."""
        ...

    def close(self) -> None:
        """Close the connections that this log has opened."""
        ...
