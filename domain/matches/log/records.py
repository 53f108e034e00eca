"""Records: streams of facts beside the matches, in the same store, each chained like a log.

Studies, disputes, roles, the audit trail and tournaments are such streams. Their readers may read
them whole: a record has no hidden values.
"""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Final, Generic, TypeVar
from uuid import UUID

import msgspec

from domain.kernel.values import Value
from domain.matches.errors import LogFault
from domain.matches.log.entries import NO_DIGEST, chained_digest

F = TypeVar("F")
S = TypeVar("S")

RECORD_PREFIX: Final = b"esporles.record/1\x00"


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

    def __init__(self, name: str, facts: object, evolve: Callable[[S | None, Record, F], S]) -> None:
        self.name: Final = name
        self.evolve: Final = evolve
        self._prefix = f"{name}."
        self._type = facts

    def owns(self, record: Record) -> bool:
        return record.tag.startswith(self._prefix)

    def read(self, record: Record) -> F:
        """The fact of a record."""
        try:
            fact: F = msgspec.json.decode(record.body, type=self._type)
        except (msgspec.ValidationError, msgspec.DecodeError) as error:
            raise LogFault(record.version, "body", f"its body is not a fact of a {self.name}: {error}") from error
        return fact

    def read_canonical(self, record: Record) -> F:
        """The fact of a record; `LogFault` unless its body is the canonical encoding of that."""
        fact = self.read(record)
        if msgspec.json.encode(fact, order="deterministic") != bytes(record.body):
            why = "its line is not the canonical encoding of a record and its digest"
            raise LogFault(record.version, "line", why)
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

    def __init__(self, name: str, facts: object) -> None:
        super().__init__(name, facts, lambda _state, _record, _fact: None)

    def standing_at(self, newest: Record) -> Stream[None]:
        """The stream after its newest record, which alone is enough to know."""
        return Stream(newest.stream_id, newest.version, newest.timestamp, record_digest(newest), None)
