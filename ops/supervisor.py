"""`esporles serve`: starts everything on one machine, starts again what dies, stops everything on a signal."""

import ctypes
import os
import queue
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Final

import msgspec

from domain.eventstore.writer_lock import FOLDER_OF_OWNER, StoreBusy, writer_lock
from domain.notifications.kinds import Way
from ops.embedded import socket_folder, valkey_command
from ops.sockets import bound_socket, private_socket, url_of
from projections.platform.backoff import Backoff
from projections.platform.descriptors import raise_descriptor_limit
from projections.platform.examining import set_aside_unreadable
from projections.platform.setting_values import UNIX, split_listener
from projections.platform.settings import Settings, variables
from workers.unix_http import NO_ANSWER, UnixClient

WORKER_COUNT: Final = 2
READY_SECONDS_MAX: Final = 120.0
"""Until the first answer of the web process: on a machine that is busy with something else thirty were too few."""
STOP_SECONDS_MAX: Final = 5.0
BUSY_SECONDS_MAX: Final = 1.0
BUSY_LOOK_SECONDS: Final = 0.05
CALM_SECONDS: Final = 10.0
"""A process that lived longer than this did not die of its start."""
RESTARTS: Final = Backoff(0.1, 5.0)
"""Seconds until a process that has died is started again."""
DIE_WITH_PARENT: Final = 1
"""PR_SET_PDEATHSIG of Linux: a killed supervisor leaves nobody behind."""

STDERR: Final = 2
"""Where children write: what the supervisor itself says may be a document, which nobody else may break into."""

SERVICE_MODULE: Final = "ops.service"
"""The module that is run as the service process; a test's launcher may put one of its own in its place."""

VALKEY: Final = "valkey"
SERVICE: Final = "service"
FOLLOWER: Final = "follower"
WORKER: Final = "worker"
OUTGOING: Final[Mapping[Way, str]] = {"mail": "mailer", "push": "pusher"}
"""Who hands messages over, by the ways that are set."""


class Programs(msgspec.Struct, frozen=True):
    """The modules that are run: the service, and the one that is told to be a follower or a worker."""

    service: tuple[str, ...] = (SERVICE_MODULE,)
    workers: tuple[str, ...] = ("workers.main",)


PROGRAMS: Final = Programs()


class CannotWrite(Exception):
    """The folder of the data is not one, or is read-only, or the disk is full."""


class Started(msgspec.Struct, frozen=True):
    """Where to look: the first page, the data, the private socket, and the processes by name."""

    url: str
    data: str
    socket: str
    seconds: float
    processes: dict[str, int]
    metrics: dict[str, str] = {}
    """Where each of them answers with its figures."""


def announce(started: Started) -> None:
    """Reports to the process that started it."""
    sys.stdout.write(
        f"Esporles is ready at {started.url} (started in {started.seconds:.1f} s, data in {started.data})\n"
    )
    sys.stdout.write("Ctrl-C stops it.\n")
    sys.stdout.flush()


class Restarted(msgspec.Struct, frozen=True):
    """A process that had ended with `code` runs again."""

    name: str
    code: int
    pid: int


def report(restarted: Restarted) -> None:
    """Says so where errors are read."""
    sys.stderr.write(f"{restarted.name} ended with code {restarted.code} and was started again\n")


class Child:
    """A process and how to start it again."""

    def __init__(self, name: str, command: Sequence[str], environment: Mapping[str, str], fds: Sequence[int]) -> None:
        self.name = name
        self._command = command
        self.environment: Final = environment
        self._fds = fds
        self._process: subprocess.Popen[bytes] | None = None
        self._started_at = 0.0
        self._failures = 0

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self, exits: "queue.SimpleQueue[SupervisorNews]") -> None:
        """Starts it, in a session of its own: a Ctrl-C is the supervisor's to answer."""
        self._started_at = time.monotonic()
        self._process = subprocess.Popen(
            self._command,
            env=self.environment,
            pass_fds=self._fds,
            stdin=subprocess.DEVNULL,
            stdout=STDERR,
            start_new_session=True,
            preexec_fn=die_with_parent,  # noqa: PLW1509  # one system call, prepared before; takes no lock
        )
        threading.Thread(target=self._watch, args=(self._process, exits), daemon=True).start()

    def _watch(self, process: "subprocess.Popen[bytes]", exits: "queue.SimpleQueue[SupervisorNews]") -> None:
        code = process.wait()
        exits.put(Exited(self.name, code))

    def pause_seconds(self) -> float:
        """How long to wait before the next start: the longer, the more often it died soon after the last ones."""
        lived = time.monotonic() - self._started_at
        self._failures = 1 if lived > CALM_SECONDS else self._failures + 1
        return RESTARTS.delay(self._failures)

    def signal(self, number: int) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(number)

    def wait(self, seconds: float) -> None:
        """Until it has ended; one that does not in time is killed."""
        if self._process is None:
            return
        try:
            self._process.wait(max(0.0, seconds))
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def stop_in_turn(groups: Iterable[Sequence[Child]], seconds: float = STOP_SECONDS_MAX) -> None:
    """One group after the other. Each has so long: a worker at a long job is killed, and the service still ends by
    itself."""
    for group in groups:
        deadline = time.monotonic() + seconds
        for child in group:
            child.signal(signal.SIGTERM)
        for child in group:
            child.wait(deadline - time.monotonic())


class Exited(msgspec.Struct, frozen=True):
    name: str
    code: int


class Ready(msgspec.Struct, frozen=True):
    """The service has answered its first request."""


class Stopped(msgspec.Struct, frozen=True):
    """A signal asked the supervisor to stop."""


SupervisorNews = Exited | Ready | Stopped

PRCTL: Final = ctypes.CDLL(None, use_errno=True).prctl if sys.platform == "linux" else None
"""Looked up here and not after the fork: a lock of the loader that another thread held then would be held for ever."""


def die_with_parent() -> None:
    """Runs in the new process, before its program."""
    if PRCTL is not None:
        PRCTL(DIE_WITH_PARENT, signal.SIGTERM)


def listeners(first: str, folder: Path, names: Sequence[str]) -> dict[str, str]:
    """Where each process answers with its figures: at the port of the first and those after it, or in the folder of the
    private sockets where none is named."""
    where = split_listener(first) if first else folder
    if isinstance(where, Path):
        return {name: f"{UNIX}{folder / name}.metrics" for name in names}
    host = f"[{where[0]}]" if ":" in where[0] else where[0]
    return {name: f"{host}:{where[1] + number}" for number, name in enumerate(names)}


class Supervisor:
    """The processes of one machine, from the first start to the last stop."""

    def __init__(self, settings: Settings, folder: Path, worker_count: int, programs: Programs) -> None:
        self._settings = settings
        self._programs = programs
        self._begun_at = time.monotonic()
        self._events: queue.SimpleQueue[SupervisorNews] = queue.SimpleQueue()
        self.public = bound_socket(settings.host, settings.port)
        self.path = settings.socket or folder / "service.sock"
        self.private = private_socket(self.path)
        names = [SERVICE, FOLLOWER, *(f"{WORKER}-{number}" for number in range(1, worker_count + 1))]
        names += [OUTGOING[way] for way in settings.outgoing.ways]
        self._metrics = listeners(settings.metrics, folder, names)
        self.children: Final = {child.name: child for child in self._plan(folder)}
        self._is_ready = False

    def _plan(self, folder: Path) -> list[Child]:
        """The children, in the order of their start; they stop in the opposite one."""
        settings, fds = self._settings, (self.public.fileno(), self.private.fileno())
        valkey = folder / "valkey.sock"
        environment = os.environ | variables(
            data=settings.data,
            store=settings.store_url,
            reads=settings.reads_url,
            redis=settings.redis or f"unix://{valkey}",
            socket=self.path,
            token=settings.token or secrets.token_urlsafe(32),
        )
        python = (sys.executable, "-m")
        service = variables(listen_fds=",".join(map(str, fds)), port=self.public.getsockname()[1])
        children = (
            []
            if settings.redis
            else [Child(VALKEY, valkey_command(valkey, settings.data / "valkey.log"), environment, ())]
        )
        for name, metrics in self._metrics.items():
            told, module = environment | variables(metrics=metrics), (*python, *self._programs.workers)
            if name == SERVICE:
                children.append(Child(name, (*python, *self._programs.service), told | service, fds))
            elif name == FOLLOWER:
                children.append(Child(name, (*module, FOLLOWER), told, ()))
            elif name in OUTGOING.values():
                children.append(Child(name, (*module, name), told, ()))
            else:
                is_free = name == f"{WORKER}-1" and f"{WORKER}-2" in self._metrics
                children.append(Child(name, (*module, WORKER), told | variables(thinks=int(not is_free)), ()))
        return children

    def run(self, on_ready: Callable[[Started], None], on_restart: Callable[[Restarted], None]) -> int:
        """Runs until it is stopped; 1 when the service could not be started."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._on_signal)
        for child in self._servers():
            child.start(self._events)
        threading.Thread(target=self._wait_until_ready, daemon=True).start()
        try:
            return self._watch(on_ready, on_restart)
        finally:
            self._stop()

    def _on_signal(self, _: int, __: FrameType | None) -> None:
        self._events.put(Stopped())

    def _watch(self, on_ready: Callable[[Started], None], on_restart: Callable[[Restarted], None]) -> int:
        waiting: dict[str, tuple[float, int]] = {}
        while True:
            try:
                pause = max(0.0, min(waiting.values())[0] - time.monotonic()) if waiting else None
                event = self._events.get(timeout=pause)
            except queue.Empty:
                name = min(waiting, key=waiting.__getitem__)
                _, code = waiting.pop(name)
                self.children[name].start(self._events)
                on_restart(Restarted(name, code, self.children[name].pid))
                continue
            if isinstance(event, Stopped):
                return 0
            if isinstance(event, Ready):
                self._is_ready = True
                seconds = time.monotonic() - self._begun_at
                for child in self._clients():
                    child.start(self._events)
                on_ready(self._start(seconds))
            elif event.name == SERVICE and not self._is_ready:
                sys.stderr.write(f"the service ended with code {event.code} before it answered a request\n")
                return 1
            else:
                pause = self.children[event.name].pause_seconds()
                waiting[event.name] = (time.monotonic() + pause, event.code)

    def _servers(self) -> list[Child]:
        """Whoever answers. They start alone: on a small machine the others would keep the first page waiting."""
        return [self.children[name] for name in (VALKEY, SERVICE) if name in self.children]

    def _clients(self) -> list[Child]:
        """Whoever asks."""
        return [child for name, child in self.children.items() if name not in {VALKEY, SERVICE}]

    def _start(self, seconds: float) -> Started:
        return Started(
            url=url_of(self.public),
            data=str(self._settings.data),
            socket=str(self.path),
            seconds=seconds,
            processes={name: child.pid for name, child in self.children.items()},
            metrics=self._metrics,
        )

    def _wait_until_ready(self) -> None:
        """The first request waits in the socket's queue until the service takes it."""
        try:
            with UnixClient(self.path, "", READY_SECONDS_MAX) as client:
                client.request("GET", "/api/health")
        except NO_ANSWER as error:
            sys.stderr.write(f"the service does not answer: {error}\n")
            self._events.put(Stopped())
        else:
            self._events.put(Ready())

    def _stop(self) -> None:
        """Clients stop before their servers: workers, follower, service, queue."""
        stop_in_turn((self._clients(), *([server] for server in reversed(self._servers()))))
        self.public.close()
        self.private.close()
        self.path.unlink(missing_ok=True)


def require_writable(folder: Path) -> None:
    """`CannotWrite` unless files can be made in the folder, which is made itself if it is not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=FOLDER_OF_OWNER)
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(b"esporles")
    except OSError as error:
        raise CannotWrite(f"cannot write to the folder {folder}: {error.strerror}") from error


def require_free(settings: Settings) -> None:
    """`StoreBusy` when another service writes to that folder; one that is just stopping is given a moment."""
    if settings.log_file is None:
        return
    wait_until_free(settings.log_file.parent, BUSY_SECONDS_MAX)


def wait_until_free(folder: Path, seconds: float) -> None:
    """Until nobody writes to the folder; `StoreBusy` where somebody still does after so long."""
    until = time.monotonic() + seconds
    while True:
        try:
            with writer_lock(folder):
                return
        except StoreBusy:
            if time.monotonic() > until:
                raise
        time.sleep(BUSY_LOOK_SECONDS)


def serve(
    settings: Settings,
    *,
    worker_count: int = WORKER_COUNT,
    on_ready: Callable[[Started], None] = announce,
    on_restart: Callable[[Restarted], None] = report,
    programs: Programs = PROGRAMS,
) -> int:
    """Runs the whole service in this terminal until SIGTERM or SIGINT; the exit code."""
    raise_descriptor_limit()
    require_writable(settings.data)
    require_free(settings)
    if (aside := set_aside_unreadable(settings.reads_url)) is not None:
        sys.stderr.write(f"the read models could not be read: they lie at {aside} now and are made again\n")
    folder = socket_folder()
    try:
        return Supervisor(settings, folder, worker_count, programs).run(on_ready, on_restart)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
