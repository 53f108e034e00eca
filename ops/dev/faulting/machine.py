"""One machine with the whole service on it: started, killed, and started again at the same address."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Final

from ops.throwaway import LIMITS, ROOT, alone_in, last_line
from projections.platform.settings import variables

START_SECONDS: Final = 60.0
LOOK_SECONDS: Final = 0.05
OK: Final = 200
BUSY_SECONDS: Final = 10.0
NAMES: Final = {"ops.service": "service", "follower": "follower", "worker": "worker", "valkey-server": "valkey"}
"""By what a process of the service is known: a word of its command."""


class NotBack(Exception):
    """Something that should have come back has not: the sentence says what."""


def wait_until(what: str, is_so: Callable[[], bool], seconds: float = START_SECONDS) -> float:
    """How long it took; `NotBack` when it took longer than that."""
    begun = time.monotonic()
    while not is_so():
        if time.monotonic() - begun > seconds:
            raise NotBack(f"{what}: not within {seconds:.0f} s")
        time.sleep(LOOK_SECONDS)
    return time.monotonic() - begun


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as bound:
        port: int = bound.getsockname()[1]
        return port


def children_of(pid: int) -> list[int]:
    """The processes that a process has started."""
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def command_of(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
    except OSError:
        return []


class Machine:
    """The service by its supervisor, on a data folder, at a port of its own."""

    def __init__(self, data: Path, beside: Path, environment: Mapping[str, str] | None = None, **words: object) -> None:
        """`beside` is a folder that no fault touches; `words` are settings by the names of their fields."""
        self.data = data
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._said = beside / "service.log"
        self.environment = (
            alone_in(os.environ) | variables(**dict.fromkeys(LIMITS, 0), **words) | dict(environment or {})
        )
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def begin(self) -> None:
        """Starts the supervisor, whether or not it can run."""
        command = [sys.executable, "-m", "ops.cli", "serve", "--json", "--port", str(self.port)]
        with self._said.open("ab") as said:
            self._process = subprocess.Popen(
                [*command, "--data", str(self.data)],
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                start_new_session=True,
            )

    def start(self) -> float:
        """Until it answers; a start that fails because the one before is still ending is made again, as whoever
        supervises supervisors does."""
        begun = time.monotonic()
        self.begin()

        def is_up() -> bool:
            assert self._process is not None
            if self._process.poll() is not None:
                self.begin()
            is_there = any(name == "service" for name, _ in self.processes())
            return is_there and self.answers("/api/health") == OK

        try:
            wait_until("the service starts", is_up)
        except NotBack as fault:
            raise NotBack(f"{fault} ({last_line(self._said)})") from fault
        return time.monotonic() - begun

    def refusal(self) -> tuple[int, str]:
        """Starts it where it cannot run: its exit status, and the last thing it said."""
        self.begin()
        assert self._process is not None
        status = self._process.wait(START_SECONDS)
        return status, last_line(self._said)

    def answers(self, path: str, seconds: float = 5.0) -> int:
        """The status of an answer; 0: there is none."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=seconds)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            answer.read()
            return answer.status
        except (OSError, HTTPException):
            return 0
        finally:
            connection.close()

    def processes(self) -> list[tuple[str, int]]:
        """The processes of the service that run now, by name."""
        found = []
        for pid in children_of(self.pid):
            words = command_of(pid)
            name = next((name for word, name in NAMES.items() if any(each.endswith(word) for each in words)), None)
            if name is not None:
                found.append((name, pid))
        return sorted(found)

    def stop(self) -> None:
        """Orderly."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(START_SECONDS)

    def kill_supervisor(self) -> None:
        """What it has started ends with it."""
        left = [pid for _, pid in self.processes()]
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        wait_until("all processes end with their supervisor", lambda: not any(map(is_alive, left)))

    def close(self) -> None:
        if self.is_running():
            self.stop()


def is_alive(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists() and state_of(pid) != "Z"


def state_of(pid: int) -> str:
    """The state of a process, a letter of Linux."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"


class SmallDisk:
    """A file system of a few megabytes in memory, that can be filled and made read-only."""

    def __init__(self, folder: Path, megabytes: int) -> None:
        self.folder, self.why = folder, ""
        folder.mkdir()
        run("mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=0700", "esporles", str(folder))

    def fill(self) -> None:
        """Until not a byte more can be written."""
        ballast = self.folder / "ballast"
        with ballast.open("ab", buffering=0) as file:
            for size in (1 << 20, 1 << 12, 1 << 9, 1):
                try:
                    while True:
                        file.write(bytes(size))
                except OSError:
                    continue

    def free(self) -> None:
        (self.folder / "ballast").unlink()

    def make_read_only(self, is_so: bool) -> None:
        """Once nobody has a file open there to write."""

        def is_done() -> bool:
            try:
                run("mount", "-o", f"remount,{'ro' if is_so else 'rw'}", str(self.folder))
            except NotAllowed as fault:
                self.why = str(fault)
                return False
            return True

        try:
            wait_until("the file system is read-only", is_done, BUSY_SECONDS)
        except NotBack as fault:
            raise NotAllowed(f"{self.why}; used by {', '.join(self.users())}") from fault

    def users(self) -> list[str]:
        """Who has a file open there."""
        found = []
        for link in Path("/proc").glob("[0-9]*/fd/*"):
            with contextlib.suppress(OSError):
                if Path(link.readlink()).is_relative_to(self.folder):
                    found.append(f"{link.parts[2]} {' '.join(command_of(int(link.parts[2])))[:80]}: {link.readlink()}")
        return found

    def close(self) -> None:
        run("umount", "-l", str(self.folder))


def run(*command: str) -> None:
    """A command of the system; `NotAllowed` with what it said."""
    if shutil.which(command[0]) is None:
        raise NotAllowed(f"there is no {command[0]} here")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotAllowed(f"{' '.join(command)}: {done.stderr.strip()}")


class NotAllowed(Exception):
    """This machine does not let us: the sentence says what."""


OFFSET: Final = struct.Struct("l")
CLOCK_SOURCE: Final = Path(__file__).with_name("clock.c")


class Clock:
    """A wall clock for the processes of a machine that can be set; `NotAllowed` where no compiler is.

    What there is ready-made (libfaketime 0.9.10) breaks the sleep of Python 3.11, which is by the monotonic clock.
    """

    def __init__(self, folder: Path) -> None:
        library, self._file = folder / "clock.so", folder / "clock"
        run("cc", "-shared", "-fPIC", "-O2", "-o", str(library), str(CLOCK_SOURCE), "-ldl")
        self._file.write_bytes(OFFSET.pack(0))
        self.environment = {"LD_PRELOAD": str(library), "FAULTS_CLOCK_OFFSET": str(self._file)}

    def set(self, seconds: int) -> None:
        """From now on it is so many seconds off, for every process that has it."""
        with self._file.open("r+b") as file:
            file.write(OFFSET.pack(seconds))
