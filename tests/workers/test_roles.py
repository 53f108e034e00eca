"""`esporles run`: the processes of a service on several hosts, on PostgreSQL."""

import ssl
from http.client import HTTPConnection, HTTPSConnection
from urllib.parse import urlsplit

import pytest

from tests.workers.roles import TOKEN, Deployment, RunningRole
from tests.workers.serving import PATIENCE_SECONDS, Client
from tests.workers.test_serving import assert_whole, bots_playing


def player_at(web: RunningRole, name: str = "ann") -> Client:
    """Create a person with an account and a token."""
    anonymous, account = Client(web.running.url), {"name": name, "password": "correct horse battery"}
    anonymous.post("/accounts", account)
    return Client(web.running.url, anonymous.post("/tokens", account)["secret"])


def status_at(connection: HTTPConnection, path: str, token: str = "") -> int:
    """Send a request and return the status."""
    try:
        connection.request("GET", path, headers={"Authorization": f"Bearer {token}"} if token else {})
        return connection.getresponse().status
    finally:
        connection.close()


def door_of(web: RunningRole, context: ssl.SSLContext) -> HTTPSConnection:
    parts = urlsplit(web.running.door)
    assert parts.hostname is not None
    return HTTPSConnection(parts.hostname, parts.port, timeout=PATIENCE_SECONDS, context=context)


def public_of(web: RunningRole) -> HTTPConnection:
    parts = urlsplit(web.running.url)
    assert parts.hostname is not None
    return HTTPConnection(parts.hostname, parts.port, timeout=PATIENCE_SECONDS)


@pytest.mark.walk
def test_bots_play_on_while_a_web_host_a_worker_and_a_follower_are_killed(hosts: Deployment) -> None:
    first, second = hosts.web(), hosts.web()
    follower, worker = hosts.run("follower"), hosts.worker(first, second)
    client = player_at(second)
    match_id = bots_playing(client)
    client.wait_for_version(match_id, 30)

    first.kill()
    client.wait_for_version(match_id, 60)
    worker.kill()
    follower.kill()
    hosts.run("follower")
    hosts.worker(first, second)

    assert 1 in client.wait_for_end(match_id)["ranking"]
    assert_whole(client, match_id)


def test_the_service_token_needs_the_private_port_and_a_client_certificate(hosts: Deployment) -> None:
    web = hosts.web()
    client = player_at(web)
    match_id = client.post("/matches", {"title": "la_granja", "seats": 2})["matchId"]
    path = f"/api/matches/{match_id}/owed"
    trusted = hosts.context(with_certificate=True)

    assert status_at(door_of(web, trusted), path, TOKEN) == 200
    assert status_at(door_of(web, trusted), path, "another") == 401
    assert status_at(door_of(web, trusted), path) == 403
    assert status_at(public_of(web), path, TOKEN) == 401
    # Depending on the TLS version the server sends an alert or only closes the connection.
    with pytest.raises((ssl.SSLError, ConnectionError)):
        status_at(door_of(web, hosts.context(with_certificate=False)), path, TOKEN)
    with pytest.raises(ssl.SSLError):
        status_at(door_of(web, ssl.create_default_context()), path, TOKEN)
    assert web.stop() == 0


def wait_until_covered(client: Client, match_id: str) -> None:
    """Wait until the tree covers the current version; each request itself waits a while."""
    while (status := client.fetch("GET", f"/matches/{match_id}/proof")[0]) != 200:
        assert status == 503


@pytest.mark.walk
def test_a_separate_role_extends_the_tree_and_web_processes_read_it(hosts: Deployment) -> None:
    settings = {"people": hosts.reads, "keeps_tree": "0"}
    web = hosts.web(**settings)
    client = player_at(web)
    match_id = client.post("/matches", {"title": "la_granja", "seats": 2})["matchId"]
    assert client.get("/transparency")["size"] == 0
    first, second = (hosts.run("tree", health="127.0.0.1:0", **settings) for _ in range(2))
    wait_until_covered(client, match_id)
    size = client.get("/transparency")["size"]

    first.kill()
    client.post(f"/matches/{match_id}/seats", {"seat": 0})
    wait_until_covered(client, match_id)
    assert client.get("/transparency")["size"] > size > 0

    host, _, port = second.running.health.rpartition(":")
    assert status_at(HTTPConnection(host, int(port)), "/api/ready") == 200
    assert second.stop() == 0


@pytest.mark.walk
def test_processes_without_pages_report_readiness(hosts: Deployment) -> None:
    web = hosts.web()
    for role in (hosts.run("follower", health="127.0.0.1:0"), hosts.worker(web, health="127.0.0.1:0")):
        host, _, port = role.running.health.rpartition(":")

        assert status_at(HTTPConnection(host, int(port)), "/api/ready") == 200
        assert status_at(HTTPConnection(host, int(port)), "/api/health") == 200
        assert status_at(HTTPConnection(host, int(port)), "/api/matches") == 404
        assert role.stop() == 0
