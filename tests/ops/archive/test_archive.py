"""Archiving SQLite files of a running service: any moment can be restored, and faults are found."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from api.transparency.service import TRANSPARENCY
from ops.archive.litestream import program
from ops.cli import main
from tests.api.service import PASSWORD, Sockets, behind_sockets
from tests.workers.serving import PATIENCE_SECONDS, ROOT


@contextmanager
def run_archiver(data: Path, archive: Path) -> Iterator[None]:
    """Run the archiver of a folder; it finishes its uploads before it stops."""
    command = [sys.executable, "-m", "ops.cli", "archive", str(archive), "--data", str(data)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        assert process.wait(PATIENCE_SECONDS) is not None


def plays(service: Sockets, name: str) -> str:
    """Create a person and start a table against a bot."""
    token = service.token_of(name)
    match_id = service.ask("POST", "/matches", {"title": "el_grande", "seats": 2}, token)[1]["matchId"]
    service.ask("POST", f"/matches/{match_id}/seats", {"seat": 0}, token)
    service.ask("POST", f"/matches/{match_id}/seats", {"seat": 1, "bot": "random"}, token)
    service.ask("POST", f"/matches/{match_id}/ready", {}, token)
    return str(match_id)


def restore(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, Any]:
    """Run `esporles restore`; return its exit status and output."""
    status = main(["restore", "--json", *map(str, args)])
    output = capsys.readouterr().out
    return status, json.loads(output) if output else None


def signed_size(service: Sockets) -> int:
    """Return the size of the latest checkpoint."""
    return int(service.ask("GET", "/transparency")[1]["size"])


def rows(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("SELECT COUNT(*) FROM stored_events").fetchone()[0])


def archive_of_two(folder: Path) -> tuple[Path, Path, str, str]:
    """Create a data folder, its archive, and two matches, the second opened after the first was signed."""
    data_folder, archive = folder / "data", folder / "archive"
    with behind_sockets(data_folder) as service:
        first = plays(service, "ann")
        while signed_size(service) < rows(data_folder / "log.db") - 1:
            assert TRANSPARENCY.of(service).fault is None
        with run_archiver(data_folder, archive):
            while not all((archive / name).is_dir() for name in ("log.db", "tree.db", "people.db")):
                pass
            second = plays(service, "ben")
            while signed_size(service) < rows(data_folder / "log.db") - 1:
                assert TRANSPARENCY.of(service).fault is None
            wait_for(data_folder, archive, rows(data_folder / "log.db"))
    return data_folder, archive, first, second


def wait_for(data_folder: Path, archive: Path, count: int) -> None:
    """Wait until the archive has this many rows of the log."""
    row_count = 0
    while row_count < count:
        probe = archive.parent / "probe.db"
        probe.unlink(missing_ok=True)
        subprocess.run(
            [program(), "restore", "-o", str(probe), f"file://{archive / 'log.db'}"], check=True, capture_output=True
        )
        row_count = rows(probe)


@pytest.mark.walk
def test_any_moment_can_be_restored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, archive, first, second = archive_of_two(tmp_path)

    status, document = restore(capsys, archive, tmp_path / "newest", "--data", data, "--check")

    assert (status, document["proof"]["faults"]) == (0, [])
    assert document["restored"]["position"] == document["proof"]["entries"] == rows(data / "log.db")
    assert document["proof"]["compared"] == f"the tree at {data / 'tree.db'}"
    assert document["proof"]["leaves"] > 0
    with behind_sockets(tmp_path / "newest") as service:
        assert [service.ask("GET", f"/matches/{each}")[0] for each in (first, second)] == [200, 200]
        assert service.ask("POST", "/tokens", {"name": "ben", "password": PASSWORD})[0] == 201

    position = rows(data / "log.db") - 2
    status, document = restore(capsys, archive, tmp_path / "before", "--data", data, "--check", "--position", position)
    assert (status, document["proof"]["faults"]) == (0, [])
    assert 0 < document["restored"]["position"] <= position


def test_a_service_with_another_history_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, archive, _, _ = archive_of_two(tmp_path)
    other = tmp_path / "other"
    with behind_sockets(other) as service:
        plays(service, "cid")
        while not signed_size(service):
            assert TRANSPARENCY.of(service).fault is None
    (data / "tree.db").write_bytes(b"")
    with closing(sqlite3.connect(other / "tree.db")) as other_tree, closing(sqlite3.connect(data / "tree.db")) as tree:
        other_tree.backup(tree)

    status, document = restore(capsys, archive, tmp_path / "back", "--data", data, "--check")

    assert status == 1
    assert "leaves differ from the tree of the service" in document["proof"]["faults"][-1]


def test_restoring_into_a_used_folder_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "log.db").write_text("somebody's")

    assert main(["restore", str(tmp_path / "archive"), str(tmp_path / "there"), "--data", str(tmp_path)]) == 2
    assert "is not an empty folder" in capsys.readouterr().err
    assert (tmp_path / "there" / "log.db").read_text() == "somebody's"


@pytest.mark.parametrize("option", [("--at", "yesterday"), ("--position", "0")])
def test_an_invalid_moment_is_named(
    option: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["restore", str(tmp_path), str(tmp_path / "new"), "--data", str(tmp_path), *option]) == 2
    assert option[0] in capsys.readouterr().err


def test_an_empty_archive_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["restore", str(tmp_path / "empty"), str(tmp_path / "new"), "--data", str(tmp_path / "data")]) == 1
    assert "cannot restore" in capsys.readouterr().err


def test_the_configuration_of_litestream_can_be_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["archive", "s3://bucket/house", "--print", "--data", str(tmp_path)]) == 0
    document = json.loads(capsys.readouterr().out)

    assert [each["path"].rpartition("/")[2] for each in document["dbs"]] == ["log.db", "tree.db", "people.db"]
    assert document["dbs"][0]["replica"]["url"] == "s3://bucket/house/log.db"
