"""Archiving PostgreSQL of a running service: a moment can be restored, and faults are found."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any, Final
from uuid import UUID

import msgspec
import psycopg
import pytest
from psycopg.rows import scalar_row

from ops.archive.cluster import BASES, STAMP, WAL, Programs, list_base_backups
from ops.archive.postgres_archiver import RETENTION, delete_old_backups
from ops.cli import main
from projections.platform.setting_values import SOCKET_PATH_BYTES_MAX
from tests.api.service import behind_sockets, settings_in
from tests.domain.eventstore.faulty_stores import write
from tests.domain.eventstore.postgres import Server, fresh_database, stoppable_server
from tests.ops.archive.test_archive import plays, signed_size
from tests.workers.serving import PATIENCE_SECONDS, ROOT

TAKEN = "SELECT count(*) FROM pg_stat_replication WHERE flush_lsn >= %s AND application_name = 'pg_receivewal'"


def number(address: str, query: str, *values: object) -> Any:
    with psycopg.connect(address, autocommit=True, row_factory=scalar_row) as connection:
        return connection.execute(query.encode(), values).fetchone()


def until(condition: Callable[[], bool]) -> None:
    deadline = monotonic() + PATIENCE_SECONDS
    while not condition():
        assert monotonic() < deadline


@contextmanager
def run_archiver(server: Server, archive: Path, data: Path) -> Iterator[None]:
    """Run the archiver of the server from its first base backup until it has received everything."""
    command = [sys.executable, "-m", "ops.cli", "archive", str(archive), "--data", str(data)]
    process = subprocess.Popen([*command, "--programs", str(server.binaries)], cwd=ROOT)
    try:
        until(lambda: bool(list_base_backups(archive)))
        yield
        last = number(server.address, "SELECT pg_current_wal_flush_lsn()")
        until(lambda: bool(number(server.address, TAKEN, last)))
    finally:
        process.terminate()
        assert process.wait(PATIENCE_SECONDS) == 0


@pytest.fixture
def open_path() -> Iterator[Path]:
    """Provide a folder that the account of servers can access."""
    with TemporaryDirectory(prefix="back") as name:
        Path(name).chmod(0o755)
        yield Path(name)


def folder_too_long_for_sockets(parent: Path) -> str:
    """Make a folder for temporary files whose path is too long for a socket."""
    folder = parent / ("x" * SOCKET_PATH_BYTES_MAX)
    folder.mkdir(mode=0o755)
    return str(folder)


@pytest.mark.walk
def test_a_moment_of_a_server_is_restored_and_tampering_is_named(
    tmp_path: Path, open_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data, archive = tmp_path / "data", tmp_path / "archive"
    with stoppable_server() as server:
        databases = {name: fresh_database(server.address, name) for name in ("store", "people")}
        for name, address in databases.items():
            monkeypatch.setenv(f"ESPORLES_{name.upper()}", address)
        log = databases["store"]

        def run_restore(folder: str, *options: str) -> tuple[int, Any]:
            command = ["restore", "--json", str(archive), str(open_path / folder), "--check", "--data", str(data)]
            status = main([*command, "--programs", str(server.binaries), *options])
            output = capsys.readouterr()
            return status, json.loads(output.out) if output.out else output.err

        data.mkdir()
        with (
            run_archiver(server, archive, data),
            behind_sockets(data, msgspec.structs.replace(settings_in(data), **databases)) as service,
        ):
            first = plays(service, "ann")
            until(lambda: signed_size(service) >= number(log, "SELECT count(*) FROM matches_events") - 1)
            before = number(log, "SELECT max(notification_id) FROM matches_events")
            until(lambda: list_base_backups(archive)[0][0] < datetime.now(UTC))
            moment = datetime.now(UTC)
            plays(service, "ben")
            until(lambda: signed_size(service) >= number(log, "SELECT count(*) FROM matches_events") - 1)
        entries = number(log, "SELECT count(*) FROM matches_events")

        with monkeypatch.context() as patched:
            patched.setattr("tempfile.tempdir", folder_too_long_for_sockets(open_path))
            status, document = run_restore("newest")
        assert (status, document["proof"]["faults"]) == (0, [])
        assert (document["proof"]["entries"], document["restored"]["people"]) == (entries, 2)
        assert document["proof"]["leaves"] > 0
        assert document["proof"]["compared"] == "the tree on the server"

        with run_archiver(server, archive, data):
            write(log, UUID(first), 3, b"\xff")
        server.stop()
        status, document = run_restore("false")
        assert status == 1
        assert first in document["proof"]["faults"][0]

        status, document = run_restore("before", "--at", moment.isoformat())
        assert (status, document["proof"]["faults"]) == (0, [])
        assert (document["restored"]["position"], document["restored"]["people"]) == (before, 1)
        assert document["proof"]["compared"] == ""

        status, error = run_restore("too early", "--at", (moment - timedelta(days=1)).isoformat())
        assert (status, "no base backup in" in error) == (1, True)
        status, error = run_restore("too late", "--at", (moment + timedelta(days=1)).isoformat())
        assert (status, "the server does not start:" in error) == (1, True)
        status, error = run_restore("place", "--position", "3")
        assert (status, "--position requires a log in a file; use --at with PostgreSQL" in error) == (2, True)
        (list_base_backups(archive)[-1][1] / "base" / "1" / "1259").write_bytes(b"")
        status, error = run_restore("damaged")
        assert (status, "pg_verifybackup" in error) == (1, True)
        server.start()


def test_the_commands_of_postgresql_can_be_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("STORE", "PEOPLE"):
        monkeypatch.setenv(f"ESPORLES_{name}", f"postgresql://esporles@10.0.0.5/{name.lower()}")
    assert main(["archive", str(tmp_path), "--print", "--data", str(tmp_path)]) == 0
    assert "pg_basebackup -d postgresql://esporles@10.0.0.5/store" in capsys.readouterr().out

    monkeypatch.setenv("ESPORLES_PEOPLE", "postgresql://esporles@10.0.0.6/people")
    assert main(["archive", str(tmp_path), "--print", "--data", str(tmp_path)]) == 2
    assert (
        "cannot archive: log, tree and accounts must all be files, or all be on one PostgreSQL server"
        in capsys.readouterr().err
    )

    monkeypatch.setenv("ESPORLES_PEOPLE", "postgresql://esporles@10.0.0.5/people")
    assert main(["archive", str(tmp_path / "new"), "--programs", str(tmp_path), "--data", str(tmp_path)]) == 1
    assert "pg_receivewal not found" in capsys.readouterr().err


ENDLESS: Final = """#!/bin/sh
case "$*" in *--create-slot*) exit 0 ;; esac
touch "$0.begun"
exec sleep 600
"""


def test_stopping_during_a_base_backup_is_no_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopping a unit stops all its processes."""
    for name in ("STORE", "PEOPLE"):
        monkeypatch.setenv(f"ESPORLES_{name}", f"postgresql://esporles@10.0.0.5/{name.lower()}")
    for name in ("pg_receivewal", "pg_basebackup"):
        (tmp_path / name).write_text(ENDLESS)
        (tmp_path / name).chmod(0o755)
    command = [sys.executable, "-m", "ops.cli", "archive", str(tmp_path / "place"), "--programs", str(tmp_path)]
    process = subprocess.Popen([*command, "--data", str(tmp_path)], cwd=ROOT, start_new_session=True)
    until((tmp_path / "pg_basebackup.begun").exists)

    os.killpg(process.pid, signal.SIGTERM)

    assert process.wait(PATIENCE_SECONDS) == 0


def test_data_beyond_the_retention_period_is_deleted(tmp_path: Path) -> None:
    now = datetime(2026, 6, 1, tzinfo=UTC)
    ages = [RETENTION + timedelta(days=days) for days in (9, 5, 2)] + [timedelta(days=1)]
    for age in ages:
        base = tmp_path / BASES / (now - age).strftime(STAMP)
        base.mkdir(parents=True)
        label = f"START WAL LOCATION: 0/{age.days:02d}000028 (file 0000000100000000000000{100 - age.days:02d})\n"
        (base / "backup_label").write_text(label)
    (tmp_path / WAL).mkdir()
    for last in (61, 67, 68, 69):
        (tmp_path / WAL / f"0000000100000000000000{last}").touch()
    with stoppable_server() as server:
        delete_old_backups(tmp_path, now, Programs(server.binaries))

    assert [now - backup_time for backup_time, _ in list_base_backups(tmp_path)] == ages[2:]
    assert sorted(path.name[-2:] for path in (tmp_path / WAL).iterdir()) == ["68", "69"]
