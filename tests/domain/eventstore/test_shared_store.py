"""Several processes at one store: what a command has only read is so when what it adds is stored, or it begins again.

Each test has the store open twice, as two processes have.
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
from domain.eventstore.group_commit import TRIES, Command, together
from domain.eventstore.recorders import shared
from domain.matches.errors import NoSuchMatch
from tests.domain.eventstore.commanding import look, pause, said, sit_once, write
from tests.domain.eventstore.damage import DIARY, DiaryOpened, Killed, PageWritten, faulty
from tests.domain.matches.world import BOT, START, act_once, started, uuid

ONE, OTHER = uuid(71), uuid(72)

Between = Callable[[], Any]


@pytest.fixture
def place(fresh_postgres: str) -> str:
    """With a file one process writes."""
    return fresh_postgres


@pytest.fixture
def here(opened: Callable[[], Matches]) -> Matches:
    return opened()


@pytest.fixture
def there(opened: Callable[[], Matches]) -> Matches:
    return opened()


def once(action: Callable[[], Any]) -> Between:
    """The first time it is called, the action; then nothing."""
    left = [action]
    return lambda: left.pop()() if left else None


def open_unless(
    mine: UUID, other: UUID, matches: Matches, between: Between = lambda: None, at: datetime = START
) -> bool:
    """A diary, unless there is the other one: of two such commands, in whatever order, one opens."""

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
    return together(matches, [command])[0].told()


def run_in_group(matches: Matches, command: Command) -> Any:
    return together(matches, [partial(write, "before"), command, partial(write, "after")])[1].told()


def run_directly(matches: Matches, command: Command) -> Any:
    return command(matches)


WAYS = pytest.mark.parametrize("run", [run_alone, run_in_group, run_directly])


@WAYS
def test_of_two_that_look_at_what_the_other_writes_one_comes_first(here: Matches, there: Matches, run: Any) -> None:
    theirs = once(partial(run_alone, there, partial(open_unless, OTHER, ONE)))

    assert not run(here, partial(open_unless, ONE, OTHER, between=theirs))

    assert diaries(here) == diaries(there) == [OTHER]


@WAYS
def test_the_same_of_streams_that_are_known_and_have_grown(here: Matches, there: Matches, run: Any) -> None:
    """Each writes where the other has written nothing more since it was opened."""
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


def test_what_was_composed_beside_the_writer_loses_to_what_it_has_read(here: Matches, there: Matches) -> None:
    composed = here.compose(lambda batch: open_in(batch, ONE, OTHER), at=START)
    there.transact(lambda batch: open_in(batch, OTHER, ONE), at=START)

    def commit(matches: Matches) -> None:
        matches.commit(composed)

    assert isinstance(together(here, [commit])[0].refusal, IntegrityError)
    assert isinstance(together(here, [partial(write, "page"), commit])[1].refusal, IntegrityError)
    with pytest.raises(IntegrityError):
        here.commit(composed)

    assert diaries(here) == [OTHER]


def test_what_was_composed_beside_loses_to_a_command_of_its_group_that_it_has_not_seen(here: Matches) -> None:
    composed = here.compose(lambda batch: open_in(batch, ONE, OTHER), at=START)

    first, lost = together(here, [partial(open_unless, OTHER, ONE), lambda store: store.commit(composed)])

    assert (first.answer, type(lost.refusal)) == (True, IntegrityError)
    assert diaries(here) == [OTHER]


def open_in(batch: Batch, mine: UUID, other: UUID) -> None:
    assert batch.find(DIARY, other) is None
    batch.record(DIARY, mine, DiaryOpened("ann"))


@pytest.mark.parametrize("run", [run_alone, run_in_group])
def test_who_looks_through_the_log_sits_at_one_table(here: Matches, there: Matches, run: Any) -> None:
    """Two processes seat the same person at the same moment, each where it sees no other table of theirs."""

    def sit(number: int, matches: Matches, between: Between) -> bool:
        between()
        return sit_once(number, "anna", matches) is not None

    tables = [run(here, partial(sit, 1, between=lambda: None)), run(there, partial(sit, 2, between=lambda: None))]
    assert tables == [True, False]


def test_who_looked_through_the_log_before_another_came_looks_again(here: Matches, there: Matches) -> None:
    theirs = once(partial(run_alone, there, partial(sit_once, 2, "anna")))

    def sit(matches: Matches) -> bool:
        seat = sit_once(1, "anna", matches)
        theirs()
        return seat is not None

    assert not run_alone(here, sit)
    assert not here.lines.has(uuid(1))


def test_a_command_that_others_come_before_again_and_again_has_its_turn(here: Matches, there: Matches) -> None:
    """They wait for it in the end."""
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

    assert together(here, [command])[0].refusal is None
    assert seen == list(range(TRIES + 1))
    assert here.streams.get(DIARY, ONE).state.owner == str(TRIES)


def test_an_answer_that_stores_nothing_is_given_again_where_another_process_wrote_what_it_read(
    here: Matches, there: Matches
) -> None:
    there.transact(lambda batch: batch.record(DIARY, ONE, DiaryOpened("ann")), at=START)
    theirs = once(lambda: there.transact(lambda batch: batch.record(DIARY, ONE, PageWritten("theirs")), at=START))

    def count_pages(matches: Matches) -> int:
        def compose(batch: Batch) -> int:
            count = len(batch.get(DIARY, ONE).state.pages)
            theirs()
            return count

        return matches.transact(compose, at=START)

    assert run_alone(here, count_pages) == 1


def test_a_refusal_for_what_another_process_has_undone_is_not_told(here: Matches, there: Matches) -> None:
    match = started(here, uuid(1), (BOT, BOT))
    known = there.get(match.id).version
    act_once(here, match)

    assert said(together(there, [partial(look, 1)])[0]) == known + 1
    assert isinstance(together(there, [partial(pause, 1, 0)])[0].refusal, Exception)
    assert isinstance(together(there, [partial(look, 9)])[0].refusal, NoSuchMatch)


def test_while_one_holds_the_store_what_it_stores_is_kept_or_not_at_all(here: Matches, there: Matches) -> None:
    store = shared(here.log.recorder)
    assert store is not None
    write("one", here)
    recorder = here.log.recorder
    assert isinstance(recorder, ApplicationRecorder)
    rows = [here.log.mapper.to_stored_event(each) for each in here.streams.records(uuid(99))]
    with store.holding():
        write("two", here)
        with pytest.raises(IntegrityError):
            recorder.insert_events(rows)
        assert there.streams.get(DIARY, uuid(99)).version == 2
    assert there.streams.get(DIARY, uuid(99)).version == 3

    def fail_after(text: str) -> None:
        with store.holding():
            write(text, here)
            raise Killed

    with pytest.raises(Killed):
        fail_after("three")
    assert there.streams.get(DIARY, uuid(99)).version == 3


def test_a_store_that_is_away_is_told_to_who_is_alone(here: Matches) -> None:
    def away(_insert: Any) -> Any:
        raise OperationalError("no connection")

    store = faulty(here)
    store.faults = iter([away])

    assert isinstance(together(here, [partial(write, "one")])[0].refusal, OperationalError)
    assert together(here, [partial(write, "two")])[0].refusal is None
