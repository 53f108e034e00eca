"""Projections of records: entries and records in order, with other projections, and rebuilt."""

from collections.abc import Sequence
from typing import ClassVar, Final

from sqlalchemy import Column

from domain.eventstore.application import Matches
from projections.catalogue import PROJECTIONS
from projections.follow import FollowedRecord, LogEvent
from projections.loop import FollowerLoop
from projections.platform.statements import insert_row
from projections.platform.store import ReadStore, Transaction
from projections.platform.tables import NUMBER, TEXT, by_name, read_model
from tests.domain.eventstore.faulty_stores import DIARY, DiaryOpened, PageWritten
from tests.projections.tables import BOT, at, match_id, open_started_match, play_match

D = match_id(99)

SHELF: Final = read_model("shelf", Column("position", NUMBER, primary_key=True), Column("text", TEXT))


class Shelf:
    """A projection that keeps positions, and the pages of diaries."""

    NAME = "shelf"
    SHAPE = "1"
    TABLES: ClassVar = by_name(SHELF)

    def follow_all(self, transaction: Transaction, happenings: Sequence[LogEvent]) -> None:
        for outcome in happenings:
            text = None
            if isinstance(outcome, FollowedRecord):
                assert DIARY.owns(outcome.record)
                fact = DIARY.read(outcome.record)
                text = fact.text if isinstance(fact, PageWritten) else ""
            transaction.change(insert_row(SHELF), position=outcome.position, text=text)


def test_entries_and_records_are_followed_once_and_in_order(matches: Matches, store: ReadStore) -> None:
    loop = FollowerLoop(matches, store, (Shelf(), *PROJECTIONS.values()))
    match = open_started_match(matches, 1, (BOT, BOT))
    loop.catch_up()
    matches.transact(lambda batch: batch.record(DIARY, D, DiaryOpened("ann"), PageWritten("one")), at=at(1))
    loop.catch_up()
    play_match(matches, match, 3)
    matches.transact(lambda batch: batch.record(DIARY, D, PageWritten("two")), at=at(2))

    loop.catch_up()

    expected = [position for position, _ in matches.read_log_items(0, 1_000)]
    rows = store.rows("SELECT position, text FROM shelf ORDER BY position")
    assert [position for position, _ in rows] == expected
    assert [text for _, text in rows if text is not None] == ["", "one", "two"]
    assert set(store.least_offsets().values()) == {matches.last_position()}
