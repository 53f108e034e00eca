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
from workers.queues import ANALYSES, QUEUES, THOUGHTS, UNATTENDED_THOUGHTS

TOLD = {"REDIS_URL": "unix:///nowhere", "ESPORLES_SOCKET": "/run/service.sock", "ESPORLES_TOKEN": "secret"}


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
    wrong = run("waiter")

    assert wrong.returncode == 2
    assert "follower|worker" in wrong.stderr


def test_missing_settings_are_reported() -> None:
    untold = run("worker")

    assert untold.returncode == 2
    assert "is not set; `esporles serve` sets it" in untold.stderr
    assert "Traceback" not in untold.stderr


@pytest.mark.parametrize("process", ["follower", "worker"])
@pytest.mark.parametrize("name", ["ESPORLES_STORE", "ESPORLES_READS"])
def test_invalid_settings_are_named(process: str, name: str) -> None:
    refused = run(process, **TOLD, **{name: "mysql://x"})

    assert refused.returncode == 2
    assert f"{name}: 'mysql://…' is neither sqlite:///path nor postgresql://" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_an_unreadable_deck_is_reported(tmp_path: Path) -> None:
    folder = tmp_path / "la_granja" / "deck"
    folder.mkdir(parents=True)
    (folder / "torn.toml").write_text("[[cards]\n")

    refused = run("worker", **TOLD, ESPORLES_DATA=str(tmp_path))

    assert refused.returncode == 2
    assert "torn.toml" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_a_worker_without_queues_waits_and_stops_on_a_signal(dead_redis_url: str) -> None:
    told = TOLD | {"REDIS_URL": dead_redis_url}
    command = [sys.executable, "-m", "workers.main", "worker"]
    with subprocess.Popen(command, cwd=ROOT, env=os.environ | told, stderr=subprocess.PIPE, text=True) as process:
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
    assert set(queues_of(Settings(thinks=False))) == set(QUEUES) - {THOUGHTS, UNATTENDED_THOUGHTS, ANALYSES}


@pytest.mark.parametrize(("count", "thinking"), [(1, ["1"]), (2, ["0", "1"]), (3, ["0", "1", "1"])])
def test_one_of_several_workers_does_not_run_thinking_bots(count: int, thinking: list[str], tmp_path: Path) -> None:
    supervisor = Supervisor(Settings(data=tmp_path, host="127.0.0.1", port=0), tmp_path, count, Programs())

    environments = [supervisor.children[f"worker-{number}"].environment for number in range(1, count + 1)]

    assert [environment["ESPORLES_THINKS"] for environment in environments] == thinking
    for bound in (supervisor.public, supervisor.private):
        bound.close()
