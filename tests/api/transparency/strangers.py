"""Somebody who knows the house by what it serves to everybody, and by its public key."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any, Final, TypeVar
from uuid import UUID

from litestar.testing import TestClient

from api.app import create_app
from api.matches.service import MATCHES
from api.transparency.service import TRANSPARENCY
from api.transparency.store import TreeStore
from domain.eventstore.application import Matches
from domain.matches.log.entries import Entry
from domain.matches.log.records import Record
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
