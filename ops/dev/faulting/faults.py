"""The faults: each is brought about, lasts a while, and is lifted; what is to be seen meanwhile is said."""

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

from ops.dev.faulting.machine import Clock, Machine, NotBack, SmallDisk, wait_until

HOLD_SECONDS: Final = (1.0, 6.0)
AWAY_SECONDS: Final = (3.0, 60.0)
JUMP_SECONDS: Final = (-7_200, 7_200)
SILENT_SECONDS: Final = 3.0
"""So long a request may take while the database stands still: two seconds, and one for a busy machine."""
WHOLE_SECONDS: Final = 30.0
"""So long a match may take to be read right after a start; how long what was put back took is said."""
REFUSED: Final = 1
"""What a start that cannot be ends with."""


@dataclass
class Store:
    """A server beside the service that can be taken away: a database, or the queues."""

    stop: Callable[[], None]
    start: Callable[[], None]
    pids: Callable[[], list[int]]


@dataclass
class Scene:
    """What there is to be broken."""

    machine: Machine
    luck: random.Random
    victim: Callable[[], tuple[str, int]]
    """A match that nobody plays on, and one of its entries."""
    without: Sequence[str] = ()
    """Faults that are left out."""
    brief: bool = False
    """Faults last as long as they need to be seen, no longer."""
    disk: SmallDisk | None = None
    clock: Clock | None = None
    postgres: Store | None = None
    queues: Store | None = None
    found: list[str] = field(default_factory=list)
    """What is not as it should be."""
    stood: float = 0.0
    """So many seconds of the last fault nobody could answer, for who answers stood still."""

    def expect(self, is_so: bool, sentence: str) -> None:
        if not is_so:
            self.found.append(sentence)

    def hold(self, bounds: tuple[float, float] = HOLD_SECONDS) -> float:
        """Waits for a while, drawn; how long."""
        seconds = bounds[0] if self.brief else self.luck.uniform(*bounds)
        time.sleep(seconds)
        return seconds


def kill(scene: Scene) -> str:
    """Any processes at once, as a crash would; they come back by themselves."""
    processes = scene.machine.processes()
    chosen = scene.luck.sample(processes, scene.luck.randint(1, min(3, len(processes))))
    for _, pid in chosen:
        os.kill(pid, signal.SIGKILL)
    count, killed = len(processes), {pid for _, pid in chosen}

    def are_back() -> bool:
        now = scene.machine.processes()
        return len(now) == count and not killed & {pid for _, pid in now}

    wait_until("every process is back", are_back)
    return ", ".join(name for name, _ in chosen)


def stop(scene: Scene) -> str:
    """A process that hangs, and goes on where it was."""
    name, pid = scene.luck.choice([*scene.machine.processes(), ("supervisor", scene.machine.pid)])
    os.kill(pid, signal.SIGSTOP)
    try:
        seconds = scene.hold()
    finally:
        os.kill(pid, signal.SIGCONT)
    scene.stood = seconds if name == "service" else 0.0
    return f"{name} for {seconds:.1f} s"


def supervisor(scene: Scene) -> str:
    """The supervisor is killed, and with it all it has started; somebody starts it again."""
    scene.machine.kill_supervisor()
    return f"answers again after {scene.machine.start():.1f} s"


def restart(scene: Scene) -> str:
    """An orderly stop and a start."""
    scene.machine.stop()
    return f"answers again after {scene.machine.start():.1f} s"


def full_disk(scene: Scene) -> str:
    """Not a byte can be written for a while."""
    assert scene.disk is not None
    scene.disk.fill()
    try:
        seconds = scene.hold()
        scene.expect(scene.machine.answers("/api/health") == 200, "with a full disk the service does not say it lives")
        scene.expect(scene.machine.answers("/api/matches") == 200, "with a full disk the list of tables is not shown")
    finally:
        scene.disk.free()
    return f"for {seconds:.1f} s"


def read_only(scene: Scene) -> str:
    """The folder of the data cannot be written to when the service starts: it says so, and starts when it can."""
    assert scene.disk is not None
    scene.machine.stop()
    scene.disk.make_read_only(True)
    try:
        status, said = scene.machine.refusal()
    finally:
        scene.disk.make_read_only(False)
    scene.machine.start()
    scene.expect(status == REFUSED and said.startswith("esporles"), f"in a read-only folder it ends {status}: {said}")
    return said


def clock(scene: Scene) -> str:
    """The clock of the machine jumps."""
    assert scene.clock is not None
    offset = scene.luck.randint(*JUMP_SECONDS)
    scene.clock.set(offset)
    scene.hold()
    return f"it is {offset:+d} s off"


def corrupt_reads(scene: Scene) -> str:
    """Pages of the read models hold something else at a start."""
    scene.machine.stop()
    path = scene.machine.data / "reads.db"
    size = path.stat().st_size
    with path.open("r+b") as file:
        for _ in range(8):
            file.seek(scene.luck.randrange(0, size, 512))
            file.write(scene.luck.randbytes(512))
    seconds = scene.machine.start()
    aside = list(scene.machine.data.glob("reads.db.unreadable-*"))
    for each in aside:
        each.unlink()
    return f"{'set aside' if aside else 'read as it was'}, answers after {seconds:.1f} s"


def missing_reads(scene: Scene) -> str:
    """The read models are not there at a start."""
    scene.machine.stop()
    for end in ("", "-wal", "-shm"):
        (scene.machine.data / f"reads.db{end}").unlink(missing_ok=True)
    return f"answers after {scene.machine.start():.1f} s"


def corrupt_log(scene: Scene) -> str:
    """A byte of an entry is another one on the disk: that match is refused, the others go on; then it is put back."""
    match_id, version = scene.victim()
    scene.machine.stop()
    path = scene.machine.data / "log.db"
    with closing(sqlite3.connect(path)) as log:
        log.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    stored = state_of(path, match_id, version)
    if stored is None:
        scene.machine.start()
        raise NotBack(f"entry {version} of the match {match_id} is not in the log")
    at = scene.luck.randrange(min(len(stored), 60))
    place, byte = changed_place(path, match_id, version, stored, at)
    scene.machine.start()
    refused = scene.machine.answers(f"/api/matches/{match_id}/entries", WHOLE_SECONDS)
    scene.expect(refused == 503, f"a match with a changed entry in the log is answered with {refused}")
    scene.hold()
    scene.machine.stop()
    change(path, place, byte)
    scene.machine.start()
    begun = time.monotonic()
    whole = scene.machine.answers(f"/api/matches/{match_id}/entries", WHOLE_SECONDS)
    seconds = time.monotonic() - begun
    scene.expect(whole == 200, f"the match whose entry was put back is answered with {whole}")
    return f"entry {version}, refused with {refused}; put back, it is read after {seconds:.1f} s"


def state_of(path: Path, match_id: str, version: int) -> bytes | None:
    """An entry as the log has it; None: it does not have it."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as log:
        found = log.execute(
            "SELECT state FROM stored_events WHERE originator_id = ? AND originator_version = ?",
            (UUID(match_id).hex, version),
        ).fetchone()
    return None if found is None else bytes(found[0])


def changed_place(path: Path, match_id: str, version: int, stored: bytes, at: int) -> tuple[int, int]:
    """Changes a byte of an entry on the disk: where, and what it was. What was moved to another page may stand in its
    old one still, where nobody reads it; so it is asked whether the log has another entry now."""
    content, begun = path.read_bytes(), stored[:60]
    found = content.find(begun)
    while found >= 0:
        place = found + at
        change(path, place, content[place] ^ 1)
        if state_of(path, match_id, version) != stored:
            return place, content[place]
        change(path, place, content[place])
        found = content.find(begun, found + 1)
    raise NotBack(f"entry {version} of the match {match_id} is nowhere in the file of the log")


def change(path: Path, place: int, byte: int) -> None:
    with path.open("r+b") as file:
        file.seek(place)
        file.write(bytes([byte]))


def queues_hang(scene: Scene) -> str:
    """The queues and the doorbell are there and say nothing."""
    pids = scene.queues.pids() if scene.queues else []
    pids = pids or [pid for name, pid in scene.machine.processes() if name == "valkey"]
    return hang(scene, pids)


def queues_away(scene: Scene) -> str:
    """They are not there for a while."""
    assert scene.queues is not None
    return take_away(scene, scene.queues)


def postgres_away(scene: Scene) -> str:
    """The database is not there for a while."""
    assert scene.postgres is not None
    return take_away(scene, scene.postgres)


def postgres_restart(scene: Scene) -> str:
    """The database is started anew: every connection of before is dead."""
    assert scene.postgres is not None
    scene.postgres.stop()
    scene.postgres.start()
    return "at once"


def postgres_hang(scene: Scene) -> str:
    """The database is there and says nothing: nobody is kept waiting, and the service is not ready."""
    assert scene.postgres is not None

    def look() -> None:
        scene.expect(scene.machine.answers("/api/health") == 200, "the service does not say that it lives")
        for path in ("/api/ready", "/api/matches", "/", "/api/ready"):
            status = scene.machine.answers(path, SILENT_SECONDS)
            scene.expect(status == 503, f"while the database stands still, {path} is answered with {status}")

    return hang(scene, scene.postgres.pids(), look)


def take_away(scene: Scene, store: Store) -> str:
    store.stop()
    try:
        seconds = scene.hold(AWAY_SECONDS)
        scene.expect(scene.machine.answers("/api/health") == 200, "the service does not say that it lives")
    finally:
        store.start()
    return f"for {seconds:.1f} s"


def hang(scene: Scene, pids: list[int], look: Callable[[], None] = lambda: None) -> str:
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        look()
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
"""What is done to the files of a store that is SQLite."""
PRIVILEGED: Final = frozenset({"full-disk", "read-only"})
"""What takes a file system of its own."""


def faults_for(scene: Scene) -> tuple[str, ...]:
    """Those that can be brought about here, and are wanted."""
    lacking = {
        *scene.without,
        *(PRIVILEGED if scene.disk is None else ()),
        *(("clock",) if scene.clock is None else ()),
        *(("queues-away",) if scene.queues is None else ()),
        *(OF_FILES if scene.postgres is not None else ()),
        *(("postgres-away", "postgres-restart", "postgres-hang") if scene.postgres is None else ()),
    }
    return tuple(name for name in FAULTS if name not in lacking)
