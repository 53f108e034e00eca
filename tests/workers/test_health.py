"""Whether a process without pages does its work, asked over HTTP."""

from http.client import HTTPConnection

import pytest

from workers.health import Health, HealthServer


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]"])
def test_it_is_asked_at_an_address_of_either_kind(host: str) -> None:
    health = Health()
    server = HealthServer(f"{host}:0", health)
    connection = HTTPConnection(server.place)
    statuses = []
    for tell in (health.fail, health.succeed, health.fail):
        tell()
        connection.request("GET", "/api/ready")
        answer = connection.getresponse()
        answer.read()
        statuses.append(answer.status)
    connection.close()
    server.close()

    assert server.place.startswith(host)
    assert statuses == [503, 200, 503]
