"""A stranger who reads the public log of a service, and an intruder who changes the files of a stopped one."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from time import monotonic
from typing import Any, Final, TypeVar
from uuid import UUID

import msgspec
from eventsourcing.persistence import JSONTranscoder, StoredEvent
from litestar.testing import TestClient

from api.app import create_app
from api.matches.service import MATCHES
from api.transparency.service import TRANSPARENCY
from api.transparency.store import TreeStore
from domain.eventstore.application import Matches
from domain.eventstore.mapper import MatchMapper
from domain.matches.log.entries import NO_DIGEST, Entry, digest
from domain.matches.log.records import Record, record_digest
from domain.transparency.bundles import entries_in
from domain.transparency.checkpoints import Checkpoint, parse_checkpoint
from domain.transparency.keys import signatures_of
from domain.transparency.leaves import is_logged
from domain.transparency.merkle import leaf_hash
from domain.transparency.notes import Note, VerifierKey, parse_key, parse_note
from domain.transparency.tiles import WIDTH, Tile, Tiles, hashes_in, width_of
from projections.platform.settings import Settings
from tests.api.house import PATIENCE_SECONDS, settings_in
from tests.seeding import entropy

T = TypeVar("T")


class Stranger:
    """Reads the log by HTTP alone."""

    def __init__(self, client: TestClient[Any]) -> None:
        self.client = client
        self.key: Final[VerifierKey] = parse_key(self.state()["key"])

    def state(self) -> Any:
        answer = self.client.get("/api/transparency")
        assert answer.status_code == 200, answer.text
        return answer.json()

    def note(self) -> Note | None:
        """Return the newest signed note, or None before the first; ask again while the database is unavailable."""
        given_up = monotonic() + PATIENCE_SECONDS
        while (answer := self.client.get("/tlog/checkpoint")).status_code == 503:
            assert monotonic() < given_up, answer.text
        assert answer.status_code in (200, 404), answer.text
        return parse_note(answer.content) if answer.status_code == 200 else None

    def checkpoint(self) -> Checkpoint:
        """The newest checkpoint, its signature checked."""
        note = self.note()
        assert note is not None
        assert signatures_of(note, [self.key])
        return parse_checkpoint(note.text)

    def tile(self, level: int | str, tile: Tile) -> bytes:
        answer = self.client.get(f"/tlog/tile/{level}/{tile.path}")
        assert answer.status_code == 200, answer.text
        return answer.content

    def tiles(self, size: int) -> Tiles:
        """The tree of a size, each tile fetched as wide as it is in it."""

        def read(level: int, number: int) -> bytes | None:
            width = width_of(level, number, size)
            return self.tile(level, Tile(number, width)) if width else None

        return Tiles(read)

    def entries(self, size: int) -> list[bytes]:
        """All leaves; each is that of which the tile of level 0 has the hash."""
        found = list[bytes]()
        for number in range(-(-size // WIDTH)):
            tile = Tile(number, width_of(0, number, size))
            entries = entries_in(self.tile("entries", tile))
            assert [leaf_hash(entry) for entry in entries] == hashes_in(self.tile(0, tile))
            found += entries
        return found

    def covered(self) -> Checkpoint:
        """The first checkpoint over everything that was appended to this moment."""
        wanted = len(logged(self.matches))
        return self.until(self.checkpoint, lambda checkpoint: checkpoint.size >= wanted)

    def until(self, look: Callable[[], T], is_so: Callable[[T], bool]) -> T:
        given_up = monotonic() + PATIENCE_SECONDS
        self.wait_for_first()
        while not is_so(seen := look()):
            assert monotonic() < given_up, f"it never became so; the last was {seen}"
        return seen

    def wait_for_first(self) -> None:
        given_up = monotonic() + PATIENCE_SECONDS
        while self.note() is None:
            assert monotonic() < given_up, "nothing was ever signed"

    # What only the house knows

    @property
    def matches(self) -> Matches:
        matches: Matches = MATCHES.of(self.client).writer.matches
        return matches

    @property
    def store(self) -> TreeStore:
        store: TreeStore = TRANSPARENCY.of(self.client)._whole_store()
        return store


def logged(matches: Matches) -> list[Entry | Record]:
    """What is to be in the tree."""
    events = (event for _, event in matches.happenings(0, 1_000_000))
    return [event for event in events if isinstance(event, Entry) or is_logged(event.tag)]


@contextmanager
def house(folder: Path, settings: Settings | None = None) -> Iterator[Stranger]:
    """A service on a folder, and a stranger who looks at it."""
    with TestClient(create_app(settings or settings_in(folder), entropy())) as client:
        yield Stranger(client)


def salt_of(stranger: Stranger, stream: UUID, version: int) -> tuple[int, bytes]:
    """Number and salt of a leaf, as a proof file would give them away."""
    found = stranger.store.leaf(stream, version)
    assert found is not None
    return found[0], found[1].salt


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
