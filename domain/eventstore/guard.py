"""Streams as they stand in the store, held against what the tree of the house says of them.

What has become a leaf is there and is what it was: nothing is changed, missing in the middle, or cut off the end. What
the tree does not say anything of yet, the newest, is taken as it is.
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

SOUND_KEPT: Final = 100_000

Kept: TypeAlias = Entry | Record
"""What a stream is made of."""


class Cover(NamedTuple):
    """What the tree holds of an entry or record, and the salt by which that can be told."""

    salt: bytes
    leaf: bytes


Covers = Mapping[int, Cover]
"""The leaves of a stream, by version."""


class Guard(Protocol):
    """Knows the leaves of streams, and is told what does not agree with them."""

    def covers(self, stream: UUID, after: int = 0, upto: int | None = None) -> Covers:
        """The leaves of a stream after a version, and up to one."""
        ...

    def tell(self, tampered: Tampered) -> None: ...


class Unguarded:
    """Where there is no tree."""

    def covers(self, _stream: UUID, _after: int = 0, _upto: int | None = None) -> Covers:
        return {}

    def tell(self, _tampered: Tampered) -> None:
        pass


UNGUARDED: Final[Guard] = Unguarded()


def stream_of(event: Kept) -> UUID:
    """The stream in which the store keeps it."""
    return event.line_id if isinstance(event, Entry) else event.stream_id


def digest_of(event: Kept) -> bytes:
    return digest(event) if isinstance(event, Entry) else record_digest(event)


def salted(salt: bytes, event: Kept) -> bytes:
    """What the tree holds of an entry or record."""
    return leaf_of(salt, stream_of(event), event.version, digest_of(event))


def compare(stream: UUID, covers: Covers, events: Iterable[Kept]) -> None:
    """`Tampered` unless all that is covered is there as it was, with nothing put between it."""
    if not covers:
        return
    found, first, last = {event.version: event for event in events}, min(covers), max(covers)
    if not found:
        raise Tampered(stream, None, "nothing is left of it")
    for version in sorted({*covers, *(version for version in found if first < version < last)}):
        event, cover = found.get(version), covers.get(version)
        if event is None:
            raise Tampered(stream, version, f"entry {version} is missing")
        if cover is None:
            raise Tampered(stream, version, f"entry {version} was put in later")
        if salted(cover.salt, event) != cover.leaf:
            raise Tampered(stream, version, f"entry {version} was changed")


def broken_chain(stream: UUID, fault: LogFault) -> Tampered | None:
    """What a fault found in the store says of its stream, if it is one of the chain."""
    return Tampered(stream, fault.entry, fault.why) if fault.kind == "chain" else None


class Sound:
    """The streams that were looked at and are sound: so many at most, then everything is looked at once more."""

    def __init__(self, limit: int = SOUND_KEPT) -> None:
        self._limit = limit
        self._streams = set[UUID]()

    def __contains__(self, stream: UUID) -> bool:
        return stream in self._streams

    def add(self, stream: UUID) -> None:
        if len(self._streams) >= self._limit:
            self._streams.clear()
        self._streams.add(stream)


class GuardedRows:
    """The streams of a store, read. `Tampered` where they are not what the tree says; then the guard is told."""

    def __init__(self, recorder: LogRecorder, mapper: Mapper[UUID], guard: Guard = UNGUARDED) -> None:
        self.guard: Final = guard
        self._recorder = recorder
        self._mapper = mapper

    def whole(self, stream: UUID) -> list[Kept]:
        """All of a stream, and whether its end is there too. What is asked of the tree first cannot be behind it."""
        covers = self.guard.covers(stream)
        events = self._events(self._recorder.select_events(stream))
        self._compare(stream, covers, events)
        return events

    def part(self, stream: UUID, after: int, upto: int | None = None, limit: int | None = None) -> list[Kept]:
        """What a stream holds after a version, and up to one."""
        events = self._events(self._recorder.select_events(stream, gt=after, lte=upto, limit=limit))
        last = events[-1].version if events and limit is not None else upto
        if last is None and events:
            last = events[-1].version
        if last is not None:
            self._compare(stream, self.guard.covers(stream, after, last), events)
        return events

    def newest(self, stream: UUID) -> Kept | None:
        """The last entry or record of a stream, which is its last in the tree too."""
        found = self._newest(stream)
        while True:
            version = 0 if found is None else found.version
            covers = self.guard.covers(stream, max(0, version - 1))
            # What was appended meanwhile may be in the tree already.
            again = self._newest(stream) if covers and max(covers) > version else found
            if again == found:
                self._compare(stream, covers, () if found is None else (found,))
                return found
            found = again

    def tampered(self, tampered: Tampered) -> Tampered:
        """The same, once the guard has been told."""
        self.guard.tell(tampered)
        return tampered

    def _newest(self, stream: UUID) -> Kept | None:
        events = self._events(self._recorder.select_events(stream, desc=True, limit=1))
        return events[0] if events else None

    def _events(self, rows: Iterable[StoredEvent]) -> list[Kept]:
        events = (self._mapper.to_domain_event(row) for row in rows)
        return [event for event in events if isinstance(event, Entry | Record)]

    def _compare(self, stream: UUID, covers: Covers, events: Iterable[Kept]) -> None:
        try:
            compare(stream, covers, events)
        except Tampered as tampered:
            raise self.tampered(tampered) from None


def happenings(
    recorder: LogRecorder, mapper: Mapper[UUID], after: int, limit: int, upto: int | None = None
) -> list[tuple[int, Entry | Record]]:
    """What was appended after a position, and up to one, so much of it at most, each with its position."""
    while rows := recorder.select_notifications(after, limit, upto, topics=LOG_TOPICS, inclusive_of_start=False):
        events = ((row.id, mapper.to_domain_event(row)) for row in rows)
        if found := [(position, event) for position, event in events if isinstance(event, Entry | Record)]:
            return found
        # Rows that nobody can read any more are passed over.
        after = rows[-1].id
    return []
