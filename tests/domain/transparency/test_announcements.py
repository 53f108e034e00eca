"""Announcements of the log: one encoding, and clear faults."""

import pytest

from domain.transparency.announcements import (
    PREFIX,
    TEXT_MAX,
    Announcement,
    FormatChanged,
    LogBegun,
    encode_announcement,
    is_announcement,
    parse_announcement,
)
from domain.transparency.errors import Malformed

CHANGED = FormatChanged(2, "house.example/tlog", "07" * 32)
CHANGED_TEXT = b'{"type":"log.format_changed","format":2,"origin":"house.example/tlog","vrf":"' + b"07" * 32 + b'"}'


@pytest.mark.parametrize(
    ("announcement", "text"),
    [
        (CHANGED, CHANGED_TEXT),
        (LogBegun("the disk was lost"), b'{"type":"log.begun","reason":"the disk was lost"}'),
        (LogBegun("moved", "a note"), b'{"type":"log.begun","reason":"moved","predecessor":"a note"}'),
    ],
)
def test_an_announcement_has_one_encoding(announcement: Announcement, text: bytes) -> None:
    content = encode_announcement(announcement)

    assert content == PREFIX + text
    assert is_announcement(content)
    assert parse_announcement(content) == announcement


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (CHANGED_TEXT, "begins with esporles.log/1 and has at most 8192 bytes"),
        (PREFIX + b" " * (TEXT_MAX + 1), "at most 8192 bytes"),
        (PREFIX + b"", "cannot be read"),
        (PREFIX + b"[" * 5_000, "cannot be read"),
        (PREFIX + b'{"type":"log.renamed"}', "Invalid value 'log.renamed'"),
        (PREFIX + b'{"type":"log.begun"}', "missing required field `reason`"),
        (PREFIX + b'{"type":"log.begun","reason":"\xff"}', "cannot be read"),
        (PREFIX + b'{"type":"log.begun","reason":"","more":1}', "unknown field `more`"),
        (PREFIX + b'{"reason":"","type":"log.begun"}', "not in canonical form"),
        (PREFIX + b'{"type":"log.begun","reason":"", "predecessor":""}', "not in canonical form"),
    ],
)
def test_other_contents_are_refused(content: bytes, why: str) -> None:
    with pytest.raises(Malformed, match=why):
        parse_announcement(content)
