"""Several processes on one store: streams that a command only read must be unchanged when it is stored.

Each test opens the store twice, as two processes would.
"""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

import pytest
from eventsourcing.persistence import ApplicationRecorder, IntegrityError, OperationalError

from domain.eventstore.application import Matches
from domain.eventstore.batch import Batch
from domain.eventstore.group_commit import TRIES, Command, run_group
from domain.eventstore.recorders import as_shared_recorder
from domain.matches.errors import NoSuchMatch
from tests.domain.eventstore.commands import pause, read_match, sit_once, to_comparable, write
from tests.domain.eventstore.faulty_stores import DIARY, DiaryOpened, Killed, PageWritten, faulty
from tests.domain.matches.match_helpers import BOT, START, act_once, start_match, uuid

ONE, OTHER = uuid(71), uuid(72)

Between = Callable[[], Any]


@pytest.fixture
def place(fresh_postgres: str) -> str:
    """Return a PostgreSQL address, because an SQLite file has one writing process only."""
    return fresh_postgres


@pytest.fixture
def here(reopen_store: Callable[[], Matches]) -> Matches:
    return reopen_store()


@pytest.fixture
def there(reopen_store: Callable[[], Matches]) -> Matches:
    return reopen_store()


def once(action: Callable[[], Any]) -> Between:
    """Return a function that runs the action the first time only."""
    left = [action]
    return lambda: left.pop()() if left else None


def open_unless(
    mine: UUID, other: UUID, matches: Matches, between: Between = lambda: None, at: datetime = START
) -> bool:
    """Open a diary unless the other one exists: of two such commands, exactly one opens it."""

    def compose(batch: Batch) -> bool:
        is_free = batch.find(DIARY, other) is None
        between()
        if is_free:
            batch.record(DIARY, mine, DiaryOpened("ann"))
        return is_free

    return matches.transact(compose, at=at)


def diaries(matches: Matches) -> list[UUID]:
    return [each for each in (ONE, OTHER) if matches.streams.find(DIARY, each) is not None]


def run_alone(matches: Matches, command: Command) -> Any:
    return run_group(matches, [command])[0].get_result()


def run_in_group(matches: Matches, command: Command) -> Any:
    return run_group(matches, [partial(write, "before"), command, partial(write, "after")])[1].get_result()


def run_directly(matches: Matches, command: Command) -> Any:
    return command(matches)


WAYS = pytest.mark.parametrize("run", [run_alone, run_in_group, run_directly])


@WAYS
def test_commands_that_read_each_others_streams_are_serialised(here: Matches, there: Matches, run: Any) -> None:
    theirs = once(partial(run_alone, there, partial(open_unless, OTHER, ONE)))

    assert not run(here, partial(open_unless, ONE, OTHER, between=theirs))

    assert diaries(here) == diaries(there) == [OTHER]


@WAYS
def test_commands_that_read_each_others_existing_streams_are_serialised(
    here: Matches, there: Matches, run: Any
) -> None:
    """Each process writes to a stream that has not grown since it was opened."""
    for each in (ONE, OTHER):
        here.transact(lambda batch, each=each: batch.record(DIARY, each, DiaryOpened("ann")), at=START)  # type: ignore[misc]
    assert diaries(there) == [ONE, OTHER]

    def write_unless(mine: UUID, other: UUID, matches: Matches, between: Between = lambda: None) -> int:
        def compose(batch: Batch) -> int:
            count = len(batch.get(DIARY, other).state.pages)
            between()
            if count == 0:
                batch.record(DIARY, mine, PageWritten("mine"))
            return count

        return matches.transact(compose, at=START)

    theirs = once(partial(run_alone, there, partial(write_unless, OTHER, ONE)))

    assert run(here, partial(write_unless, ONE, OTHER, between=theirs)) == 1


def test_a_transaction_composed_concurrently_loses_if_a_read_stream_has_grown(here: Matches, there: Matches) -> None:
    composed = here.compose(lambda batch: open_in(batch, ONE, OTHER), at=START)
    there.transact(lambda batch: open_in(batch, OTHER, ONE), at=START)

    def commit(matches: Matches) -> None:
        matches.commit(composed)

    assert isinstance(run_group(here, [commit])[0].refusal, IntegrityError)
    assert isinstance(run_group(here, [partial(write, "page"), commit])[1].refusal, IntegrityError)
    with pytest.raises(IntegrityError):
        here.commit(composed)

    assert diaries(here) == [OTHER]


def test_a_transaction_composed_concurrently_loses_to_an_unseen_command_of_its_group(here: Matches) -> None:
    composed = here.compose(lambda batch: open_in(batch, ONE, OTHER), at=START)

    first, lost = run_group(here, [partial(open_unless, OTHER, ONE), lambda store: store.commit(composed)])

    assert (first.answer, type(lost.refusal)) == (True, IntegrityError)
    assert diaries(here) == [OTHER]


def open_in(batch: Batch, mine: UUID, other: UUID) -> None:
    assert batch.find(DIARY, other) is None
    batch.record(DIARY, mine, DiaryOpened("ann"))


@pytest.mark.parametrize("run", [run_alone, run_in_group])
def test_concurrent_scans_of_the_log_seat_a_person_once(here: Matches, there: Matches, run: Any) -> None:
    """Two processes seat the same person at the same time; each sees no other table of theirs."""

    def sit(number: int, matches: Matches, between: Between) -> bool:
        between()
        return sit_once(number, "anna", matches) is not None

    tables = [run(here, partial(sit, 1, between=lambda: None)), run(there, partial(sit, 2, between=lambda: None))]
    assert tables == [True, False]


def test_a_scan_of_the_log_is_repeated_after_a_conflict(here: Matches, there: Matches) -> None:
    theirs = once(partial(run_alone, there, partial(sit_once, 2, "anna")))

    def sit(matches: Matches) -> bool:
        seat = sit_once(1, "anna", matches)
        theirs()
        return seat is not None

    assert not run_alone(here, sit)
    assert not here.lines.has(uuid(1))


def test_a_command_that_keeps_losing_races_locks_out_others(here: Matches, there: Matches) -> None:
    """They finally wait for it."""
    there.transact(lambda batch: batch.record(DIARY, OTHER, DiaryOpened("ben")), at=START)
    seen = list[int]()

    def another_page(batch: Batch) -> Any:
        return batch.record(DIARY, OTHER, PageWritten("x"))

    def command(matches: Matches) -> None:
        composed = matches.compose(open_after, at=START)
        if len(seen) <= TRIES:
            there.transact(another_page, at=START)
        matches.commit(composed)

    def open_after(batch: Batch) -> None:
        seen.append(len(batch.get(DIARY, OTHER).state.pages))
        batch.record(DIARY, ONE, DiaryOpened(str(seen[-1])))

    assert run_group(here, [command])[0].refusal is None
    assert seen == list(range(TRIES + 1))
    assert here.streams.get(DIARY, ONE).state.owner == str(TRIES)


def test_a_read_only_command_is_repeated_if_its_streams_have_grown(here: Matches, there: Matches) -> None:
    there.transact(lambda batch: batch.record(DIARY, ONE, DiaryOpened("ann")), at=START)
    theirs = once(lambda: there.transact(lambda batch: batch.record(DIARY, ONE, PageWritten("theirs")), at=START))

    def count_pages(matches: Matches) -> int:
        def compose(batch: Batch) -> int:
            count = len(batch.get(DIARY, ONE).state.pages)
            theirs()
            return count

        return matches.transact(compose, at=START)

    assert run_alone(here, count_pages) == 1


def test_a_rejection_based_on_outdated_state_is_not_returned(here: Matches, there: Matches) -> None:
    match = start_match(here, uuid(1), (BOT, BOT))
    known = there.get(match.id).version
    act_once(here, match)

    assert to_comparable(run_group(there, [partial(read_match, 1)])[0]) == known + 1
    assert isinstance(run_group(there, [partial(pause, 1, 0)])[0].refusal, Exception)
    assert isinstance(run_group(there, [partial(read_match, 9)])[0].refusal, NoSuchMatch)


def test_a_locked_transaction_is_atomic(here: Matches, there: Matches) -> None:
    store = as_shared_recorder(here.log.recorder)
    assert store is not None
    write("one", here)
    recorder = here.log.recorder
    assert isinstance(recorder, ApplicationRecorder)
    rows = [here.log.mapper.to_stored_event(each) for each in here.streams.records(uuid(99))]
    with store.lock_out_writers():
        write("two", here)
        with pytest.raises(IntegrityError):
            recorder.insert_events(rows)
        assert there.streams.get(DIARY, uuid(99)).version == 2
    assert there.streams.get(DIARY, uuid(99)).version == 3

    def fail_after(text: str) -> None:
        with store.lock_out_writers():
            write(text, here)
            raise Killed

    with pytest.raises(Killed):
        fail_after("three")
    assert there.streams.get(DIARY, uuid(99)).version == 3


def test_a_missing_store_is_reported_to_a_single_command(here: Matches) -> None:
    def away(_insert: Any) -> Any:
        raise OperationalError("no connection")

    store = faulty(here)
    store.faults = iter([away])

    assert isinstance(run_group(here, [partial(write, "one")])[0].refusal, OperationalError)
    assert run_group(here, [partial(write, "two")])[0].refusal is None
