"""Every long list is paginated, in the API and on pages, with the same parameters and without loss."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import Any, Final
from uuid import UUID

import pytest
from litestar.testing import TestClient

from api.accounts.people import PEOPLE
from api.http.cookies import SESSION as SESSION_COOKIE
from api.matches.service import MATCHES
from projections.platform.clock import now
from projections.platform.paging import KEY_MAX, LIMIT_MAX
from tests.api.service import (
    Member,
    Person,
    account_of,
    catch_up,
    make_operator,
    play_rounds,
    session_of,
    settings_in,
    start_match,
)
from tests.service_app import create_app

COUNT: Final = 5
NAMES: Final = ("Ann", "Ben", "Cleo", "Dora", "Emil", "Franz")
LIMIT: Final = 2
LEAGUE: Final = {"name": "Liga", "title": "la_granja", "size": 2, "table": {}}
EVENT: Final = {"name": "Cup", "title": "la_granja", "size": 2, "stages": [{"kind": "swiss", "rounds": 1}]}
API: Final = {
    "matches": ("/matches", "matches", "matchId"),
    "tournaments": ("/tournaments", "events", "eventId"),
    "leagues": ("/leagues", "leagues", "leagueId"),
    "studies": ("/studies", "studies", "id"),
    "annotations": ("/matches/{match}/annotations", "studies", "id"),
    "disputes": ("/disputes", "disputes", "id"),
    "disputes of a match": ("/matches/{match}/disputes", "disputes", "id"),
    "roles": ("/roles", "roles", "person"),
    "audit": ("/audit", "lines", "version"),
    "forks": ("/matches/{match}/forks", "lines", "line"),
    "tokens": ("/tokens", "tokens", "id"),
    "history": ("/players/{player}", "history", "matchId"),
    "ranking": ("/rankings/la_granja/2", "people", "player"),
}
"""By list: path, field of the items, and key of an item."""
PAGES: Final = {
    "/tables": "Older tables",
    "/events": "Older tournaments",
    "/leagues": "Older leagues",
    "/studies": "Older studies",
    "/disputes": "More disputes",
    "/desk/roles": "Older roles",
    "/desk/audit": "Older records",
    "/tables/{match}/forks": "Older forks",
    "/rankings/la_granja/2": "Show more",
    "/players/{player}": "Older results",
}


class World:
    """A service in which every list has at least five items."""

    def __init__(self, client: TestClient[Any]) -> None:
        self.client = client
        self.operator = Person(client)
        self.ann, *self.others = (Member(client, name) for name in NAMES)
        make_operator(client, self.operator.id)
        self.play()
        self.open_events()
        self.write_about(self.match)
        catch_up(client)

    def play(self) -> None:
        """Play rated matches to their end, and fork the last one."""
        for other in self.others:
            self.match = start_match(
                self.ann, other, table={"rated": True, "clock": {"kind": "per_move", "seconds": 600}}
            )
            play_rounds((self.ann, other), self.match, 2)
            last = self.ann.get(f"/matches/{self.match}")[1]["version"]
            assert other.post(f"/matches/{self.match}/resignation", {})[0] == 201
        for _ in range(COUNT):
            status, fork = self.ann.post(f"/matches/{self.match}/forks", {"at": last})
            assert status == 201, fork

    def open_events(self) -> None:
        for _ in range(COUNT):
            status, league = self.ann.post("/leagues", {"plan": LEAGUE})
            assert status == 201
            season = f"/leagues/{league['leagueId']}"
            assert self.ann.post(f"{season}/seasons", {"name": "2026"})[0] == 201
            assert self.ann.post(f"{season}/entries", {})[0] == 201
            status, event = self.ann.post("/tournaments", {"plan": EVENT})
            assert status == 201
            assert self.ann.post(f"/tournaments/{event['eventId']}/entries", {})[0] == 201

    def write_about(self, match: str) -> None:
        people = PEOPLE.of(self.client)
        for person in self.others:
            assert self.operator.post("/roles", {"person": person.id, "role": "arbiter"})[0] == 200
            study = {"title": "On it", "visibility": "public"}
            assert self.ann.post(f"/matches/{match}/annotations", study)[0] == 201
            people.access.issue_token(account_of(self.client, self.operator.id), "a bot", now())
        entry = self.ann.get(f"/matches/{match}")[1]["version"]
        for number in range(COUNT):
            status, dispute = self.ann.post(f"/matches/{match}/disputes", {"entry": entry, "reason": "Wrong"})
            assert status == 201, dispute
            if number < COUNT - 1:
                assert self.ann.delete(f"/disputes/{dispute['id']}")[0] in {200, 204}

    def path(self, pattern: str) -> str:
        return pattern.format(match=self.match, player=self.ann.id)

    def page(self, path: str, reader: Person | None = None) -> Any:
        """Return a page as seen by the operator or the given reader."""
        session = session_of(self.client, (reader or self.operator).id)
        return self.client.get(path, headers={"Cookie": f"{SESSION_COOKIE}={session}"})


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with TestClient(create_app(settings_in(tmp_path_factory.mktemp("lists")))) as client:
        yield World(client)


def read_through(world: World, path: str, field: str, key: Callable[[Any], Any], limit: int) -> Iterator[list[Any]]:
    """Yield all pages of a list."""
    before = ""
    while True:
        status, page = world.operator.get(f"{path}?limit={limit}{before}")
        assert status == 200, page
        yield [key(item) for item in page[field]]
        if page["next"] is None:
            return
        before = f"&before={page['next']}"


@pytest.mark.parametrize("name", sorted(API))
def test_pages_of_a_list_add_up_to_the_whole_list_in_order(name: str, world: World) -> None:
    pattern, field, of = API[name]
    path, key = world.path(pattern), lambda item: item[of]

    (whole,) = read_through(world, path, field, key, LIMIT_MAX)
    pages = list(read_through(world, path, field, key, LIMIT))

    if name == "forks":
        # The root line is on every page, because its forks refer to it.
        whole, pages = whole[1:], [page[1:] for page in pages]
    assert len(whole) >= COUNT
    assert [item for page in pages for item in page] == whole
    assert [len(page) for page in pages[:-1]] == [LIMIT] * (len(pages) - 1)
    assert pages[-1], "a page was announced that holds nothing"


@pytest.mark.parametrize("name", sorted(API))
@pytest.mark.parametrize(
    "query", [f"limit={LIMIT_MAX + 1}", "limit=0", "before=-1", f"before={KEY_MAX + 1}", "before=x"]
)
def test_an_invalid_limit_or_cursor_is_rejected(name: str, query: str, world: World) -> None:
    status, problem = world.operator.get(f"{world.path(API[name][0])}?{query}")

    assert (status, problem["code"]) == (400, "request/malformed")
    assert problem["errors"][0]["path"] == query.partition("=")[0]


@pytest.mark.parametrize("pattern", sorted(PAGES))
def test_a_page_links_to_older_items(pattern: str, world: World) -> None:
    targets, path, label = set[str](), world.path(pattern), PAGES[pattern]
    target: str | None = f"?limit={LIMIT}"
    while target is not None:
        response = world.page(path + target)
        assert response.status_code == 200
        assert target not in targets
        targets.add(target)
        link = re.search(rf'href="([^"]*)">{label}</a>', response.text)
        target = unescape(link[1]) if link else None

    assert len(targets) > 1


@pytest.mark.parametrize("pattern", sorted(PAGES))
def test_an_invalid_cursor_of_a_page_is_rejected(pattern: str, world: World) -> None:
    assert world.page(f"{world.path(pattern)}?before={10**30}").status_code == 400


@pytest.mark.parametrize(
    ("pattern", "label", "item"),
    [
        ("/players/{player}?listed=events&", "Older tournaments", "/events/"),
        ("/players/{player}?listed=leagues&", "Older leagues", "/leagues/"),
        ("/events?mine=true&", "Older tournaments", "/events/"),
    ],
)
def test_a_players_events_are_paginated_back_to_the_first(pattern: str, label: str, item: str, world: World) -> None:
    path, target, ids = world.path(pattern), f"limit={LIMIT}", list[str]()
    while target:
        html = world.page(path + target, world.ann).text
        ids += re.findall(rf'href="{item}([0-9a-f-]{{36}})"', html)
        links = [unescape(link) for link in re.findall(rf'href="\?([^"]*)">{label}</a>', html)]
        target = next((link.partition("&")[2] for link in links if link.startswith(path.partition("?")[2])), "")

    assert len(ids) == len(set(ids)) == COUNT


def test_a_list_of_leagues_is_read_without_any_league(world: World) -> None:
    """The list has separate rows, so a league that cannot be decoded does not break it."""
    store = MATCHES.of(world.client).writer.reads
    with store.transaction() as transaction:
        rows = transaction.rows("SELECT league_id, detail FROM leagues")
        transaction.change("UPDATE leagues SET detail = ?", b"no league")
    try:
        status, listed = world.ann.get("/leagues")
        page = world.page(f"/players/{world.ann.id}")
    finally:
        with store.transaction() as transaction:
            for league_id, detail in rows:
                transaction.change("UPDATE leagues SET detail = ? WHERE league_id = ?", detail, league_id)

    assert (status, len(listed["leagues"])) == (200, COUNT)
    assert UUID(listed["leagues"][0]["leagueId"])
    assert page.status_code == 200
