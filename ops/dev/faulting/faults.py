"""The faults: each is caused, held for some seconds and repaired, and the service's behaviour is checked."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from uuid import UUID

from ops.dev.faulting.machine import Clock, Machine, NotRecovered, SmallDisk, wait_until

HOLD_SECONDS: Final = (1.0, 6.0)
AWAY_SECONDS: Final = (3.0, 60.0)
JUMP_SECONDS: Final = (-7_200, 7_200)
SILENT_SECONDS: Final = 3.0
"""Longest response time while the database hangs: two seconds of timeout, and one for a busy machine."""
WHOLE_SECONDS: Final = 30.0
"""Longest time to read a match right after a start; the report states the time needed after a repair."""
REFUSED: Final = 1
"""Exit status of a start that fails."""


@dataclass
class Store:
    """A dependency of the service that can be taken away: a database, or the queues."""

    stop: Callable[[], None]
    start: Callable[[], None]
    pids: Callable[[], list[int]]


@dataclass
class Scene:
    """The environment that faults act on, and the violations they find."""

    machine: Machine
    luck: random.Random
    victim: Callable[[], tuple[str, int]]
    """Returns an idle match and the version of one of its entries."""
    without: Sequence[str] = ()
    """Names of faults to leave out."""
    brief: bool = False
    """Whether faults last only as long as needed to observe them."""
    disk: SmallDisk | None = None
    clock: Clock | None = None
    postgres: Store | None = None
    queues: Store | None = None
    found: list[str] = field(default_factory=list)
    """Violations found by the current fault."""
    stood: float = 0.0
    """Seconds of the last fault in which the service's process was suspended."""

    def expect(self, is_met: bool, sentence: str) -> None:
        """Record the sentence as a violation unless the condition holds."""
        if not is_met:
            self.found.append(sentence)

    def hold(self, bounds: tuple[float, float] = HOLD_SECONDS) -> float:
        """Sleep for a random time within the bounds and return it; for the shortest if `brief`."""
        seconds = bounds[0] if self.brief else self.luck.uniform(*bounds)
        time.sleep(seconds)
        return seconds


def kill(scene: Scene) -> str:
    """Kill up to three random processes at once and wait until as many new ones run; return their names.

    Raises `NotRecovered` if they are not restarted in time.
    """
    processes = scene.machine.processes()
    killed_processes = scene.luck.sample(processes, scene.luck.randint(1, min(3, len(processes))))
    for _, pid in killed_processes:
        os.kill(pid, signal.SIGKILL)
    count, killed = len(processes), {pid for _, pid in killed_processes}

    def are_back() -> bool:
        now = scene.machine.processes()
        return len(now) == count and not killed & {pid for _, pid in now}

    wait_until("all processes are up", are_back)
    return ", ".join(name for name, _ in killed_processes)


def stop(scene: Scene) -> str:
    """Suspend a random process or the supervisor for a while and resume it; return its name and the seconds.

    The seconds are stored in `scene.stood`, 0 unless it was the service.
    """
    name, pid = scene.luck.choice([*scene.machine.processes(), ("supervisor", scene.machine.pid)])
    os.kill(pid, signal.SIGSTOP)
    try:
        seconds = scene.hold()
    finally:
        os.kill(pid, signal.SIGCONT)
    scene.stood = seconds if name == "service" else 0.0
    return f"{name} for {seconds:.1f} s"


def supervisor(scene: Scene) -> str:
    """Kill the supervisor, with which all its processes end, and start it again."""
    scene.machine.kill_supervisor()
    return f"responds again after {scene.machine.start():.1f} s"


def restart(scene: Scene) -> str:
    """Stop the service in an orderly way and start it."""
    scene.machine.stop()
    return f"responds again after {scene.machine.start():.1f} s"


def full_disk(scene: Scene) -> str:
    """Fill the disk for a while; it is a violation if the service does not stay alive and readable."""
    assert scene.disk is not None
    scene.disk.fill()
    try:
        seconds = scene.hold()
        scene.expect(scene.machine.response_status("/api/health") == 200, "with a full disk the health check fails")
        scene.expect(
            scene.machine.response_status("/api/matches") == 200, "with a full disk the list of tables is unavailable"
        )
    finally:
        scene.disk.free()
    return f"for {seconds:.1f} s"


def read_only(scene: Scene) -> str:
    """Start the service in a read-only folder, then in a writable one; return its message.

    It is a violation unless it exits with a message the first time.
    """
    assert scene.disk is not None
    scene.machine.stop()
    scene.disk.make_read_only(True)
    try:
        status, message = scene.machine.refusal()
    finally:
        scene.disk.make_read_only(False)
    scene.machine.start()
    scene.expect(
        status == REFUSED and message.startswith("esporles"), f"in a read-only folder it exits with {status}: {message}"
    )
    return message


def clock(scene: Scene) -> str:
    """Set the wall clock off by a random number of seconds, hold, and leave it so."""
    assert scene.clock is not None
    offset = scene.luck.randint(*JUMP_SECONDS)
    scene.clock.set(offset)
    scene.hold()
    return f"clock off by {offset:+d} s"


def corrupt_reads(scene: Scene) -> str:
    """Overwrite parts of the read models' file while the service is stopped, then start it.

    Returns whether the file was set aside; copies set aside are deleted.
    """
    scene.machine.stop()
    path = scene.machine.data / "reads.db"
    size = path.stat().st_size
    with path.open("r+b") as file:
        for _ in range(8):
            file.seek(scene.luck.randrange(0, size, 512))
            file.write(scene.luck.randbytes(512))
    seconds = scene.machine.start()
    copies = list(scene.machine.data.glob("reads.db.unreadable-*"))
    for each in copies:
        each.unlink()
    return f"{'set aside' if copies else 'read as is'}, responds after {seconds:.1f} s"


def missing_reads(scene: Scene) -> str:
    """Delete the read models while the service is stopped, then start it."""
    scene.machine.stop()
    for end in ("", "-wal", "-shm"):
        (scene.machine.data / f"reads.db{end}").unlink(missing_ok=True)
    return f"answers after {scene.machine.start():.1f} s"


def corrupt_log(scene: Scene) -> str:
    """Change a byte of an entry on disk; it is a violation unless its match is refused until the byte is restored.

    Raises `NotRecovered` if the entry is not in the log or its file.
    """
    match_id, version = scene.victim()
    scene.machine.stop()
    path = scene.machine.data / "log.db"
    with closing(sqlite3.connect(path)) as log:
        log.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    stored = state_of(path, match_id, version)
    if stored is None:
        scene.machine.start()
        raise NotRecovered(f"entry {version} of the match {match_id} is not in the log")
    offset = scene.luck.randrange(min(len(stored), 60))
    position, byte = corrupt_byte(path, match_id, version, stored, offset)
    scene.machine.start()
    refusal_status = scene.machine.response_status(f"/api/matches/{match_id}/entries", WHOLE_SECONDS)
    scene.expect(refusal_status == 503, f"a match with a changed entry returned {refusal_status}")
    scene.hold()
    scene.machine.stop()
    write_byte(path, position, byte)
    scene.machine.start()
    started = time.monotonic()
    restored_status = scene.machine.response_status(f"/api/matches/{match_id}/entries", WHOLE_SECONDS)
    seconds = time.monotonic() - started
    scene.expect(restored_status == 200, f"the match with the restored entry returned {restored_status}")
    return f"entry {version}, blocked with {refusal_status}; restored, readable after {seconds:.1f} s"


def state_of(path: Path, match_id: str, version: int) -> bytes | None:
    """Return an entry's stored state; None if the log lacks it."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as log:
        row = log.execute(
            "SELECT state FROM stored_events WHERE originator_id = ? AND originator_version = ?",
            (UUID(match_id).hex, version),
        ).fetchone()
    return None if row is None else bytes(row[0])


def corrupt_byte(path: Path, match_id: str, version: int, stored: bytes, offset: int) -> tuple[int, int]:
    """Change a byte of an entry on disk; return its offset in the file and its old value.

    SQLite can leave a stale copy of a moved row in a free page, so each match of the bytes is tried until the entry
    that the database returns has changed. Raises `NotRecovered` if none is the entry.
    """
    content, prefix = path.read_bytes(), stored[:60]
    start = content.find(prefix)
    while start >= 0:
        position = start + offset
        write_byte(path, position, content[position] ^ 1)
        if state_of(path, match_id, version) != stored:
            return position, content[position]
        write_byte(path, position, content[position])
        start = content.find(prefix, start + 1)
    raise NotRecovered(f"entry {version} of the match {match_id} not found in the log file")


def write_byte(path: Path, position: int, byte: int) -> None:
    """Write one byte at an offset of a file."""
    with path.open("r+b") as file:
        file.seek(position)
        file.write(bytes([byte]))


def queues_hang(scene: Scene) -> str:
    """Suspend the process of queues and notifications for a while."""
    pids = scene.queues.pids() if scene.queues else []
    pids = pids or [pid for name, pid in scene.machine.processes() if name == "valkey"]
    return hang(scene, pids)


def queues_away(scene: Scene) -> str:
    """Stop the queues for a while."""
    assert scene.queues is not None
    return take_away(scene, scene.queues)


def postgres_away(scene: Scene) -> str:
    """Stop the database for a while."""
    assert scene.postgres is not None
    return take_away(scene, scene.postgres)


def postgres_restart(scene: Scene) -> str:
    """Restart the database, which breaks all open connections."""
    assert scene.postgres is not None
    scene.postgres.stop()
    scene.postgres.start()
    return "at once"


def postgres_hang(scene: Scene) -> str:
    """Suspend the database for a while; it is a violation unless requests fail in time and the service stays alive."""
    assert scene.postgres is not None

    def look() -> None:
        scene.expect(scene.machine.response_status("/api/health") == 200, "the health check fails")
        for path in ("/api/ready", "/api/matches", "/", "/api/ready"):
            status = scene.machine.response_status(path, SILENT_SECONDS)
            scene.expect(status == 503, f"while the database hangs, {path} returned {status}")

    return hang(scene, scene.postgres.pids(), look)


def take_away(scene: Scene, store: Store) -> str:
    """Stop a dependency for a while and start it; it is a violation if the service does not stay alive."""
    store.stop()
    try:
        seconds = scene.hold(AWAY_SECONDS)
        scene.expect(scene.machine.response_status("/api/health") == 200, "the health check fails")
    finally:
        store.start()
    return f"for {seconds:.1f} s"


def hang(scene: Scene, pids: list[int], check: Callable[[], None] = lambda: None) -> str:
    """Suspend processes for a while, call `check` while they are suspended, and resume them."""
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        check()
        seconds = scene.hold()
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)
    return f"for {seconds:.1f} s"


FAULTS: Final[Mapping[str, Callable[[Scene], str]]] = {
    "kill": kill,
    "stop": stop,
    "supervisor": supervisor,
    "restart": restart,
    "queues-hang": queues_hang,
    "queues-away": queues_away,
    "full-disk": full_disk,
    "read-only": read_only,
    "clock": clock,
    "corrupt-reads": corrupt_reads,
    "missing-reads": missing_reads,
    "corrupt-log": corrupt_log,
    "postgres-away": postgres_away,
    "postgres-restart": postgres_restart,
    "postgres-hang": postgres_hang,
}
OF_FILES: Final = frozenset({"corrupt-reads", "missing-reads", "corrupt-log"})
"""Faults that change the files of an SQLite store."""
PRIVILEGED: Final = frozenset({"full-disk", "read-only"})
"""Faults that need a separate file system, and the privilege to mount one."""


def faults_for(scene: Scene) -> tuple[str, ...]:
    """Return the faults that this environment supports and that are not left out."""
    unavailable = {
        *scene.without,
        *(PRIVILEGED if scene.disk is None else ()),
        *(("clock",) if scene.clock is None else ()),
        *(("queues-away",) if scene.queues is None else ()),
        *(OF_FILES if scene.postgres is not None else ()),
        *(("postgres-away", "postgres-restart", "postgres-hang") if scene.postgres is None else ()),
    }
    return tuple(name for name in FAULTS if name not in unavailable)
