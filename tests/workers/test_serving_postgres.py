"""A whole service with log and read models on PostgreSQL."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.pages.sample_content import until
from tests.workers.serving import Serving, serving
from tests.workers.test_serving import assert_whole, bots_playing


@pytest.fixture
def service(tmp_path: Path, another_postgres: Callable[[], str]) -> Iterator[Serving]:
    with serving(tmp_path, ESPORLES_STORE=another_postgres(), ESPORLES_READS=another_postgres()) as service:
        yield service


@pytest.mark.walk
def test_bots_play_a_whole_match_while_workers_and_follower_are_killed(service: Serving) -> None:
    client = service.player()
    match_id = bots_playing(client)

    client.wait_for_version(match_id, 40)
    service.kill("worker-1", "worker-2", "follower")

    match = client.wait_for_end(match_id)
    assert 1 in match["ranking"]
    assert_whole(client, match_id)
    # The transparency log includes records of another store.
    until(client, "/transparency", lambda state: state["size"] > match["version"])
