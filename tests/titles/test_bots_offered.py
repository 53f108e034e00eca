"""Every form with a choice of bots offers exactly the bots that can play the title."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Any, Final

import pytest
from litestar.testing import TestClient

from api.http.cookies import SESSION as SESSION_COOKIE
from tests.api.service import Person, catch_up, make_operator, session_of, settings_in, start_match
from tests.seeding import entropy
from tests.service_app import create_app
from tests.titles.launcher import LONGER_LIST

SELECT: Final = re.compile(r'<select name="([^"]+)"[^>]*>(.*?)</select>', re.DOTALL)
CHOSEN: Final = re.compile(r'<option value="([^"]*)" selected>')
OPTION: Final = re.compile(r'<option value="([^"]*)"[^>]*>(.*?)</option>', re.DOTALL)
SEARCHES: Final = ["search-quick", "search-steady", "search-strong"]
ABLE: Final = {"corsairs": ["random"], "la_granja": ["random", "gentle", "greedy", *SEARCHES]}
"""Corsairs has no evaluation function, which bots that look ahead require."""
USUAL: Final = {"corsairs": "random", "la_granja": "greedy"}
NO_BOTS: Final = frozenset({"", "me", "free"})

titles = pytest.mark.parametrize("title", sorted(ABLE))


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient[Any]]:
    """Return a client of a service with an additional title."""
    settings = settings_in(tmp_path_factory.mktemp("service"))
    with TestClient(create_app(settings, entropy(), LONGER_LIST)) as client:
        yield client


@pytest.fixture
def ann(client: TestClient[Any]) -> Person:
    return Person(client)


@pytest.fixture
def ben(client: TestClient[Any]) -> Person:
    return Person(client)


def page_of(person: Person, path: str) -> str:
    person.client.cookies.set(SESSION_COOKIE, session_of(person.client, person.id))
    answer = person.client.get(path)
    assert answer.status_code == 200, answer.text
    return str(answer.text)


def preselected_values(person: Person, path: str) -> dict[str, list[str]]:
    """Return the preselected values of each field on the page."""
    return {name: CHOSEN.findall(options) for name, options in SELECT.findall(page_of(person, path))}


def offered_bots(person: Person, path: str) -> dict[str, dict[str, str]]:
    """Return the bots that the page offers, by field: short name to description."""
    fields = {name: dict(OPTION.findall(options)) for name, options in SELECT.findall(page_of(person, path))}
    return {
        name: {bot: unescape(label) for bot, label in options.items() if bot not in NO_BOTS}
        for name, options in fields.items()
        if name in {"bot", "others"} or name.startswith("seats.")
    }


@titles
def test_a_free_seat_of_a_table(title: str, ann: Person) -> None:
    match_id = ann.opens(3, title=title)
    ann.sits(match_id, 0)

    assert list(offered_bots(ann, f"/tables/{match_id}")["bot"]) == ABLE[title]
    assert preselected_values(ann, f"/tables/{match_id}")["bot"] == [USUAL[title]]


@titles
def test_a_fork_from_a_replay(title: str, ann: Person, ben: Person) -> None:
    match_id = start_match(ann, ben, title=title)
    begun = ann.get(f"/matches/{match_id}")[1]["version"]
    assert (ann, ben)[ann.get(f"/matches/{match_id}")[1]["toAct"][0]].acts(match_id)[0] == 201
    assert ann.post(f"/matches/{match_id}/resignation", {})[0] == 201
    catch_up(ann.client)

    fields = offered_bots(ben, f"/tables/{match_id}/replay?at={begun}")
    values = preselected_values(ben, f"/tables/{match_id}/replay?at={begun}")

    assert {name: list(bots) for name, bots in fields.items()} == {"seats.0": ABLE[title], "seats.1": ABLE[title]}
    assert (values["seats.0"], values["seats.1"]) == ([USUAL[title]], ["me"])


@titles
def test_an_arbiters_analysis_during_a_dispute(title: str, ann: Person, ben: Person) -> None:
    arbiter = Person(ann.client)
    make_operator(ann.client, arbiter.id)
    match_id = start_match(ann, ben, title=title)
    last = ann.get(f"/matches/{match_id}")[1]["version"]
    dispute = ann.post(f"/matches/{match_id}/disputes", {"entry": last, "reason": "Wrong"})[1]["id"]
    catch_up(ann.client)
    assert arbiter.post(f"/disputes/{dispute}/arbiter", {})[0] == 201

    fields = offered_bots(arbiter, f"/disputes/{dispute}")

    assert {name: list(bots) for name, bots in fields.items()} == {"seats.0": ABLE[title], "seats.1": ABLE[title]}
    assert preselected_values(arbiter, f"/disputes/{dispute}")["seats.0"] == [USUAL[title]]


@titles
def test_the_organiser_of_a_tournament_enters_bots(title: str, ann: Person) -> None:
    plan = {"name": "Cup", "title": title, "size": 2, "smallest": 2, "stages": [{"kind": "swiss", "rounds": 2}]}
    event = ann.post("/tournaments", {"plan": plan})[1]["eventId"]
    catch_up(ann.client)

    assert list(offered_bots(ann, f"/events/{event}/desk/people")["bot"]) == ABLE[title]
    assert preselected_values(ann, f"/events/{event}/desk/people")["bot"] == [USUAL[title]]


def test_a_league_form_lists_the_titles_of_each_bot(ann: Person) -> None:
    """The form chooses the title as well, so each bot is listed with its titles."""
    bots = offered_bots(ann, "/leagues")["bot"]

    assert bots["greedy"].endswith("(La Granja, El Grande)")
    assert "(" not in bots["random"]


def test_a_tournament_cannot_change_to_a_title_its_bots_cannot_play(ann: Person) -> None:
    plan = {"name": "Cup", "title": "la_granja", "size": 2, "smallest": 2, "stages": [{"kind": "swiss", "rounds": 2}]}
    event = ann.post("/tournaments", {"plan": plan})[1]["eventId"]
    assert ann.post(f"/tournaments/{event}/entries", {"bot": "greedy"})[0] == 201

    wanted = {"plan": plan | {"title": "corsairs"}}
    answer = ann.client.put(f"/api/tournaments/{event}/plan", json=wanted, headers=ann.headers)

    assert (answer.status_code, answer.json()["code"]) == (422, "bot/cannot_play")


def test_a_league_keeps_its_title(ann: Person) -> None:
    """Bots are checked when they enter and need no second check."""
    plan = {"name": "Fleets", "title": "la_granja", "size": 2, "table": {"rated": False}}
    divisions = {"divisions": [{"name": "All", "groups": 0, "places": 4}]}
    league = ann.post("/leagues", {"plan": plan | divisions})[1]["leagueId"]

    status, problem = ann.post(f"/leagues/{league}/plan", {"plan": plan | divisions | {"title": "corsairs"}})

    assert (status, problem["code"]) == (409, "league/refused")
