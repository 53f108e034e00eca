"""Conflicts of interest: participants cannot use roles in their event, and attempts are recorded."""

from typing import Any

import pytest
from litestar.testing import TestClient

from tests.api.leagues.test_leagues import open_league
from tests.api.service import Person, catch_up, make_operator, open_tables

RESULT = {"group": 1, "round": 1, "table": 1, "places": [2, 1], "scores": [41, 60]}
RULING = {"rule": "4.2", "reasons": "So it is.", "measures": [{"type": "match_voided"}]}


@pytest.fixture
def client(own_client: TestClient[Any]) -> TestClient[Any]:
    """Use a separate service, so that the audit trail is known."""
    return own_client


@pytest.fixture
def olga(client: TestClient[Any]) -> Person:
    """Return an operator who plays."""
    person = Person(client)
    make_operator(client, person.id)
    return person


@pytest.fixture
def art(client: TestClient[Any], olga: Person) -> Person:
    """Return an arbiter of the service who plays."""
    person = Person(client)
    assert olga.post("/roles", {"person": person.id, "role": "arbiter"})[0] == 200
    return person


def league_of(client: TestClient[Any], *people: Person) -> str:
    """Open a league of the first person with tables of two, in which all play."""
    league = open_league(people[0])
    people[0].post(f"{league}/seasons", {"name": "Spring"})
    for person in people:
        assert person.post(f"{league}/entries", {})[0] == 201
    assert people[0].post(f"{league}/draw", {})[0] == 200
    assert people[0].post(f"{league}/rounds", {})[0] == 201
    open_tables(client)
    return league


def expect_conflict(answer: tuple[int, Any]) -> str:
    """Return the message of a conflict of interest."""
    assert (answer[0], answer[1]["code"]) == (403, "role/plays"), answer
    return str(answer[1]["detail"])


def conflicts(client: TestClient[Any], operator: Person) -> list[tuple[str, str]]:
    """Return actors and attempted actions in the audit trail, latest first."""
    catch_up(client)
    lines = operator.get("/audit")[1]["lines"]
    return [(line["by"], line["details"]["what"]) for line in lines if line["kind"] == "conflict_met"]


def test_an_organiser_who_plays_cannot_set_results_or_rule(
    client: TestClient[Any], ann: Person, ben: Person, olga: Person
) -> None:
    league = league_of(client, ann, ben)

    assert "cannot set a result" in expect_conflict(ann.post(f"{league}/results", RESULT))
    assert "cannot rule on a table" in expect_conflict(ann.post(f"{league}/rulings", RESULT))
    assert olga.post(f"{league}/results", RESULT)[0] == 201
    assert [person_id for person_id, _ in conflicts(client, olga)] == [ann.id, ann.id]


def elsewhere(fixtures: list[Any], official: Person) -> tuple[str, list[str]]:
    """Return the match and players of a table without the official."""
    for fixture in fixtures:
        players = [player["id"] for player in fixture["players"]]
        if official.id not in players:
            return str(fixture["matchId"]), players
    raise AssertionError("everybody sits everywhere")


def test_arbiters_and_operators_who_play_cannot_rule_or_see_hidden_cards(
    client: TestClient[Any], ann: Person, ben: Person, olga: Person, art: Person
) -> None:
    people = {person.id: person for person in (ann, ben, olga, art)}
    league = league_of(client, *people.values())
    fixtures = [each for each in ann.get(f"{league}/seasons/1")[1]["fixtures"] if each["round"] == 1]
    for seat, official in enumerate((art, olga)):
        match_id, players = elsewhere(fixtures, official)
        if ann.get(f"/matches/{match_id}")[1]["status"] == "open":
            for player in players:
                people[player].is_ready(match_id)
        status, raised = people[players[seat]].post(f"/matches/{match_id}/disputes", {"entry": 8, "reason": "No."})
        assert status == 201, raised
        dispute = raised["id"]

        assert "cannot arbitrate" in expect_conflict(official.post(f"/disputes/{dispute}/arbiter", {}))
        assert "cannot give a ruling" in expect_conflict(official.post(f"/disputes/{dispute}/rulings", RULING))
        assert "cannot see what is hidden" in expect_conflict(official.get(f"/disputes/{dispute}/position"))
        assert "cannot try out" in expect_conflict(official.post(f"/disputes/{dispute}/forks", {"entry": 8}))
        forked = official.post(f"/matches/{match_id}/forks", {"at": 8, "luck": "fresh"})
        assert "cannot fork" in expect_conflict(forked)
    whole = olga.get(f"/matches/{elsewhere(fixtures, olga)[0]}/log?whole=true")
    assert "cannot export hidden information" in expect_conflict(whole)
    zoe = Person(client)
    assert olga.post("/roles", {"person": zoe.id, "role": "arbiter"})[0] == 200
    assert zoe.post(f"/disputes/{dispute}/arbiter", {})[0] == 201
    attempts = conflicts(client, olga)
    assert len(attempts) == 11
    assert {person_id for person_id, _ in attempts} == {art.id, olga.id}
    public = client.get(f"/api/disputes/record?event={league.rpartition('/')[2]}").json()["acts"]
    assert [(act["kind"], act["role"]) for act in public] == [("dispute_taken", "arbiter")]
    assert dispute not in str(public)
