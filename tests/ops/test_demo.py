"""`esporles serve --demo`: a demo in a separate folder, created by the real processes."""

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Final

import pytest

from ops.cli import main
from ops.commands.serve_ import watch_demo
from ops.console import NEGATIVE
from ops.demo import world
from ops.demo.folder import DEMO_FAILED, DEMO_READY, MARK, DemoMark, claim, find_mark, write_mark
from ops.service_client import ServiceAddress, fetch, find_address
from ops.temporary_service import ROOT, isolated_environment
from projections.platform.settings import Settings

ROUNDS: Final = {"el_grande": 2, "la_granja": 1}
DIES: Final = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"


def test_a_used_folder_is_refused_and_unchanged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "log.db").write_bytes(b"a store")

    assert main(["serve", "--demo", "--data", str(tmp_path)]) == 1

    error = f"esporles serve: {tmp_path} is not a demo folder; use a new or empty folder with --demo\n"
    assert capsys.readouterr().err == error
    assert [each.read_bytes() for each in tmp_path.iterdir()] == [b"a store"]


def test_a_real_service_refuses_a_demo_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    claim(Settings(data=tmp_path))

    assert main(["serve", "--data", str(tmp_path)]) == 1

    error = f"esporles serve: {tmp_path} is a demo folder; serve it with --demo\n"
    assert capsys.readouterr().err == error


def test_a_database_at_a_server_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ESPORLES_STORE", f"sqlite:///{tmp_path / 'real.db'}")

    assert main(["serve", "--demo", "--data", str(tmp_path / "demo")]) == 2

    error = "--demo cannot be combined with ESPORLES_STORE: a demo keeps all data in its own folder"
    assert capsys.readouterr().err == f"esporles serve: {error}\n"
    assert list(tmp_path.iterdir()) == []


def test_an_incomplete_demo_is_recreated_and_a_complete_one_kept(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    assert claim(settings) == DemoMark()
    (tmp_path / "log.db").write_bytes(b"half")
    assert claim(settings) == DemoMark()
    assert [each.name for each in tmp_path.iterdir() if each.suffix != ".lock"] == [MARK]

    write_mark(tmp_path, DemoMark(is_whole=True))
    (tmp_path / "log.db").write_bytes(b"whole")
    assert claim(settings) == DemoMark(is_whole=True)
    assert (tmp_path / "log.db").read_bytes() == b"whole"


def test_the_creation_reports_obstacles(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert world.main(str(tmp_path)) == NEGATIVE

    assert capsys.readouterr().err == f"{DEMO_FAILED}: no service is running on {tmp_path}\n"


def test_the_creation_reports_unexpected_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert world.main(f"{tmp_path}\0") == NEGATIVE

    error = capsys.readouterr().err
    assert error.startswith("Traceback")
    assert error.splitlines()[-1] == f"{DEMO_FAILED}: ValueError: embedded null byte"


def test_a_killed_creation_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    with subprocess.Popen([sys.executable, "-c", DIES]) as process:
        watch_demo(process, threading.Event())

    assert (
        capsys.readouterr().err
        == f"{DEMO_FAILED}: process exited with status -9; it is created again at the next start\n"
    )


@pytest.mark.walk
def test_the_demo_is_created_while_the_service_runs(tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    command = [sys.executable, "-m", "ops.cli", "serve", "--demo", "--json", "--port", "0", "--data", str(folder)]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=isolated_environment(os.environ),
        cwd=ROOT,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            assert json.loads(process.stdout.readline())["data"] == str(folder)
            address = find_address(folder)
            assert address is not None
            asks(address, "/health")
            # The final message of the process that creates the demo; without one the stream ends with the service.
            final_message = next(
                (line for line in process.stderr if line.startswith((DEMO_READY, DEMO_FAILED))), "nothing was told"
            )
            assert final_message.startswith(DEMO_READY), final_message
            assert find_mark(folder) == DemoMark(is_whole=True)
            look_around(address)
        finally:
            process.send_signal(signal.SIGTERM)


def asks(address: ServiceAddress, path: str) -> Any:
    return json.loads(fetch(address, "GET", f"/api{path}"))


def look_around(address: ServiceAddress) -> None:
    """Assert that everything announced to visitors exists."""
    events = asks(address, "/tournaments")["events"]
    assert {(each["title"], each["status"]) for each in events} == {("el_grande", "ended"), ("la_granja", "ended")}
    for each in events:
        rows = asks(address, f"/tournaments/{each['eventId']}/standings")["standings"]
        assert [row["played"] for row in rows] == [ROUNDS[each["title"]]] * len(rows)
    (league,) = asks(address, "/leagues")["leagues"]
    assert (league["status"], league["players"]) == ("running", 4)
    (study,) = asks(address, "/studies")["studies"]
    assert (study["visibility"], study["comments"], study["byAnnotator"]) == ("public", 4, True)
    (ruling,) = asks(address, f"/matches/{study['matchId']}/rulings")["rulings"]
    assert ruling["name"] == "Arnau"
    assert asks(address, f"/matches/{study['matchId']}")["status"] == "ended"
    lists = asks(address, "/rankings")["pools"]
    assert {each["title"] for each in lists} == {"el_grande", "la_granja"}
