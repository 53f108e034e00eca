"""Rows that wait for their transaction, as whoever composes it sees the store: with them."""

from collections.abc import Sequence
from uuid import UUID

from eventsourcing.persistence import (
    IntegrityError,
    Notification,
    StoredEvent,
)

from domain.eventstore.recorders import Ends, LogRecorder


class PendingRecorder:
    """The rows of a store and those that are to be added to it in one transaction. For one thread."""

    def __init__(self, stored: LogRecorder, *, assumes: bool = True) -> None:
        """Without `assumes` every stream is looked up, and that a place is taken is left to the store."""
        self._assumes = assumes
        self.has_scanned = False
        """Somebody has looked through the log here: what came after, no version of a stream tells."""
        self.rows: list[StoredEvent] = []
        """What is to be stored, in its order."""
        self._stored = stored
        self._by_stream: dict[UUID, list[StoredEvent]] = {}
        self._assumed: set[UUID] = set()
        self._ends: dict[UUID, int] = {}
        """After this version the store has nothing of a stream, when it was last looked at: what another process adds
        from then on is found when all this is stored."""

    def insert_events(self, stored_events: Sequence[StoredEvent], **_kwargs: object) -> None:
        """All of them from now on, or none: `IntegrityError` where the place of one is taken."""
        if any(self._is_taken(row) for row in stored_events):
            raise IntegrityError("another command came first")
        for row in stored_events:
            self.rows.append(row)
            self._by_stream.setdefault(stream_of(row), []).append(row)

    def assume(self, stream: UUID, end: int) -> None:
        """Whoever asks knows the stream up to there. That nothing follows is not looked up: a row that is stored after
        it proves it, and for others `is_proven` looks."""
        if self._assumes:
            self._assumed |= {stream} - self._ends.keys()
            self._ends.setdefault(stream, end)

    def ends(self) -> dict[UUID, int]:
        """Of the streams that were read here and are not added to: after which version they had nothing."""
        return {stream: end for stream, end in self._ends.items() if stream not in self._by_stream}

    def require(self, ends: Ends) -> None:
        """What was read before somewhere else is so here too; `IntegrityError` otherwise."""
        if any(stream in self._by_stream or self._ends.get(stream, end) != end for stream, end in ends.items()):
            raise IntegrityError("another command came first")
        self._ends.update(ends)

    def is_proven(self) -> bool:
        """Whether what was assumed of streams to which nothing is added is so."""
        unproven = self._assumed - self._by_stream.keys()
        return not any(self._stored.select_events(stream, gt=self._ends[stream], limit=1) for stream in unproven)

    def _is_taken(self, row: StoredEvent) -> bool:
        """Whether the stream has grown to there, or further."""
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
        """The rows of a stream, those that wait after those that are stored."""
        assert isinstance(originator_id, UUID)
        stored = self._read(originator_id, gt, lte, desc=desc, limit=limit)
        waiting = [
            row
            for row in self._by_stream.get(originator_id, ())
            if (gt is None or row.originator_version > gt) and (lte is None or row.originator_version <= lte)
        ]
        rows = [*reversed(waiting), *stored] if desc else [*stored, *waiting]
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
        """The log from a position on: what waits comes after all that is stored."""
        self.has_scanned = True
        found = self._stored.select_notifications(start, limit, stop, topics, inclusive_of_start=inclusive_of_start)
        if len(found) >= limit:
            return found
        newest, first = self._stored.max_notification_id() or 0, (start or 0) + (not inclusive_of_start)
        waiting = [
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
        return [*found, *waiting][:limit]

    def max_notification_id(self) -> int | None:
        return (self._stored.max_notification_id() or 0) + len(self.rows) or None

    def _read(
        self, stream: UUID, gt: int | None, lte: int | None, *, desc: bool, limit: int | None
    ) -> Sequence[StoredEvent]:
        if stream in self._ends and (gt or 0) >= self._ends[stream]:
            return ()
        rows = self._stored.select_events(stream, gt=gt, lte=lte, desc=desc, limit=limit)
        if lte is None and (desc or limit is None or len(rows) < limit):
            newest = rows[0 if desc else -1].originator_version if rows else gt or 0
            self._ends.setdefault(stream, newest)
        return rows


def stream_of(row: StoredEvent) -> UUID:
    """Ours all have such ids; the library knows others."""
    assert isinstance(row.originator_id, UUID)
    return row.originator_id
