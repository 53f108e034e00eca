"""No public list, search, profile, feed or count reveals a private match."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest
from litestar.testing import TestClient

from api.http.access import ANYBODY
from api.http.openapi import access_by_operation
from tests.api.disputes.test_disputes import raises, rules
from tests.api.service import Member, Person, catch_up, make_operator, settings_in, start_match
from tests.seeding import entropy
from tests.service_app import create_app

SECRET: Final = "Zugzwang"
PRIVATE: Final = {"public": False}
PLACES: Final = {
    "{title}": "la_granja",
    "{seats}": "2",
    "{number}": "1",
    "{what}": "players.csv",
    "{day}": "2026-01-01",
}
PAGES: Final = (
    "/",
    "/tables",
    "/tables?status=ended",
    "/archive",
    "/archive?title=la_granja",
    "/rankings",
    "/rankings/la_granja/2",
    "/studies",
    "/quick",
    "/events",
    "/leagues",
    "/explorer/la_granja/2",
    "/transparency",
    "/people",
    "/disputes/record",
)


class World:
    """Two private matches of Ann and Ben: one running, one ended by a ruling, with a fork and a study."""

    def __init__(self, client: TestClient[Any]) -> None:
        self.client = client
        self.ann, self.ben = Member(client, "Ann"), Member(client, "Ben")
        self.olga, self.stranger = Person(client), Person(client)
        make_operator(client, self.olga.id)
        running, ended = (start_match(self.ann, self.ben, table=PRIVATE) for _ in range(2))
        for match_id in (running, ended):
            for _ in range(6):
                (self.ann, self.ben)[self.ann.get(f"/matches/{match_id}")[1]["toAct"][0]].acts(match_id)
        version = self.ann.get(f"/matches/{ended}")[1]["version"]
        ruled = rules(self.olga, raises(self.ann, ended, version), {"type": "points_taken", "seat": 1, "points": 2})
        assert ruled[0] == 201, ruled
        self.ann.post(f"/matches/{ended}/resignation", {})
        fork = self.ann.post(f"/matches/{ended}/forks", {"at": version, "luck": "fresh"})
        assert fork[0] == 201, fork
        study = self.ann.post(f"/matches/{ended}/annotations", {"title": SECRET, "visibility": "public"})[1]
        self.told = [running, ended, str(fork[1]["matchId"]), str(study["id"]), SECRET]
        catch_up(client)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with TestClient(create_app(settings_in(tmp_path_factory.mktemp("private")), entropy())) as client:
        yield World(client)


def find_traces(world: World, path: str, headers: dict[str, str]) -> list[str]:
    """Return the traces of the private matches in a response."""
    world.client.cookies.clear()
    response = world.client.get(path, headers=headers)
    assert response.status_code < 500, path
    return [each for each in world.told if each in response.text]


def lists(world: World) -> list[str]:
    """Return the paths of all public operations without a match, study or event."""
    found = []
    for name, (access, _) in access_by_operation(world.client.app).items():
        method, _, path = name.partition(" ")
        for placeholder, value in PLACES.items():
            path = path.replace(placeholder, value)
        if method == "GET" and access.who == ANYBODY and "{" not in path.replace("{name}", ""):
            found.append(path)
    return found


def test_a_stranger_finds_nothing_of_a_private_match(world: World) -> None:
    for path in (*lists(world), *PAGES):
        for player in (world.ann, world.ben):
            for headers in ({}, world.stranger.headers):
                assert find_traces(world, path.replace("{name}", player.id), headers) == [], path


@pytest.mark.parametrize("path", ["/players/{}", "/api/players/{}", "/api/players/{}/history.csv"])
def test_a_profile_reveals_no_private_match_to_strangers(world: World, path: str) -> None:
    for player in (world.ann, world.ben):
        assert find_traces(world, path.format(player.id), world.stranger.headers) == []


def test_participants_find_their_private_match(world: World) -> None:
    """Its participants find the same words."""
    assert find_traces(world, "/api/studies", world.ann.headers) != []
