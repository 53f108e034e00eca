"""The transparency log: rate of appending leaves, and time until two witnesses have cosigned a checkpoint."""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final
from uuid import UUID

import msgspec

from api.transparency.sequencer import Log, Sequencer
from api.transparency.store import TreeStore
from api.transparency.witness_client import ANSWER_SECONDS_MAX, WitnessThread
from domain.eventstore.application import Matches
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.matches.entropy import system_entropy
from domain.matches.log.entries import EPOCH, NO_DIGEST, Entry
from domain.matches.log.records import Record
from domain.transparency.keys import Signer
from domain.transparency.merkle import leaf_hash, node_hash
from domain.transparency.vrf import VrfKey
from domain.transparency.witnesses import WitnessAddress
from ops.dev.bench.figures import Figure, Section, milliseconds, percentile, seconds

LEAVES: Final = 100_000
STORED: Final = 10_000
AT_ONCE: Final = 100
BUDGET_LEAVES: Final = 20_000
CHECKPOINTS: Final = 300
BUDGET_COSIGNED: Final = 0.05
SIGNER: Final = Signer("bench.example/tlog", bytes(32))
VRF: Final = VrfKey(b"\x01" * 64)
BODY: Final[Any] = b'{"type":"action_taken","seat":1,"by":"bot:greedy@2","action":{"type":"pass"},"effects":[]}'


class MemoryLog:
    """A log of decoded entries in memory."""

    def __init__(self, count: int = 0) -> None:
        self.events: list[tuple[int, Entry | Record]] = []
        self.append(count)

    def append(self, count: int) -> None:
        """Append `count` entries."""
        for position in range(len(self.events) + 1, len(self.events) + count + 1):
            self.events.append((position, entry_of(position)))

    def read_log_items(self, after: int, limit: int) -> Sequence[tuple[int, Entry | Record]]:
        """Return at most `limit` entries after a position."""
        return self.events[after : after + limit]


def entry_of(number: int) -> Entry:
    """Return the entry with this number; every 500 belong to one match."""
    return Entry(
        originator_id=UUID(int=number // 500),
        originator_version=number % 500 + 1,
        timestamp=EPOCH,
        previous=NO_DIGEST,
        body=BODY,
    )


def sequencer_of(log: Log, folder: Path) -> tuple[Sequencer, TreeStore]:
    """Create a sequencer for a log, with its tree in `folder`."""
    store = TreeStore(folder / "tree.db")
    return Sequencer(log, store, SIGNER, system_entropy, VRF), store


def append_all(log: Log) -> float:
    """Return the seconds to append a whole log: salts, leaves and tiles, each batch in a durable transaction."""
    with TemporaryDirectory(prefix="esporles-bench-") as folder:
        sequencer, store = sequencer_of(log, Path(folder))
        elapsed = seconds(lambda: all(iter(sequencer.append_batch, False)))
        store.close()
    return elapsed


def bare_seconds(count: int) -> float:
    """Return the seconds for the two hashes of each leaf alone."""
    leaf = bytes(32)
    return seconds(lambda: [node_hash(leaf_hash(leaf), leaf) for _ in range(count)])


@contextmanager
def stored_log(count: int) -> Iterator[Matches]:
    """Store `count` entries in an SQLite file as the service does, and provide the store."""
    with TemporaryDirectory(prefix="esporles-bench-") as folder:
        matches = open_store(store_env(Path(folder) / "log.db"))
        for first in range(1, count, AT_ONCE):
            matches.save(*(entry_of(number) for number in range(first, first + AT_ONCE)))
        yield matches
        matches.close()


@contextmanager
def witness_process(folder: Path, name: str) -> Iterator[WitnessAddress]:
    """Run the command `esporles witness` as a separate process on a loopback port, and provide its key and URL."""
    command = (sys.executable, "-m", "ops.cli", "witness", "--json", "--data", str(folder), "--name", name)
    process = subprocess.Popen([*command, "--port", "0", "--house", str(SIGNER.key)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    try:
        started = msgspec.json.decode(process.stdout.readline())
        yield WitnessAddress(started["key"], started["url"])
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


def cosigned_seconds(count: int) -> list[float]:
    """Create `count` checkpoints; return the seconds from each one's creation until both cosignatures are stored.

    Raises `AssertionError` if a witness does not answer in time.
    """
    with TemporaryDirectory(prefix="esporles-bench-") as name, ExitStack() as stack:
        folder, log, times = Path(name), MemoryLog(), list[float]()
        sequencer, store = sequencer_of(log, folder)
        stack.callback(store.close)
        addresses = [stack.enter_context(witness_process(folder / each, f"{each}.example")) for each in ("one", "two")]
        witnesses = [WitnessThread(each, store, SIGNER.key, lambda: datetime.now(UTC)) for each in addresses]
        for _ in range(count):
            log.append(20)
            started = perf_counter()
            sequencer.append_batch()
            signed = sequencer.sign(datetime.now(UTC))
            assert signed is not None
            for witness in witnesses:
                witness.request(signed)
            assert all(witness.wait(ANSWER_SECONDS_MAX) for witness in witnesses)
            times.append(perf_counter() - started)
        assert all(each.size == store.size for each in store.witnesses())
        for witness in witnesses:
            witness.close()
    return times


def section() -> Section:
    """Measure appending and cosigning."""
    bare_time, memory = bare_seconds(LEAVES), append_all(MemoryLog(LEAVES))
    with stored_log(STORED) as matches:
        stored = append_all(matches)
    cosigned = cosigned_seconds(CHECKPOINTS)
    speed = LEAVES / memory
    return Section(
        "transparency",
        (
            Figure(
                f"{LEAVES:,} leaves appended durably",
                f"{speed:,.0f} leaves/s",
                f"≥ {BUDGET_LEAVES:,} leaves/s",
                speed >= BUDGET_LEAVES,
                f"{memory / bare_time:.1f} × hashing alone",
            ),
            Figure("… read from the log in SQLite", f"{STORED / stored:,.0f} leaves/s"),
            Figure(
                "a checkpoint cosigned by two witnesses on loopback, median", milliseconds(percentile(cosigned, 0.5))
            ),
            Figure(
                "… p99",
                milliseconds(percentile(cosigned, 0.99)),
                f"< {milliseconds(BUDGET_COSIGNED)}",
                percentile(cosigned, 0.99) < BUDGET_COSIGNED,
            ),
        ),
    )
