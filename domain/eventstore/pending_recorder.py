"""A recorder with pending rows, so that a transaction being composed can read its own additions."""

from collections.abc import Sequence
from uuid import UUID

from eventsourcing.persistence import (
    IntegrityError,
    Notification,
    StoredEvent,
)

from domain.eventstore.recorders import Ends, LogRecorder


class PendingRecorder:
    """The rows of a store plus pending rows of one transaction; not thread-safe."""

    def __init__(self, stored: LogRecorder, *, assumes: bool = True) -> None:
        """Without `assumes`, streams are always read, and conflicts are detected by the store."""
        self._assumes = assumes
        self.has_scanned = False
        """Whether a command has scanned the log.

        Later additions by others then cannot be detected by stream version.
        """
        self.rows: list[StoredEvent] = []
        """Pending rows, in order."""
        self._stored = stored
        self._by_stream: dict[UUID, list[StoredEvent]] = {}
        self._assumed: set[UUID] = set()
        self._ends: dict[UUID, int] = {}
        """Last known version of each stream in the store.

        Later additions by other processes cause a conflict on insert.
        """

    def insert_events(self, stored_events: Sequence[StoredEvent], **_kwargs: object) -> None:
        """Add rows; raise `IntegrityError` without adding any if the place of one is taken."""
        if any(self._is_taken(row) for row in stored_events):
            raise IntegrityError("conflict with another command")
        for row in stored_events:
            self.rows.append(row)
            self._by_stream.setdefault(stream_of(row), []).append(row)

    def assume(self, stream: UUID, end: int) -> None:
        """Assume that a cached stream ends at `end`, without a query.

        A row stored after it proves this; otherwise `is_proven` checks it. Does nothing in a recorder that assumes no
        ends.
        """
        if self._assumes:
            self._assumed |= {stream} - self._ends.keys()
            self._ends.setdefault(stream, end)

    def ends(self) -> dict[UUID, int]:
        """Return the last versions of streams that were only read."""
        return {stream: end for stream, end in self._ends.items() if stream not in self._by_stream}

    def require(self, ends: Ends) -> None:
        """Add streams read earlier, with their versions; raise `IntegrityError` if they have changed here."""
        if any(stream in self._by_stream or self._ends.get(stream, end) != end for stream, end in ends.items()):
            raise IntegrityError("conflict with another command")
        self._ends.update(ends)

    def is_proven(self) -> bool:
        """Return whether the assumptions about streams that were only read hold."""
        unproven = self._assumed - self._by_stream.keys()
        return not any(self._stored.select_events(stream, gt=self._ends[stream], limit=1) for stream in unproven)

    def _is_taken(self, row: StoredEvent) -> bool:
        """Return whether the stream already has this version, among pending or (if ends are assumed) stored rows."""
        stream, version = stream_of(row), row.originator_version
        if stream in self._by_stream:
            return version <= self._by_stream[stream][-1].originator_version
        if not self._assumes:
            return False
        return bool(self._read(stream, version - 1, None, desc=False, limit=1))

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        """Return the rows of a stream after version `gt` up to `lte`, stored ones before pending ones.

        `desc` reverses the order.
        """
        assert isinstance(originator_id, UUID)
        stored = self._read(originator_id, gt, lte, desc=desc, limit=limit)
        pending = [
            row
            for row in self._by_stream.get(originator_id, ())
            if (gt is None or row.originator_version > gt) and (lte is None or row.originator_version <= lte)
        ]
        rows = [*reversed(pending), *stored] if desc else [*stored, *pending]
        return rows[:limit]

    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> Sequence[Notification]:
        """Return at most `limit` rows of the log from a position on; pending rows follow all stored rows.

        This notes that the log was scanned.
        """
        self.has_scanned = True
        stored = self._stored.select_notifications(start, limit, stop, topics, inclusive_of_start=inclusive_of_start)
        if len(stored) >= limit:
            return stored
        newest, first = self._stored.max_notification_id() or 0, (start or 0) + (not inclusive_of_start)
        pending = [
            Notification(
                originator_id=row.originator_id,
                originator_version=row.originator_version,
                topic=row.topic,
                state=row.state,
                id=position,
            )
            for position, row in enumerate(self.rows, start=newest + 1)
            if first <= position and (stop is None or position <= stop) and (not topics or row.topic in topics)
        ]
        return [*stored, *pending][:limit]

    def max_notification_id(self) -> int | None:
        """Return the last position including pending rows, or None."""
        return (self._stored.max_notification_id() or 0) + len(self.rows) or None

    def _read(
        self, stream: UUID, gt: int | None, lte: int | None, *, desc: bool, limit: int | None
    ) -> Sequence[StoredEvent]:
        """Return stored rows of a stream, and note where it ends; no query if its end is known and not after `gt`."""
        if stream in self._ends and (gt or 0) >= self._ends[stream]:
            return ()
        rows = self._stored.select_events(stream, gt=gt, lte=lte, desc=desc, limit=limit)
        if lte is None and (desc or limit is None or len(rows) < limit):
            newest = rows[0 if desc else -1].originator_version if rows else gt or 0
            self._ends.setdefault(stream, newest)
        return rows


def stream_of(row: StoredEvent) -> UUID:
    """Return the stream of a row; the library allows other ids, we use UUIDs only."""
    assert isinstance(row.originator_id, UUID)
    return row.originator_id
