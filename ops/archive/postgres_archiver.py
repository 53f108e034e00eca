"""Continuous archiving of a PostgreSQL server.

`pg_receivewal` streams the WAL to `PLACE/wal`; a replication slot keeps unreceived parts. `pg_basebackup` writes a base
backup to `PLACE/base/TIME` once a day.
"""

from __future__ import annotations

import shutil
import signal
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import sleep
from typing import Final

from ops.archive.cluster import BASES, STAMP, WAL, Programs, cluster_of, list_base_backups, without_password
from ops.console import Finding
from projections.platform.settings import Settings

SLOT: Final = "esporles_archive"
BACKUP_INTERVAL: Final = timedelta(days=1)
RETENTION: Final = timedelta(days=30)
"""The period for which any moment can be restored."""
UNFINISHED: Final = "unfinished"
LOOK_SECONDS: Final = 1.0


def commands(settings: Settings, archive: Path) -> dict[str, list[str]]:
    """Return the commands by name: `slot` creates the slot, `receive` streams the WAL, `base` takes a base backup.

    None has the password. Raises `WrongUsage` unless all databases are on one server.
    """
    address, _ = without_password(cluster_of(settings).log)
    receive_command = ["pg_receivewal", "-d", address, "-D", str(archive / WAL), "-S", SLOT]
    base_command = [
        "pg_basebackup",
        "-d",
        address,
        "-D",
        str(archive / BASES / UNFINISHED),
        "-X",
        "stream",
        "-c",
        "fast",
    ]
    return {
        "slot": [*receive_command, "--create-slot", "--if-not-exists"],
        "receive": [*receive_command, "--synchronous"],
        "base": base_command,
    }


def receive(settings: Settings, archive: Path, folder: Path | None) -> None:
    """Stream the WAL and take a base backup once a day until SIGTERM or SIGINT, and delete old backups.

    The first is taken at once unless the newest is younger than a day. `folder` has PostgreSQL's programs; None
    searches for them. Raises `WrongUsage` unless all databases are on one server, `Finding` if it refuses or the
    archiver exits by itself.
    """
    commands_by_name = commands(settings, archive)
    programs = Programs(folder, without_password(cluster_of(settings).log)[1])
    for directory in (archive, archive / WAL, archive / BASES):
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
    programs.run("pg_receivewal", commands_by_name["slot"][1:])
    receiver = subprocess.Popen(
        [programs.find("pg_receivewal"), *commands_by_name["receive"][1:]], env=programs.environment
    )
    is_stopped = False

    def stop(*_: object) -> None:
        nonlocal is_stopped
        is_stopped = True
        receiver.terminate()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    try:
        while receiver.poll() is None:
            backups = list_base_backups(archive)
            if not backups or datetime.now(UTC) - backups[-1][0] >= BACKUP_INTERVAL:
                take_base_backup(archive, commands_by_name["base"], programs)
                delete_old_backups(archive, datetime.now(UTC), programs)
            sleep(LOOK_SECONDS)
    except Finding:
        # Stopping a unit stops all its processes, including a base backup in progress; that is no fault.
        if not is_stopped:
            raise
    finally:
        receiver.terminate()
        receiver.wait()
    if not is_stopped:
        raise Finding("pg_receivewal exited; see its messages above")


def take_base_backup(archive: Path, command: list[str], programs: Programs) -> Path:
    """Take a base backup and return its folder, named by the second after it is complete.

    Deletes an unfinished one from earlier first; raises `Finding` if the program fails.
    """
    unfinished = archive / BASES / UNFINISHED
    shutil.rmtree(unfinished, ignore_errors=True)
    programs.run("pg_basebackup", command[1:])
    return unfinished.rename(archive / BASES / (datetime.now(UTC) + timedelta(seconds=1)).strftime(STAMP))


def delete_old_backups(archive: Path, now: datetime, programs: Programs) -> None:
    """Delete base backups beyond the retention period except the newest of them, and the WAL before that one.

    The exception is the start for the earliest moment of the period. Raises `Finding` if deleting WAL fails.
    """
    expired = [path for taken_at, path in list_base_backups(archive) if now - taken_at > RETENTION]
    if len(expired) < 2:
        return
    for path in expired[:-1]:
        shutil.rmtree(path)
    label = (expired[-1] / "backup_label").read_text()
    programs.run("pg_archivecleanup", [str(archive / WAL), label.partition("(file ")[2].partition(")")[0]])
