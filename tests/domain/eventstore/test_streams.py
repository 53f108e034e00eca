"""Streams of records: versioned, chained, and read the same by every process."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID

import msgspec
import pytest

from domain.eventstore.application import Matches
from domain.eventstore.batch import Batch
from domain.eventstore.streams import Streams
from domain.kernel.values import replace
from domain.matches.errors import LogFault, MatchExists, NoSuchStream, StaleVersion
from domain.matches.facts import SERVICE
from domain.matches.forks.forking import fork
from domain.matches.log.records import Stream, check_records
from domain.matches.play import commands
from tests.domain.eventstore.faulty_stores import DIARY, OTHER, Diary, DiaryOpened, PageWritten
from tests.domain.matches.match_helpers import BOT, START, act_once, facts, start_match, uuid, verify_log

D = uuid(70)


def opened_diary(matches: Matches) -> Stream[Diary]:
    return matches.transact(lambda batch: batch.record(DIARY, D, DiaryOpened("ann"), PageWritten("one")), at=START)


def write_page(matches: Matches, text: str, expected_version: int | None = None) -> Stream[Diary]:
    return matches.transact(
        lambda batch: batch.record(DIARY, D, PageWritten(text), expected_version=expected_version), at=START
    )


def test_a_stream_is_read_as_it_was_written_by_this_and_any_other_process(reopen_store: Callable[[], Matches]) -> None:
    local, remote = reopen_store(), reopen_store()
    opened_diary(local)
    first = remote.streams.get(DIARY, D)
    write_page(local, "two")

    stream = remote.streams.get(DIARY, D)

    assert first.state == Diary("ann", ("one",))
    assert stream.state == Diary("ann", ("one", "two"))
    assert stream == local.streams.get(DIARY, D)
    assert [record.tag for record in remote.streams.records(D)] == [
        "diary.diary_opened",
        "diary.page_written",
        "diary.page_written",
    ]
    assert check_records(remote.streams.records(D)).hex() == stream.head


def test_listeners_receive_the_version_of_a_stream(sqlite: Matches) -> None:
    heard: list[dict[UUID, int]] = []
    sqlite.dependencies.on_append = lambda _, versions: heard.append(dict(versions))

    opened_diary(sqlite)
    write_page(sqlite, "two")

    assert heard == [{D: 2}, {D: 3}]


def test_two_writers_of_one_stream_are_serialised(reopen_store: Callable[[], Matches]) -> None:
    local, remote = reopen_store(), reopen_store()
    opened_diary(local)
    raced: list[str] = []

    def compose(batch: Batch) -> Stream[Diary]:
        pages = batch.get(DIARY, D).state.pages
        if not raced:
            raced.append(write_page(remote, "theirs").head)
        return batch.record(DIARY, D, PageWritten(f"after {len(pages)}"))

    stream = local.transact(compose, at=START)

    assert stream.state.pages == ("one", "theirs", "after 2")


def test_an_outdated_expected_version_is_rejected_with_the_current_one(sqlite: Matches) -> None:
    opened_diary(sqlite)
    write_page(sqlite, "two", expected_version=2)

    with pytest.raises(StaleVersion, match=r"the diary .* is at version 3, not 2") as refusal:
        write_page(sqlite, "three", expected_version=2)

    assert refusal.value.version == 3
    assert sqlite.streams.get(DIARY, D).version == 3


def open_other_diary(stream_id: UUID, batch: Batch) -> Stream[Diary]:
    return batch.record(OTHER, stream_id, DiaryOpened("eve"))


def test_an_id_of_another_kind_cannot_begin_a_stream(sqlite: Matches) -> None:
    first = opened_diary(sqlite)
    start_match(sqlite, uuid(72), (BOT, BOT, BOT))
    records = sqlite.streams.records(D)

    for used_id in (D, uuid(72)):
        with pytest.raises(MatchExists, match=f"the id {used_id} is already in use"):
            sqlite.transact(partial(open_other_diary, used_id), at=START)
    strange = tuple(replace(record, originator_id=uuid(72)) for record in records)
    with pytest.raises(MatchExists, match=f"the id {uuid(72)} is already in use"):
        sqlite.transact(lambda batch: batch.restore(DIARY, strange), at=START)
    assert sqlite.streams.get(DIARY, D) == first


def test_there_is_no_stream_of_an_unknown_id_or_of_another_kind(sqlite: Matches) -> None:
    opened_diary(sqlite)

    assert Streams(sqlite.log.recorder, sqlite.log.mapper).find(OTHER, D) is None
    assert sqlite.streams.find(OTHER, D) is None
    assert sqlite.streams.find(DIARY, uuid(71)) is None
    with pytest.raises(NoSuchStream, match="no diary"):
        sqlite.streams.get(DIARY, uuid(71))
    with pytest.raises(NoSuchStream):
        sqlite.transact(lambda batch: batch.get(DIARY, uuid(71)), at=START)


def test_a_match_a_stream_and_a_fork_change_together_or_not_at_all(sqlite: Matches) -> None:
    match = act_once(sqlite, start_match(sqlite, uuid(1), (BOT, BOT)))

    def compose(batch: Batch, fails: bool) -> int:
        batch.append(match.id, lambda match: commands.pause(match, SERVICE))
        batch.append(match.id, lambda match: commands.resume(match, SERVICE))
        base = sqlite.at(match.id, match.version - 1)
        fact = fork(base, luck="fresh", by=SERVICE, seed=bytes(32), parent_is_over=False)
        forked = batch.fork(base, fact, uuid(2))
        batch.record(DIARY, D, DiaryOpened("ann"))
        batch.record(DIARY, D, PageWritten(str(forked.version)))
        if fails:
            raise ZeroDivisionError
        return batch.get(DIARY, D).version + batch.match(match.id).version

    with pytest.raises(ZeroDivisionError):
        sqlite.transact(lambda batch: compose(batch, fails=True), at=START)
    before = sqlite.get(match.id).version
    answer = sqlite.transact(lambda batch: compose(batch, fails=False), at=START)

    assert before == match.version
    assert answer == 2 + match.version + 2
    assert [type(fact).__name__ for fact in facts(sqlite, match.id)][-2:] == ["Paused", "Resumed"]
    assert sqlite.get(uuid(2)).origin is not None
    assert [note.what for note in sqlite.lines.notes(match.id)] != []
    verify_log(sqlite, uuid(2))
    with pytest.raises(MatchExists):
        sqlite.transact(lambda batch: compose(batch, fails=False), at=START)


def test_a_lost_race_refreshes_the_cache(reopen_store: Callable[[], Matches]) -> None:
    local, remote = reopen_store(), reopen_store()
    match = start_match(local, uuid(1), (BOT, BOT))
    raced: list[int] = []

    def compose(batch: Batch) -> int:
        known = batch.match(match.id)
        if not raced:
            raced.append(act_once(remote, remote.get(match.id)).version)
        return batch.append(known.id, lambda match: commands.pause(match, SERVICE)).version

    assert local.transact(compose, at=START) == match.version + 2


def test_followers_read_entries_and_records_in_append_order(matches: Matches) -> None:
    start_match(matches, uuid(1), (BOT, BOT))
    entries = matches.read_log_items(0, 100)
    opened_diary(matches)

    heard = matches.read_log_items(0, 100)

    assert heard[:-2] == entries
    assert [event for _, event in heard[-2:]] == list(matches.streams.records(D))
    assert matches.last_position() == heard[-1][0] > entries[-1][0]
    assert matches.read_log_items(heard[-2][0], 100) == heard[-1:]


def test_the_newest_records_can_be_read_first(matches: Matches) -> None:
    opened_diary(matches)
    write_page(matches, "two")
    records = matches.streams.records(D)

    assert matches.streams.records(D, after=1, limit=1) == records[1:2]


def test_time_never_falls_within_a_stream(sqlite: Matches) -> None:
    opened_diary(sqlite)
    early = START - timedelta(days=1)

    stream = sqlite.transact(lambda batch: batch.record(DIARY, D, PageWritten("early")), at=early)

    assert stream.timestamp == START


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"body": msgspec.Raw(b'{"type":"diary.page_written","text":"forged"}')}, "record 3: |entry 3"),
        ({"previous": bytes(32)}, "its previous digest"),
        ({"originator_version": 5}, "entry 2: found record 5 instead of record 2"),
        ({"timestamp": START - timedelta(seconds=1)}, "entry 2: its time is earlier than the previous record"),
    ],
)
def test_a_changed_record_is_found(sqlite: Matches, change: dict[str, Any], why: str) -> None:
    opened_diary(sqlite)
    write_page(sqlite, "two")
    records = list(sqlite.streams.records(D))
    records[1] = replace(records[1], **change)

    with pytest.raises(LogFault, match=why):
        check_records(records)


def test_a_record_that_does_not_follow_or_is_no_fact_is_no_part_of_a_stream(sqlite: Matches) -> None:
    opened_diary(sqlite)
    first, second = sqlite.streams.records(D)

    with pytest.raises(LogFault, match="does not follow record 0"):
        DIARY.apply(None, second)
    with pytest.raises(LogFault, match="the body is not a fact of a diary:"):
        DIARY.apply(None, replace(first, body=msgspec.Raw(b'{"type":"diary.burnt"}')))


def test_the_cache_of_streams_is_bounded(sqlite: Matches) -> None:
    opened_diary(sqlite)
    few = Streams(sqlite.log.recorder, sqlite.log.mapper, cached_max=1)
    sqlite.transact(lambda batch: batch.record(DIARY, uuid(72), DiaryOpened("ben")), at=START)

    assert [few.get(DIARY, id).state.owner for id in (D, uuid(72), D)] == ["ann", "ben", "ann"]


def test_a_transaction_without_anything_changes_nothing(sqlite: Matches) -> None:
    assert sqlite.transact(lambda batch: batch.at, at=START) == START
    assert sqlite.last_position() == 0


def test_cached_streams_are_returned_without_reading_the_store(sqlite: Matches) -> None:
    assert sqlite.lines.get_cached(uuid(1)) is None
    match = start_match(sqlite, uuid(1), (BOT, BOT))

    assert sqlite.lines.get_cached(uuid(1)) == match
    assert sqlite.transact(lambda batch: batch.find(DIARY, uuid(77)), at=START) is None
