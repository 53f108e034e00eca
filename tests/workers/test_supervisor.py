"""The supervisor starts and stops all processes, reports addresses, and cleans up."""

import os
import queue
import select
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from ops.cli import main
from ops.embedded_valkey import SocketPathTooLong, valkey_command
from ops.service_client import ServiceAddress, write_address
from ops.sockets import AddressInUse
from ops.supervisor import Child, Exited, SupervisorNews, serve, stop_in_turn
from projections.platform.setting_values import SOCKET_PATH_BYTES_MAX
from projections.platform.settings import Settings
from tests.pages.sample_content import until
from tests.workers.serving import PATIENCE_SECONDS, ROOT, RUN, Client, serving


def is_running(pid: int) -> bool:
    """Return whether the process exists and is not a zombie."""
    file = Path(f"/proc/{pid}/stat")
    try:
        return file.read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_everything_is_started_once_and_nothing_is_left_after_sigterm(tmp_path: Path) -> None:
    """A second service on the same data exits with a reason; an open stream does not delay the shutdown."""
    data = tmp_path / "data"
    with serving(data) as service:
        pids = service.started.processes
        assert sorted(pids) == ["follower", "service", "valkey", "worker-1", "worker-2"]
        assert all(is_running(pid) for pid in pids.values())
        client = service.player()
        assert client.get("/health") == {"status": "ok"}
        private = Path(service.started.socket)
        assert private.is_socket()
        second = subprocess.run(
            [sys.executable, "-m", "ops.cli", "serve", "--data", str(data), "--port", "0"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE_SECONDS,
        )
        versions = client.versions(client.post("/matches", {"title": "la_granja", "seats": 2})["matchId"])
        assert next(versions) == 1

        assert service.stop() == 0

    assert (second.returncode, second.stdout) == (1, "")
    assert second.stderr == f"esporles serve: another process is using {data}\n"
    assert [name for name, pid in pids.items() if is_running(pid)] == []
    assert not private.parent.exists()


def test_a_worker_in_a_long_job_does_not_delay_shutdown(tmp_path: Path) -> None:
    exits: queue.SimpleQueue[SupervisorNews] = queue.SimpleQueue()
    imports = f"import os, pathlib, signal; os.chdir({str(tmp_path)!r}); "
    ignoring = "signal.signal(signal.SIGTERM, signal.SIG_IGN); pathlib.Path('deaf').touch(); signal.pause()"
    blocking = "signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM}); pathlib.Path('tidy').touch(); "
    stopping = blocking + "signal.sigwait({signal.SIGTERM}); pathlib.Path('ended').touch()"
    worker, service = (
        Child(name, (sys.executable, "-c", imports + code), os.environ, ())
        for name, code in (("worker-1", ignoring), ("service", stopping))
    )
    for child in (worker, service):
        child.start(exits)
    while not all((tmp_path / name).exists() for name in ("deaf", "tidy")):
        assert exits.empty()

    stop_in_turn(([worker], [service]), seconds=2.0)

    assert (tmp_path / "ended").exists()
    assert {exits.get(timeout=PATIENCE_SECONDS) for _ in range(2)} == {Exited("worker-1", -9), Exited("service", 0)}


def test_a_service_that_never_responds_is_a_failure(tmp_path: Path, dead_redis_url: str) -> None:
    settings = {"ESPORLES_DATA": str(tmp_path), "ESPORLES_PORT": "0", "ESPORLES_REDIS": dead_redis_url}
    process = subprocess.run(
        [sys.executable, "-c", RUN, "1", "tests.workers.hanging_up"],
        cwd=ROOT,
        env=os.environ | settings,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_SECONDS,
    )

    assert (process.returncode, process.stdout) == (1, "")
    assert "no response from the service: " in process.stderr


def test_an_unwritable_folder_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("no folder")
    for folder, reason in ((tmp_path / "file" / "data", "Not a directory"), (tmp_path / "file", "File exists")):
        assert main(["serve", "--port", "0", "--data", str(folder)]) == 1
        assert capsys.readouterr().err == f"esporles serve: cannot write to {folder}: {reason}\n"


def test_a_killed_supervisor_leaves_no_processes(tmp_path: Path) -> None:
    with serving(tmp_path) as service:
        pids = service.started.processes
        pid_files = [os.pidfd_open(pid) for pid in pids.values()]

        service.process.send_signal(signal.SIGKILL)
        service.process.wait(PATIENCE_SECONDS)

        for pid_file in pid_files:
            # Readable when the process has ended.
            assert select.select([pid_file], [], [], PATIENCE_SECONDS)[0]
            os.close(pid_file)


@pytest.mark.walk
def test_matches_persist_across_restarts(tmp_path: Path) -> None:
    """Unreadable read models are rebuilt before the start."""
    with serving(tmp_path) as service:
        client = service.player()
        match_id = client.post("/matches", {"title": "la_granja", "seats": 2})["matchId"]
        for seat in range(2):
            client.post(f"/matches/{match_id}/seats", {"seat": seat, "bot": "random"})
        client.wait_for_version(match_id, 30)
        open_id = client.post("/matches", {"title": "la_granja", "seats": 2})["matchId"]
        assert service.stop() == 0
    read_models = tmp_path / "reads.db"
    read_models.write_bytes(b"no database " * 1_000)

    with serving(tmp_path) as service:
        client = Client(service.started.url)
        assert client.wait_for_end(match_id)["status"] == "ended"
        until(client, "/matches", lambda lobby: open_id in [match["matchId"] for match in lobby["matches"]])

    assert (tmp_path / "reads.db.unreadable-1").read_bytes() == b"no database " * 1_000


def test_an_address_in_use_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]

        with pytest.raises(AddressInUse, match=f"cannot listen on 127.0.0.1:{port}: Address already in use"):
            serve(Settings(data=tmp_path, port=port))


def test_a_failed_start_keeps_the_socket_of_the_running_service(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A second start must not disconnect console commands from the running service."""
    write_address(tmp_path, ServiceAddress("the-socket", "the-token"))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        assert main(["serve", "--data", str(tmp_path), "--port", str(port)]) == 1

    assert f"cannot listen on 127.0.0.1:{port}" in capsys.readouterr().err
    assert (tmp_path / "service.json").exists()


SERVE = """
import os, sys
from projections.platform.settings import Settings
from ops.supervisor import serve
sys.exit(serve(Settings.from_environment(os.environ)))
"""


def test_a_socket_path_the_system_cannot_bind_is_refused_by_its_length() -> None:
    path = Path("/tmp") / ("x" * 100) / "valkey.sock"

    with pytest.raises(SocketPathTooLong, match=f"at most {SOCKET_PATH_BYTES_MAX}"):
        valkey_command(path, path)


def test_a_temporary_folder_with_a_long_path_is_skipped(tmp_path: Path) -> None:
    long = tmp_path / ("x" * 100)
    long.mkdir()
    command = [sys.executable, "-c", "from ops.embedded_valkey import socket_folder; print(socket_folder())"]

    process = subprocess.run(
        command, cwd=ROOT, env=os.environ | {"TMPDIR": str(long)}, capture_output=True, text=True, check=True
    )

    folder = Path(process.stdout.strip())
    assert folder.is_dir()
    assert not folder.is_relative_to(long)
    folder.rmdir()
