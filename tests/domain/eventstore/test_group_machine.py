"""Group commits are equivalent to some sequential order of commands, despite failures, crashes and conflicts."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from functools import partial
from itertools import combinations_with_replacement, count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest
from eventsourcing.persistence import OperationalError
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from domain.eventstore.application import Matches
from domain.eventstore.group_commit import Command, run_group
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.kernel.rules import SERVICE_SEAT
from domain.matches.aggregate import legal_actions, seats_to_act
from domain.matches.facts import SERVICE
from tests.domain.eventstore.commands import (
    DIARY_ID,
    PEOPLE,
    act,
    open_and_sit,
    pause,
    read_match,
    resign,
    resume,
    run_separately,
    sit_once,
    to_comparable,
    write,
    write_and_refuse,
)
from tests.domain.eventstore.faulty_stores import (
    DIARY,
    FaultyRecorder,
    Killed,
    asks_again,
    fails_after,
    fails_before,
    faulty,
    kill_after_insert,
    kill_before_insert,
    second_to,
)
from tests.domain.matches.match_helpers import ALL_TITLES, START, start_match, uuid, verify_log
from tests.seeding import SeededEntropy, example_count

MATCHES: Final = 3
NUMBERS = count(1)


def rows(path: Path) -> set[tuple[Any, ...]]:
    """Return all stored rows, without their order."""
    with closing(sqlite3.connect(path)) as database:
        return set(database.execute("SELECT originator_id, originator_version, topic, state FROM stored_events"))


class GroupMachine(RuleBasedStateMachine):
    """A store with groups and a second process, and a second store in which every command runs alone."""

    @initialize()
    def open(self) -> None:
        self.folder = TemporaryDirectory()
        self.luck = SeededEntropy("grouping")
        self.path, self.oracle_path = Path(self.folder.name) / "log.db", Path(self.folder.name) / "oracle.db"
        self.oracle = self.open_store_at(self.oracle_path)
        for number in range(MATCHES):
            start_match(self.oracle, uuid(number), PEOPLE)
        self.copy(self.oracle_path, self.path)
        self.other, self.pages, self.times = self.open_store_at(self.path), count(1), count(1)
        self.start()

    def open_store_at(self, path: Path) -> Matches:
        return open_store(store_env(path), titles=ALL_TITLES, entropy=self.luck)

    def start(self) -> None:
        self.matches = self.open_store_at(self.path)
        self.store: FaultyRecorder = faulty(self.matches)

    @staticmethod
    def copy(source: Path, target: Path) -> None:
        with closing(sqlite3.connect(source)) as copied_from, closing(sqlite3.connect(target)) as copied_to:
            copied_from.backup(copied_to)

    def command(self, data: st.DataObject) -> Command:
        """Return a command with a unique time, so that no two commands write the same bytes."""
        return partial(self.timeless(data), at=START + timedelta(seconds=next(self.times)))

    def timeless(self, data: st.DataObject) -> Callable[..., Any]:
        kinds = ["act"] * 6 + ["write", "refuse", "open", "resign", "pause", "resume", "look"]
        kind, number = data.draw(st.sampled_from(kinds)), data.draw(st.integers(0, MATCHES - 1))
        seat = data.draw(st.integers(0, len(PEOPLE) - 1))
        match kind:
            case "act":
                return self.action(data, number, seat)
            case "write":
                return partial(write, f"page {next(self.pages)}")
            case "refuse":
                return partial(write_and_refuse, f"page {next(self.pages)}")
            case "open":
                return partial(open_and_sit, data.draw(st.integers(MATCHES, MATCHES + 2)))
            case "look":
                return partial(read_match, number)
            case _:
                return partial({"resign": resign, "pause": pause, "resume": resume}[kind], number, seat)

    def action(self, data: st.DataObject, number: int, seat: int) -> Callable[..., Any]:
        """Choose an action, usually of a seat that may act and on the version it has seen."""
        match = self.matches.get(uuid(number))
        to_act = [each for each in seats_to_act(match) if data.draw(st.integers(0, 9)) or each == seat]
        seat = data.draw(st.sampled_from(to_act)) if to_act else seat
        legal = [action for each in to_act or seats_to_act(match) for action in legal_actions(match, each)]
        if not legal:
            return partial(read_match, number)
        by = SERVICE if seat == SERVICE_SEAT else match.seats[seat].actor or ""
        version = match.version - data.draw(st.sampled_from([0, 0, 0, 0, 1]))
        return partial(act, number, seat, by, data.draw(st.sampled_from(legal)), version)

    def commands(self, data: st.DataObject, most: int = 5) -> list[Command]:
        return [self.command(data) for _ in range(data.draw(st.integers(1, most)))]

    @rule(data=st.data())
    def a_group(self, data: st.DataObject) -> None:
        commands = self.commands(data, 8)

        results = [to_comparable(each) for each in run_group(self.matches, commands)]

        assert results == run_separately(self.oracle, commands)

    @rule(data=st.data())
    def a_group_that_looks_through_the_log(self, data: st.DataObject) -> None:
        """Two concurrent requests for a table by the same person open one."""
        person = data.draw(st.sampled_from(["zoe", "yann"]))
        twice: list[Command] = [partial(sit_once, 1_000 + next(NUMBERS), person, at=START) for _ in range(2)]
        commands = data.draw(st.permutations([*self.commands(data), *twice]))

        results = [to_comparable(each) for each in run_group(self.matches, commands)]

        assert results == run_separately(self.oracle, commands)

    @rule(data=st.data())
    def another_process(self, data: st.DataObject) -> None:
        command = self.command(data)
        assert run_separately(self.other, [command]) == run_separately(self.oracle, [command])

    @rule(data=st.data(), often=st.integers(1, 2))
    def others_come_first(self, data: st.DataObject, often: int) -> None:
        """Check that the results equal a sequential order that interleaves the other process's commands."""
        commands, others = self.commands(data), [self.command(data) for _ in range(often)]
        between = list[Any]()

        def append_others(other: Command) -> None:
            between.extend(run_separately(self.other, [other]))

        self.store.faults = iter([second_to(partial(append_others, other)) for other in others])
        results = [to_comparable(each) for each in run_group(self.matches, commands)]
        self.store.faults = iter(())
        others = others[: len(between)]

        stored = rows(self.path)
        for places in combinations_with_replacement(range(len(commands) + 1), len(others)):
            own_results, theirs, found_rows = self.try_order(commands, others, places)
            if (own_results, theirs, found_rows) == (results, between, stored):
                self.try_order(commands, others, places, self.oracle)
                return
        raise AssertionError(f"no order of the commands comes to {results} and {between}")

    def try_order(
        self, commands: list[Command], others: list[Command], places: tuple[int, ...], on: Matches | None = None
    ) -> tuple[list[Any], list[Any], set[tuple[Any, ...]]]:
        """Return the results of one order, in a copy of the store unless it is the right order."""
        path = Path(self.folder.name) / f"try{next(NUMBERS)}.db"
        if on is None:
            self.copy(self.oracle_path, path)
        store, own_results, theirs = on or self.open_store_at(path), list[Any](), list[Any]()
        for number in range(len(commands) + 1):
            theirs += run_separately(
                store, [other for other, place in zip(others, places, strict=True) if place == number]
            )
            own_results += run_separately(store, commands[number : number + 1])
        if on is not None:
            return own_results, theirs, set()
        store.close()
        found_rows = rows(path)
        path.unlink()
        return own_results, theirs, found_rows

    @rule(data=st.data())
    def a_commit_that_fails(self, data: st.DataObject) -> None:
        """Fail before storing: no success is returned and nothing is stored."""
        before, commands = rows(self.path), self.commands(data)
        commands.append(partial(write, f"page {next(self.pages)}"))
        self.catch_up()
        self.store.faults = iter([fails_before])

        results = run_group(self.matches, [*commands, partial(read_match, 0)])

        assert all(isinstance(each.refusal, OperationalError) for each in results)
        assert rows(self.path) == before

    @rule(data=st.data(), fault=st.sampled_from([fails_after, asks_again]))
    def a_commit_nobody_hears_of(self, data: st.DataObject, fault: Any) -> None:
        """Fail after storing: rows are stored once, and repeated commands find them."""
        commands = self.commands(data)
        commands.append(partial(write, f"page {next(self.pages)}"))
        self.catch_up()
        self.store.faults = iter([fault])

        results = run_group(self.matches, commands)

        serial = run_separately(self.oracle, commands)
        if fault is asks_again:
            assert [to_comparable(each) for each in results] == serial
        else:
            assert all(isinstance(each.refusal, OperationalError) for each in results)

    @rule(data=st.data(), fault=st.sampled_from([kill_before_insert, kill_after_insert]))
    def a_kill(self, data: st.DataObject, fault: Any) -> None:
        """Kill the process: afterwards all of the group is stored, or nothing."""
        before, commands = rows(self.path), self.commands(data)
        commands.append(partial(write, f"page {next(self.pages)}"))
        self.catch_up()
        self.store.faults = iter([fault])

        with pytest.raises(Killed):
            run_group(self.matches, commands)

        if fault is kill_before_insert:
            assert rows(self.path) == before
        else:
            run_separately(self.oracle, commands)
        self.matches.close()
        self.start()

    def catch_up(self) -> None:
        """Update the caches from the other process, so that the next group is stored at once."""
        self.matches.streams.find(DIARY, DIARY_ID)
        for number in range(MATCHES + 3):
            if self.oracle.lines.has(uuid(number)):
                assert self.matches.get(uuid(number)).head == self.oracle.get(uuid(number)).head

    @invariant()
    def the_same_is_stored(self) -> None:
        assert rows(self.path) == rows(self.oracle_path)

    def teardown(self) -> None:
        self.catch_up()
        for number in range(MATCHES):
            verify_log(self.matches, uuid(number))
        for each in (self.matches, self.other, self.oracle):
            each.close()
        self.folder.cleanup()


GroupMachine.TestCase.settings = settings(max_examples=example_count(15), stateful_step_count=12, deadline=None)
TestGroupMachine = GroupMachine.TestCase
