"""Strangers who read the public log, intruders who change files, and witnesses."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from time import monotonic
from typing import Any, Final, TypeVar
from uuid import UUID

import msgspec
from eventsourcing.persistence import JSONTranscoder, StoredEvent
from litestar.testing import TestClient

from api.matches.service import MATCHES
from api.transparency.databases import open_tree
from api.transparency.latest_checkpoint import FILE as LATEST
from api.transparency.service import TRANSPARENCY
from api.transparency.store import TreeStore
from domain.eventstore.application import Matches
from domain.eventstore.mapper import MatchMapper
from domain.matches.log.entries import NO_DIGEST, Entry, digest
from domain.matches.log.records import Record, record_digest
from domain.transparency.bundles import entries_in
from domain.transparency.checkpoints import Checkpoint, parse_checkpoint
from domain.transparency.keys import Signer, signatures_of
from domain.transparency.leaves import is_logged, leaf_of
from domain.transparency.merkle import leaf_hash
from domain.transparency.notes import Note, VerifierKey, parse_key, parse_note
from domain.transparency.tiles import WIDTH, Tile, Tiles, hashes_in, width_of
from domain.transparency.witnesses import WitnessAddress
from domain.transparency.witnessing import AddCheckpoint
from ops.commands.witness_ import RunningWitness
from ops.transparency.witness import WatchedLogs, Witness, unix_seconds
from ops.transparency.witness_server import server_of
from projections.platform.settings import Settings
from tests.api.service import PATIENCE_SECONDS, settings_in
from tests.domain.transparency.trees import Tree
from tests.seeding import entropy
from tests.service_app import create_app
from tests.workers.serving import ROOT, OutputReader, process_of

T = TypeVar("T")


class Stranger:
    """Reads the log over HTTP only."""

    def __init__(self, client: TestClient[Any]) -> None:
        self.client = client
        self.key: Final[VerifierKey] = parse_key(self.state()["key"])

    def state(self) -> Any:
        response = self.client.get("/api/transparency")
        assert response.status_code == 200, response.text
        return response.json()

    def note(self) -> Note | None:
        """Return the latest signed note, or None before the first; retry while the database is unavailable."""
        deadline = monotonic() + PATIENCE_SECONDS
        while (response := self.client.get("/tlog/checkpoint")).status_code == 503:
            assert monotonic() < deadline, response.text
        assert response.status_code in (200, 404), response.text
        return parse_note(response.content) if response.status_code == 200 else None

    def checkpoint(self) -> Checkpoint:
        """Return the latest checkpoint, after verifying its signature."""
        note = self.note()
        assert note is not None
        assert signatures_of(note, [self.key])
        return parse_checkpoint(note.text)

    def tile(self, level: int | str, tile: Tile) -> bytes:
        response = self.client.get(f"/tlog/tile/{level}/{tile.path}")
        assert response.status_code == 200, response.text
        return response.content

    def tiles(self, size: int) -> Tiles:
        """Return the tree of a size, with each tile fetched at its width."""

        def read(level: int, number: int) -> bytes | None:
            width = width_of(level, number, size)
            return self.tile(level, Tile(number, width)) if width else None

        return Tiles(read)

    def entries(self, size: int) -> list[bytes]:
        """Return all leaves, after comparing them with the tiles of level 0."""
        leaves = list[bytes]()
        for number in range(-(-size // WIDTH)):
            tile = Tile(number, width_of(0, number, size))
            entries = entries_in(self.tile("entries", tile))
            assert [leaf_hash(entry) for entry in entries] == hashes_in(self.tile(0, tile))
            leaves += entries
        return leaves

    def covering_checkpoint(self) -> Checkpoint:
        """Return the first checkpoint that covers everything appended so far."""
        event_count = len(tree_events(self.matches))

        def covers(checkpoint: Checkpoint) -> bool:
            return checkpoint.size >= event_count + len(self.store.announcements())

        return self.until(self.checkpoint, covers)

    def until(self, read: Callable[[], T], condition: Callable[[T], bool]) -> T:
        deadline = monotonic() + PATIENCE_SECONDS
        self.wait_for_first()
        while not condition(value := read()):
            assert monotonic() < deadline, f"it never became so; the last was {value}"
        return value

    def until_fault(self) -> str:
        """Wait until the tree is not served; return the reason."""
        deadline = monotonic() + PATIENCE_SECONDS
        while (fault := self.state()["fault"]) is None:
            assert monotonic() < deadline, "the tree is still served"
        return str(fault)

    def wait_for_first(self) -> None:
        deadline = monotonic() + PATIENCE_SECONDS
        while self.note() is None:
            assert monotonic() < deadline, "nothing was ever signed"

    @property
    def matches(self) -> Matches:
        matches: Matches = MATCHES.of(self.client).writer.matches
        return matches

    @property
    def store(self) -> TreeStore:
        store: TreeStore = TRANSPARENCY.of(self.client).require_store()
        return store


def tree_events(matches: Matches) -> list[Entry | Record]:
    """Return the events that belong in the tree."""
    events = (event for _, event in matches.read_log_items(0, 1_000_000))
    return [event for event in events if isinstance(event, Entry) or is_logged(event.tag)]


@contextmanager
def watched_service(folder: Path, settings: Settings | None = None) -> Iterator[Stranger]:
    """Start a service on a folder, with an auditor who reads its log."""
    with TestClient(create_app(settings or settings_in(folder), entropy())) as client:
        yield Stranger(client)


def content_of(auditor: Stranger, stream: UUID, version: int, digest: bytes) -> bytes:
    """Return the content of the leaf of an entry or record with this digest, as a reader of its proof computes it."""
    leaf = auditor.store.leaf(stream, version)
    assert leaf is not None
    return leaf[1].label + leaf_of(leaf[1].salt, stream, version, digest)


def salt_of(auditor: Stranger, stream: UUID, version: int) -> tuple[int, bytes]:
    """Return number and salt of a leaf, as a proof file would reveal them."""
    leaf = auditor.store.leaf(stream, version)
    assert leaf is not None
    return leaf[0], leaf[1].salt


Fact = dict[str, Any]


def change(file: Path, statement: str, *values: object) -> int:
    """Run a statement on a database of the service; return the number of changed rows."""
    with closing(sqlite3.connect(file)) as database, database:
        return database.execute(statement, values).rowcount


def cut(folder: Path, stream: UUID, after: int) -> None:
    """Delete all events of a stream after a version."""
    sql = "DELETE FROM stored_events WHERE originator_id = ? AND originator_version > ?"
    assert change(folder / "log.db", sql, stream.hex, after)


def rewrite(folder: Path, stream: UUID, edits: dict[int, Callable[[Fact], Fact]], *, chain: bool = True) -> None:
    """Change facts of a stream, and optionally recompute the chain after them."""
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


def forge_beginning(folder: Path) -> None:
    """Replace the tree by an empty tree with the mark of a new one, to hide that a tree was deleted."""
    for name in ("tree.db", LATEST):
        (folder / name).unlink()
    open_tree(folder / "tree.db").close()
    change(folder / "tree.db", "INSERT INTO checkpoints VALUES ('begun', '', '', 0)")


HOUSE: Final = Signer("house.example/tlog", b"\x01" * 32)
HOST_ADDRESS: Final = "198.51.100.1"
GUEST_ADDRESS: Final = "198.51.100.2"
"""Addresses reserved for documentation, which are free except for our virtual cable."""


def witness_in(
    folder: Path, logs: WatchedLogs, name: str = "witness.example/club", now: Callable[[], int] = unix_seconds
) -> Witness:
    return Witness(folder / "witness.db", name, logs, entropy(), now)


def request_of(tree: Tree, old: int, size: int, signer: Signer = HOUSE) -> bytes:
    """Return the request of a service with this tree."""
    text = Checkpoint(signer.key.name, size, tree.root(size)).text
    note = Note(text, (signer.sign(text),))
    return str(AddCheckpoint(old, tuple(tree.read.consistency(old, size)), note)).encode()


def ask(url: str, method: str, path: str, body: bytes | None = None) -> tuple[int, str, dict[str, str]]:
    """Send a request; return status, body and headers."""
    host, _, port = url.removeprefix("http://").rstrip("/").rpartition(":")
    connection = HTTPConnection(host, int(port), timeout=PATIENCE_SECONDS)
    try:
        connection.request(method, path, body)
        response = connection.getresponse()
        return response.status, response.read().decode(), {name.lower(): value for name, value in response.getheaders()}
    finally:
        connection.close()


@contextmanager
def serve_witness(witness: Witness, settings: Settings | None = None) -> Iterator[WitnessAddress]:
    """Run the witness behind a real server, in a thread."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = server_of(witness, settings)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield WitnessAddress(str(witness.key), f"http://127.0.0.1:{listener.getsockname()[1]}")
    finally:
        server.should_exit = True
        thread.join(PATIENCE_SECONDS)
        listener.close()


class WitnessProcess:
    """The command `esporles witness` in a separate process."""

    def __init__(self, process: subprocess.Popen[str], output: OutputReader) -> None:
        self.process = process
        self.running = msgspec.json.decode(output.line(), type=RunningWitness)

    @property
    def at(self) -> str:
        """Return the witness as configured in a service."""
        return f"{self.running.key} {self.running.url}"

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE_SECONDS)


def console(*args: object) -> list[str]:
    return [sys.executable, "-m", "ops.cli", *map(str, args)]


def run_json(*args: object) -> Any:
    """Return the document that a console command prints."""
    process = subprocess.run(console(*args, "--json"), cwd=ROOT, capture_output=True, text=True, check=True)
    return msgspec.json.decode(process.stdout)


@contextmanager
def run_witness(
    folder: Path, *keys: VerifierKey | str, host: str = "127.0.0.1", within: Sequence[str] = ()
) -> Iterator[WitnessProcess]:
    """Run a witness that watches these services; `within` is the command that starts it on another host."""
    key_options = [option for key in keys for option in ("--house", key)]
    command = console("witness", "--data", folder, "--name", "witness.example/club", "--host", host, "--port", 0)
    with process_of([*within, *command, *map(str, key_options), "--json"]) as (process, output):
        yield WitnessProcess(process, output)


def has_run(*command: str) -> bool:
    with suppress(OSError):
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    return False


@contextmanager
def another_host() -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the address of a second host and the command that starts a process there.

    It is a network namespace connected by a virtual cable, or this machine if namespaces are not permitted.
    """
    name, host_end, guest_end = f"esporles-{os.getpid()}", f"esn{os.getpid()}", f"esf{os.getpid()}"
    if shutil.which("ip") is None or not has_run("ip", "netns", "add", name):
        yield "127.0.0.1", ()
        return
    try:
        steps = (
            ("ip", "link", "add", host_end, "type", "veth", "peer", "name", guest_end, "netns", name),
            ("ip", "addr", "add", f"{HOST_ADDRESS}/30", "dev", host_end),
            ("ip", "link", "set", host_end, "up"),
            ("ip", "-n", name, "addr", "add", f"{GUEST_ADDRESS}/30", "dev", guest_end),
            ("ip", "-n", name, "link", "set", guest_end, "up"),
        )
        if all(has_run(*step) for step in steps):
            yield GUEST_ADDRESS, ("ip", "netns", "exec", name)
        else:
            yield "127.0.0.1", ()
    finally:
        # The cable is deleted with the host.
        has_run("ip", "netns", "del", name)
