"""Compressed rows: round trips, and readability of all earlier formats and dictionaries."""

import hashlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import pytest
from eventsourcing.persistence import JSONTranscoder, StoredEvent
from hypothesis import given
from hypothesis import strategies as st

from domain.eventstore.application import Matches
from domain.eventstore.guard import digest_of
from domain.eventstore.mapper import (
    ENTRY_TOPIC,
    RECORD_TOPIC,
    ROW_COMPRESSOR,
    ZIPPED_ENTRY_TOPIC,
    ZIPPED_RECORD_TOPIC,
    MatchMapper,
    Unreadable,
    plain_state,
)
from domain.matches.log.entries import Entry
from domain.matches.log.records import Record
from domain.roles.audit import AUDIT_STREAM
from domain.roles.commands import note_import
from projections.data import DATA, VIEWS
from projections.matches.replay import LINES
from tests.domain.eventstore.faulty_stores import run
from tests.domain.matches.match_helpers import START, play_out, start_match, uuid

MAPPER: Final = MatchMapper(JSONTranscoder())
ROOT: Final = Path(__file__).parent.parent.parent.parent
DICTIONARIES: Final = {
    "domain/eventstore/data/rows-1.zdict": "10573e3efb068ff8c2329ca1ce88fcea49485d1769c761f618dfd8773dba26a2",
    "projections/data/lines-1.zdict": "2eba7c98c9019c40d461c083b65b35d96c1db7b005f79383e2a1ab6e47a21588",
    "projections/data/views-1.zdict": "f6648d16b38c59348d1449d931ac7174d4fca9fb1ef33015fc811ec3e05ca995",
}
"""Digests of published dictionaries, which must never change or be removed."""
PLAIN: Final = (
    b'{"timestamp":"2026-05-01T12:00:00Z","previous":"' + b"ab" * 32 + b'","body":{"type":"paused","by":"ann"}}'
)
ZIPPED: Final = bytes.fromhex(
    "28b52ffd20962d01000341031f1f3cb4a005f73b8813f5b0ca07fc6aba8028fe0720fd92f2d5045eca1f15663626"
)


def test_no_dictionary_has_changed() -> None:
    found = {name: hashlib.sha256((ROOT / name).read_bytes()).hexdigest() for name in DICTIONARIES}

    assert found == DICTIONARIES
    readme = (ROOT / "domain/eventstore/data/README.md").read_text()
    assert all(f"`{name}`" in readme and f"`{known}`" in readme for name, known in DICTIONARIES.items())
    files = [*DATA.glob("*.zdict"), *(ROOT / "domain/eventstore/data").glob("*.zdict")]
    assert {str(path.relative_to(ROOT)) for path in files} == set(DICTIONARIES)


def read(topic: str, state: bytes) -> object:
    """Read an event from a row."""
    return MAPPER.to_domain_event(StoredEvent(uuid(1), 7, topic, state))


def test_rows_of_all_formats_are_read() -> None:
    old = read(ENTRY_TOPIC, PLAIN)
    assert isinstance(old, Entry)
    assert bytes(old.body) == b'{"type":"paused","by":"ann"}'
    assert old == read(ZIPPED_ENTRY_TOPIC, ZIPPED)
    record = read(RECORD_TOPIC, PLAIN)
    assert isinstance(record, Record)
    assert record == read(ZIPPED_RECORD_TOPIC, ZIPPED)


def test_a_match_in_the_old_format_continues_in_the_new_one(matches: Matches, database: str) -> None:
    """Simulates a store of which the previous version wrote half."""
    match = start_match(matches, uuid(1), ("anna", "bea"))
    for entry in matches.entries(match.id):
        sql = "UPDATE {events} SET topic = ?, state = ? WHERE originator_id = ? AND originator_version = ?"
        run(database, sql, ENTRY_TOPIC, plain_state(entry), match.id, entry.version)
    matches.lines.clear_caches()

    over = play_out(matches, matches.get(match.id))

    rows = matches.log.recorder.select_events(match.id)
    assert {row.topic for row in rows} == {ENTRY_TOPIC, ZIPPED_ENTRY_TOPIC}
    position, last = matches.read_log_items(0, 1_000)[-1]
    assert digest_of(last).hex() == over.head
    assert matches.last_position() == position


def test_entries_and_records_are_compressed(matches: Matches) -> None:
    over = play_out(matches, start_match(matches, uuid(1), ("anna", "bea")))
    note_import(matches, over.id, over.head, by="anna", at=START)

    for stream, topic in ((over.id, ZIPPED_ENTRY_TOPIC), (AUDIT_STREAM, ZIPPED_RECORD_TOPIC)):
        for row in matches.log.recorder.select_events(stream):
            event = MAPPER.to_domain_event(row)
            assert isinstance(event, Entry | Record)
            assert row.topic == topic
            assert len(row.state) < len(plain_state(event))


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        "text",
        b"nonsense",
        ZIPPED[:-3],
        ZIPPED[:4],
        # A frame that claims to be too long, a frame without a length, and a frame with another dictionary.
        bytes.fromhex("28b52ffde000000000ffffffff"),
        bytes.fromhex("28b52ffd00580100002a"),
        VIEWS.compress(PLAIN),
        LINES.compress(b"{}"),
    ],
)
def test_a_damaged_row_is_unreadable(damage: Any) -> None:
    assert isinstance(read(ZIPPED_ENTRY_TOPIC, damage), Unreadable)


@given(st.binary(max_size=200))
def test_any_bytes_in_a_row_are_read_or_unreadable(state: bytes) -> None:
    assert isinstance(read(ZIPPED_ENTRY_TOPIC, state), Unreadable)


@given(st.binary(max_size=2_000))
def test_compression_round_trips(plain: bytes) -> None:
    assert ROW_COMPRESSOR.decompress(ROW_COMPRESSOR.compress(plain)) == plain


def test_threads_compress_concurrently() -> None:
    texts = [b"%d " % number * 50 for number in range(2_000)]
    with ThreadPoolExecutor(8) as threads:
        zipped = list(threads.map(ROW_COMPRESSOR.compress, texts))
        assert list(threads.map(ROW_COMPRESSOR.decompress, zipped)) == texts
