"""What somebody who holds the files of a stopped house does to them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
from eventsourcing.persistence import JSONTranscoder, StoredEvent

from domain.eventstore.mapper import MatchMapper
from domain.matches.log.entries import NO_DIGEST, Entry, digest
from domain.matches.log.records import Record, record_digest

Fact = dict[str, Any]


def change(file: Path, statement: str, *values: object) -> int:
    """A statement on a database of the house; how many rows it changed."""
    with closing(sqlite3.connect(file)) as database, database:
        return database.execute(statement, values).rowcount


def cut(folder: Path, stream: UUID, after: int) -> None:
    """All of a stream after a version is deleted."""
    sql = "DELETE FROM stored_events WHERE originator_id = ? AND originator_version > ?"
    assert change(folder / "log.db", sql, stream.hex, after)


def rewrite(folder: Path, stream: UUID, edits: dict[int, Callable[[Fact], Fact]], *, chain: bool = True) -> None:
    """The facts of a stream are changed; what comes after them is chained anew, or left as it was."""
    mapper, head = MatchMapper(JSONTranscoder()), NO_DIGEST
    with closing(sqlite3.connect(folder / "log.db")) as database, database:
        sql = "SELECT originator_version, topic, state FROM stored_events WHERE originator_id = ? ORDER BY 1"
        rows = [row for row in database.execute(sql, (stream.hex,)) if not row[1].startswith("esporles.note")]
        assert rows, f"there is no stream {stream}"
        for number, (version, topic, state) in enumerate(rows):
            event = mapper.to_domain_event(StoredEvent(stream, version, topic, state))
            assert isinstance(event, Entry | Record)
            if edit := edits.get(version):
                body = msgspec.json.encode(edit(msgspec.json.decode(event.body)), order="sorted")
                event = msgspec.structs.replace(event, body=msgspec.Raw(body))
            if chain and number:
                event = msgspec.structs.replace(event, previous=head)
            head = digest(event) if isinstance(event, Entry) else record_digest(event)
            database.execute(
                "UPDATE stored_events SET state = ? WHERE originator_id = ? AND originator_version = ?",
                (mapper.to_stored_event(event).state, stream.hex, version),
            )
