"""The metrics endpoint of a process, on a port or a private socket."""

import socket
from collections.abc import Iterable
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread

import pytest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric

from projections.platform.telemetry.exposition import MetricsServer, serve_metrics
from projections.platform.telemetry.metrics import ProcessMetrics
from tests.api.service import PATIENCE_SECONDS
from tests.projections.platform.telemetry.collector import is_cut_off
from workers.unix_http import UnixConnection


def ask(connection: HTTPConnection, path: str = "/metrics") -> tuple[int, str]:
    connection.request("GET", path)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text


def over_port(server: MetricsServer) -> HTTPConnection:
    host, _, port = server.address.rpartition(":")
    return HTTPConnection(host.strip("[]"), int(port), timeout=PATIENCE_SECONDS)


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]"])
def test_metrics_are_served_at_a_port(host: str) -> None:
    with serve_metrics(f"{host}:0", ProcessMetrics("worker")) as server:
        assert isinstance(server, MetricsServer)
        status, text = ask(over_port(server))
        elsewhere = ask(over_port(server), "/")

    assert status == 200
    assert 'esporles_process{role="worker",version="' in text
    assert elsewhere[0] == 404


def test_metrics_are_served_on_a_socket_for_its_owner_only(socket_path: Path) -> None:
    socket_path.touch()
    with serve_metrics(f"unix://{socket_path}", ProcessMetrics("worker")):
        status, text = ask(UnixConnection(socket_path, PATIENCE_SECONDS))
        assert socket_path.stat().st_mode & 0o777 == 0o600

    assert (status, socket_path.exists()) == (200, False)
    assert "process_cpu_seconds_total" in text


def test_without_an_address_nothing_listens() -> None:
    with serve_metrics("", ProcessMetrics("worker")) as server:
        assert server is None


def test_a_disconnecting_client_does_no_harm() -> None:
    with serve_metrics("127.0.0.1:0", ProcessMetrics("worker")) as server:
        assert isinstance(server, MetricsServer)
        socket.create_connection(server.socket.getsockname()).close()

        assert ask(over_port(server))[0] == 200


def test_failing_metrics_do_not_affect_others() -> None:
    figures = ProcessMetrics("follower")

    def away() -> Iterable[Metric]:
        raise ConnectionError("the database of somebody, with its password")

    figures.register_at_scrape(away)
    figures.register_at_scrape(lambda: [GaugeMetricFamily("esporles_there", "is there", value=1)])
    figures.render()
    text = figures.render().decode()

    assert "esporles_there 1.0" in text
    assert "esporles_scrape_faults 1.0" in text or "esporles_scrape_faults 2.0" in text
    assert "password" not in text


def test_an_endless_request_does_not_block_others() -> None:
    server = MetricsServer("127.0.0.1:0", ProcessMetrics("worker"), request_seconds=0.2)
    thread = Thread(target=server.serve_forever)
    thread.start()

    assert is_cut_off(server.socket.getsockname())
    assert ask(over_port(server))[0] == 200

    server.shutdown()
    server.server_close()
    thread.join()
