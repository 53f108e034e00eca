"""LOG files: deterministic bytes, and detection of every changed byte (DESIGN §7)."""

from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from domain.kernel.values import replace
from domain.matches.errors import LogFault
from domain.matches.log.entries import ALL, Reader
from domain.matches.log.log_files import (
    ENTRIES_MAX,
    FILE_MAX,
    FORMATS,
    LINE_MAX,
    LogFile,
    line_of,
    log_bytes,
    log_of,
    parse_log,
    read_log,
    reader_name,
    title_in,
    write_log,
)
from domain.matches.verification.verify import verify
from tests.domain.matches.match_helpers import ALL_TITLES, toy_log

LOG = toy_log()
CONTENT = log_bytes(LOG)
LINES = CONTENT.split(b"\n")[:-1]


def fault_of(content: bytes) -> LogFault:
    """Return the fault found by parsing or verifying these bytes."""
    try:
        log = parse_log(content)
    except LogFault as fault:
        return fault
    found = verify(log, titles=ALL_TITLES).fault
    assert found is not None, "nothing was found"
    return LogFault(found.entry, found.kind, found.why)


def join_lines(lines: list[bytes]) -> bytes:
    return b"\n".join(lines) + b"\n"


def test_the_same_seed_writes_the_same_bytes_with_a_second_per_entry() -> None:
    assert log_bytes(toy_log()) == CONTENT
    assert log_bytes(toy_log(b"\x08")) != CONTENT
    times = [entry.timestamp for entry in LOG.entries]
    assert times[0].isoformat() == "2000-01-01T00:00:00+00:00"
    assert {(later - earlier).total_seconds() for earlier, later in pairwise(times)} == {1.0}


def test_a_log_read_from_a_file_is_the_log_that_was_written(tmp_path: Path) -> None:
    written = write_log(tmp_path / "m.jsonl", LOG.entries)

    assert read_log(tmp_path / "m.jsonl") == written == LOG
    assert (tmp_path / "m.jsonl").read_bytes() == CONTENT


def test_the_header_says_what_the_entries_say() -> None:
    header = msgspec.json.decode(LINES[0])

    assert list(header) == ["format", "title", "match", "entries", "head", "redactedFor"]
    assert header["format"] == FORMATS[-1]
    assert header["title"] == "toy"
    assert header["entries"] == len(LINES) - 1
    assert header["head"] == msgspec.json.decode(LINES[-1])["digest"]
    assert header["redactedFor"] is None


@settings(deadline=None)
@given(st.integers(0, len(CONTENT) - 1), st.integers(1, 255))
@example(0, 1)
@example(len(CONTENT) - 1, 1)
@example(CONTENT.index(b"\n"), 1)
def test_any_changed_byte_is_found_in_its_entry(offset: int, change: int) -> None:
    """DESIGN §7: every line equals the canonical encoding of its decoded value, so any changed byte is detected."""
    changed = CONTENT[:offset] + bytes((CONTENT[offset] ^ change,)) + CONTENT[offset + 1 :]
    line = CONTENT[:offset].count(b"\n")

    fault = fault_of(changed)

    if line == 0:
        assert fault.entry in (None, 1)
    elif CONTENT[offset : offset + 1] == b"\n":
        assert fault.entry in (line, line + 1)
    else:
        assert fault.entry == line, str(fault)


def test_every_byte_of_one_entry_is_found_in_that_entry() -> None:
    start = len(join_lines(LINES[:3]))
    for offset in range(start, start + len(LINES[3])):
        changed = CONTENT[:offset] + bytes((CONTENT[offset] ^ 1,)) + CONTENT[offset + 1 :]
        assert fault_of(changed).entry == 3


@settings(deadline=None)
@given(st.integers(1, len(LINES) - 1))
def test_a_missing_line_is_found(number: int) -> None:
    assert fault_of(join_lines(LINES[:number] + LINES[number + 1 :])).entry == number


@settings(deadline=None)
@given(st.integers(1, len(LINES) - 2), st.integers(1, len(LINES) - 2))
def test_swapped_lines_are_found(left: int, right: int) -> None:
    lines = list(LINES)
    if left == right:
        right = left + 1
    lines[left], lines[right] = lines[right], lines[left]

    assert fault_of(join_lines(lines)).entry == min(left, right)


def test_a_doubled_or_added_line_is_found() -> None:
    assert fault_of(join_lines([*LINES[:5], *LINES[4:]])).entry == 5
    assert fault_of(join_lines([*LINES, LINES[-1]])).entry == len(LINES)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("format", "esporles.log/1"),
        ("format", "esporles.log/2"),
        ("format", "esporles.log/4"),
        ("title", "la_granja"),
        ("match", "00000000-0000-0000-0000-000000000009"),
        ("entries", 3),
        ("entries", 500),
        ("head", "00" * 32),
        ("redactedFor", "seat/1"),
        ("redactedFor", "seat/01"),
        ("redactedFor", "seat/²"),
        ("redactedFor", "seat/" + "1" * 5_000),
        ("redactedFor", "somebody"),
    ],
)
def test_a_wrong_header_is_found(field: str, value: str | int) -> None:
    header = msgspec.json.decode(LINES[0])
    header[field] = value

    fault_of(join_lines([msgspec.json.encode(header), *LINES[1:]]))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"{}",
        b"not a log\n",
        LINES[0],
        LINES[0] + b"\n",
        LINES[0] + b" \n" + b"\n".join(LINES[1:]) + b"\n",
        CONTENT[:-1],
        CONTENT.replace(b"\n", b"\r\n"),
        b"\xff\xfe" + CONTENT,
        LINES[0] + b"\n" + b"[" * 100_000 + b"\n",
    ],
)
def test_a_file_that_is_no_log_is_rejected_with_a_reason(content: bytes) -> None:
    with pytest.raises(LogFault, match=r"^(the log|entry \d+): \w+"):
        parse_log(content)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"timestamp":"2000-01-01T00:00:01Z"', b'"timestamp":"2000-01-01T01:00:01+01:00"'),
        (b'"timestamp":"2000-01-01T00:00:01Z"', b'"timestamp":"2000-01-01T00:00:01"'),
        (b'"timestamp":"2000-01-01T00:00:01Z"', b'"timestamp":"9999-12-31T23:59:59Z"'),
        (b'"previous":"', b'"previous":"00'),
        (b'"secrets"', b'"secret"'),
        (b'{"match"', b'{ "match"'),
    ],
)
def test_a_line_in_another_spelling_is_refused(old: bytes, new: bytes) -> None:
    number = next(number for number, line in enumerate(LINES[1:], 1) if old in line)
    lines = [*LINES[:number], LINES[number].replace(old, new, 1), *LINES[number + 1 :]]

    assert fault_of(join_lines(lines)).entry == number


def test_decreasing_timestamps_are_rejected() -> None:
    entries = list(LOG.entries)
    entries[-1] = replace(entries[-1], timestamp=entries[0].timestamp)

    assert fault_of(log_bytes(log_of(entries))).kind == "chain"


def test_a_digest_that_does_not_lead_on_is_refused_although_its_line_is_canonical() -> None:
    entries = list(LOG.entries)
    entries[6] = replace(entries[6], previous=bytes(32))

    fault = fault_of(log_bytes(log_of(entries)))
    assert (fault.entry, fault.kind) == (7, "chain")


def test_an_overlong_line_is_rejected_without_decoding() -> None:
    fault = fault_of(join_lines([*LINES[:2], b"x" * (LINE_MAX + 1)]))

    assert (fault.entry, fault.kind) == (2, "line")


def test_a_first_entry_that_names_no_title_is_refused() -> None:
    line = line_of(replace(LOG.entries[0], body=msgspec.Raw(b"[]")))
    header = replace(LOG.header, entries=1, head=line.digest)

    assert fault_of(join_lines([msgspec.json.encode(header), msgspec.json.encode(line)])).entry == 1


@pytest.mark.parametrize("reader", [ALL, None, 0, 2])
def test_a_redacted_log_keeps_chain_and_head(reader: Reader) -> None:
    redacted = log_of(LOG.entries, reader)
    again = parse_log(log_bytes(redacted))

    assert again == redacted
    assert again.header.head == LOG.header.head
    assert again.reader == reader
    assert again.header.redacted_for == reader_name(reader)
    assert isinstance(again, LogFile)


def test_a_file_too_large_to_be_a_log_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large.jsonl"
    with path.open("wb") as file:
        file.truncate(FILE_MAX + 1)

    with pytest.raises(LogFault, match="has 67,108,865 bytes; a log has at most 67,108,864"):
        read_log(path)


def test_a_file_of_empty_lines_is_rejected_before_decoding() -> None:
    assert "more than 100,000 lines" in fault_of(LINES[0] + b"\n" * (ENTRIES_MAX + 2)).why


def test_the_title_of_a_log_is_found_without_reading_its_entries() -> None:
    behind_a_proof = b'{"format":"esporles.proof/1"}\n' + CONTENT
    long = b'{"title":"' + b"x" * LINE_MAX + b'"}\n'

    assert title_in(LINES[0] + b"\nnothing that can be read\n") == "toy"
    assert title_in(behind_a_proof) == "toy"
    assert [title_in(content) for content in (b"", b"no log\n", LINES[1] + b"\n", long)] == ["", "", "", ""]
