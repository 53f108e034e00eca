"""A PostgreSQL that has gone is said to have gone soon, and is found when it is there again."""

from collections.abc import Iterator

import pytest

from domain.matches.application import Matches
from domain.matches.retrying import NoStore
from domain.matches.store import store_env
from tests.domain.matches.postgres import Server, fresh_database, stoppable_server
from tests.domain.matches.world import ALL_TITLES, BOT, act_once, started, uuid
from tests.seeding import entropy


@pytest.fixture
def server() -> Iterator[Server]:
    with stoppable_server() as server:
        yield server


def test_whoever_asks_is_told_and_goes_on_when_it_is_back(server: Server) -> None:
    env = store_env(fresh_database(server.address, "away"))
    matches = Matches(env, titles=ALL_TITLES, entropy=entropy())
    match = started(matches, uuid(1), (BOT, BOT))
    server.stop()
    with pytest.raises(NoStore):
        act_once(matches, match)
    with pytest.raises(NoStore):
        matches.get(uuid(1))
    server.start()

    assert matches.get(uuid(1)).version == match.version
    match = act_once(matches, match)
    # Connections of before a restart fail; the question is asked again.
    server.stop()
    server.start()
    assert matches.get(uuid(1)).head == match.head
    matches.close()
