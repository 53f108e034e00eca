"""`esporles serve`: starts all processes on one machine, restarts dead ones, stops all on a signal."""

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

from domain.eventstore.writer_lock import OWNER_FOLDER_MODE, StoreBusy, writer_lock
from domain.notifications.kinds import Channel
from ops.embedded_valkey import socket_folder, valkey_command
from ops.sockets import bound_socket, metrics_addresses, private_socket, url_of
from projections.platform.backoff import Backoff
from projections.platform.damaged_files import set_aside_unreadable
from projections.platform.descriptors import raise_descriptor_limit
from projections.platform.settings import Settings, variables
from workers.unix_http import REQUEST_ERRORS, UnixClient

WORKER_COUNT: Final = 2
READY_SECONDS_MAX: Final = 120.0
"""Timeout of the first response of the web process; thirty seconds were too few on a busy machine."""
STOP_SECONDS_MAX: Final = 5.0
BUSY_SECONDS_MAX: Final = 1.0
BUSY_LOOK_SECONDS: Final = 0.05
CALM_SECONDS: Final = 10.0
"""Lifetime in seconds above which a death is not attributed to the start."""
RESTARTS: Final = Backoff(0.1, 5.0)
"""Delays in seconds before a dead process is restarted."""
DIE_WITH_PARENT: Final = 1
"""PR_SET_PDEATHSIG of Linux: children die with a killed supervisor."""

STDERR: Final = 2
"""Output of children: stdout belongs to the supervisor, which may print a JSON document there."""

SERVICE_MODULE: Final = "ops.service"
"""The module of the service process, which tests replace."""

VALKEY: Final = "valkey"
SERVICE: Final = "service"
FOLLOWER: Final = "follower"
WORKER: Final = "worker"
OUTGOING: Final[Mapping[Channel, str]] = {"mail": "mailer", "push": "pusher"}
"""The delivery process of each channel of notifications."""


class Programs(msgspec.Struct, frozen=True):
    """The modules to run: the service, and the background processes with the role as argument."""

    service: tuple[str, ...] = (SERVICE_MODULE,)
    workers: tuple[str, ...] = ("workers.main",)


PROGRAMS: Final = Programs()


class CannotWrite(Exception):
    """The error of an unwritable data folder: no folder, read-only, or disk full."""


class Started(msgspec.Struct, frozen=True):
    """A started service: URL, data folder, private socket, and processes by name."""

    url: str
    data: str
    socket: str
    seconds: float
    processes: dict[str, int]
    metrics: dict[str, str] = {}
    """The metrics address of each process."""


def announce(started: Started) -> None:
    """Print the URL, the time of the start and the data folder of the service."""
    sys.stdout.write(f"listening on {started.url} (started in {started.seconds:.1f} s, data in {started.data})\n")
    sys.stdout.write("press Ctrl-C to stop\n")
    sys.stdout.flush()


class Restarted(msgspec.Struct, frozen=True):
    """A process that exited with `code` and was restarted."""

    name: str
    code: int
    pid: int


def report(restarted: Restarted) -> None:
    """Report a restart on stderr."""
    sys.stderr.write(f"{restarted.name} exited with status {restarted.code}, restarted\n")


class Child:
    """A process that can be restarted."""

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
        """Return the process id."""
        assert self._process is not None
        return self._process.pid

    def start(self, exits: "queue.SimpleQueue[SupervisorNews]") -> None:
        """Start the process in a separate session, because the supervisor handles Ctrl-C; its exit becomes an event."""
        self._started_at = time.monotonic()
        self._process = subprocess.Popen(
            self._command,
            env=self.environment,
            pass_fds=self._fds,
            stdin=subprocess.DEVNULL,
            stdout=STDERR,
            start_new_session=True,
            preexec_fn=die_with_parent,  # noqa: PLW1509  # a single system call, prepared in advance; takes no lock
        )
        threading.Thread(target=self._watch, args=(self._process, exits), daemon=True).start()

    def _watch(self, process: "subprocess.Popen[bytes]", exits: "queue.SimpleQueue[SupervisorNews]") -> None:
        code = process.wait()
        exits.put(Exited(self.name, code))

    def pause_seconds(self) -> float:
        """Count a death and return the delay before the next start.

        It grows with each death within `CALM_SECONDS` of the start; a later death begins again.
        """
        lifetime = time.monotonic() - self._started_at
        self._failures = 1 if lifetime > CALM_SECONDS else self._failures + 1
        return RESTARTS.delay(self._failures)

    def signal(self, number: int) -> None:
        """Send a signal to the process if it is running."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(number)

    def wait(self, seconds: float) -> None:
        """Wait until the process exits; kill it after `seconds`."""
        if self._process is None:
            return
        try:
            self._process.wait(max(0.0, seconds))
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def stop_in_turn(groups: Iterable[Sequence[Child]], seconds: float = STOP_SECONDS_MAX) -> None:
    """Stop groups of processes in order by SIGTERM; kill processes of a group that run after `seconds`.

    A worker at a long job is killed, and the service still shuts down cleanly.
    """
    for group in groups:
        deadline = time.monotonic() + seconds
        for child in group:
            child.signal(signal.SIGTERM)
        for child in group:
            child.wait(deadline - time.monotonic())


class Exited(msgspec.Struct, frozen=True):
    """The event that a process exited."""

    name: str
    code: int


class Ready(msgspec.Struct, frozen=True):
    """The event that the service responded to its first request."""


class Stopped(msgspec.Struct, frozen=True):
    """The event that a signal requested a stop or, with exit status 1, that the service did not respond."""

    code: int = 0


SupervisorNews = Exited | Ready | Stopped

PRCTL: Final = ctypes.CDLL(None, use_errno=True).prctl if sys.platform == "linux" else None
"""Looked up before the fork, because another thread could hold the loader's lock at that time."""


def die_with_parent() -> None:
    """Make the new process die with its parent; runs between fork and exec."""
    if PRCTL is not None:
        PRCTL(DIE_WITH_PARENT, signal.SIGTERM)


class Supervisor:
    """The processes of one machine, from start to stop."""

    def __init__(self, settings: Settings, folder: Path, worker_count: int, programs: Programs) -> None:
        self._settings = settings
        self._programs = programs
        self._begun_at = time.monotonic()
        self._events: queue.SimpleQueue[SupervisorNews] = queue.SimpleQueue()
        self.public = bound_socket(settings.host, settings.port)
        self.path = settings.socket or folder / "service.sock"
        self.private = private_socket(self.path)
        names = [SERVICE, FOLLOWER, *(f"{WORKER}-{number}" for number in range(1, worker_count + 1))]
        names += [OUTGOING[channel] for channel in settings.outgoing.channels]
        self._metrics = metrics_addresses(settings.metrics, folder, names)
        self.children: Final = {child.name: child for child in self._plan(folder)}
        self._is_ready = False

    def _plan(self, folder: Path) -> list[Child]:
        """Return the children in order of their start; they stop in reverse.

        Raises `NoValkey` or `SocketPathTooLong` if a Valkey has to be started and cannot.
        """
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
            child_environment, module = environment | variables(metrics=metrics), (*python, *self._programs.workers)
            if name == SERVICE:
                children.append(Child(name, (*python, *self._programs.service), child_environment | service, fds))
            elif name == FOLLOWER:
                children.append(Child(name, (*module, FOLLOWER), child_environment, ()))
            elif name in OUTGOING.values():
                children.append(Child(name, (*module, name), child_environment, ()))
            else:
                is_free = name == f"{WORKER}-1" and f"{WORKER}-2" in self._metrics
                children.append(
                    Child(name, (*module, WORKER), child_environment | variables(thinks=int(not is_free)), ())
                )
        return children

    def run(self, on_ready: Callable[[Started], None], on_restart: Callable[[Restarted], None]) -> int:
        """Run until stopped and stop all processes; return 1 without a first response of the service, else 0."""
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
        """Start clients when the service responds, restart dead processes after a delay; return 0 at a stop.

        Returns 1 if the service ends before its first response, or does not send it in time.
        """
        restarts: dict[str, tuple[float, int]] = {}
        while True:
            try:
                pause = max(0.0, min(restarts.values())[0] - time.monotonic()) if restarts else None
                event = self._events.get(timeout=pause)
            except queue.Empty:
                name = min(restarts, key=restarts.__getitem__)
                _, code = restarts.pop(name)
                self.children[name].start(self._events)
                on_restart(Restarted(name, code, self.children[name].pid))
                continue
            if isinstance(event, Stopped):
                return event.code
            if isinstance(event, Ready):
                self._is_ready = True
                seconds = time.monotonic() - self._begun_at
                for child in self._clients():
                    child.start(self._events)
                on_ready(self._start(seconds))
            elif event.name == SERVICE and not self._is_ready:
                sys.stderr.write(f"the service exited with status {event.code} before its first response\n")
                return 1
            else:
                pause = self.children[event.name].pause_seconds()
                restarts[event.name] = (time.monotonic() + pause, event.code)

    def _servers(self) -> list[Child]:
        """Return the servers, which start before others: on a small machine those would delay the first page."""
        return [self.children[name] for name in (VALKEY, SERVICE) if name in self.children]

    def _clients(self) -> list[Child]:
        """Return the processes that are clients of the servers."""
        return [child for name, child in self.children.items() if name not in {VALKEY, SERVICE}]

    def _start(self, seconds: float) -> Started:
        """Return the description of the started service."""
        return Started(
            url=url_of(self.public),
            data=str(self._settings.data),
            socket=str(self.path),
            seconds=seconds,
            processes={name: child.pid for name, child in self.children.items()},
            metrics=self._metrics,
        )

    def _wait_until_ready(self) -> None:
        """Put `Ready` among the events after the response to a first request, or `Stopped(1)` without one in time."""
        try:
            with UnixClient(self.path, "", READY_SECONDS_MAX) as client:
                client.request("GET", "/api/health")
        except REQUEST_ERRORS as error:
            sys.stderr.write(f"no response from the service: {error}\n")
            self._events.put(Stopped(1))
        else:
            self._events.put(Ready())

    def _stop(self) -> None:
        """Stop clients together, then the service, then Valkey; close the sockets and remove the private one."""
        stop_in_turn((self._clients(), *([server] for server in reversed(self._servers()))))
        self.public.close()
        self.private.close()
        self.path.unlink(missing_ok=True)


def require_writable(folder: Path) -> None:
    """Create the folder if necessary; raise `CannotWrite` if it is not writable."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=OWNER_FOLDER_MODE)
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(b"esporles")
    except OSError as error:
        raise CannotWrite(f"cannot write to {folder}: {error.strerror}") from error


def require_free(settings: Settings) -> None:
    """Raise `StoreBusy` if another service uses a log in a file; wait a moment, because it may be stopping."""
    if settings.log_file is None:
        return
    wait_until_free(settings.log_file.parent, BUSY_SECONDS_MAX)


def wait_until_free(folder: Path, seconds: float) -> None:
    """Wait until no process writes to the folder; raise `StoreBusy` after `seconds`."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            with writer_lock(folder):
                return
        except StoreBusy:
            if time.monotonic() > deadline:
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
    """Run the whole service in this terminal until SIGTERM or SIGINT; return the exit code.

    Sets aside unreadable read models. Raises `CannotWrite`, `StoreBusy`, `AddressInUse`, `SocketPathTooLong` or
    `NoValkey`.
    """
    raise_descriptor_limit()
    require_writable(settings.data)
    require_free(settings)
    if (moved_path := set_aside_unreadable(settings.reads_url)) is not None:
        sys.stderr.write(f"unreadable read models moved to {moved_path}; rebuilding them\n")
    folder = socket_folder()
    try:
        return Supervisor(settings, folder, worker_count, programs).run(on_ready, on_restart)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
