"""Stores with manipulated rows, failing recorders, and a small kind of stream."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import Any, Final
from uuid import UUID

import psycopg
from eventsourcing.persistence import OperationalError, StoredEvent

from domain.eventstore.application import Matches
from domain.eventstore.guard import SaltedLeaf, SaltedLeaves, compute_leaf, stream_of
from domain.eventstore.match_store import MatchStore
from domain.kernel.values import Value, replace, tagger
from domain.matches.errors import Tampered
from domain.matches.log.records import Kind, Record

SALT = bytes(16)


class Tree:
    """A guard with the leaves of everything in a store at one moment."""

    def __init__(self, matches: Matches | None = None) -> None:
        self.told: list[Tampered] = []
        self.leaves: dict[UUID, dict[int, SaltedLeaf]] = {}
        if matches is not None:
            self.take_up(matches)

    def take_up(self, matches: Matches) -> None:
        for _, event in matches.read_log_items(0, 100_000):
            self.leaves.setdefault(stream_of(event), {})[event.version] = SaltedLeaf(SALT, compute_leaf(SALT, event))

    def read_leaves(self, stream: UUID, after: int = 0, upto: int | None = None) -> SaltedLeaves:
        known = self.leaves.get(stream, {})
        return {at: known[at] for at in known if after < at and (upto is None or at <= upto)}

    def report_tampering(self, tampered: Tampered) -> None:
        self.told.append(tampered)


def run(database: str, statement: str, *values: object) -> None:
    """Run a statement on the table of events, written as `{events}`."""
    if database.startswith("postgresql"):
        with psycopg.connect(database, autocommit=True) as connection:
            assert connection.execute(
                statement.format(events="matches_events").replace("?", "%s").encode(), values
            ).rowcount
        return
    plain = tuple(value.hex if isinstance(value, UUID) else value for value in values)
    with closing(sqlite3.connect(database)) as file, file:
        assert file.execute(statement.format(events="stored_events"), plain).rowcount


def cut(connection: str, stream: UUID, after: int) -> None:
    run(connection, "DELETE FROM {events} WHERE originator_id = ? AND originator_version > ?", stream, after)


def delete(connection: str, stream: UUID, version: int) -> None:
    run(connection, "DELETE FROM {events} WHERE originator_id = ? AND originator_version = ?", stream, version)


def write(connection: str, stream: UUID, version: int, state: bytes) -> None:
    sql = "UPDATE {events} SET state = ? WHERE originator_id = ? AND originator_version = ?"
    run(connection, sql, state, stream, version)


def swap(connection: str, stream: UUID, one: int, two: int) -> None:
    """Swap the content of two entries."""
    for now, then in ((one, -1), (two, one), (-1, two)):
        sql = "UPDATE {events} SET originator_version = ? WHERE originator_id = ? AND originator_version = ?"
        run(connection, sql, then, stream, now)


class Killed(BaseException):
    """The process was killed."""


class FaultyRecorder:
    """A recorder that delegates to another and injects the given faults into inserts, one each."""

    def __init__(self, recorder: Any) -> None:
        self._recorder = recorder
        self.faults: Iterator[Callable[[Callable[[], Any]], Any]] = iter(())
        self.stored = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._recorder, name)

    def insert_events(self, rows: Sequence[StoredEvent], **kwargs: Any) -> Any:
        def insert() -> Any:
            positions = self._recorder.insert_events(rows, **kwargs)
            self.stored += 1
            return positions

        return next(self.faults, insert_normally)(insert)


Insert = Callable[[], Any]
Fault = Callable[[Insert], Any]


def insert_normally(insert: Insert) -> Any:
    return insert()


def fails_before(_insert: Insert) -> Any:
    raise OperationalError("the disk is full")


def fails_after(insert: Insert) -> Any:
    """Store the rows, then report a failure."""
    insert()
    raise OperationalError("the connection was lost")


def asks_again(insert: Insert) -> Any:
    """Insert twice, as the PostgreSQL driver does after a lost response."""
    insert()
    return insert()


def kill_before_insert(_insert: Insert) -> Any:
    raise Killed


def kill_after_insert(insert: Insert) -> Any:
    insert()
    raise Killed


def second_to(others: Callable[[], Any]) -> Fault:
    """Return a fault: another process writes first."""

    def fault(insert: Insert) -> Any:
        others()
        return insert()

    return fault


def faulty(matches: Matches) -> FaultyRecorder:
    """Install a faulty recorder in a store."""
    recorder = FaultyRecorder(matches.log.recorder)
    assert isinstance(matches.log, MatchStore)
    matches.log.recorder = recorder  # type: ignore[assignment]  # other attributes are forwarded
    return recorder


class DiaryFact(Value, frozen=True, tag_field="type", tag=tagger("diary"), omit_defaults=True):
    """The base of diary facts."""


class DiaryOpened(DiaryFact, frozen=True):
    owner: str


class PageWritten(DiaryFact, frozen=True):
    text: str


class Diary(Value, frozen=True):
    owner: str
    pages: tuple[str, ...] = ()


def evolve(diary: Diary | None, _record: Record, fact: DiaryOpened | PageWritten) -> Diary:
    if isinstance(fact, DiaryOpened):
        return Diary(fact.owner)
    assert diary is not None
    return replace(diary, pages=(*diary.pages, fact.text))


DIARY: Final[Kind[DiaryOpened | PageWritten, Diary]] = Kind("diary", DiaryOpened | PageWritten, evolve)
OTHER: Final[Kind[DiaryOpened | PageWritten, Diary]] = Kind("other", DiaryOpened | PageWritten, evolve)
