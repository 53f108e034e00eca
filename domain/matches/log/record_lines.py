"""Text files of records: a header, then one canonical, chained line per record."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, Final, Protocol, TypeVar
from uuid import UUID

import msgspec

from domain.kernel.values import Value
from domain.matches.errors import LogFault
from domain.matches.log.entries import NO_DIGEST
from domain.matches.log.records import Kind, Record, record_digest

LINE_MAX: Final = 4_000_000


class RecordHeader(Protocol):
    """The fields common to all headers."""

    @property
    def format(self) -> str:
        """The name and version of the file format."""
        ...

    @property
    def records(self) -> int:
        """The number of records in the file."""
        ...


H = TypeVar("H", bound=RecordHeader)


class RecordLine(Value, frozen=True):
    """A record as one line of a file."""

    version: int
    timestamp: datetime
    previous: str
    digest: str
    body: msgspec.Raw


def line_of(record: Record) -> RecordLine:
    """Return the file line of a record, with its time in UTC and its digests in hex."""
    return RecordLine(
        record.version,
        record.timestamp.astimezone(UTC),
        record.previous.hex(),
        record_digest(record).hex(),
        record.body,
    )


def lines_bytes(header: RecordHeader, records: Iterable[Record]) -> bytes:
    """Encode a header and records, one per line, each with a line end."""
    lines = [msgspec.json.encode(header), *(msgspec.json.encode(line_of(record)) for record in records)]
    return b"\n".join(lines) + b"\n"


def parse_header(content: bytes, header_type: type[H], format: str, what: str) -> tuple[H, bytes]:
    """Return the header and the rest of the content.

    Raise `LogFault` unless the header is canonical, has the given format and promises a record; `what` names the file.
    """
    line, newline, rest = content.partition(b"\n")
    try:
        header = msgspec.json.decode(line, type=header_type)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise LogFault(None, "header", f"the first line is not the header of {what}: {error}") from error
    if not newline or msgspec.json.encode(header) != line:
        raise LogFault(None, "header", "the header is not in canonical form")
    if header.format != format:
        raise LogFault(None, "header", f"unknown format {header.format!r}; expected {format!r}")
    if header.records < 1:
        raise LogFault(None, "header", f"{what} must have at least one record, not {header.records}")
    return header, rest


def parse_records(
    content: bytes, kind: Kind[Any, Any], stream_id: UUID, count: int
) -> tuple[tuple[Record, ...], bytes]:
    """Return the first `count` records of a stream and the rest; `LogFault` names the first bad record."""
    records: list[Record] = []
    head, start = NO_DIGEST, 0
    for number in range(1, count + 1):
        # Partitioning line by line would copy the rest of the file each time.
        end = content.find(b"\n", start)
        if end < 0:
            raise LogFault(number, "line", f"the header states {count} records, but record {number} is missing")
        record = parse_record(number, content[start:end], kind, stream_id, head)
        start = end + 1
        if records and record.timestamp < records[-1].timestamp:
            raise LogFault(number, "chain", "its time is earlier than the previous record")
        records.append(record)
        head = record_digest(record)
    return tuple(records), content[start:]


def parse_record(number: int, line: bytes, kind: Kind[Any, Any], stream_id: UUID, head: bytes) -> Record:
    """Parse a record of a kind that must follow the digest `head`; raise `LogFault` if it is invalid.

    Line and body must be canonical.
    """
    record = read_record(number, line, stream_id, head, kind.name)
    kind.read_canonical(record)
    return record


def read_record(number: int, line: bytes, stream_id: UUID, head: bytes, name: str) -> Record:
    """Parse a canonical line as record `number` after `head`, without checking that its body is a fact of the kind.

    Raise `LogFault` if the line is over `LINE_MAX`, malformed, not canonical or does not follow; messages call the
    stream `name`.
    """
    if len(line) > LINE_MAX:
        raise LogFault(number, "line", f"the line is longer than {LINE_MAX} bytes")
    try:
        decoded = msgspec.json.decode(line, type=RecordLine)
        if decoded.timestamp.tzinfo is None:
            raise ValueError(f"the time {decoded.timestamp} has no time zone")
        record = Record(
            originator_id=stream_id,
            originator_version=decoded.version,
            timestamp=decoded.timestamp.astimezone(UTC),
            previous=bytes.fromhex(decoded.previous),
            body=msgspec.Raw(bytes(decoded.body)),
        )
        is_canonical = msgspec.json.encode(line_of(record)) == line
    except (msgspec.MsgspecError, ValueError, OverflowError, RecursionError) as error:
        raise LogFault(number, "line", f"the line is not a record of the {name}: {error}") from error
    if record.version != number or record.previous != head:
        raise LogFault(number, "chain", "it does not follow the previous record")
    if not is_canonical:
        raise LogFault(number, "line", "the line is not the canonical encoding of a record and its digest")
    return record


def read_records(lines: Iterable[memoryview], stream: UUID, name: str, fault_kind: str) -> tuple[Record, ...]:
    """Read chained records from version 1 on without checking their bodies.

    Raise `LogFault` of `fault_kind`, without an entry number, for the first bad record.
    """
    records, head = list[Record](), NO_DIGEST
    for number, line in enumerate(lines, start=1):
        try:
            record = read_record(number, bytes(line), stream, head, name)
        except LogFault as fault:
            raise LogFault(None, fault_kind, f"record {number} of the {name}: {fault.why}") from fault
        if records and record.timestamp < records[-1].timestamp:
            why = f"record {number} of the {name} is earlier than the previous one"
            raise LogFault(None, fault_kind, why)
        records.append(record)
        head = record_digest(record)
    return tuple(records)
