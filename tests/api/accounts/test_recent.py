"""What every request asks of people at a server is asked once in a moment, and what changes here is seen at once."""

from pathlib import Path

import msgspec
from litestar.testing import TestClient

from api.accounts.recent import KEPT_MAX, RECENT_SECONDS, Recent
from api.accounts.service import ACCOUNTS
from api.app import create_app
from tests.api.house import Person, settings_in
from tests.seeding import entropy


class World:
    """A clock, and how often people were changed."""

    def __init__(self) -> None:
        self.now = 0.0
        self.changes = 0
        self.recent = Recent(lambda: self.changes, lambda: self.now)


def test_an_answer_is_taken_for_a_moment_and_no_longer() -> None:
    world = World()
    world.recent.keep("token", "ann", 0)

    assert world.recent.find("token") == "ann"
    world.now = RECENT_SECONDS
    assert world.recent.find("token") == "ann"
    world.now += 0.01
    assert world.recent.find("token") is None


def test_whatever_is_changed_here_is_seen_at_once_though_it_was_asked_for_before() -> None:
    world = World()
    world.recent.keep("token", "ann", 0)
    world.changes = 1
    assert world.recent.find("token") is None

    world.recent.keep("late", "asked for before the change", 0)
    assert world.recent.find("late") is None


def test_that_somebody_is_not_known_is_not_kept_and_no_more_is_kept_than_there_is_room_for() -> None:
    world = World()
    world.recent.keep("nobody", None, 0)
    assert world.recent.find("nobody") is None

    for number in range(KEPT_MAX + 1):
        world.recent.keep(number, "ann", 0)
    assert world.recent.find(KEPT_MAX) == "ann"
    assert world.recent.find(0) is None


def test_a_token_that_this_host_revokes_is_refused_at_once(fresh_postgres: str, tmp_path: Path) -> None:
    settings = msgspec.structs.replace(settings_in(tmp_path), people=fresh_postgres)
    with TestClient(create_app(settings, entropy())) as client:
        ann = Person(client)
        # The first use of a token is written down, which is a change itself.
        assert [ann.get("/me")[0] for _ in range(2)] == [200, 200]
        assert ACCOUNTS.of(client).recent.find(("token", ann.headers["Authorization"].split()[1])) is not None

        assert client.delete("/api/me/sessions", headers=ann.headers).status_code == 204

        assert client.get("/api/me", headers=ann.headers).status_code == 401
