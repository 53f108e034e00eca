"""Accounts that an organiser enters in a league are invited, and become players once they accept."""

from typing import Any

from litestar.testing import TestClient

from tests.api.leagues.test_leagues import open_league
from tests.api.service import Person, catch_up

SEASON = {"season": 1}


def registering(person: Person, **plan: Any) -> str:
    league = open_league(person, **plan)
    assert person.post(f"{league}/seasons", {"name": "Spring"})[0] == 201
    return league


def list_invitations(person: Person, league: str) -> list[tuple[str, str]]:
    """Return the accounts whose invitations the person sees, with their answers."""
    return [(each["player"]["id"], each["answer"]) for each in person.get(league)[1]["invitations"]]


def test_a_player_entered_by_the_organiser_is_drawn_once_they_accept(
    client: TestClient[Any], ann: Person, ben: Person
) -> None:
    org, cleo = Person(client), Person(client)
    league = registering(org)
    for player in (org.id, ann.id, ben.id, "bot:greedy@1"):
        assert org.post(f"{league}/entries", {"player": player})[0] in {200, 201}

    assert list_invitations(org, league) == [(ann.id, "open"), (ben.id, "open")]
    assert (list_invitations(ann, league), list_invitations(cleo, league)) == ([(ann.id, "open")], [])
    assert "is already invited" in org.post(f"{league}/entries", {"player": ann.id})[1]["detail"]
    assert ann.accepts(league, SEASON)[0] == 200
    assert ann.accepts(league, SEASON)[0] == 409
    status, body = org.post(f"{league}/draw", {})
    assert (status, body["seasons"][0]["players"]) == (200, 3)
    assert list_invitations(ben, league) == [], "the draw was without them"


def test_declined_and_withdrawn_invitations_are_gone(client: TestClient[Any], ann: Person, ben: Person) -> None:
    org = Person(client)
    league = registering(org, registration="invite")
    for player in (ann, ben):
        org.post(f"{league}/entries", {"player": player.id})
    assert ann.post(f"{league}/invitation", {"accept": False, **SEASON})[0] == 200
    assert ann.delete(f"{league}/invitations/{ben.id}")[0] == 403
    assert org.delete(f"{league}/invitations/{ben.id}")[0] == 200

    assert list_invitations(org, league) == [(ann.id, "declined")]
    assert "has declined" in org.post(f"{league}/entries", {"player": ann.id})[1]["detail"]
    assert ann.post(f"{league}/entries", {})[0] == 201, "its person may still enter"
    assert "by invitation only" in ben.post(f"{league}/entries", {})[1]["detail"]
    assert "no open invitation" in org.delete(f"{league}/invitations/{ben.id}")[1]["detail"]


def test_an_invitation_to_the_league_is_accepted_by_its_path(client: TestClient[Any], ann: Person) -> None:
    org = Person(client)
    league = registering(org, registration="invite")
    assert org.post(f"{league}/invitations", {"player": ann.id})[0] == 201

    entered = ann.accepts(league, {})[1]["entered"]
    assert [player["id"] for player in entered] == [ann.id]
    assert "is already invited" in org.post(f"{league}/invitations", {"player": ann.id})[1]["detail"]


def test_a_substitute_gets_the_place_once_they_accept(client: TestClient[Any], ann: Person, ben: Person) -> None:
    org, cleo = Person(client), Person(client)
    league = registering(org)
    for player in (ann, ben):
        player.post(f"{league}/entries", {})
    org.post(f"{league}/draw", {})
    wanted = {"group": 1, "out": ben.id, "player": cleo.id, "fromRound": 1, "reason": "Ill."}
    (invitation,) = org.post(f"{league}/substitutes", wanted)[1]["invitations"]
    place = {key: invitation[key] for key in ("season", "group", "place", "fromRound")}

    assert (invitation["out"]["id"], invitation["reason"]) == (ben.id, "Ill.")
    group = ann.get(f"{league}/seasons/1")[1]["groups"][0]
    assert {line["player"]["id"] for line in group["lines"]} == {ann.id, ben.id}
    assert ann.accepts(league, place)[0] == 409, "it is another player's invitation"
    assert cleo.accepts(league, place)[0] == 200
    group = ann.get(f"{league}/seasons/1")[1]["groups"][0]
    assert {line["player"]["id"] for line in group["lines"]} == {ann.id, cleo.id}


def test_a_person_sees_the_events_they_are_invited_to(client: TestClient[Any], ann: Person) -> None:
    org = Person(client)
    league = registering(org)
    plan = {"name": "Cup", "title": "la_granja", "size": 2}
    event = f"/tournaments/{org.post('/tournaments', {'plan': plan})[1]['eventId']}"
    org.post(f"{league}/entries", {"player": ann.id})
    org.post(f"{event}/entries", {"person": ann.id})
    catch_up(client)
    invitations = ann.get("/friends")[1]["invitations"]

    assert [(each["kind"], each["name"]) for each in invitations] == [
        ("tournament", "Cup"),
        ("league", "Island league"),
    ]
    assert org.get("/friends")[1]["invitations"] == []
    ann.accepts(league, SEASON)
    ann.post(f"{event}/invitation", {"accept": False})
    catch_up(client)
    assert ann.get("/friends")[1]["invitations"] == []
