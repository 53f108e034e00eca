"""The interface of an event log: read rows, append rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from eventsourcing.persistence import StoredEvent

from domain.eventstore.mapper import MatchMapper, Note
from domain.eventstore.recorders import Ends, LogRecorder
from domain.matches.log.entries import Entry
from domain.matches.log.records import Record


class EventLog(Protocol):
    """An event log: `MatchStore` stores rows at once, a pending transaction stores them later."""

    @property
    def recorder(self) -> LogRecorder:
        """The recorder of the rows."""
        ...

    @property
    def mapper(self) -> MatchMapper:
        """The mapper between events and rows."""
        ...

    def put(self, rows: Sequence[StoredEvent], ends: Ends | None = None) -> int:
        """Append rows and return the position of the last.

        `ends` are the streams that the transaction only read, with their versions. Raise `IntegrityError` if another
        writer stored a row at the same place or added to a stream of `ends`.
        """
        ...

    def notify(self, position: int, events: Iterable[Entry | Record | Note]) -> None:
        """Notify the listener of events that are stored up to a position."""
        ...

    def close(self) -> None:
        """Close the connections that this log has opened."""
        ...
