"""The PostgreSQL server of an archive: the service's databases on it, and PostgreSQL's programs."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import parse_qsl, quote, unquote, urlsplit, urlunsplit

from domain.eventstore.store_settings import hosts_of
from ops.console import Finding, WrongUsage
from projections.platform.database import is_server
from projections.platform.settings import Settings

BASES: Final = "base"
"""The folder of base backups, named by the time at which they were complete."""
WAL: Final = "wal"
"""The folder of WAL files, with PostgreSQL's file names."""
STAMP: Final = "%Y-%m-%dT%H%M%SZ"
ACCOUNTS: Final = ("postgres", "nobody")
"""Accounts that run PostgreSQL instead of root, which it refuses; the first existing one is used."""


class Cluster(NamedTuple):
    """The service's databases on one server."""

    log: str
    tree: str
    people: str

    def through_socket(self, socket: Path) -> Cluster:
        """Return the URLs of the same databases on the server behind a unix socket, without hosts and passwords.

        The user stays; without one it is `postgres`.
        """

        def place(url: str) -> str:
            parts = urlsplit(url)
            return f"postgresql://{parts.username or 'postgres'}@/{parts.path.lstrip('/')}?host={quote(str(socket))}"

        return Cluster(*map(place, self))


def cluster_of(settings: Settings) -> Cluster:
    """Return the databases; raise `WrongUsage` unless all are on one server, because several have no common moment."""
    urls = (str(settings.log_place), str(settings.tree_place), str(settings.people_place))
    if not all(map(is_server, urls)) or len(set(map(server_of, urls))) > 1:
        raise WrongUsage("cannot archive: log, tree and accounts must all be files, or all be on one PostgreSQL server")
    return Cluster(*urls)


def server_of(url: str) -> tuple[str, str]:
    """Return (hosts, ports) of a URL, hosts first from its query, ports first from its location; by default 5432."""
    address = urlsplit(url)
    query, (hosts, ports) = dict(parse_qsl(address.query)), hosts_of(address.netloc)
    return query.get("host") or hosts, ports or query.get("port", "5432")


def without_password(url: str) -> tuple[str, dict[str, str]]:
    """Return a URL without its password, and the environment variable that has it; none if there is no password.

    A URL with its password would be visible in the process list.
    """
    address = urlsplit(url)
    if not address.password:
        return url, {}
    netloc = address.netloc.replace(f":{address.password}@", "@")
    return urlunsplit(address._replace(netloc=netloc)), {"PGPASSWORD": unquote(address.password)}


class Programs:
    """PostgreSQL's programs in a folder; None searches the PATH and the folder reported by `pg_config`."""

    def __init__(self, folder: Path | None, variables: Mapping[str, str] | None = None) -> None:
        """Create the lookup; `variables` are added to the programs' environment."""
        self._folder = folder
        self.environment: Final = {**os.environ, **(variables or {})}

    def find(self, name: str) -> str:
        """Return the path of a program, from the folder if one is given, else from the PATH or `pg_config`'s folder.

        Raises `Finding` if it is missing.
        """
        found = shutil.which(name) if self._folder is None else shutil.which(name, path=str(self._folder))
        if found is None and self._folder is None and (config := shutil.which("pg_config")) is not None:
            output = subprocess.run([config, "--bindir"], capture_output=True, text=True, check=False).stdout
            found = shutil.which(name, path=output.strip())
        if found is None:
            raise Finding(f"{name} not found; set --programs to the folder with the PostgreSQL programs")
        return found

    def run(self, name: str, options: Sequence[str], account: str | None = None) -> None:
        """Run a program in the folder `/` as `account`, by default the current one, and wait for its end.

        Raises `Finding` if it is missing or fails, with its last message; for `pg_ctl` only with the status, because
        its server may go on writing to its own files.
        """
        result = subprocess.run(
            [self.find(name), *options],
            stdin=subprocess.DEVNULL,
            capture_output=name != "pg_ctl",
            text=True,
            check=False,
            user=account,
            cwd="/",
            env=self.environment,
        )
        if result.returncode:
            lines = (result.stderr or result.stdout or "").strip().splitlines()
            raise Finding(f"{name}: {lines[-1] if lines else f'exited with status {result.returncode}'}")


def account_of_servers() -> str | None:
    """Return the account that runs servers if this process is root, else None for the current one.

    Raises `Finding` as root if none of `ACCOUNTS` exists.
    """
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    found = next((name for name in ACCOUNTS if name in names), None)
    if found is None:
        raise Finding("PostgreSQL does not run as root, and there is no user `postgres`")
    return found


def list_base_backups(archive: Path) -> list[tuple[datetime, Path]]:
    """Return the complete base backups with their times, oldest first."""
    paths = (archive / BASES).glob("*Z")
    return sorted((datetime.strptime(path.name, STAMP).replace(tzinfo=UTC), path) for path in paths)
