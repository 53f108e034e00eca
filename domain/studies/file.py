"""Study files: one text file with the study, record by record, and the log of its match or the digest that names it.

The first line is the header, then one line for each record, canonical and chained; where the log is held too, its own
lines follow as they stand in a LOG file. What is written from a file that was read is that file, byte for byte.
"""

from typing import Final
from uuid import UUID

from domain.kernel.values import Value
from domain.matches.errors import LogFault
from domain.matches.log.file import LogFile, log_bytes, parse_log
from domain.matches.log.record_lines import lines_bytes, parse_header, parse_records
from domain.matches.log.records import Record, record_digest
from domain.studies.state import STUDY, Fact, StudyOpened

FORMAT: Final = "esporles.study/1"
FILE_MAX: Final = 64 * 1024 * 1024


class StudyHeader(Value, frozen=True):
    """What a study file says of itself: the study and its head, the match and the digest of one of its entries."""

    format: str
    study: UUID
    records: int
    study_head: str
    match: UUID
    entries: int
    match_head: str
    holds_log: bool


class StudyFile(Value, frozen=True):
    """A study whose lines are canonical and whose chain holds."""

    header: StudyHeader
    records: tuple[Record, ...]
    log: LogFile | None = None

    @property
    def facts(self) -> tuple[Fact, ...]:
        return tuple(STUDY.read(record) for record in self.records)


def study_file(records: tuple[Record, ...], log: LogFile | None = None) -> StudyFile:
    """The file of a study's records."""
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
    """The file, byte for byte the same for the same study."""
    text = lines_bytes(file.header, file.records)
    return text if file.log is None else text + log_bytes(file.log)


def parse_study(content: bytes) -> StudyFile:
    """The study in these bytes; `LogFault` names the first bad line."""
    header, rest = parse_header(content, StudyHeader, FORMAT, "a study")
    records, rest = parse_records(rest, STUDY, header.study, header.records)
    for record in records:
        if (record.version == 1) != isinstance(STUDY.read(record), StudyOpened):
            raise LogFault(record.version, "body", "a study begins with being opened, once")
    if header.holds_log != bool(rest):
        raise LogFault(None, "file", "what follows the records is not what the header says")
    file = study_file(records, parse_log(rest) if header.holds_log else None)
    if file.header != header:
        raise LogFault(None, "header", "the header does not say what the records say")
    return file
