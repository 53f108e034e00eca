"""The follower loop: in order, without duplicates or gaps, resuming after failures."""

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import ClassVar, Final

from sqlalchemy import Column

from domain.eventstore.application import Matches
from projections.catalogue import PROJECTIONS, prepare
from projections.follow import BATCH, AnyFollower, FollowedStep, lag
from projections.loop import FollowerLoop
from projections.matches import boards, replay
from projections.platform.statements import insert_row
from projections.platform.store import ReadStore, Transaction
from projections.platform.tables import NUMBER, by_name, read_model
from tests.projections.tables import BOT, match_id, matches_in, open_started_match, play_match

NOTEBOOK: Final = read_model(
    "notebook", Column("position", NUMBER, primary_key=True), Column("version", NUMBER, nullable=False)
)


class Notebook:
    """A projection that writes positions and fails a given number of times."""

    NAME = "notebook"
    SHAPE = "1"
    TABLES: ClassVar = by_name(NOTEBOOK)

    def __init__(self, failures: int = 0) -> None:
        self.failures = failures

    def follow(self, transaction: Transaction, steps: Sequence[FollowedStep]) -> None:
        for step in steps:
            transaction.change(insert_row(NOTEBOOK), position=step.position, version=step.match.version)
        if self.failures > 0:
            self.failures -= 1
            raise ZeroDivisionError


class Reshaped(Notebook):
    """The same in a later version of the service."""

    SHAPE = "2"


def followers(notebook: Notebook) -> tuple[AnyFollower, ...]:
    return (notebook, *PROJECTIONS.values())


def positions(matches: Matches) -> list[tuple[int, int]]:
    return [(position, entry.version) for position, entry in matches.read_log_items(0, 100_000)]


def read_notes(store: ReadStore) -> list[tuple[int, int]]:
    return [(position, version) for position, version in store.rows("SELECT * FROM notebook ORDER BY position")]


def test_every_entry_of_every_match_is_followed_once_and_in_order(matches: Matches, store: ReadStore) -> None:
    loop = FollowerLoop(matches, store, followers(Notebook()))
    first, second = (open_started_match(matches, number, (BOT, BOT)) for number in (1, 2))
    loop.catch_up()
    for _ in range(100):
        first, second = play_match(matches, first, 1), play_match(matches, second, 1)
        loop.catch_up()

    assert first.is_over
    assert read_notes(store) == positions(matches)
    assert [line.version for line in replay.lines(store, first.id)] == list(range(1, first.version + 1))
    assert set(store.least_offsets().values()) == {matches.last_position()}


def test_a_failing_consumer_keeps_its_offset_and_others_advance(matches: Matches, store: ReadStore) -> None:
    match = play_match(matches, open_started_match(matches, 1, (BOT, BOT)))
    loop = FollowerLoop(matches, store, followers(Notebook(failures=1_000_000)))

    loop.catch_up()

    board = boards.get(store, match.id)
    assert board is not None
    assert board.version == match.version
    assert lag(store, matches.last_position()) == {
        "notebook": matches.last_position(),
        **dict.fromkeys(PROJECTIONS, 0),
    }
    assert read_notes(store) == []


def test_a_new_consumer_does_not_delay_the_others(matches: Matches, store: ReadStore) -> None:
    open_started_match(matches, 1, (BOT, BOT))
    while matches.last_position() <= BATCH:
        play_match(matches, open_started_match(matches, matches.last_position(), (BOT, BOT)))
    FollowerLoop(matches, store, tuple(PROJECTIONS.values())).catch_up()
    newest = open_started_match(matches, 999_999, (BOT, BOT))

    loop = FollowerLoop(matches, store, followers(Notebook()))
    loop.advance()

    assert boards.get(store, newest.id) is not None
    assert 0 < store.least_offset("notebook") < matches.last_position()
    loop.catch_up()
    assert read_notes(store) == positions(matches)


def test_a_failed_consumer_retries_and_misses_nothing(matches: Matches, store: ReadStore) -> None:
    match = play_match(matches, open_started_match(matches, 1, (BOT, BOT)), 5)
    loop = FollowerLoop(matches, store, followers(Notebook(failures=2)))
    while store.least_offset("notebook") < matches.last_position():
        loop.advance()
        play_match(matches, match, 1)

    loop.catch_up()

    assert read_notes(store) == positions(matches)


def test_a_new_loop_continues_from_the_stored_offsets(matches: Matches, store: ReadStore, tmp_path: Path) -> None:
    match = play_match(matches, open_started_match(matches, 1, (BOT, BOT)), 7)
    FollowerLoop(matches, store, followers(Notebook())).catch_up()
    match = play_match(matches, match)

    with matches_in(tmp_path / "log.db") as other:
        FollowerLoop(other, store, followers(Notebook())).catch_up()

    assert read_notes(store) == positions(matches)
    board = boards.get(store, match.id)
    assert board is not None
    assert board.head == match.head


def test_an_older_version_does_not_write_tables_of_a_later_shape(matches: Matches, store: ReadStore) -> None:
    match = play_match(matches, open_started_match(matches, 1, (BOT, BOT)), 5)
    older = FollowerLoop(matches, store, (Notebook(),))
    older.catch_up()
    later = FollowerLoop(matches, store, (Reshaped(),))
    later.catch_up()
    before = read_notes(store)
    play_match(matches, match, 1)

    older.catch_up()

    assert read_notes(store) == before
    later.catch_up()
    assert read_notes(store) == positions(matches)


def test_two_loops_on_one_store_do_not_count_twice(matches: Matches, store: ReadStore) -> None:
    loops = [FollowerLoop(matches, store, followers(Notebook())) for _ in range(2)]
    match = open_started_match(matches, 1, (BOT, BOT))
    while not match.is_over:
        match = play_match(matches, match, 1)
        for loop in loops:
            loop.advance()
    for loop in loops:
        loop.catch_up()

    assert read_notes(store) == positions(matches)


def test_an_empty_store_gives_no_results(store: ReadStore) -> None:
    prepare(store)

    assert boards.get(store, match_id(1)) is None
    assert replay.lines(store, match_id(1)) == ()


def test_with_concurrent_writers_no_entry_is_missed(fresh_postgres: str, store: ReadStore) -> None:
    """PostgreSQL assigns numbers before the commit; the recorder's table lock makes both orders equal."""
    writers = 3
    start = threading.Barrier(writers + 1)

    def write(number: int) -> None:
        with matches_in(fresh_postgres) as own:
            match = open_started_match(own, number, (BOT, BOT))
            start.wait()
            play_match(own, match)

    with matches_in(fresh_postgres) as log, ThreadPoolExecutor(writers) as pool:
        loop = FollowerLoop(log, store, followers(Notebook()))
        writing = [pool.submit(write, number) for number in range(1, writers + 1)]
        start.wait()
        while not all(writer.done() for writer in writing):
            loop.advance()
        for writer in writing:
            writer.result()
        loop.catch_up()

        assert read_notes(store) == positions(log)
        for number in range(1, writers + 1):
            lines = replay.lines(store, match_id(number))
            assert [line.version for line in lines] == list(range(1, log.get(match_id(number)).version + 1))
