"""Explanations why a part offers no action: with the rule by API, localised on pages."""

import re
from typing import Any

import pytest
from litestar.testing import TestClient

from tests.api.service import Person, start_match
from tests.api.site.test_table_pages import Guest


@pytest.fixture
def match_id(ann: Person, ben: Person) -> str:
    return start_match(ann, ben)


def asked_and_waiting(match_id: str, *people: Person) -> tuple[Person, Person]:
    """Return the person to act and the other one."""
    first, second = people
    return (first, second) if first.legal(match_id)["actions"] else (second, first)


def test_an_explanation_names_the_rule(ann: Person, ben: Person, match_id: str) -> None:
    player, waiting = asked_and_waiting(match_id, ann, ben)

    explanation = player.get(f"/matches/{match_id}/why-not?part=growth")
    other = waiting.get(f"/matches/{match_id}/why-not?part=growth")

    assert explanation[0] == other[0] == 200
    assert (explanation[1]["rule"], explanation[1]["part"]) == ("LG-3.3.1", "growth")
    assert explanation[1]["reason"] == "Fields grow once per round, after income."
    assert other[1]["rule"] == "LG-2.2"
    assert re.fullmatch("It is Player [12]'s turn.*", other[1]["reason"])


def test_a_part_with_an_action_has_no_explanation(ann: Person, ben: Person, match_id: str) -> None:
    player, _ = asked_and_waiting(match_id, ann, ben)
    card = next(each["action"]["card"] for each in player.legal(match_id)["actions"] if "card" in each["action"])

    status, body = player.get(f"/matches/{match_id}/why-not?part=hand-{card}-field")

    assert (status, body["rule"], body["reason"]) == (200, None, None)


def test_only_players_get_explanations(ann: Person, match_id: str) -> None:
    cid = Person(ann.client)

    assert cid.get(f"/matches/{match_id}/why-not?part=growth")[1]["code"] == "seat/not_yours"
    assert ann.client.get(f"/api/matches/{match_id}/why-not?part=growth").status_code == 401


@pytest.mark.parametrize("part", ["", "hand-", "stall-x", "die-99", "%F0%9F%90%96", "store-gold", "a-b-c-d"])
def test_unknown_parts_are_accepted(ann: Person, ben: Person, match_id: str, part: str) -> None:
    player, _ = asked_and_waiting(match_id, ann, ben)

    assert player.get(f"/matches/{match_id}/why-not?part={part}")[0] == 200
    assert player.get(f"/matches/{match_id}/why-not?part={'x' * 101}")[0] == 400


def test_a_paused_match_has_no_explanations(ann: Person, ben: Person, match_id: str) -> None:
    for person in (ann, ben):
        person.post(f"/matches/{match_id}/pause", {})

    assert ann.get(f"/matches/{match_id}/why-not?part=growth")[1]["code"] == "match/not_running"


def test_explanations_on_pages_are_localised_with_names(client: TestClient[Any], ann: Person) -> None:
    visitor = Guest(client)
    match_id = visitor.plays_against(ann)
    if not ann.legal(match_id)["actions"]:
        visitor.until_asked(match_id, ann)

    path = f"/tables/{match_id}/why-not?part=growth"
    english = client.get(path, headers={"Accept-Language": "en"})
    german = client.get(path, headers={"Accept-Language": "de"})

    assert english.status_code == german.status_code == 200
    assert english.headers["content-type"].startswith("text/plain")
    assert german.text.endswith(("ist am Zug.", "nach dem Einkommen."))
    assert english.text != german.text
    assert re.fullmatch(r'</rules/la_granja#[a-z-]+>; rel="help"', english.headers["link"])
    assert german.headers["link"] == english.headers["link"]
