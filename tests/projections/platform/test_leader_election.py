"""Several processes lead consumers together; whichever is killed, every row is written once."""

import random
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, ClassVar, Final
from uuid import UUID

import pytest
from sqlalchemy import Column, delete

from domain.eventstore.application import Matches
from domain.matches.log.entries import Entry
from domain.matches.log.records import Record
from projections.catalogue import PROJECTIONS
from projections.follow import FollowedStep
from projections.loop import FollowerLoop
from projections.platform.database import Row
from projections.platform.leader_election import LeaderElection
from projections.platform.messages import Advanced, Appended
from projections.platform.shards import SHARD_COUNT
from projections.platform.statements import insert_row
from projections.platform.store import ADD, POSITIONS, ReadStore, Transaction
from projections.platform.tables import NUMBER, TEXT, by_name, read_model
from tests.projections.tables import BOT, matches_in, open_started_match, play_match

ROUNDS: Final = 60
LOOKS_MAX: Final = 10_000

LEDGER: Final = read_model("ledger", Column("position", NUMBER, primary_key=True), Column("line", TEXT, nullable=False))


class Killed(BaseException):
    """The process dies here, in the middle of its work."""


class Ledger:
    """A projection that writes each entry once, by shard; it fails or kills its process on demand."""

    NAME = "ledger"
    SHAPE = "1"
    SLICED = True
    TABLES: ClassVar = by_name(LEDGER)

    def __init__(self) -> None:
        self.is_doomed = False
        self.failures = 0

    def follow(self, transaction: Transaction, steps: Sequence[FollowedStep]) -> None:
        for step in steps:
            transaction.change(insert_row(LEDGER), position=step.position, line=str(step.line_id))
        if self.is_doomed:
            raise Killed
        if self.failures > 0:
            self.failures -= 1
            raise ZeroDivisionError


@dataclass
class Process:
    """A follower process with separate connections."""

    ledger: Ledger
    store: ReadStore
    election: LeaderElection
    loop: FollowerLoop

    def work(self) -> None:
        self.loop.set_leaderships(self.election.update_leaderships())
        self.loop.advance()

    def die(self) -> None:
        """Close the connections, as the server sees a crash."""
        self.election.close()
        self.store.close()

    def die_working(self) -> None:
        """Die after writing rows, before the commit."""
        self.ledger.is_doomed = True
        with suppress(Killed):
            self.work()
        self.die()


def process_on(log: Any, url: str) -> Process:
    store, ledger = ReadStore(url), Ledger()
    loop = FollowerLoop(log, store, (*PROJECTIONS.values(), ledger))
    loop.set_leaderships(frozenset())
    return Process(ledger, store, LeaderElection(url, loop.leaderships, clock=count(1).__next__), loop)


@contextmanager
def log_at(path: Path) -> Iterator[Matches]:
    with matches_in(path) as matches:
        yield matches


def rows_of(store: ReadStore) -> dict[str, list[Row]]:
    """Return all rows of the projections."""
    tables = [table for projection in PROJECTIONS.values() for table in projection.TABLES]
    return {table: sorted(store.rows(f"SELECT * FROM {table}"), key=repr) for table in tables}


def play(log: Matches, luck: random.Random, numbers: Iterator[int]) -> None:
    """Do something in a random match."""
    number = next(numbers)
    if number % 7 == 1:
        open_started_match(log, number * 251, (BOT, BOT))
        return
    known = [match for match in (log.get(line) for line in log_lines(log)) if not match.is_over]
    if known:
        play_match(log, luck.choice(known), luck.randrange(1, 4))


def log_lines(log: Matches) -> list[UUID]:
    return list(dict.fromkeys(event.line_id for _, event in log.read_log_items(0, 100_000) if isinstance(event, Entry)))


@pytest.mark.walk
@pytest.mark.parametrize("most", [1, 2, 5])
def test_processes_that_start_and_die_write_every_row_once(
    fresh_postgres: str, store: ReadStore, tmp_path: Path, most: int
) -> None:
    luck, numbers = random.Random(f"{most} processes"), count(1)
    with ExitStack() as stack:
        log = stack.enter_context(log_at(tmp_path / "shared.db"))
        processes = [process_on(log, fresh_postgres)]
        for _ in range(ROUNDS):
            play(log, luck, numbers)
            if len(processes) < most and luck.random() < 0.3:
                processes.append(process_on(log, fresh_postgres))
            for process in luck.sample(processes, len(processes)):
                process.work()
            if luck.random() < 0.15:
                victim = processes.pop(luck.randrange(len(processes)))
                victim.die() if luck.random() < 0.4 else victim.die_working()
            if not processes:
                processes.append(process_on(log, fresh_postgres))
        for process in processes:
            process.die()

        last = process_on(log, fresh_postgres)
        last.loop.set_leaderships(frozenset(last.loop.leaderships))
        last.loop.catch_up()
        alone = FollowerLoop(log, store, (*PROJECTIONS.values(), Ledger()))
        alone.catch_up()

        assert rows_of(last.store) == rows_of(store)
        assert last.store.rows("SELECT * FROM ledger ORDER BY position") == store.rows(
            "SELECT * FROM ledger ORDER BY position"
        )
        assert len(store.rows("SELECT * FROM ledger")) > ROUNDS
        last.die()


def test_lanes_are_divided_fairly_without_overlap(fresh_postgres: str, tmp_path: Path) -> None:
    with matches_in(tmp_path / "log.db") as log:
        first, second, third = (process_on(log, fresh_postgres) for _ in range(3))
        everything = frozenset(first.loop.leaderships)
        assert first.election.update_leaderships() == everything

        # Nothing is free until the first has polled again.
        assert second.election.update_leaderships() == frozenset()
        half = first.election.update_leaderships()
        assert second.election.update_leaderships() == everything - half
        assert len([lane for lane in half if lane.startswith("slice ")]) == SHARD_COUNT // 2

        first.die()
        # The server must first notice the disconnection.
        assert any(second.election.update_leaderships() == everything for _ in range(LOOKS_MAX))
        third.election.update_leaderships()
        assert second.election.update_leaderships() | third.election.update_leaderships() == everything
        second.die()
        third.die()


class CountedLog:
    """A log that counts reads."""

    def __init__(self, log: Matches) -> None:
        self._log = log
        self.reads = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)

    def read_log_items(self, after: int, limit: int) -> Sequence[tuple[int, Entry | Record]]:
        self.reads += 1
        return self._log.read_log_items(after, limit)


def test_an_append_wakes_only_the_leader_of_its_shard(fresh_postgres: str, tmp_path: Path) -> None:
    with matches_in(tmp_path / "log.db") as log:
        counted = CountedLog(log)
        process = process_on(counted, fresh_postgres)
        process.loop.set_leaderships(frozenset({"slice 3"}))
        process.loop.advance()
        before, wakes = counted.reads, 0
        for number in range(1, 2 * SHARD_COUNT + 1):
            match = play_match(log, open_started_match(log, number, (BOT, BOT)), 2)
            if process.loop.may_affect(Appended(log.last_position(), {match.id: match.version})):
                wakes += 1
                process.loop.advance()

        assert wakes == 2, "of sixteen matches two are in the slice"
        assert counted.reads - before == wakes
        process.loop.catch_up()
        assert {UUID(str(row[0])).bytes[-1] % SHARD_COUNT for row in process.store.rows("SELECT line FROM ledger")} == {
            3
        }
        missed = (None, Advanced({"lobby": 1}, ()), Appended(1, {}, is_cut=True))
        assert all(process.loop.may_affect(notification) for notification in missed), (
            "it looks where it is told nothing of use"
        )
        process.loop.set_leaderships(frozenset({"slice 3", "outcomes"}))
        assert process.loop.may_affect(Appended(1, {UUID(int=4): 1})), "a follower of all matches has to know"
        process.loop.set_leaderships(frozenset())
        assert not process.loop.may_affect(Appended(1, {UUID(int=3): 1})), "nor is it anything to who leads nothing"
        process.die()


def test_a_former_leader_cannot_write(fresh_postgres: str, tmp_path: Path) -> None:
    with matches_in(tmp_path / "log.db") as log:
        old, new = process_on(log, fresh_postgres), process_on(log, fresh_postgres)
        for process in (old, new):
            process.loop.set_leaderships(frozenset(process.loop.leaderships))
        play_match(log, open_started_match(log, 1, (BOT, BOT)), 5)
        new.loop.catch_up()

        old.loop.catch_up()

        assert len(new.store.rows("SELECT * FROM ledger")) == len(log.read_log_items(0, 100))
        old.die()
        new.die()


def test_a_failed_shard_stores_its_offset_again(fresh_postgres: str, tmp_path: Path) -> None:
    with matches_in(tmp_path / "log.db") as log:
        process = process_on(log, fresh_postgres)
        process.loop.set_leaderships(frozenset(process.loop.leaderships))
        play_match(log, open_started_match(log, 1, (BOT, BOT)), 5)
        process.ledger.failures = 2
        while process.store.least_offset("ledger/1") < log.last_position():
            process.loop.advance()
        play_match(log, open_started_match(log, 2, (BOT, BOT)), 5)

        process.loop.catch_up()

        assert process.ledger.failures == 0
        assert process.store.least_offset("ledger/1") == log.last_position()
        process.die()


def test_a_projection_keeps_its_offset_when_it_becomes_sharded(fresh_postgres: str, tmp_path: Path) -> None:
    with matches_in(tmp_path / "log.db") as log:
        before = process_on(log, fresh_postgres)
        before.loop.set_leaderships(frozenset(before.loop.leaderships))
        play_match(log, open_started_match(log, 1, (BOT, BOT)), 5)
        before.loop.catch_up()
        with before.store.transaction() as transaction:
            transaction.change(delete(POSITIONS).where(POSITIONS.c.follower.like("ledger/%")))
            transaction.change(ADD, follower="ledger", position=log.last_position(), shape="1")
        before.die()

        after = process_on(log, fresh_postgres)

        assert after.store.least_offset("ledger") == log.last_position()
        assert sum(name.startswith("ledger/") for name in after.store.read_offsets()) == SHARD_COUNT
        assert len(after.store.rows("SELECT * FROM ledger")) == len(log.read_log_items(0, 100))
        after.die()
