"""Health checks of processes without pages."""

from http.client import HTTPConnection

import pytest

from projections.platform.setting_values import split_place
from tests.projections.platform.telemetry.collector import is_cut_off
from workers.health import Health, HealthServer


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]"])
def test_health_is_served_over_ipv4_and_ipv6(host: str) -> None:
    health = Health()
    server = HealthServer(f"{host}:0", health)
    connection = HTTPConnection(server.address)
    statuses = []
    for report in (health.fail, health.succeed, health.fail):
        report()
        connection.request("GET", "/api/ready")
        response = connection.getresponse()
        response.read()
        statuses.append(response.status)
    connection.close()
    server.close()

    assert server.address.startswith(host)
    assert statuses == [503, 200, 503]


def test_an_endless_request_is_aborted(capsys: pytest.CaptureFixture[str]) -> None:
    server = HealthServer("127.0.0.1:0", Health(), request_seconds=0.2)

    assert is_cut_off(split_place(server.address))

    server.close()
    assert capsys.readouterr().err == ""
