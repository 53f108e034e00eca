"""Five hosts in network namespaces, which can be started, killed, frozen and cut off, for tests and fault injection.

Two run web processes, two a follower and a worker, one PostgreSQL and Valkey. Needs root, `ip` and the binaries of
PostgreSQL. Each host has a separate data folder, as described in `docs/operate/scaling.md`; programs are shared.
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from time import monotonic, sleep
from typing import Final, Self

import msgspec
import psycopg
from redis import Redis
from redis.exceptions import RedisError

from ops.certificates import Authority, Certificate
from ops.dev.network import Network
from ops.embedded_valkey import valkey_binary
from ops.roles import FOLLOWER, WEB, WORKER, Running
from ops.temporary_service import isolated_environment
from projections.platform.settings import variables

WEBS: Final = ("web-1", "web-2")
JOBS: Final = ("jobs-1", "jobs-2")
BASE: Final = "base"
OUTSIDE: Final = "outside"
HOSTS: Final[Mapping[str, tuple[str, ...]]] = {
    BASE: ("postgres", "valkey"),
    **dict.fromkeys(WEBS, (WEB,)),
    **dict.fromkeys(JOBS, (FOLLOWER, WORKER)),
}
"""Roles by host."""
PORT: Final = 8000
PRIVATE_PORT: Final = 8443
POSTGRES: Final = 5432
VALKEY: Final = 6379
OWNER: Final = "esporles"
DATABASES: Final = ("store", "reads", "people")
"""Names of databases by setting; the tree is in the log's database."""
START_SECONDS: Final = 120.0
LOOK_SECONDS: Final = 0.1
STOP_SECONDS: Final = 20.0
LIMITS: Final = (
    *("accounts_per_minute", "newcomers_per_day", "changes_per_minute", "guesses_per_hour"),
    "streams_per_person",
)
"""Disabled limits, because all requests come from one address."""


class HostNotStarted(Exception):
    """A process of a host has not started; the message names it and its log file."""


class Hosts:
    """The hosts by name. `web_urls` are their public addresses."""

    def __init__(
        self, folder: Path, binaries: Path, user: str | None = None, extra_variables: Mapping[str, str] | None = None
    ) -> None:
        """Prepare the hosts; `binaries` is the folder of PostgreSQL's `initdb` and `postgres`.

        `user` runs PostgreSQL, which refuses root; `extra_variables` are added to the environment of every process.
        """
        self._folder, self._binaries, self._user = folder, binaries, user
        self._extra_variables = dict(extra_variables or {})
        self._stack = ExitStack()
        self._processes: dict[str, dict[str, subprocess.Popen[str]]] = {name: {} for name in HOSTS}
        self.network: Final = Network(tuple(HOSTS))
        self._certificates: dict[str, Certificate] = {}
        self.token: Final = secrets.token_urlsafe(32)

    # Addresses.

    @property
    def web_urls(self) -> tuple[str, ...]:
        """Return the URLs of the web hosts."""
        return tuple(f"http://{self.network.addresses[name]}:{PORT}" for name in WEBS)

    def database(self, name: str) -> str:
        """Return the URL of a database on the base host."""
        return f"postgresql://{OWNER}@{self.network.addresses[BASE]}:{POSTGRES}/{name}"

    @property
    def stores(self) -> dict[str, str]:
        """Return the settings of all shared stores."""
        return {name: self.database(name) for name in DATABASES} | {"redis": self.redis_url}

    @property
    def redis_url(self) -> str:
        """Return the URL of Valkey."""
        return f"redis://{self.network.addresses[BASE]}:{VALKEY}"

    def data(self, name: str) -> Path:
        """Return the data folder of a host, or of this machine."""
        return self._folder / f"data-{name}"

    # Life cycle.

    def __enter__(self) -> Self:
        try:
            self._stack.enter_context(self.network)
            authority = Authority(self._folder / "keys")
            for name in (*WEBS, *JOBS, OUTSIDE):
                self.data(name).mkdir(exist_ok=True)
            for name in (*WEBS, *JOBS):
                self._certificates[name] = authority.certificate_of(name, self.network.addresses[name])
            self._make_database()
        except BaseException:
            self._stack.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for name in reversed(tuple(HOSTS)):
            self.kill(name)
        self._stack.close()

    def start(self, *names: str) -> None:
        """Start these hosts, or all of them, and wait until every process is ready; running processes are left alone.

        Raises `HostNotStarted` if one is not ready in time.
        """
        for name in names or tuple(HOSTS):
            if name == BASE:
                self._start_base()
                continue
            for role in HOSTS[name]:
                if self._is_running(name, role):
                    continue
                self._run(name, role)

    def _is_running(self, name: str, role: str) -> bool:
        process = self._processes[name].get(role)
        return process is not None and process.poll() is None

    def kill(self, name: str, role: str = "") -> None:
        """Kill all processes of a host, or one role; works on frozen ones too."""
        for process_role, process in list(self._processes[name].items()):
            if role in ("", process_role):
                self._signal(process, signal.SIGKILL)
                self._end(process)
                del self._processes[name][process_role]

    def stop(self, name: str, role: str = "") -> None:
        """Terminate a host's processes, or those of one role, so that web processes drain; wait until they end."""
        stopping = [process for process_role, process in self._processes[name].items() if role in ("", process_role)]
        for process in stopping:
            process.send_signal(signal.SIGTERM)
        for process in stopping:
            self._end(process)
        self._processes[name] = {
            process_role: process for process_role, process in self._processes[name].items() if process not in stopping
        }

    @staticmethod
    def _end(process: subprocess.Popen[str]) -> None:
        process.wait(STOP_SECONDS)
        if process.stdout is not None:
            process.stdout.close()

    def freeze(self, name: str) -> None:
        """Suspend all processes of a host; its connections stay open."""
        for process in self._processes[name].values():
            self._signal(process, signal.SIGSTOP)

    def thaw(self, name: str) -> None:
        """Resume the processes of a frozen host."""
        for process in self._processes[name].values():
            self._signal(process, signal.SIGCONT)

    def disconnect(self, name: str) -> None:
        """Drop all packets of a host silently."""
        self.network.disconnect(name)

    def reconnect(self, name: str) -> None:
        """Reconnect a host."""
        self.network.reconnect(name)

    def pids(self, name: str) -> dict[str, int]:
        """Return the process ids of a host by role."""
        return {role: process.pid for role, process in self._processes[name].items()}

    @staticmethod
    def _signal(process: subprocess.Popen[str], number: int) -> None:
        """Signal the whole process group, because PostgreSQL has child processes."""
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)

    # Processes.

    def _spawn(
        self, name: str, role: str, command: Sequence[str], environment: Mapping[str, str], user: str | None = None
    ) -> subprocess.Popen[str]:
        """Start a process on a host, as root unless `user` is given, with its errors appended to its log file."""
        inner_command = self.network.command_inside(name, command)
        if user is not None:
            # Entering the namespace needs root; the process in it may run as another user.
            inner_command = self.network.command_inside(
                name, ("setpriv", f"--reuid={user}", "--clear-groups", "--", *command)
            )
        with self.log_of(name, role).open("a") as log:
            process = subprocess.Popen(
                inner_command,
                cwd="/" if user else None,
                env=dict(environment),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,
            )
        self._processes[name][role] = process
        return process

    def log_of(self, name: str, role: str) -> Path:
        """Return the log file of a process."""
        return self._folder / f"{name}-{role}.log"

    def _run(self, name: str, role: str) -> Running:
        """Start a role and return its addresses when it is ready; raise `HostNotStarted` if it does not get ready."""
        process = self._spawn(
            name, role, [sys.executable, "-m", "ops.cli", "run", role, "--json"], self._environment(name)
        )
        line = self._first_line(process)
        if not line:
            raise HostNotStarted(f"{role} on {name} did not start; see {self.log_of(name, role)}")
        return msgspec.json.decode(line, type=Running)

    @staticmethod
    def _first_line(process: subprocess.Popen[str]) -> str:
        """Return the line a process prints when it is ready; empty if it ends or the time is up."""
        lines_read = SimpleQueue[str]()
        assert process.stdout is not None
        lines = process.stdout
        threading.Thread(target=lambda: lines_read.put(lines.readline()), daemon=True).start()
        try:
            return lines_read.get(timeout=START_SECONDS)
        except Empty:
            return ""

    def _environment(self, name: str) -> dict[str, str]:
        """Return the environment of a host's roles: shared stores, TLS, no limits, and its private port or services."""
        address, certificate = self.network.addresses[name], self._certificates[name]
        own_variables = variables(
            data=self.data(name),
            **self.stores,
            token=self.token,
            host=address,
            port=PORT,
            tls_ca=certificate.ca,
            tls_certificate=certificate.certificate,
            tls_key=certificate.key,
            **dict.fromkeys(LIMITS, 0),
            streams_per_address=0,
        )
        if name in WEBS:
            own_variables |= variables(door=f"{address}:{PRIVATE_PORT}")
        else:
            own_variables |= variables(
                services=",".join(f"https://{self.network.addresses[web]}:{PRIVATE_PORT}" for web in WEBS)
            )
        return isolated_environment(os.environ) | own_variables | self._extra_variables

    # Database and queues.

    def _make_database(self) -> None:
        """Create an empty PostgreSQL server that every host may use without a password."""
        data = self._folder / "postgres"
        data.mkdir(exist_ok=True)
        self._folder.chmod(0o755)
        if self._user is not None:
            shutil.chown(data, self._user)
        command = [
            str(self._binaries / "initdb"),
            "-D",
            str(data),
            "-U",
            OWNER,
            "--auth=trust",
            "--encoding=UTF8",
            "--no-sync",
        ]
        subprocess.run(command, user=self._user, cwd="/", check=True, stdout=subprocess.DEVNULL)
        with (data / "pg_hba.conf").open("a") as rules:
            rules.write(f"host all all {self.network.subnet} trust\n")

    def _start_base(self) -> None:
        """Start Valkey and PostgreSQL unless they run, and wait until both respond and the databases exist.

        Raises `HostNotStarted` if one does not respond in time.
        """
        address = self.network.addresses[BASE]
        if not self._is_running(BASE, "valkey"):
            valkey = [str(valkey_binary()), "--port", str(VALKEY), "--bind", address, "--protected-mode", "no"]
            self._spawn(BASE, "valkey", [*valkey, "--save", "", "--loglevel", "warning"], os.environ)
        if not self._is_running(BASE, "postgres"):
            data = self._folder / "postgres"
            # A killed server leaves this file, whose process id may be reused by now.
            (data / "postmaster.pid").unlink(missing_ok=True)
            options = [f"listen_addresses={address}", f"port={POSTGRES}", f"unix_socket_directories={data}"]
            options += ["fsync=off", "max_connections=300"]
            settings = [part for option in options for part in ("-c", option)]
            postgres = [str(self._binaries / "postgres"), "-D", str(data), *settings]
            self._spawn(BASE, "postgres", postgres, os.environ, self._user)
        self._wait("postgres", self._databases_are_there)
        self._wait("valkey", self._valkey_answers)

    def _wait(self, role: str, is_ready: Callable[[], bool]) -> None:
        """Wait until a role of the base host is there; raise `HostNotStarted` if it ends or takes too long."""
        deadline = monotonic() + START_SECONDS
        while not is_ready():
            if monotonic() > deadline or not self._is_running(BASE, role):
                raise HostNotStarted(f"{role} did not start; see {self.log_of(BASE, role)}")
            sleep(LOOK_SECONDS)

    def _databases_are_there(self) -> bool:
        """Create the missing databases; return whether PostgreSQL can be reached."""
        try:
            with psycopg.connect(self.database("postgres"), autocommit=True) as connection:
                names = {row[0] for row in connection.execute("SELECT datname FROM pg_database")}
                for name in DATABASES:
                    if name not in names:
                        connection.execute(f'CREATE DATABASE "{name}"')
        except psycopg.OperationalError:
            return False
        return True

    def _valkey_answers(self) -> bool:
        """Return whether Valkey answers a ping."""
        try:
            with Redis.from_url(self.redis_url) as redis:
                return bool(redis.ping())
        except RedisError:
            return False
