"""Point-in-time recovery of a PostgreSQL server in a separate folder, behind a private socket.

It starts from the latest base backup before the moment and replays the WAL.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Final

from api.accounts.store import SCHEMA
from api.transparency.store import TreeStore
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from ops.archive.cluster import WAL, Cluster, Programs, account_of_servers, cluster_of, list_base_backups
from ops.archive.sqlite_restore import Restored
from ops.console import Finding
from ops.embedded_valkey import short_temporary_folder
from projections.platform.database import DatabaseUnavailable, connect_to
from projections.platform.settings import Settings

FOLDER: Final = "postgresql"
LOG_FILE: Final = "restore.log"
HBA_FILE: Final = "restored_hba.conf"
START_SECONDS: Final = 600.0
LOOK_SECONDS: Final = 0.1


@contextmanager
def run_recovered(
    settings: Settings, archive: Path, folder: Path, at: datetime | None, programs: Programs
) -> Iterator[Cluster]:
    """Provide a server recovered to the moment, in `folder/postgresql`, while the context is active.

    That folder must not exist; it stays: `pg_ctl -D FOLDER/postgresql start` starts the server again. Raises `Finding`
    without a fitting base backup, if that is damaged, or if the server does not recover; `WrongUsage` as `cluster_of`.
    """
    cluster, account = cluster_of(settings), account_of_servers()
    base_backup = find_base_backup(archive, at)
    programs.run("pg_verifybackup", ["--no-parse-wal", str(base_backup)])
    folder.mkdir(parents=True, exist_ok=True, mode=0o755)
    data = folder / FOLDER
    shutil.copytree(base_backup, data)
    with (
        TemporaryDirectory(prefix="pg", dir=short_temporary_folder()) as name,
        TemporaryDirectory(prefix="wal") as wal,
    ):
        shutil.copytree(archive / WAL, wal, dirs_exist_ok=True)
        configuration = (data / "postgresql.auto.conf").read_text()
        configure(data, Path(wal), at)
        change_owner([Path(name), Path(wal), data], account)
        options = f"-c listen_addresses='' -k {name} -c archive_mode=off -c ssl=off -c hba_file={data / HBA_FILE}"
        start = [
            "-D",
            str(data),
            "-l",
            str(data / LOG_FILE),
            "-w",
            "-t",
            f"{START_SECONDS:.0f}",
            "-o",
            options,
            "start",
        ]
        require_walkable(data, account)
        try:
            programs.run("pg_ctl", start, account)
            local_cluster = cluster.through_socket(Path(name))
            wait_until_recovered(local_cluster.log, data)
        except Finding as fault:
            raise Finding(f"the server does not start: {last_fault(data) or fault}") from fault
        try:
            yield local_cluster
        finally:
            programs.run("pg_ctl", ["-D", str(data), "-m", "fast", "-w", "stop"], account)
            (data / "postgresql.auto.conf").write_text(configuration)


def require_walkable(data: Path, account: str | None) -> None:
    """Raise `Finding` if the account of servers cannot access the folder; with None nothing is checked."""
    result = None if account is None else subprocess.run(["/usr/bin/test", "-x", str(data)], user=account, check=False)
    if result is not None and result.returncode:
        raise Finding(f"the server runs as user {account}, who cannot access {data}; choose another FOLDER")


def find_base_backup(archive: Path, at: datetime | None) -> Path:
    """Return the latest base backup up to a moment, None meaning any; raise `Finding` if there is none."""
    candidates = [path for taken_at, path in list_base_backups(archive) if at is None or taken_at <= at]
    if not candidates:
        raise Finding(f"no base backup in {archive}{'' if at is None else ' before that time'}")
    return candidates[-1]


def configure(data: Path, wal: Path, at: datetime | None) -> None:
    """Configure a server's folder for recovery to the moment, or to the end of the WAL for None.

    Only local connections are allowed then, without a password.
    """
    lines = [
        f"restore_command = 'cp {wal}/%f %p || cp {wal}/%f.partial %p'",
        "recovery_target_action = 'promote'",
        *([] if at is None else [f"recovery_target_time = '{at.isoformat()}'"]),
    ]
    with (data / "postgresql.auto.conf").open("a") as settings:
        settings.write("\n".join(["", *lines, ""]))
    (data / HBA_FILE).write_text("local all all trust\n")
    (data / "recovery.signal").touch()


def change_owner(folders: list[Path], account: str | None) -> None:
    """Make these folders private, and give them and all in them to the account; with None owners stay."""
    for folder in folders:
        folder.chmod(0o700)
        if account is not None:
            entry = pwd.getpwnam(account)
            for path in (folder, *folder.rglob("*")):
                os.chown(path, entry.pw_uid, entry.pw_gid, follow_symlinks=False)


def last_fault(data: Path) -> str:
    """Return the server's last fatal message, or an empty string."""
    log_lines = (data / LOG_FILE).read_text(errors="replace").splitlines() if (data / LOG_FILE).is_file() else []
    return next((line.partition("FATAL:")[2].strip() for line in reversed(log_lines) if "FATAL:" in line), "")


def wait_until_recovered(log: str, data: Path) -> None:
    """Wait until the server is writable; raise `Finding` if it exits or takes longer than `START_SECONDS`.

    `pg_ctl` returns earlier, when the server can be read.
    """
    deadline = monotonic() + START_SECONDS
    while monotonic() < deadline and (data / "postmaster.pid").exists():
        try:
            with closing(connect_to(log)) as database:
                if database.rows("SELECT pg_is_in_recovery()") == [(False,)]:
                    return
        except DatabaseUnavailable:
            pass
        sleep(LOOK_SECONDS)
    raise Finding("recovery did not finish in time")


def measure_extent(cluster: Cluster, folder: Path, at: datetime | None) -> Restored:
    """Return the restored log's last position, the number of leaves in the tree, and the number of accounts.

    `folder` and `at` are only passed on.
    """
    matches = open_store(store_env(cluster.log), titles={})
    with closing(matches), closing(TreeStore(cluster.tree, writable=False)) as tree:
        with closing(connect_to(cluster.people, SCHEMA)) as people:
            count = int(people.rows("SELECT COUNT(*) FROM people")[0][0])
        return Restored(str(folder), at, matches.last_position(), tree.size, count)
