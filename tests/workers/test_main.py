"""The processes beside the service: which there are, what they must be told, how they end."""

import os
import signal
import subprocess
import sys

import pytest

from tests.workers.serving import PATIENCE_SECONDS, ROOT
from workers.main import MissingSetting, Settings

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


def test_files_lie_in_the_data_folder_unless_told_otherwise() -> None:
    settings = Settings.from_environment(TOLD | {"ESPORLES_DATA": "/srv/games"})

    assert (settings.store, settings.reads) == ("sqlite:////srv/games/log.db", "sqlite:////srv/games/reads.db")
    assert Settings.from_environment(TOLD | {"ESPORLES_REDIS": "redis://there"}).redis == "redis://there"


@pytest.mark.parametrize("name", sorted(TOLD))
def test_what_must_be_told_is_named(name: str) -> None:
    with pytest.raises(MissingSetting, match=f"{name} is not set"):
        Settings.from_environment({other: value for other, value in TOLD.items() if other != name})


def test_a_process_nobody_knows_is_wrong_usage() -> None:
    wrong = run("waiter")

    assert wrong.returncode == 2
    assert "follower|worker" in wrong.stderr


def test_a_process_that_is_told_too_little_says_so_in_a_sentence() -> None:
    untold = run("worker")

    assert untold.returncode == 2
    assert "is not set; `esporles serve` sets it" in untold.stderr
    assert "Traceback" not in untold.stderr


def test_without_its_queues_a_worker_waits_and_can_be_told_to_stop(dead_redis_url: str) -> None:
    told = TOLD | {"REDIS_URL": dead_redis_url}
    command = [sys.executable, "-m", "workers.main", "worker"]
    with subprocess.Popen(command, cwd=ROOT, env=os.environ | told, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert "the queues are away" in process.stderr.readline()

        process.send_signal(signal.SIGTERM)

        assert process.wait(PATIENCE_SECONDS) == 0
