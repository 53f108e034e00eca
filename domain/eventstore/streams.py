"""Streams of records: cached states, and verification against the transparency log."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from threading import Lock
from typing import Any, Final, TypeVar
from uuid import UUID

from eventsourcing.persistence import Mapper

from domain.eventstore.guard import UNGUARDED, Guard, LogItem, VerifiedReader, VerifiedStreams, as_tampering
from domain.eventstore.pending_recorder import PendingRecorder
from domain.eventstore.recorders import LogRecorder
from domain.matches.errors import LogFault, NoSuchStream
from domain.matches.log.records import Kind, Ledger, Record, Stream

F = TypeVar("F")
S = TypeVar("S")

CACHED_STREAMS_MAX: Final = 2_000


class Streams:
    """The streams of a store; thread-safe, because states are immutable and replaced as a whole."""

    def __init__(
        self,
        recorder: LogRecorder,
        mapper: Mapper[UUID],
        guard: Guard = UNGUARDED,
        cached_max: int = CACHED_STREAMS_MAX,
    ) -> None:
        self._mapper = mapper
        self._rows: Final = VerifiedReader(recorder, mapper, guard)
        self._cached_max = cached_max
        self._cache: OrderedDict[UUID, tuple[str, Stream[Any]]] = OrderedDict()
        self._verified: Final = VerifiedStreams()
        self._lock = Lock()
        self._below: tuple[Streams, PendingRecorder] | None = None

    def with_pending(self, rows: PendingRecorder) -> Streams:
        """Return streams that read through `rows` and cache pending states separately."""
        streams = Streams(rows, self._mapper, self._rows.guard, self._cached_max)
        streams._below = (self, rows)
        return streams

    def promote_pending(self) -> None:
        """Pass the pending states on to the cache below, because they are stored now."""
        assert self._below is not None
        for name, stream in self._cache.values():
            self._below[0].cache_stream_by_name(name, stream)

    def get_cached(self, stream_id: UUID) -> tuple[str, Stream[Any]] | None:
        """Return the cached stream, from here or below, with the name of its kind, or None."""
        with self._lock:
            cached = self._cache.get(stream_id)
        if cached is None and self._below is not None and (cached := self._below[0].get_cached(stream_id)) is not None:
            self._below[1].assume(stream_id, cached[1].version)
        return cached

    def find(self, kind: Kind[F, S], stream_id: UUID) -> Stream[S] | None:
        """Return the current stream, including records by other processes; None if there is none of this kind.

        Raise `Tampered` if its chain is broken.
        """
        name, cached = self.get_cached(stream_id) or (kind.name, None)
        if name != kind.name:
            return None
        if cached is None:
            cached = self._newest(kind, stream_id)
        records = self._whole(stream_id) if cached is None else self.records(stream_id, cached.version)
        if cached is None and not (records and kind.owns(records[0])):
            return None
        stream = self._apply(kind, stream_id, cached, records)
        assert stream is not None
        self.cache_stream(kind, stream)
        return stream

    def _newest(self, kind: Kind[F, S], stream_id: UUID) -> Stream[S] | None:
        """Return a stream of a `Ledger`, which has no folded state, from its latest record alone; None otherwise."""
        if not isinstance(kind, Ledger):
            return None
        record = self._rows.read_last(stream_id)
        stream: Stream[Any] | None = None
        if isinstance(record, Record) and kind.owns(record):
            stream = kind.stream_after(record)
        return stream

    def _whole(self, stream_id: UUID) -> tuple[Record, ...]:
        return records_in(self._rows.read_stream(stream_id))

    def _apply(
        self, kind: Kind[F, S], stream_id: UUID, stream: Stream[S] | None, records: Iterable[Record]
    ) -> Stream[S] | None:
        """Return the stream after the records; raise `Tampered` for a broken chain, `LogFault` for another fault.

        Without records that is `stream` itself.
        """
        try:
            for record in records:
                stream = kind.apply(stream, record)
        except LogFault as fault:
            if (tampered := as_tampering(stream_id, fault)) is not None:
                raise self._rows.report_tampering(tampered) from fault
            raise
        return stream

    def verify_stream(self, stream_id: UUID) -> None:
        """Raise `Tampered` if the stream contradicts the transparency log; verified streams are not read again."""
        if stream_id not in self._verified and self._rows.guard.read_leaves(stream_id, 0, 1):
            self._rows.read_stream(stream_id)
            self._verified.add(stream_id)

    def get(self, kind: Kind[F, S], stream_id: UUID) -> Stream[S]:
        """Return the current stream; raise `NoSuchStream` if it is missing."""
        stream = self.find(kind, stream_id)
        if stream is None:
            raise NoSuchStream(f"no {kind.name} {stream_id}")
        return stream

    def records(self, stream_id: UUID, after: int = 0, limit: int | None = None) -> tuple[Record, ...]:
        """Return the stored records of a stream after a version."""
        return records_in(self._rows.read_range(stream_id, after, limit=limit))

    def cache_stream(self, kind: Kind[F, S], stream: Stream[S]) -> None:
        """Cache a newer state of a stream."""
        self.cache_stream_by_name(kind.name, stream)

    def cache_stream_by_name(self, name: str, stream: Stream[Any]) -> None:
        """Cache the state of a stream of the kind with this name, unless a newer one is cached."""
        with self._lock:
            cached = self._cache.get(stream.id)
            if cached is None or cached[1].version < stream.version:
                self._cache[stream.id] = (name, stream)
            self._cache.move_to_end(stream.id)
            while len(self._cache) > self._cached_max:
                self._cache.popitem(last=False)


def records_in(events: Iterable[LogItem]) -> tuple[Record, ...]:
    """Return the records among events."""
    return tuple(event for event in events if isinstance(event, Record))
