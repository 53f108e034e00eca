"""Records: streams of facts beside the matches, in the same store, each chained like a log.

Studies, disputes, roles, the audit trail and tournaments are such streams. Their readers may read
them whole: a record has no hidden values.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable
from datetime import datetime
from threading import Lock
from typing import Any, Final, Generic, TypeVar
from uuid import UUID

import msgspec
from eventsourcing.persistence import AggregateRecorder, Mapper

from domain.kernel.values import Value
from domain.matches.errors import LogFault, NoSuchStream
from domain.matches.log import NO_DIGEST, chained_digest

F = TypeVar("F")
S = TypeVar("S")

RECORD_PREFIX: Final = b"esporles.record/1\x00"
STREAMS_KEPT: Final = 2_000


class Record(Value, frozen=True, kw_only=True):
    """One record of a stream, as stored. `originator_*` are the library's names; the body is a tagged struct."""

    originator_id: UUID
    originator_version: int
    timestamp: datetime
    previous: bytes
    body: msgspec.Raw

    @property
    def stream_id(self) -> UUID:
        return self.originator_id

    @property
    def version(self) -> int:
        return self.originator_version

    @property
    def tag(self) -> str:
        """`study.comment_written`: the kind of stream, and of fact."""
        return msgspec.json.decode(self.body, type=BodyLook).type


class BodyLook(msgspec.Struct, frozen=True):
    """The first look at a body."""

    type: str


def record_digest(record: Record) -> bytes:
    """The digest of a record: what the next one of its stream has for `previous`."""
    return chained_digest(RECORD_PREFIX, record)


def check_records(records: Iterable[Record]) -> bytes:
    """The head of a whole stream; `LogFault` naming the first record that does not follow from the one before."""
    head, last = NO_DIGEST, None
    for number, record in enumerate(records, start=1):
        if record.version != number:
            raise LogFault(number, "chain", f"record {record.version} stands in the place of record {number}")
        if record.previous != head:
            raise LogFault(number, "chain", "its previous digest is not the digest of the record before")
        if last is not None and record.timestamp < last:
            raise LogFault(number, "chain", "its time lies before that of the record before")
        head, last = record_digest(record), record.timestamp
    return head


class Stream(msgspec.Struct, Generic[S], frozen=True):
    """A stream as it stands after one of its records."""

    id: UUID
    version: int
    timestamp: datetime
    head_digest: bytes
    state: S

    @property
    def head(self) -> str:
        """The digest of the last record, in hex."""
        return self.head_digest.hex()


class Kind(Generic[F, S]):
    """A kind of stream: its name, which begins the tag of all its facts, their union, and how a state takes one."""

    def __init__(self, name: str, facts: Any, evolve: Callable[[S | None, Record, F], S]) -> None:
        self.name: Final = name
        self.evolve: Final = evolve
        self._prefix = f"{name}."
        self._type = facts

    def standing_at(self, _newest: Record) -> Stream[S] | None:
        """The stream after its newest record, where that alone is enough to know; here the state needs them all."""
        return None

    def owns(self, record: Record) -> bool:
        return record.tag.startswith(self._prefix)

    def read(self, record: Record) -> F:
        """The fact of a record."""
        try:
            fact: F = msgspec.json.decode(record.body, type=self._type)
        except (msgspec.ValidationError, msgspec.DecodeError) as error:
            raise LogFault(record.version, "body", f"its body is not a fact of a {self.name}: {error}") from error
        return fact

    def apply(self, stream: Stream[S] | None, record: Record) -> Stream[S]:
        """The stream after one more record."""
        head, version = (NO_DIGEST, 0) if stream is None else (stream.head_digest, stream.version)
        if record.previous != head or record.version != version + 1:
            raise LogFault(record.version, "chain", f"it does not follow record {version} of {record.stream_id}")
        state = self.evolve(None if stream is None else stream.state, record, self.read(record))
        return Stream(record.stream_id, record.version, record.timestamp, record_digest(record), state)

    def seal(self, stream_id: UUID, stream: Stream[S] | None, fact: F, at: datetime) -> Record:
        """The next record of a stream; time never falls within one."""
        return Record(
            originator_id=stream_id,
            originator_version=1 if stream is None else stream.version + 1,
            timestamp=at if stream is None else max(at, stream.timestamp),
            previous=NO_DIGEST if stream is None else stream.head_digest,
            body=msgspec.Raw(msgspec.json.encode(fact, order="deterministic")),
        )


class Ledger(Kind[F, None]):
    """A kind of stream that is only ever appended to and read by pages: it has no state to be folded."""

    def __init__(self, name: str, facts: Any) -> None:
        super().__init__(name, facts, lambda _state, _record, _fact: None)

    def standing_at(self, _newest: Record) -> Stream[None] | None:
        return Stream(_newest.stream_id, _newest.version, _newest.timestamp, record_digest(_newest), None)


class Streams:
    """The streams of a store, safe to read from several threads: states are immutable and replaced whole."""

    def __init__(self, recorder: AggregateRecorder, mapper: Mapper[UUID], kept: int = STREAMS_KEPT) -> None:
        self._recorder = recorder
        self._mapper = mapper
        self._kept = kept
        self._known: OrderedDict[UUID, tuple[str, Stream[Any]]] = OrderedDict()
        self._lock = Lock()

    def find(self, kind: Kind[F, S], stream_id: UUID) -> Stream[S] | None:
        """The stream as it stands now, with what other processes wrote; `None` where there is none of this kind."""
        with self._lock:
            name, known = self._known.get(stream_id, (kind.name, None))
        if name != kind.name:
            return None
        if known is None:
            known = self._newest(kind, stream_id)
        records = self.records(stream_id, 0 if known is None else known.version)
        if known is None and not (records and kind.owns(records[0])):
            return None
        stream = known
        for record in records:
            stream = kind.apply(stream, record)
        assert stream is not None
        self.remember(kind, stream)
        return stream

    def _newest(self, kind: Kind[F, S], stream_id: UUID) -> Stream[S] | None:
        """Where a stream without a state stands, from its newest record alone."""
        for record in self.latest(stream_id, None, 1):
            return kind.standing_at(record) if kind.owns(record) else None
        return None

    def get(self, kind: Kind[F, S], stream_id: UUID) -> Stream[S]:
        """The stream as it stands; `NoSuchStream` names it otherwise."""
        stream = self.find(kind, stream_id)
        if stream is None:
            raise NoSuchStream(f"there is no {kind.name} {stream_id}")
        return stream

    def records(self, stream_id: UUID, after: int = 0, limit: int | None = None) -> tuple[Record, ...]:
        """The records of a stream after a version, as stored."""
        rows = self._recorder.select_events(stream_id, gt=after, limit=limit)
        events = (self._mapper.to_domain_event(row) for row in rows)
        return tuple(event for event in events if isinstance(event, Record))

    def latest(self, stream_id: UUID, before: int | None, limit: int) -> tuple[Record, ...]:
        """The newest records of a stream, or the newest before a version, the newest first."""
        upto = None if before is None else before - 1
        rows = self._recorder.select_events(stream_id, lte=upto, desc=True, limit=limit)
        events = (self._mapper.to_domain_event(row) for row in rows)
        return tuple(event for event in events if isinstance(event, Record))

    def remember(self, kind: Kind[F, S], stream: Stream[S]) -> None:
        """Remember a newer state."""
        with self._lock:
            known = self._known.get(stream.id)
            if known is None or known[1].version < stream.version:
                self._known[stream.id] = (kind.name, stream)
            self._known.move_to_end(stream.id)
            while len(self._known) > self._kept:
                self._known.popitem(last=False)
