"""The audit trail as a file: a header, then every record with its digest, so that anyone can check the chain."""

from typing import Final
from uuid import UUID

from domain.kernel.values import Value
from domain.matches.errors import LogFault
from domain.matches.log.record_lines import lines_bytes, parse_header, parse_records
from domain.matches.log.records import Record, record_digest
from domain.roles.audit import AUDIT, AUDIT_STREAM

FORMAT: Final = "esporles.audit/1"


class TrailHeader(Value, frozen=True):
    """The header: the number of records, and the digest of the last one."""

    format: str
    stream: UUID
    records: int
    head: str


def header_of(records: tuple[Record, ...]) -> TrailHeader:
    """Return the header of these records."""
    return TrailHeader(FORMAT, AUDIT_STREAM, len(records), record_digest(records[-1]).hex())


def trail_bytes(records: tuple[Record, ...]) -> bytes:
    """Encode the trail, starting with its first record."""
    return lines_bytes(header_of(records), records)


def parse_trail(content: bytes) -> tuple[Record, ...]:
    """Return the records of a trail whose chain holds; `LogFault` names the first bad one.

    Also raise it if content follows the records, or if the header does not match them.
    """
    header, rest = parse_header(content, TrailHeader, FORMAT, "an audit trail")
    records, rest = parse_records(rest, AUDIT, AUDIT_STREAM, header.records)
    if rest:
        raise LogFault(None, "file", "the file continues after the records stated in the header")
    if header != header_of(records):
        raise LogFault(None, "header", "the header does not match the records")
    return records
