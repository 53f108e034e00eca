"""The stored log: appending rows, detecting repeated inserts, notifying the listener."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.persistence import ApplicationRecorder, IntegrityError, StoredEvent

from domain.eventstore.batch import newest_versions
from domain.eventstore.dependencies import Dependencies
from domain.eventstore.guard import LogItem
from domain.eventstore.mapper import MatchMapper, Note
from domain.eventstore.recorders import Ends
from domain.eventstore.retry import OutcomeUnknown, StoreUnavailable


class StoredEvents(Application[UUID]):
    """The eventsourcing library's application, which creates recorder and mapper from its settings."""

    name = "matches"
    env: ClassVar[dict[str, str]] = {}


class MatchStore:
    """An open store of matches."""

    def __init__(self, env: Mapping[str, str], dependencies: Dependencies) -> None:
        self._application = StoredEvents(dict(env))
        self._dependencies = dependencies
        assert isinstance(self._application.mapper, MatchMapper)
        self.mapper: MatchMapper = self._application.mapper
        self.recorder: ApplicationRecorder = self._application.recorder

    def put(self, rows: Sequence[StoredEvent], ends: Ends | None = None) -> int:
        """Store rows in one transaction and return the position of the last; 0 without rows.

        Rows that are already stored, byte for byte, succeed; raise `IntegrityError` for other rows in their place or a
        grown stream of `ends`, `OutcomeUnknown` if the database does not say.
        """
        if not rows:
            return 0
        kwargs = {"ends": ends} if ends else {}
        try:
            positions = self.recorder.insert_events(rows, **kwargs)
        except IntegrityError:
            # After a lost response the driver repeats the insert, which then collides with its own rows.
            try:
                are_stored = self._are_stored(rows)
            except StoreUnavailable as unavailable:
                raise OutcomeUnknown("the database did not confirm the commit") from unavailable
            if not are_stored:
                raise
            positions = [self.recorder.max_notification_id() or 0]
        return positions[-1] if positions else 0

    def notify(self, position: int, events: Iterable[LogItem | Note]) -> None:
        """Call `on_append` unless nothing was stored."""
        if position:
            self._dependencies.on_append(position, newest_versions(events))

    def close(self) -> None:
        """Close the connections to the database."""
        self._application.close()

    def _are_stored(self, rows: Iterable[StoredEvent]) -> bool:
        """Return whether all rows are stored with identical bytes."""
        return all(
            [row] == [*self.recorder.select_events(row.originator_id, gt=row.originator_version - 1, limit=1)]
            for row in rows
        )
