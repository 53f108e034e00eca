"""The query cache: results live briefly, and changes clear it."""

from contextlib import closing
from pathlib import Path

import msgspec
from litestar.testing import TestClient

from api.accounts.people import People
from api.accounts.query_cache import CACHE_SECONDS, CACHED_MAX, QueryCache
from api.accounts.service import ACCOUNTS
from tests.api.service import Person, settings_in
from tests.seeding import entropy
from tests.service_app import create_app


class World:
    """A clock and a change counter."""

    def __init__(self) -> None:
        self.now = 0.0
        self.changes = 0
        self.recent = QueryCache(lambda: self.changes, lambda: self.now)


def test_a_cached_result_expires() -> None:
    world = World()
    world.recent.store("token", "ann", 0)

    assert world.recent.find("token") == "ann"
    world.now = CACHE_SECONDS
    assert world.recent.find("token") == "ann"
    world.now += 0.01
    assert world.recent.find("token") is None


def test_a_local_change_clears_the_cache() -> None:
    world = World()
    world.recent.store("token", "ann", 0)
    world.changes = 1
    assert world.recent.find("token") is None

    world.recent.store("late", "asked for before the change", 0)
    assert world.recent.find("late") is None


def test_none_is_not_cached_and_the_size_is_limited() -> None:
    world = World()
    world.recent.store("nobody", None, 0)
    assert world.recent.find("nobody") is None

    for number in range(CACHED_MAX + 1):
        world.recent.store(number, "ann", 0)
    assert world.recent.find(CACHED_MAX) == "ann"
    assert world.recent.find(0) is None


def test_a_change_of_the_file_by_another_process_clears_the_cache(tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    with TestClient(create_app(settings, entropy())) as client:
        ann = Person(client)
        assert [ann.get("/me")[0] for _ in range(2)] == [200, 200]
        assert ACCOUNTS.of(client).recent.find(("token", ann.headers["Authorization"].split()[1])) is not None

        with closing(People(settings.people_place)) as console:
            console.access.sign_out_everywhere(ann.id)

        assert client.get("/api/me", headers=ann.headers).status_code == 401


def test_a_token_revoked_on_this_host_is_rejected_at_once(fresh_postgres: str, tmp_path: Path) -> None:
    settings = msgspec.structs.replace(settings_in(tmp_path), people=fresh_postgres)
    with TestClient(create_app(settings, entropy())) as client:
        ann = Person(client)
        # The first use of a token is recorded, which is a change.
        assert [ann.get("/me")[0] for _ in range(2)] == [200, 200]
        assert ACCOUNTS.of(client).recent.find(("token", ann.headers["Authorization"].split()[1])) is not None

        assert client.delete("/api/me/sessions", headers=ann.headers).status_code == 204

        assert client.get("/api/me", headers=ann.headers).status_code == 401
