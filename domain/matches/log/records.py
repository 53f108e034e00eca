"""Records: chained streams of facts other than matches, in the same store.

Studies, disputes, roles, the audit trail and tournaments are such streams. Records have no hidden values, so anyone who
may read a stream may read all of it.
"""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, Final, Generic, TypeVar
from uuid import UUID

import msgspec

from domain.kernel.values import Value
from domain.matches.errors import LogFault
from domain.matches.log.entries import NO_DIGEST, chained_digest

F = TypeVar("F")
S = TypeVar("S")

RECORD_PREFIX: Final = b"esporles.record/1\x00"


class Record(Value, frozen=True, kw_only=True):
    """A stored record with a tagged struct as body; `originator_*` are names of the eventsourcing library."""

    originator_id: UUID
    originator_version: int
    timestamp: datetime
    previous: bytes
    body: msgspec.Raw

    @property
    def stream_id(self) -> UUID:
        """The id of the stream."""
        return self.originator_id

    @property
    def version(self) -> int:
        """The position of the record in its stream, from 1."""
        return self.originator_version

    @property
    def tag(self) -> str:
        """The tag of the fact, prefixed by the kind of stream, such as `study.comment_written`."""
        return msgspec.json.decode(self.body, type=BodyTag).type


class BodyTag(msgspec.Struct, frozen=True):
    """The type tag of a body."""

    type: str


def record_digest(record: Record) -> bytes:
    """Return the digest of a record, which the next record of its stream has as `previous`."""
    return chained_digest(RECORD_PREFIX, record)


def check_records(records: Iterable[Record]) -> bytes:
    """Return the head of a complete stream; raise `LogFault` for the first record that does not continue the chain.

    Versions count from 1, and timestamps never decrease.
    """
    head, last = NO_DIGEST, None
    for number, record in enumerate(records, start=1):
        if record.version != number:
            raise LogFault(number, "chain", f"found record {record.version} instead of record {number}")
        if record.previous != head:
            raise LogFault(number, "chain", "its previous digest does not match the previous record")
        if last is not None and record.timestamp < last:
            raise LogFault(number, "chain", "its time is earlier than the previous record")
        head, last = record_digest(record), record.timestamp
    return head


class Stream(msgspec.Struct, Generic[S], frozen=True):
    """The state of a stream after one of its records."""

    id: UUID
    version: int
    timestamp: datetime
    head_digest: bytes
    state: S

    @property
    def head(self) -> str:
        """The digest of the last record, in hex."""
        return self.head_digest.hex()


def has_signature_field(fact: Any) -> bool:
    """Return whether facts of this type have a field for an official's signature."""
    return "signed" in fact.__struct_fields__


class Kind(Generic[F, S]):
    """A kind of stream: its name (the prefix of its tags), the union of its facts, and its fold function.

    `is_order` tells which facts carry an official's signature; by default all with a field for it.
    """

    def __init__(
        self,
        name: str,
        facts: object,
        evolve: Callable[[S | None, Record, F], S],
        is_order: Callable[[S | None, F], bool] = lambda _state, fact: has_signature_field(fact),
    ) -> None:
        self.name: Final = name
        self.evolve: Final = evolve
        self.is_order: Final = is_order
        self._prefix = f"{name}."
        self._type = facts

    def owns(self, record: Record) -> bool:
        """Return whether the record belongs to a stream of this kind."""
        return record.tag.startswith(self._prefix)

    def read(self, record: Record) -> F:
        """Decode the fact of a record; raise `LogFault` if it is not of this kind."""
        try:
            fact: F = msgspec.json.decode(record.body, type=self._type)
        except (msgspec.ValidationError, msgspec.DecodeError) as error:
            raise LogFault(record.version, "body", f"the body is not a fact of a {self.name}: {error}") from error
        return fact

    def read_canonical(self, record: Record) -> F:
        """Decode the fact of a record; raise `LogFault` unless it is of this kind and its body is canonical."""
        fact = self.read(record)
        if msgspec.json.encode(fact, order="deterministic") != bytes(record.body):
            why = "the line is not the canonical encoding of a record and its digest"
            raise LogFault(record.version, "line", why)
        return fact

    def apply(self, stream: Stream[S] | None, record: Record) -> Stream[S]:
        """Return the stream (None: a new one) after a record; raise `LogFault` if it does not continue it.

        Raise it also for a record of another kind.
        """
        head, version = (NO_DIGEST, 0) if stream is None else (stream.head_digest, stream.version)
        if record.previous != head or record.version != version + 1:
            raise LogFault(record.version, "chain", f"it does not follow record {version} of {record.stream_id}")
        state = self.evolve(None if stream is None else stream.state, record, self.read(record))
        return Stream(record.stream_id, record.version, record.timestamp, record_digest(record), state)

    def seal(self, stream_id: UUID, stream: Stream[S] | None, fact: F, at: datetime) -> Record:
        """Build the next record of a stream; its time is never earlier than the previous one."""
        return Record(
            originator_id=stream_id,
            originator_version=1 if stream is None else stream.version + 1,
            timestamp=at if stream is None else max(at, stream.timestamp),
            previous=NO_DIGEST if stream is None else stream.head_digest,
            body=msgspec.Raw(msgspec.json.encode(fact, order="deterministic")),
        )


class Ledger(Kind[F, None]):
    """A kind of stream without folded state, which is only appended to and read by page."""

    def __init__(self, name: str, facts: object) -> None:
        super().__init__(name, facts, lambda _state, _record, _fact: None)

    def stream_after(self, newest: Record) -> Stream[None]:
        """Return the stream after `newest`, its latest record."""
        return Stream(newest.stream_id, newest.version, newest.timestamp, record_digest(newest), None)
