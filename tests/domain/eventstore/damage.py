"""What somebody does to the tables of a store behind the back of whoever writes to it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from uuid import UUID

import psycopg

from domain.eventstore.application import Matches
from domain.eventstore.guard import Cover, Covers, salted, stream_of
from domain.matches.errors import Tampered

SALT = bytes(16)


class Tree:
    """The leaves of all that was in a store at a moment, as a guard."""

    def __init__(self, matches: Matches | None = None) -> None:
        self.told: list[Tampered] = []
        self.leaves: dict[UUID, dict[int, Cover]] = {}
        if matches is not None:
            self.take_up(matches)

    def take_up(self, matches: Matches) -> None:
        for _, event in matches.happenings(0, 100_000):
            self.leaves.setdefault(stream_of(event), {})[event.version] = Cover(SALT, salted(SALT, event))

    def covers(self, stream: UUID, after: int = 0, upto: int | None = None) -> Covers:
        known = self.leaves.get(stream, {})
        return {at: known[at] for at in known if after < at and (upto is None or at <= upto)}

    def tell(self, tampered: Tampered) -> None:
        self.told.append(tampered)


def run(place: str, statement: str, *values: object) -> None:
    """A statement on the table of events, `{events}`, that changes something there."""
    if place.startswith("postgresql"):
        with psycopg.connect(place, autocommit=True) as database:
            assert database.execute(
                statement.format(events="matches_events").replace("?", "%s").encode(), values
            ).rowcount
        return
    plain = tuple(value.hex if isinstance(value, UUID) else value for value in values)
    with closing(sqlite3.connect(place)) as file, file:
        assert file.execute(statement.format(events="stored_events"), plain).rowcount


def cut(place: str, stream: UUID, after: int) -> None:
    run(place, "DELETE FROM {events} WHERE originator_id = ? AND originator_version > ?", stream, after)


def delete(place: str, stream: UUID, version: int) -> None:
    run(place, "DELETE FROM {events} WHERE originator_id = ? AND originator_version = ?", stream, version)


def write(place: str, stream: UUID, version: int, state: bytes) -> None:
    sql = "UPDATE {events} SET state = ? WHERE originator_id = ? AND originator_version = ?"
    run(place, sql, state, stream, version)


def swap(place: str, stream: UUID, one: int, two: int) -> None:
    """Two entries change their places."""
    for now, then in ((one, -1), (two, one), (-1, two)):
        sql = "UPDATE {events} SET originator_version = ? WHERE originator_id = ? AND originator_version = ?"
        run(place, sql, then, stream, now)
