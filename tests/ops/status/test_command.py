"""`esporles status` of running and stopped services, and of processes on other hosts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ops import cli
from ops.service_client import ServiceAddress, write_address
from ops.status.scraping import scrape
from projections.platform.telemetry.exposition import MetricsServer, serve_metrics
from projections.platform.telemetry.metrics import ProcessMetrics
from tests.workers.serving import serving


@pytest.mark.walk
def test_a_running_service_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with serving(tmp_path) as service:
        started = service.started
        write_address(tmp_path, ServiceAddress(started.socket, "", started.metrics))
        service.player().get("/matches")
        while not all(process.is_up for process in scrape(started.metrics).processes):
            assert service.process.poll() is None
        status = cli.main(["status", "--json", "--seconds", "0.2", "--data", str(tmp_path)])
        document = json.loads(capsys.readouterr().out)
        text_status = cli.main(["status", "--once", "--seconds", "0.2", "--data", str(tmp_path)])
        text = capsys.readouterr().out

    assert (status, text_status) == (0, 0)
    assert [(each["name"], each["role"], each["isUp"]) for each in document["processes"]] == [
        ("service", "web", True),
        ("follower", "follower", True),
        ("worker-1", "worker", True),
        ("worker-2", "worker", True),
    ]
    assert document["attention"] == []
    assert document["processes"][0]["memoryBytes"] > 1_000_000
    assert "no problems" in text
    assert "worker-2" in text


def test_a_process_on_another_host_is_scraped_at_its_address(
    tmp_path: Path, socket_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serve_metrics("127.0.0.1:0", ProcessMetrics("worker")) as server:
        assert isinstance(server, MetricsServer)
        reachable, unreachable = f"far={server.address}", f"gone=unix://{socket_path}"
        common = ["status", "--json", "--seconds", "0.01", "--data", str(tmp_path)]
        alone = cli.main([*common, "--at", reachable])
        capsys.readouterr()
        both = cli.main([*common, "--at", reachable, "--at", unreachable])

    assert (alone, both) == (0, 1)
    assert json.loads(capsys.readouterr().out)["attention"] == ["gone does not respond"]


@pytest.mark.parametrize("address", ["far", "far=", "=127.0.0.1:9100", "far=nowhere"])
def test_an_invalid_address_is_named(address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["status", "--at", address, "--data", str(tmp_path)]) == 2
    assert repr(address) in capsys.readouterr().err


def test_a_stopped_service_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["status", "--data", str(tmp_path)]) == 1
    assert f"no service is running on {tmp_path}" in capsys.readouterr().err
