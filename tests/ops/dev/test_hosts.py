"""Five hosts in network namespaces: a bot match continues while any of them is killed, frozen or cut off."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ops.dev.hosts import JOBS, WEBS, Hosts
from ops.dev.network import Network, NoNetwork
from tests.domain.eventstore.postgres import binaries_for, owner
from tests.workers.serving import Client
from tests.workers.test_serving import assert_whole, bots_playing


@contextmanager
def hosts() -> Iterator[Hosts]:
    """Run all hosts, and remove them at the end."""
    with tempfile.TemporaryDirectory(prefix="hosts") as name:
        folder = Path(name)
        folder.chmod(0o755)
        with Hosts(folder, binaries_for(owner(), folder), owner()) as hosts:
            hosts.start()
            yield hosts


def token_at(url: str) -> str:
    """Create an account and return its token."""
    anonymous, account = Client(url), {"name": "ann", "password": "correct horse battery"}
    anonymous.post("/accounts", account)
    return str(anonymous.post("/tokens", account)["secret"])


def wait_until_ready(url: str) -> None:
    """Wait for readiness; broken connections cause 503 until they are replaced."""
    while (status := Client(url).ask("GET", "/ready")[0]) != 200:
        assert status == 503


@pytest.mark.walk
def test_a_match_goes_on_while_hosts_are_killed_frozen_and_cut_off() -> None:
    if os.geteuid() != 0:
        with pytest.raises(NoNetwork, match="separate networks require root"):
            Network(("a",))
        return
    with hosts() as running_hosts:
        first, second = running_hosts.web_urls
        token = token_at(second)
        client = Client(second, token)
        match_id = bots_playing(client)
        seen = client.wait_for_version(match_id, 20)

        running_hosts.disconnect("web-1")
        running_hosts.kill("jobs-1")
        seen = client.wait_for_version(match_id, seen + 20)
        running_hosts.reconnect("web-1")
        wait_until_ready(first)
        running_hosts.start("jobs-1")
        running_hosts.freeze("jobs-2")
        client.wait_for_version(match_id, seen + 20)
        running_hosts.thaw("jobs-2")

        assert 1 in client.wait_for_end(match_id)["ranking"]
        assert_whole(client, match_id)
        assert Client(first, token).get("/me")["person"]["name"] == "ann"
        for host in (*WEBS, *JOBS):
            assert not [*running_hosts.data(host).glob("**/*.db")], "what they share is at the server, not in a folder"
