"""Verification of stored streams against the transparency log of the service.

An event that is a leaf of the tree must exist unchanged; events cannot be changed, removed or inserted. The latest
events are not in the tree yet, and are accepted as they are.
"""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, Protocol, TypeAlias
from uuid import UUID

from eventsourcing.persistence import Mapper, StoredEvent

from domain.eventstore.mapper import LOG_TOPICS
from domain.eventstore.recorders import LogRecorder
from domain.matches.errors import LogFault, Tampered
from domain.matches.log.entries import Entry, digest
from domain.matches.log.records import Record, record_digest
from domain.transparency.leaves import leaf_of

VERIFIED_STREAMS_MAX: Final = 100_000
LAST_ROWS: Final = 20
"""Number of rows at the end of the log in which its latest entry or record is looked for first."""

LogItem: TypeAlias = Entry | Record
"""An event of a stream."""


class SaltedLeaf(NamedTuple):
    """The tree's leaf for an event, and the salt to recompute it."""

    salt: bytes
    leaf: bytes


SaltedLeaves = Mapping[int, SaltedLeaf]
"""Leaves of a stream, by version."""


class Guard(Protocol):
    """Access to the leaves of streams, and a callback for tampering."""

    def read_leaves(self, stream: UUID, after: int = 0, upto: int | None = None) -> SaltedLeaves:
        """Return the leaves of a stream after version `after`, up to `upto`."""
        ...

    def report_tampering(self, tampered: Tampered) -> None:
        """Report a stream that contradicts its leaves."""
        ...


class Unguarded:
    """A guard for stores without a transparency log."""

    def read_leaves(self, _stream: UUID, _after: int = 0, _upto: int | None = None) -> SaltedLeaves:
        """Return no leaves."""
        return {}

    def report_tampering(self, _tampered: Tampered) -> None:
        """Ignore a report."""


UNGUARDED: Final[Guard] = Unguarded()


def stream_of(event: LogItem) -> UUID:
    """Return the stream under which the store keeps an event."""
    return event.line_id if isinstance(event, Entry) else event.stream_id


def digest_of(event: LogItem) -> bytes:
    """Return the digest of an event."""
    return digest(event) if isinstance(event, Entry) else record_digest(event)


def compute_leaf(salt: bytes, event: LogItem) -> bytes:
    """Return the leaf of an event with a salt."""
    return leaf_of(salt, stream_of(event), event.version, digest_of(event))


def require_matching_leaves(stream: UUID, leaves: SaltedLeaves, events: Iterable[LogItem]) -> None:
    """Raise `Tampered` unless every covered event exists unchanged, with nothing inserted between them.

    Events before the first or after the last covered one are not checked; without covers nothing is.
    """
    if not leaves:
        return
    by_version, first, last = {event.version: event for event in events}, min(leaves), max(leaves)
    if not by_version:
        raise Tampered(stream, None, "its entries are missing")
    for version in sorted({*leaves, *(version for version in by_version if first < version < last)}):
        event, salted_leaf = by_version.get(version), leaves.get(version)
        if event is None:
            raise Tampered(stream, version, f"entry {version} is missing")
        if salted_leaf is None:
            raise Tampered(stream, version, f"entry {version} was inserted later")
        if compute_leaf(salted_leaf.salt, event) != salted_leaf.leaf:
            raise Tampered(stream, version, f"entry {version} was changed")


def as_tampering(stream: UUID, fault: LogFault) -> Tampered | None:
    """Return the tampering shown by a fault of a stored chain, or None for any other fault."""
    return Tampered(stream, fault.entry, fault.why) if fault.kind == "chain" else None


class VerifiedStreams:
    """A bounded set of streams that passed verification; it is cleared when full."""

    def __init__(self, limit: int = VERIFIED_STREAMS_MAX) -> None:
        self._limit = limit
        self._streams = set[UUID]()

    def __contains__(self, stream: UUID) -> bool:
        return stream in self._streams

    def add(self, stream: UUID) -> None:
        """Add a stream; a full set is emptied first."""
        if len(self._streams) >= self._limit:
            self._streams.clear()
        self._streams.add(stream)


class VerifiedReader:
    """Verified reads of streams; raises `Tampered` and informs the guard on a contradiction."""

    def __init__(self, recorder: LogRecorder, mapper: Mapper[UUID], guard: Guard = UNGUARDED) -> None:
        self.guard: Final = guard
        self._recorder = recorder
        self._mapper = mapper

    def read_stream(self, stream: UUID) -> list[LogItem]:
        """Return a complete stream, oldest first; raise `Tampered` if it contradicts the transparency log.

        The leaves are read first, so that they cannot be newer than the rows.
        """
        leaves = self.guard.read_leaves(stream)
        events = self._decode_rows(self._recorder.select_events(stream))
        self._require_matching_leaves(stream, leaves, events)
        return events

    def read_range(self, stream: UUID, after: int, upto: int | None = None, limit: int | None = None) -> list[LogItem]:
        """Return at most `limit` events of a stream after version `after`, up to `upto`, oldest first.

        Raise `Tampered` if they contradict the transparency log.
        """
        events = self._decode_rows(self._recorder.select_events(stream, gt=after, lte=upto, limit=limit))
        last = events[-1].version if events and limit is not None else upto
        if last is None and events:
            last = events[-1].version
        if last is not None:
            self._require_matching_leaves(stream, self.guard.read_leaves(stream, after, last), events)
        return events

    def read_last(self, stream: UUID) -> LogItem | None:
        """Return the last event of a stream, or None; raise `Tampered` unless it is the last in the tree as well."""
        last = self._read_last(stream)
        while True:
            version = 0 if last is None else last.version
            leaves = self.guard.read_leaves(stream, max(0, version - 1))
            # A concurrent append may already be in the tree.
            reread = self._read_last(stream) if leaves and max(leaves) > version else last
            if reread == last:
                self._require_matching_leaves(stream, leaves, () if last is None else (last,))
                return last
            last = reread

    def report_tampering(self, tampered: Tampered) -> Tampered:
        """Inform the guard and return the same exception."""
        self.guard.report_tampering(tampered)
        return tampered

    def _read_last(self, stream: UUID) -> LogItem | None:
        events = self._decode_rows(self._recorder.select_events(stream, desc=True, limit=1))
        return events[0] if events else None

    def _decode_rows(self, rows: Iterable[StoredEvent]) -> list[LogItem]:
        events = (self._mapper.to_domain_event(row) for row in rows)
        return [event for event in events if isinstance(event, Entry | Record)]

    def _require_matching_leaves(self, stream: UUID, leaves: SaltedLeaves, events: Iterable[LogItem]) -> None:
        """Raise `Tampered`, and report it to the guard, unless the events match the leaves."""
        try:
            require_matching_leaves(stream, leaves, events)
        except Tampered as tampered:
            raise self.report_tampering(tampered) from None


def list_log_items(
    recorder: LogRecorder, mapper: Mapper[UUID], after: int, limit: int, upto: int | None = None
) -> list[tuple[int, Entry | Record]]:
    """Return at most `limit` (position, entry or record) pairs after a position; empty only at the end.

    `upto` is the last position. Unreadable rows are skipped.
    """
    while rows := recorder.select_notifications(after, limit, upto, topics=LOG_TOPICS, inclusive_of_start=False):
        events = ((row.id, mapper.to_domain_event(row)) for row in rows)
        if items := [(position, event) for position, event in events if isinstance(event, Entry | Record)]:
            return items
        # Skip rows that are unreadable.
        after = rows[-1].id
    return []


def find_last_position(recorder: LogRecorder) -> int:
    """Return the position of the latest entry or record, or 0; notes, however many follow it, do not count."""
    stop, size = recorder.max_notification_id() or 0, LAST_ROWS
    while stop > 0:
        start = max(1, stop - size + 1)
        if rows := recorder.select_notifications(start, size, stop, topics=LOG_TOPICS):
            return rows[-1].id
        # Doubled, so that a long run of notes needs few queries.
        stop, size = start - 1, 2 * size
    return 0
