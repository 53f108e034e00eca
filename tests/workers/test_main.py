"""The background processes: usage, required settings and shutdown."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ops.supervisor import Programs, Supervisor
from projections.platform.settings import Settings
from tests.workers.serving import PATIENCE_SECONDS, ROOT
from workers.main import queues_of
from workers.queues import ADJUDICATIONS, ANALYSES, QUEUES, THOUGHTS, UNATTENDED_THOUGHTS

SETTINGS = {"REDIS_URL": "unix:///nowhere", "ESPORLES_SOCKET": "/run/service.sock", "ESPORLES_TOKEN": "secret"}


def run(*arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "workers.main", *arguments],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if not name.startswith("ESPORLES_")} | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_SECONDS,
    )


def test_an_unknown_process_is_a_usage_error() -> None:
    process = run("waiter")

    assert process.returncode == 2
    assert "follower|worker" in process.stderr


def test_missing_settings_are_reported() -> None:
    process = run("worker")

    assert process.returncode == 2
    assert "is not set; `esporles serve` sets it" in process.stderr
    assert "Traceback" not in process.stderr


@pytest.mark.parametrize("role", ["follower", "worker"])
@pytest.mark.parametrize("name", ["ESPORLES_STORE", "ESPORLES_READS"])
def test_invalid_settings_are_named(role: str, name: str) -> None:
    process = run(role, **SETTINGS, **{name: "mysql://x"})

    assert process.returncode == 2
    assert f"{name}: 'mysql://…' is neither sqlite:///path nor postgresql://" in process.stderr
    assert "Traceback" not in process.stderr


def test_an_unreadable_deck_is_reported(tmp_path: Path) -> None:
    folder = tmp_path / "la_granja" / "deck"
    folder.mkdir(parents=True)
    (folder / "torn.toml").write_text("[[cards]\n")

    process = run("worker", **SETTINGS, ESPORLES_DATA=str(tmp_path))

    assert process.returncode == 2
    assert "torn.toml" in process.stderr
    assert "Traceback" not in process.stderr


def test_a_worker_without_queues_waits_and_stops_on_a_signal(dead_redis_url: str) -> None:
    settings = SETTINGS | {"REDIS_URL": dead_redis_url}
    command = [sys.executable, "-m", "workers.main", "worker"]
    with subprocess.Popen(command, cwd=ROOT, env=os.environ | settings, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            assert "queues unavailable, waiting" in process.stderr.readline()

            process.send_signal(signal.SIGTERM)

            assert process.wait(PATIENCE_SECONDS) == 0
        finally:
            # The context waits for the process, which would not end after a failed assertion.
            process.kill()


def test_a_worker_without_thinking_serves_all_other_queues() -> None:
    assert queues_of(Settings()) == QUEUES
    assert set(queues_of(Settings(thinks=False))) == set(QUEUES) - {
        THOUGHTS,
        UNATTENDED_THOUGHTS,
        ADJUDICATIONS,
        ANALYSES,
    }


@pytest.mark.parametrize(("count", "expected"), [(1, ["1"]), (2, ["0", "1"]), (3, ["0", "1", "1"])])
def test_one_of_several_workers_does_not_run_thinking_bots(count: int, expected: list[str], tmp_path: Path) -> None:
    supervisor = Supervisor(Settings(data=tmp_path, host="127.0.0.1", port=0), tmp_path, count, Programs())

    environments = [supervisor.children[f"worker-{number}"].environment for number in range(1, count + 1)]

    assert [environment["ESPORLES_THINKS"] for environment in environments] == expected
    for listener in (supervisor.public, supervisor.private):
        listener.close()
