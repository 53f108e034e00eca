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
def database(fresh_postgres: str) -> str:
    """Return a PostgreSQL address, because an SQLite file has one writing process only."""
    return fresh_postgres


@pytest.fixture
def local(reopen_store: Callable[[], Matches]) -> Matches:
    return reopen_store()


@pytest.fixture
def remote(reopen_store: Callable[[], Matches]) -> Matches:
    return reopen_store()


def once(action: Callable[[], Any]) -> Between:
    """Return a function that runs the action the first time only."""
    pending = [action]
    return lambda: pending.pop()() if pending else None


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
def test_commands_that_read_each_others_streams_are_serialised(local: Matches, remote: Matches, run: Any) -> None:
    theirs = once(partial(run_alone, remote, partial(open_unless, OTHER, ONE)))

    assert not run(local, partial(open_unless, ONE, OTHER, between=theirs))

    assert diaries(local) == diaries(remote) == [OTHER]


@WAYS
def test_commands_that_read_each_others_existing_streams_are_serialised(
    local: Matches, remote: Matches, run: Any
) -> None:
    """Each process writes to a stream that has not grown since it was opened."""
    for each in (ONE, OTHER):
        local.transact(lambda batch, each=each: batch.record(DIARY, each, DiaryOpened("ann")), at=START)  # type: ignore[misc]
    assert diaries(remote) == [ONE, OTHER]

    def write_unless(mine: UUID, other: UUID, matches: Matches, between: Between = lambda: None) -> int:
        def compose(batch: Batch) -> int:
            count = len(batch.get(DIARY, other).state.pages)
            between()
            if count == 0:
                batch.record(DIARY, mine, PageWritten("mine"))
            return count

        return matches.transact(compose, at=START)

    theirs = once(partial(run_alone, remote, partial(write_unless, OTHER, ONE)))

    assert run(local, partial(write_unless, ONE, OTHER, between=theirs)) == 1


def test_a_transaction_composed_concurrently_loses_if_a_read_stream_has_grown(local: Matches, remote: Matches) -> None:
    composed = local.compose(lambda batch: open_in(batch, ONE, OTHER), at=START)
    remote.transact(lambda batch: open_in(batch, OTHER, ONE), at=START)

    def commit(matches: Matches) -> None:
        matches.commit(composed)

    assert isinstance(run_group(local, [commit])[0].refusal, IntegrityError)
    assert isinstance(run_group(local, [partial(write, "page"), commit])[1].refusal, IntegrityError)
    with pytest.raises(IntegrityError):
        local.commit(composed)

    assert diaries(local) == [OTHER]


def test_a_transaction_composed_concurrently_loses_to_an_unseen_command_of_its_group(local: Matches) -> None:
    composed = local.compose(lambda batch: open_in(batch, ONE, OTHER), at=START)

    first, lost = run_group(local, [partial(open_unless, OTHER, ONE), lambda store: store.commit(composed)])

    assert (first.answer, type(lost.refusal)) == (True, IntegrityError)
    assert diaries(local) == [OTHER]


def open_in(batch: Batch, mine: UUID, other: UUID) -> None:
    assert batch.find(DIARY, other) is None
    batch.record(DIARY, mine, DiaryOpened("ann"))


@pytest.mark.parametrize("run", [run_alone, run_in_group])
def test_concurrent_scans_of_the_log_seat_a_person_once(local: Matches, remote: Matches, run: Any) -> None:
    """Two processes seat the same person at the same time; each sees no other table of theirs."""

    def sit(number: int, matches: Matches, between: Between) -> bool:
        between()
        return sit_once(number, "anna", matches) is not None

    tables = [run(local, partial(sit, 1, between=lambda: None)), run(remote, partial(sit, 2, between=lambda: None))]
    assert tables == [True, False]


def test_a_scan_of_the_log_is_repeated_after_a_conflict(local: Matches, remote: Matches) -> None:
    theirs = once(partial(run_alone, remote, partial(sit_once, 2, "anna")))

    def sit(matches: Matches) -> bool:
        seat = sit_once(1, "anna", matches)
        theirs()
        return seat is not None

    assert not run_alone(local, sit)
    assert not local.lines.has(uuid(1))


def test_a_command_that_keeps_losing_races_locks_out_others(local: Matches, remote: Matches) -> None:
    """They finally wait for it."""
    remote.transact(lambda batch: batch.record(DIARY, OTHER, DiaryOpened("ben")), at=START)
    attempts = list[int]()

    def another_page(batch: Batch) -> Any:
        return batch.record(DIARY, OTHER, PageWritten("x"))

    def command(matches: Matches) -> None:
        composed = matches.compose(open_after, at=START)
        if len(attempts) <= TRIES:
            remote.transact(another_page, at=START)
        matches.commit(composed)

    def open_after(batch: Batch) -> None:
        attempts.append(len(batch.get(DIARY, OTHER).state.pages))
        batch.record(DIARY, ONE, DiaryOpened(str(attempts[-1])))

    assert run_group(local, [command])[0].refusal is None
    assert attempts == list(range(TRIES + 1))
    assert local.streams.get(DIARY, ONE).state.owner == str(TRIES)


def test_a_read_only_command_is_repeated_if_its_streams_have_grown(local: Matches, remote: Matches) -> None:
    remote.transact(lambda batch: batch.record(DIARY, ONE, DiaryOpened("ann")), at=START)
    theirs = once(lambda: remote.transact(lambda batch: batch.record(DIARY, ONE, PageWritten("theirs")), at=START))

    def count_pages(matches: Matches) -> int:
        def compose(batch: Batch) -> int:
            count = len(batch.get(DIARY, ONE).state.pages)
            theirs()
            return count

        return matches.transact(compose, at=START)

    assert run_alone(local, count_pages) == 1


def test_a_rejection_based_on_outdated_state_is_not_returned(local: Matches, remote: Matches) -> None:
    match = start_match(local, uuid(1), (BOT, BOT))
    known = remote.get(match.id).version
    act_once(local, match)

    assert to_comparable(run_group(remote, [partial(read_match, 1)])[0]) == known + 1
    assert isinstance(run_group(remote, [partial(pause, 1, 0)])[0].refusal, Exception)
    assert isinstance(run_group(remote, [partial(read_match, 9)])[0].refusal, NoSuchMatch)


def test_a_locked_transaction_is_atomic(local: Matches, remote: Matches) -> None:
    store = as_shared_recorder(local.log.recorder)
    assert store is not None
    write("one", local)
    recorder = local.log.recorder
    assert isinstance(recorder, ApplicationRecorder)
    rows = [local.log.mapper.to_stored_event(each) for each in local.streams.records(uuid(99))]
    with store.lock_out_writers():
        write("two", local)
        with pytest.raises(IntegrityError):
            recorder.insert_events(rows)
        assert remote.streams.get(DIARY, uuid(99)).version == 2
    assert remote.streams.get(DIARY, uuid(99)).version == 3

    def fail_after(text: str) -> None:
        with store.lock_out_writers():
            write(text, local)
            raise Killed

    with pytest.raises(Killed):
        fail_after("three")
    assert remote.streams.get(DIARY, uuid(99)).version == 3


def test_a_missing_store_is_reported_to_a_single_command(local: Matches) -> None:
    def away(_insert: Any) -> Any:
        raise OperationalError("no connection")

    store = faulty(local)
    store.faults = iter([away])

    assert isinstance(run_group(local, [partial(write, "one")])[0].refusal, OperationalError)
    assert run_group(local, [partial(write, "two")])[0].refusal is None
