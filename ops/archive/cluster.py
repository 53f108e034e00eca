"""A PostgreSQL server as a whole, which its archive is of: the databases of a house at it, and its programs."""

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
"""The folder of an archive with the bases, each called by when it was whole."""
WAL: Final = "wal"
"""The folder with what was written, as PostgreSQL calls its files."""
STAMP: Final = "%Y-%m-%dT%H%M%SZ"
ACCOUNTS: Final = ("postgres", "nobody")
"""As root PostgreSQL does not serve; the first of these accounts that is here does it then."""


class Cluster(NamedTuple):
    """The databases of a house at one server."""

    log: str
    tree: str
    people: str

    def behind(self, socket: Path) -> Cluster:
        """The same databases at the server behind a socket."""

        def place(url: str) -> str:
            found = urlsplit(url)
            return f"postgresql://{found.username or 'postgres'}@/{found.path.lstrip('/')}?host={quote(str(socket))}"

        return Cluster(*map(place, self))


def cluster_of(settings: Settings) -> Cluster:
    """`WrongUsage` where not all of it is at one server: what is at several has no moment in common."""
    places = (str(settings.log_place), str(settings.tree_place), str(settings.people_place))
    if not all(map(is_server, places)) or len(set(map(server_of, places))) > 1:
        raise WrongUsage("log, tree and people are archived together: all in files, or all at one PostgreSQL server")
    return Cluster(*places)


def server_of(place: str) -> tuple[str, str]:
    """The hosts and the ports of a url."""
    address = urlsplit(place)
    asked, (hosts, ports) = dict(parse_qsl(address.query)), hosts_of(address.netloc)
    return asked.get("host") or hosts, ports or asked.get("port", "5432")


def without_password(url: str) -> tuple[str, dict[str, str]]:
    """A url as anybody may see it who lists the processes, and what the environment says instead."""
    address = urlsplit(url)
    if not address.password:
        return url, {}
    named = address.netloc.replace(f":{address.password}@", "@")
    return urlunsplit(address._replace(netloc=named)), {"PGPASSWORD": unquote(address.password)}


class Programs:
    """Those of PostgreSQL, in a folder; without one they are looked for on the PATH and where `pg_config` says."""

    def __init__(self, folder: Path | None, words: Mapping[str, str] | None = None) -> None:
        """`words` are put into their environment."""
        self._folder = folder
        self.environment: Final = {**os.environ, **(words or {})}

    def find(self, name: str) -> str:
        """Its path; `Finding` where it is not here."""
        found = shutil.which(name) if self._folder is None else shutil.which(name, path=str(self._folder))
        if found is None and self._folder is None and (config := shutil.which("pg_config")) is not None:
            said = subprocess.run([config, "--bindir"], capture_output=True, text=True, check=False).stdout
            found = shutil.which(name, path=said.strip())
        if found is None:
            raise Finding(f"{name} is not here: --programs names the folder with the programs of PostgreSQL")
        return found

    def run(self, name: str, options: Sequence[str], account: str | None = None) -> None:
        """`Finding` with the last thing it said where it fails. What it starts may go on and write to its own files."""
        done = subprocess.run(
            [self.find(name), *options],
            stdin=subprocess.DEVNULL,
            capture_output=name != "pg_ctl",
            text=True,
            check=False,
            user=account,
            cwd="/",
            env=self.environment,
        )
        if done.returncode:
            lines = (done.stderr or done.stdout or "").strip().splitlines()
            raise Finding(f"{name}: {lines[-1] if lines else f'ended with {done.returncode}'}")


def account_of_servers() -> str | None:
    """Whose account a server of ours runs under; nothing where it is that of who asks."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    found = next((name for name in ACCOUNTS if name in known), None)
    if found is None:
        raise Finding("as root PostgreSQL does not serve, and there is no account `postgres` here")
    return found


def bases_in(place: Path) -> list[tuple[datetime, Path]]:
    """The whole bases of an archive and when each was whole, the oldest first."""
    found = (place / BASES).glob("*Z")
    return sorted((datetime.strptime(path.name, STAMP).replace(tzinfo=UTC), path) for path in found)
