"""A log behind a real server, honest or not, for tests of monitors."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

from domain.transparency.announcements import FORMAT, FormatChanged, encode_announcement
from domain.transparency.bundles import bundle_of
from domain.transparency.checkpoints import Checkpoint
from domain.transparency.keys import Signer
from domain.transparency.merkle import leaf_hash
from domain.transparency.notes import Note
from domain.transparency.policy import Policy, policy_of_keys
from domain.transparency.tiles import WIDTH, GrowingTree, Tiles, parse_path
from ops.transparency.log_client import LogClient
from ops.transparency.monitor import BUNDLES_AT_ONCE, Look, Monitor
from tests.transparency.outsiders import HOUSE

ANNOUNCEMENT: Final = encode_announcement(FormatChanged(FORMAT, HOUSE.key.name, "ab" * 32))


def commitment(number: int) -> bytes:
    """Return the content of a leaf without a label."""
    return leaf_hash(f"entry {number}".encode())


def labelled_leaf(number: int, label: str = "") -> bytes:
    """Return the content of a leaf with a label, by default one of its own."""
    return leaf_hash(f"label {label or number}".encode()) + commitment(number)


def honest_leaves(count: int, plain: int = 3) -> list[bytes]:
    """Return leaves: some without labels, the announcement of labels, and then leaves with labels."""
    return [*map(commitment, range(plain)), ANNOUNCEMENT, *map(labelled_leaf, range(plain + 1, count))]


class ServedLog:
    """The content of a log. `answers` replaces what it returns at a path; `witnesses` cosign at the time `at`."""

    def __init__(self, leaves: Sequence[bytes] = (), *witnesses: Signer, at: int = 1_000) -> None:
        self.witnesses, self.at, self.signer = witnesses, at, HOUSE
        self.answers = dict[str, Callable[[BaseHTTPRequestHandler], None] | bytes]()
        self.requests = list[str]()
        self.put(leaves)

    def put(self, leaves: Sequence[bytes]) -> None:
        """Replace all leaves."""
        self.leaves, self.tiles = list(leaves), dict[tuple[int, int], bytes]()
        growth = GrowingTree(0, {})
        growth.add([leaf_hash(leaf) for leaf in leaves])
        self.tiles |= growth.take_changed_tiles()

    def add(self, *leaves: bytes) -> None:
        self.put([*self.leaves, *leaves])

    @property
    def note(self) -> Note:
        """The signed checkpoint of all leaves, with the cosignatures."""
        tree = Tiles(lambda level, number: self.tiles.get((level, number)))
        text = Checkpoint(self.signer.key.name, len(self.leaves), tree.root(len(self.leaves))).text
        return Note(text, (self.signer.sign(text), *(each.cosign(text, self.at) for each in self.witnesses)))

    def content(self, path: str) -> bytes | None:
        """Return what an honest log has at a path below `/tlog/`."""
        if path == "checkpoint":
            return str(self.note).encode()
        if not path.startswith("tile/"):
            return None
        level, _, rest = path.removeprefix("tile/").partition("/")
        tile = parse_path(rest)
        if level == "entries":
            first = tile.number * WIDTH
            leaves = self.leaves[first : first + tile.width]
            return bundle_of(leaves) if len(leaves) == tile.width else None
        hashes = self.tiles.get((int(level), tile.number), b"")
        return hashes[: tile.width * 32] if len(hashes) >= tile.width * 32 else None


@contextmanager
def serve_log(log: ServedLog) -> Iterator[str]:
    """Serve a log in threads and yield its address."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            path = self.path.removeprefix("/tlog/")
            log.requests.append(path)
            answer = log.answers.get(path, log.answers.get("*"))
            if callable(answer):
                answer(self)
                return
            content = log.content(path) if answer is None else answer
            self.send_response(404 if content is None else 200)
            self.send_header("Content-Length", str(len(content or b"")))
            self.end_headers()
            self.wfile.write(content or b"")

        def log_message(self, *args: object) -> None:
            """Write nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


TRUST: Final = policy_of_keys([HOUSE.key])


class Clock:
    """A clock that tests set."""

    seconds = 1_000

    def __call__(self) -> int:
        return self.seconds


@contextmanager
def following(
    folder: Path,
    log: ServedLog,
    policy: Policy = TRUST,
    clock: Callable[[], int] | None = None,
    seconds: float = 30.0,
    bundles_at_once: int = BUNDLES_AT_ONCE,
) -> Iterator[Callable[[], Look]]:
    """Serve a log and yield the `look` of a monitor that follows it."""
    with serve_log(log) as url:
        monitor = Monitor(LogClient(url, seconds), folder, policy, clock or Clock(), bundles_at_once)
        try:
            yield monitor.look
        finally:
            monitor.close()


def kinds(look: Look) -> list[str]:
    return [*(each.kind for each in look.conditions), *(each.kind for each in look.findings)]
