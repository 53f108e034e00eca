"""The whole service on one machine: started, killed, and restarted at the same address."""

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

from ops.temporary_service import LIMITS, ROOT, isolated_environment, last_line
from projections.platform.settings import variables

START_SECONDS: Final = 60.0
LOOK_SECONDS: Final = 0.05
OK: Final = 200
BUSY_SECONDS: Final = 10.0
NAMES: Final = {"ops.service": "service", "follower": "follower", "worker": "worker", "valkey-server": "valkey"}
"""Names of the service's processes, by a word of their command line."""


class NotRecovered(Exception):
    """Something that should have recovered has not; the message describes it."""


def wait_until(description: str, condition: Callable[[], bool], seconds: float = START_SECONDS) -> float:
    """Wait until a condition holds; return the seconds, or raise `NotRecovered` after `seconds`."""
    started = time.monotonic()
    while not condition():
        if time.monotonic() - started > seconds:
            raise NotRecovered(f"timeout after {seconds:.0f} s: {description}")
        time.sleep(LOOK_SECONDS)
    return time.monotonic() - started


def free_port() -> int:
    """Return a free port of the loopback interface."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


def children_of(pid: int) -> list[int]:
    """Return the child processes of a process; none if it has ended."""
    try:
        child_lists = Path(f"/proc/{pid}/task").glob("*/children")
        return [int(pid_text) for children in child_lists for pid_text in children.read_text().split()]
    except OSError:
        return []


def command_of(pid: int) -> list[str]:
    """Return a process's command line; empty if it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
    except OSError:
        return []


class Machine:
    """The service under its supervisor, with a data folder and a fixed port."""

    def __init__(
        self, data: Path, folder: Path, environment: Mapping[str, str] | None = None, **options: object
    ) -> None:
        """Prepare the service; logs go to `folder`, which no fault touches; `options` are settings by field name."""
        self.data = data
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._log_path = folder / "service.log"
        self.environment = (
            isolated_environment(os.environ)
            | variables(**dict.fromkeys(LIMITS, 0), **options)
            | dict(environment or {})
        )
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """Return the process id of the supervisor."""
        assert self._process is not None
        return self._process.pid

    def is_running(self) -> bool:
        """Return whether the supervisor runs."""
        return self._process is not None and self._process.poll() is None

    def begin(self) -> None:
        """Start the supervisor without waiting for it; its output is appended to the log."""
        command = [sys.executable, "-m", "ops.cli", "serve", "--json", "--port", str(self.port)]
        with self._log_path.open("ab") as output:
            self._process = subprocess.Popen(
                [*command, "--data", str(self.data)],
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def start(self) -> float:
        """Start the service and wait until it responds; return the seconds.

        A start that fails because the previous processes are still ending is repeated, as an init system would do.
        Raises `NotRecovered` with the last line of the log after `START_SECONDS`.
        """
        started = time.monotonic()
        self.begin()

        def is_up() -> bool:
            assert self._process is not None
            if self._process.poll() is not None:
                self.begin()
            has_service = any(name == "service" for name, _ in self.processes())
            return has_service and self.response_status("/api/health") == OK

        try:
            wait_until("the service starts", is_up)
        except NotRecovered as fault:
            raise NotRecovered(f"{fault} ({last_line(self._log_path)})") from fault
        return time.monotonic() - started

    def refusal(self) -> tuple[int, str]:
        """Start the service where it cannot run; return its exit status and last line of output.

        Raises `subprocess.TimeoutExpired` if it runs nevertheless.
        """
        self.begin()
        assert self._process is not None
        status = self._process.wait(START_SECONDS)
        return status, last_line(self._log_path)

    def response_status(self, path: str, seconds: float = 5.0) -> int:
        """Return the status of a response, or 0 if there is none."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=seconds)
        try:
            connection.request("GET", path)
            response = connection.getresponse()
            response.read()
            return response.status
        except (OSError, HTTPException):
            return 0
        finally:
            connection.close()

    def processes(self) -> list[tuple[str, int]]:
        """Return name and id of the service's running processes, sorted."""
        running = []
        for pid in children_of(self.pid):
            command = command_of(pid)
            name = next(
                (name for suffix, name in NAMES.items() if any(each.endswith(suffix) for each in command)), None
            )
            if name is not None:
                running.append((name, pid))
        return sorted(running)

    def stop(self) -> None:
        """Stop the service by SIGTERM and wait; raise `subprocess.TimeoutExpired` after `START_SECONDS`."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(START_SECONDS)

    def kill_supervisor(self) -> None:
        """Kill the supervisor and wait until its processes have ended too; raise `NotRecovered` if they do not."""
        pids = [pid for _, pid in self.processes()]
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        wait_until("all processes exit with their supervisor", lambda: not any(map(is_alive, pids)))

    def close(self) -> None:
        """Stop the service if it runs."""
        if self.is_running():
            self.stop()


def is_alive(pid: int) -> bool:
    """Return whether a process runs; a zombie does not."""
    return Path(f"/proc/{pid}").exists() and state_of(pid) != "Z"


def state_of(pid: int) -> str:
    """Return the state of a process, a letter of Linux; Z if it has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"


class SmallDisk:
    """A small in-memory file system that can be filled and made read-only."""

    def __init__(self, folder: Path, megabytes: int) -> None:
        self.folder, self.why = folder, ""
        folder.mkdir()
        run("mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=0700", "esporles", str(folder))

    def fill(self) -> None:
        """Write until no byte is left."""
        ballast = self.folder / "ballast"
        with ballast.open("ab", buffering=0) as file:
            for size in (1 << 20, 1 << 12, 1 << 9, 1):
                try:
                    while True:
                        file.write(bytes(size))
                except OSError:
                    continue

    def free(self) -> None:
        """Free the space that `fill` took."""
        (self.folder / "ballast").unlink()

    def make_read_only(self, is_read_only: bool) -> None:
        """Remount read-only or writable; wait until no process has a file open for writing.

        Raises `NotAllowed`, naming the processes, after `BUSY_SECONDS`.
        """

        def is_done() -> bool:
            try:
                run("mount", "-o", f"remount,{'ro' if is_read_only else 'rw'}", str(self.folder))
            except NotAllowed as fault:
                self.why = str(fault)
                return False
            return True

        try:
            wait_until("the file system is read-only", is_done, BUSY_SECONDS)
        except NotRecovered as fault:
            raise NotAllowed(f"{self.why}; used by {', '.join(self.users())}") from fault

    def users(self) -> list[str]:
        """Return process, command and file of everyone who has a file open on the disk."""
        users = []
        for link in Path("/proc").glob("[0-9]*/fd/*"):
            with contextlib.suppress(OSError):
                if Path(link.readlink()).is_relative_to(self.folder):
                    users.append(f"{link.parts[2]} {' '.join(command_of(int(link.parts[2])))[:80]}: {link.readlink()}")
        return users

    def close(self) -> None:
        """Unmount the file system."""
        run("umount", "-l", str(self.folder))


def run(*command: str) -> None:
    """Run a system command; raise `NotAllowed` if it is missing, or with its error output if it fails."""
    if shutil.which(command[0]) is None:
        raise NotAllowed(f"{command[0]} not found")
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        raise NotAllowed(f"{' '.join(command)}: {result.stderr.strip()}")


class NotAllowed(Exception):
    """An operation that the machine does not permit; the message says which."""


OFFSET: Final = struct.Struct("l")
CLOCK_SOURCE: Final = Path(__file__).with_name("clock.c")


class Clock:
    """An adjustable wall clock for the processes of a machine; raises `NotAllowed` without a C compiler.

    libfaketime 0.9.10 breaks `time.sleep` of Python 3.11, which uses the monotonic clock.
    """

    def __init__(self, folder: Path) -> None:
        library, self._file = folder / "clock.so", folder / "clock"
        run("cc", "-shared", "-fPIC", "-O2", "-o", str(library), str(CLOCK_SOURCE), "-ldl")
        self._file.write_bytes(OFFSET.pack(0))
        self.environment = {"LD_PRELOAD": str(library), "FAULTS_CLOCK_OFFSET": str(self._file)}

    def set(self, seconds: int) -> None:
        """Shift the clock of every process that uses it by `seconds`."""
        with self._file.open("r+b") as file:
            file.write(OFFSET.pack(seconds))
