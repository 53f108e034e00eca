"""LOG files: JSON Lines with a header and one canonical line per entry (DESIGN §7)."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from itertools import islice
from mmap import mmap
from pathlib import Path
from typing import Final
from uuid import UUID

import msgspec

from domain.kernel.values import Value, replace
from domain.matches.errors import LogFault
from domain.matches.log.entries import ALL, NO_DIGEST, Entry, Opening, Reader, digest, peek_fact_type, redact

FORMATS: Final = ("esporles.log/1", "esporles.log/2", "esporles.log/3")
"""Supported formats. A header names the highest format among the line's opening and forks."""
LINE_MAX: Final = 4_000_000
"""Maximum bytes per line, far above the largest real entry; longer lines are rejected before decoding."""

FILE_MAX: Final = 64 * 1024 * 1024
"""Maximum bytes per file: fifty times the longest match with a proof."""
ENTRIES_MAX: Final = 100_000
"""Maximum entries per log, a hundred times the longest match."""
OPENINGS_MAX: Final = 100_000
"""Maximum openings per log."""

SPECTATOR: Final = "spectator"
SEAT: Final = re.compile(r"seat/(0|[1-9][0-9]?)")


Content = bytes | mmap
"""The bytes of a file, or a memory map for large files."""


class LogHeader(Value, frozen=True):
    """The header of a log file; `redacted_for` is `spectator`, `seat/N` or null. All fields are verified."""

    format: str
    title: str
    match: UUID
    entries: int
    head: str
    redacted_for: str | None


class LogLine(Value, frozen=True, omit_defaults=True):
    """One entry of a file; in a fork's shared prefix, `match` is the parent."""

    match: UUID
    version: int
    timestamp: datetime
    previous: str
    digest: str
    body: msgspec.Raw
    secrets: tuple[Opening, ...] = ()


ENCODER: Final = msgspec.json.Encoder()
LINES: Final = msgspec.json.Decoder(LogLine)


class LogFile(Value, frozen=True):
    """A log with canonical lines and an intact chain."""

    header: LogHeader
    entries: tuple[Entry, ...]

    @property
    def reader(self) -> Reader:
        """The reader for whom the log is redacted."""
        return reader_named(self.header.redacted_for)


def reader_name(reader: Reader) -> str | None:
    """Return the `redacted_for` value of a reader: None for `ALL`, `spectator` or `seat/N`."""
    if reader == ALL:
        return None
    return SPECTATOR if reader is None else f"seat/{reader}"


def reader_named(name: str | None) -> Reader:
    """Return the reader for a `redacted_for` value; raise `LogFault` if it is invalid."""
    if name is None:
        return ALL
    if name == SPECTATOR:
        return None
    seat = SEAT.fullmatch(name)
    if seat is None:
        raise LogFault(None, "header", f"redactedFor {name!r} in the header is neither spectator nor seat/N")
    return int(seat[1])


def log_of(entries: Iterable[Entry], reader: Reader = ALL) -> LogFile:
    """Build the log of a line (at least one entry), redacted for a reader, with its header."""
    redacted = (redact(entry, reader) for entry in entries)
    logged = tuple(entry if entry.stream is None else replace(entry, stream=None) for entry in redacted)
    last = logged[-1]
    title = peek_fact_type(logged[0]).title
    header = LogHeader(
        format_of(logged), title, last.originator_id, len(logged), digest(last).hex(), reader_name(reader)
    )
    return LogFile(header, logged)


def check_format(name: str) -> None:
    """Raise `LogFault` for a format that cannot be read."""
    if name not in FORMATS:
        raise LogFault(None, "header", f"unknown format {name!r}; expected {' or '.join(FORMATS)}")


def format_of(entries: Sequence[Entry]) -> str:
    """Return the format `esporles.log/N` of a line: the highest N among its opening and forks."""
    owner, newest = None, 1
    for entry in entries:
        if entry.originator_id != owner:
            owner, newest = entry.originator_id, max(newest, peek_fact_type(entry).format)
    return f"esporles.log/{newest}"


def line_of(entry: Entry) -> LogLine:
    """Return the file line of an entry, with its time in UTC and its digests in hex."""
    return LogLine(
        match=entry.originator_id,
        version=entry.version,
        timestamp=entry.timestamp.astimezone(UTC),
        previous=entry.previous.hex(),
        digest=digest(entry).hex(),
        body=entry.body,
        secrets=entry.secrets,
    )


def log_bytes(log: LogFile) -> bytes:
    """Encode a log; the same entries always give the same bytes."""
    lines = [ENCODER.encode(log.header), *(ENCODER.encode(line_of(entry)) for entry in log.entries)]
    return b"\n".join(lines) + b"\n"


def write_log(path: Path, entries: Iterable[Entry], reader: Reader = ALL) -> LogFile:
    """Write the log of a line, redacted for a reader, to a file, and return it; an existing file is overwritten."""
    log = log_of(entries, reader)
    path.write_bytes(log_bytes(log))
    return log


def read_log(path: Path) -> LogFile:
    """Read a log file; `LogFault` names the first bad entry."""
    return parse_log(read_content(path))


def read_content(path: Path) -> bytes:
    """Read a file that may be a log; raise `LogFault` if it is larger than `FILE_MAX` or unreadable."""
    try:
        if (size := path.stat().st_size) > FILE_MAX:
            raise LogFault(None, "file", f"{path} has {size:,} bytes; a log has at most {FILE_MAX:,}")
        return path.read_bytes()
    except OSError as error:
        raise LogFault(None, "file", f"cannot read {path}: {error.strerror}") from error


def lines_in(content: Content, start: int, stop: int) -> Iterator[memoryview]:
    """Yield the complete lines between two offsets without their line ends; an unfinished last line is left out.

    Lines are views: large files do not fit into memory twice.
    """
    view = memoryview(content)
    while (end := content.find(b"\n", start, stop)) >= 0:
        yield view[start:end]
        start = end + 1


class HeaderTitle(msgspec.Struct):
    """The title named by a header."""

    title: str = ""


def title_in(content: bytes) -> str:
    """Return the title of a log or proof without reading all of it, or "" if no header names one.

    The header of a log is the first line of its file, or the second line of a proof. Nothing else is checked.
    """
    for line in islice(lines_in(content, 0, len(content)), 2):
        with suppress(msgspec.MsgspecError, ValueError, RecursionError):
            if len(line) <= LINE_MAX and (title := msgspec.json.decode(line, type=HeaderTitle).title):
                return title
    return ""


def parse_log(content: bytes, start: int = 0, stop: int | None = None) -> LogFile:
    """Parse a log, or the range `start:stop` of some bytes; `LogFault` names the first bad entry.

    Every line must be canonical, every entry must continue the chain, and the header must match. More than
    `ENTRIES_MAX` entries or `OPENINGS_MAX` openings are refused. Bodies and values are not copied: they keep the input
    alive.
    """
    stop = len(content) if stop is None else stop
    count = content.count(b"\n", start, stop)
    if count > ENTRIES_MAX + 1:
        raise LogFault(None, "file", f"it has more than {ENTRIES_MAX:,} lines, the maximum of a log")
    lines = lines_in(content, start, stop)
    header = parse_header(next(lines, memoryview(b"")))
    entries: list[Entry] = []
    head, openings = NO_DIGEST, 0
    for number, line in enumerate(lines, start=1):
        entry = parse_line(number, line, head, entries[-1] if entries else None)
        entries.append(entry)
        head = digest(entry)
        openings += len(entry.secrets)
        if openings > OPENINGS_MAX:
            raise LogFault(number, "line", f"the log opens more than {OPENINGS_MAX:,} hidden values")
    if not content.endswith(b"\n", start, stop):
        raise LogFault(len(entries) + 1, "line", "the file ends in the middle of this line")
    check_header(header, entries, head)
    return LogFile(header, tuple(entries))


def parse_header(line: memoryview) -> LogHeader:
    """Decode a header line; raise `LogFault` if it is over `LINE_MAX`, not canonical or of an unsupported format."""
    if len(line) > LINE_MAX:
        raise LogFault(None, "file", f"the first line is longer than {LINE_MAX} bytes")
    try:
        header = msgspec.json.decode(line, type=LogHeader)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise LogFault(None, "file", f"the first line is not the header of a log: {error}") from error
    if ENCODER.encode(header) != bytes(line):
        raise LogFault(None, "header", "the header is not in canonical form")
    check_format(header.format)
    return header


def parse_line(number: int, line: memoryview, head: bytes, before: Entry | None) -> Entry:
    """Parse entry `number`, which must follow the entry `before` with the digest `head`.

    Raise `LogFault` for a line over `LINE_MAX`, no canonical entry, a wrong version or chain, or an earlier time.
    """
    if len(line) > LINE_MAX:
        raise LogFault(number, "line", f"the line is longer than {LINE_MAX} bytes")
    try:
        decoded = LINES.decode(line)
        entry = entry_of_line(decoded, head, before)
    except (msgspec.MsgspecError, ValueError, OverflowError, RecursionError) as error:
        raise LogFault(number, "line", f"the line is not an entry: {error}") from error
    if entry.version != number:
        raise LogFault(number, "chain", f"found entry {entry.version}; entries are missing or swapped")
    if decoded.digest != digest(entry).hex() or ENCODER.encode(decoded) != bytes(line):
        raise LogFault(number, "line", "the line is not the canonical encoding of an entry and its digest")
    if entry.previous != head:
        raise LogFault(number, "chain", "its previous digest does not match the previous entry")
    if before is not None and entry.timestamp < before.timestamp:
        raise LogFault(number, "chain", "its time is earlier than the previous entry")
    return entry


def entry_of_line(line: LogLine, head: bytes, before: Entry | None) -> Entry:
    """Build the entry of a line; raise `ValueError` for a time not in UTC or a malformed previous digest.

    It shares equal values with the previous entry to save memory.
    """
    if line.timestamp.tzinfo is not UTC:
        raise ValueError(f"the time {line.timestamp} is not in UTC")
    previous = bytes.fromhex(line.previous)
    if len(previous) != len(NO_DIGEST) or previous.hex() != line.previous:
        raise ValueError(f"the previous digest {line.previous[:80]!r} is not 64 lower-case hexadecimal digits")
    match = line.match
    if before is not None and before.originator_id == match:
        match = before.originator_id
    return Entry(
        originator_id=match,
        originator_version=line.version,
        timestamp=line.timestamp,
        previous=head if previous == head else previous,
        body=line.body,
        secrets=line.secrets,
    )


def check_header(header: LogHeader, entries: list[Entry], head: bytes) -> None:
    """Raise `LogFault` if a header contradicts the entries: reader, number, head, match, title or format."""
    reader_named(header.redacted_for)
    if len(entries) < header.entries or not entries:
        missing_number = len(entries) + 1
        raise LogFault(
            missing_number,
            "chain",
            f"the header states {header.entries} entries, but entry {missing_number} is missing",
        )
    if len(entries) > header.entries:
        count = header.entries
        raise LogFault(count + 1, "chain", f"the header states {count} entries, but the file has more")
    if header.head != head.hex():
        raise LogFault(None, "header", f"the header states the head {header.head}, but the last digest is {head.hex()}")
    if header.match != entries[-1].originator_id:
        raise LogFault(
            None, "header", f"the header states match {header.match}, but the log is of {entries[-1].originator_id}"
        )
    try:
        title, log_format = peek_fact_type(entries[0]).title, format_of(entries)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise LogFault(1, "body", f"its body is not a fact: {error}") from error
    if header.title != title:
        raise LogFault(None, "header", f"the header names the title {header.title!r}, but the log has {title!r}")
    if header.format != log_format:
        raise LogFault(None, "header", f"the header names the format {header.format!r}, but the log has {log_format!r}")
