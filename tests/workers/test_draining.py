"""Rolling restarts: web processes stop one after the other without failed requests or gaps in streams."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from tests.workers.roles import Deployment, RunningRole
from tests.workers.serving import PATIENCE_SECONDS
from tests.workers.test_roles import player_at
from tests.workers.test_serving import bots_playing


def connection_to(url: str) -> HTTPConnection:
    parts = urlsplit(url)
    assert parts.hostname is not None
    return HTTPConnection(parts.hostname, parts.port, timeout=PATIENCE_SECONDS)


class Balancer:
    """A load balancer that connects clients to a ready host; connections last until the host closes them."""

    def __init__(self) -> None:
        self.urls: list[str] = []

    def connect(self) -> HTTPConnection:
        for url in self.urls:
            connection = connection_to(url)
            try:
                connection.request("GET", "/api/ready")
                response = connection.getresponse()
                response.read()
                if response.status == 200:
                    return connection
            except OSError:
                pass
            connection.close()
        raise AssertionError("no host is ready")


class Visitor:
    """A client that sends requests over persistent connections without retries."""

    def __init__(self, balancer: Balancer, path: str) -> None:
        self._balancer, self._path = balancer, path
        self._is_stopped = threading.Event()
        self.statuses: list[int] = []
        self.failures: list[str] = []
        self._thread = threading.Thread(target=self._visit)

    @contextmanager
    def visiting(self) -> Iterator[None]:
        self._thread.start()
        try:
            yield
        finally:
            self._is_stopped.set()
            self._thread.join(PATIENCE_SECONDS)

    def _visit(self) -> None:
        connection = self._balancer.connect()
        try:
            while not self._is_stopped.is_set():
                connection.request("GET", self._path)
                response = connection.getresponse()
                response.read()
                self.statuses.append(response.status)
                if response.will_close:
                    connection.close()
                    connection = self._balancer.connect()
        except Exception as failure:  # any exception is a failed request
            self.failures.append(repr(failure))
        finally:
            connection.close()


def stop_when(reached: threading.Event, web: RunningRole) -> None:
    reached.wait(PATIENCE_SECONDS)
    web.stop()


def read_until_end(
    web: RunningRole, match_id: str, seen: int, version: int, reached: threading.Event
) -> tuple[list[int], bool]:
    """Return the versions of a stream after `seen`, and whether it asked the reader to reconnect.

    `reached` is set when `version` is reached or the stream ends.
    """
    connection = connection_to(web.running.url)
    connection.request("GET", f"/api/matches/{match_id}/stream", headers={"Last-Event-ID": str(seen)})
    response, versions, asked_to_reconnect = connection.getresponse(), list[int](), False
    while line := response.readline():
        if line.startswith(b"id:"):
            versions.append(int(line.removeprefix(b"id:")))
            if versions[-1] >= version:
                reached.set()
        if b'"match_ended"' in line:
            reached.set()
        asked_to_reconnect = asked_to_reconnect or line.startswith(b"retry:")
    connection.close()
    return versions, asked_to_reconnect


@pytest.mark.walk
def test_hosts_are_restarted_in_turn_without_a_failed_request_or_a_gap(hosts: Deployment) -> None:
    first, second = hosts.web(), hosts.web()
    hosts.run("follower")
    hosts.worker(first, second)
    match_id = bots_playing(player_at(first))
    balancer = Balancer()
    balancer.urls = [first.running.url, second.running.url]
    visitor, reached, seen = Visitor(balancer, f"/api/matches/{match_id}"), threading.Event(), list[int]()

    with visitor.visiting():
        for leaving, remaining in ((first, second), (second, first)):
            reached.clear()
            stopping = threading.Thread(target=stop_when, args=(reached, leaving))
            stopping.start()
            next_version = (seen[-1] if seen else 1) + 10
            versions, asked_to_reconnect = read_until_end(
                leaving, match_id, seen[-1] if seen else 0, next_version, reached
            )
            stopping.join(PATIENCE_SECONDS)
            seen += versions
            assert asked_to_reconnect, "the reader was not told to come back"
            assert leaving.process.returncode == 0
            if remaining is second:
                first = hosts.web()
                balancer.urls = [second.running.url, first.running.url]

    assert visitor.failures == []
    assert set(visitor.statuses) == {200}
    assert seen == list(range(1, len(seen) + 1))
    assert player_at(first, "bea").get(f"/matches/{match_id}")["version"] >= seen[-1]
