"""Study files: a study as text, with the log of its match or the digest of an entry.

The first line is the header, then one canonical, chained line per record. If the log is included, its lines follow as
in a LOG file. Parsing and writing a file returns it byte for byte.
"""

from typing import Final
from uuid import UUID

from domain.kernel.values import Value
from domain.matches.errors import LogFault
from domain.matches.log.log_files import LogFile, log_bytes, parse_log
from domain.matches.log.record_lines import lines_bytes, parse_header, parse_records
from domain.matches.log.records import Record, record_digest
from domain.studies.facts import Fact, StudyOpened
from domain.studies.state import STUDY

FORMAT: Final = "esporles.study/1"
FILE_MAX: Final = 64 * 1024 * 1024


class StudyHeader(Value, frozen=True):
    """The header of a study file: the study and its head, the match and the digest of one of its entries."""

    format: str
    study: UUID
    records: int
    study_head: str
    match: UUID
    entries: int
    match_head: str
    holds_log: bool


class StudyFile(Value, frozen=True):
    """A parsed study with canonical lines and a valid chain."""

    header: StudyHeader
    records: tuple[Record, ...]
    log: LogFile | None = None

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The facts in its records."""
        return tuple(STUDY.read(record) for record in self.records)


def study_file(records: tuple[Record, ...], log: LogFile | None = None) -> StudyFile:
    """Return the file of a study's records; the header is derived from them."""
    first = STUDY.read(records[0])
    assert isinstance(first, StudyOpened), "a study begins with being opened"
    header = StudyHeader(
        FORMAT,
        records[0].stream_id,
        len(records),
        record_digest(records[-1]).hex(),
        first.match,
        first.entries,
        first.head,
        log is not None,
    )
    return StudyFile(header, records, log)


def study_bytes(file: StudyFile) -> bytes:
    """Encode the file; the same study always gives the same bytes."""
    text = lines_bytes(file.header, file.records)
    return text if file.log is None else text + log_bytes(file.log)


def parse_study(content: bytes) -> StudyFile:
    """Parse a study file; raise `LogFault` for the first bad line, or if the header does not match the records."""
    header, rest = parse_header(content, StudyHeader, FORMAT, "a study")
    records, rest = parse_records(rest, STUDY, header.study, header.records)
    for record in records:
        if (record.version == 1) != isinstance(STUDY.read(record), StudyOpened):
            raise LogFault(record.version, "body", "a study begins with one opening record and has no other")
    if header.holds_log != bool(rest):
        raise LogFault(None, "file", "the content after the records does not match the header")
    file = study_file(records, parse_log(rest) if header.holds_log else None)
    if file.header != header:
        raise LogFault(None, "header", "the header does not match the records")
    return file
