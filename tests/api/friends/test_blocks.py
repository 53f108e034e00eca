"""A block applies to every way of contact, and invitations per account are limited."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest

from api.http.limits import INVITATIONS_TO_ONE_PER_DAY
from tests.api.http.forms import Visitor
from tests.api.matches.test_logs import follow
from tests.api.service import Answer, Member, Person, start_match

PLAN: Final = {"name": "Copa", "title": "el_grande", "size": 2, "stages": [{"kind": "swiss", "rounds": 2}]}
CLOCK: Final = {"clock": {"kind": "correspondence", "seconds": 172_800}}
LEAGUE: Final = {"name": "Serra", "title": "el_grande", "size": 2, "table": CLOCK}


def put(person: Person, path: str, wanted: Any = None) -> Answer:
    response = person.client.put(f"/api{path}", json=wanted or {}, headers=person.headers)
    return response.status_code, response.json() if response.content else None


def opened_event(person: Person, registration: str = "invite") -> str:
    status, event = person.post("/tournaments", {"plan": {**PLAN, "registration": registration}})
    assert status == 201, event
    return str(event["eventId"])


def opened_study(person: Person) -> str:
    match_id = start_match(person, Person(person.client))
    assert person.post(f"/matches/{match_id}/resignation", {})[0] == 201
    status, study = person.post(f"/matches/{match_id}/annotations", {"title": "Olé"})
    assert status == 201, study
    return str(study["id"])


def invites_to_an_event(by: Person, other: Person) -> Answer:
    return by.post(f"/tournaments/{opened_event(by)}/invitations", {"person": other.id})


def invites_to_a_league(by: Person, other: Person) -> Answer:
    status, league = by.post("/leagues", {"plan": {**LEAGUE, "registration": "invite"}})
    assert status == 201, league
    return by.post(f"/leagues/{league['leagueId']}/invitations", {"player": other.id})


def enters_in_an_event(by: Person, other: Person) -> Answer:
    return by.post(f"/tournaments/{opened_event(by)}/entries", {"person": other.id})


def enters_in_a_file(by: Person, other: Person) -> Answer:
    path = f"/api/tournaments/{opened_event(by)}/files/players"
    response = by.client.post(path, content=f"name,person\nX,{other.id}\n", headers=by.headers)
    return response.status_code, response.json()


def enters_in_a_league(by: Person, other: Person) -> Answer:
    league = by.post("/leagues", {"plan": LEAGUE})[1]["leagueId"]
    assert by.post(f"/leagues/{league}/seasons", {"name": "Spring"})[0] == 201
    return by.post(f"/leagues/{league}/entries", {"player": other.id})


def names_a_substitute(by: Person, other: Person) -> Answer:
    league = by.post("/leagues", {"plan": LEAGUE})[1]["leagueId"]
    assert by.post(f"/leagues/{league}/seasons", {"name": "Spring"})[0] == 201
    for player in (by, Person(by.client)):
        assert player.post(f"/leagues/{league}/entries", {})[0] == 201
    assert by.post(f"/leagues/{league}/draw", {})[0] == 200
    wanted = {"group": 1, "out": by.id, "player": other.id, "fromRound": 1, "reason": "Ill."}
    return by.post(f"/leagues/{league}/substitutes", wanted)


def names_an_official(by: Person, other: Person) -> Answer:
    return by.post("/tournaments", {"plan": PLAN, "official": other.id})


def names_an_official_of_a_league(by: Person, other: Person) -> Answer:
    return by.post("/leagues", {"plan": LEAGUE, "official": other.id})


def grants_a_role(by: Person, other: Person) -> Answer:
    return by.post("/roles", {"person": other.id, "role": "arbiter", "granted": True, "event": opened_event(by)})


def shares_a_study(by: Person, other: Person) -> Answer:
    study = opened_study(by)
    response = by.client.patch(f"/api/studies/{study}", json={"add": [other.id]}, headers=by.headers)
    return response.status_code, response.json()


def follows(by: Person, other: Person) -> Answer:
    return put(by, f"/friends/{other.id}")


def challenges(by: Person, other: Person) -> Answer:
    return by.post(f"/matches/{by.opens(2)}/challenges", {"person": other.id})


def asks_for_a_rematch(by: Person, other: Person) -> Answer:
    match_id = start_match(by, other)
    assert other.post(f"/matches/{match_id}/resignation", {})[0] == 201
    return by.post(f"/matches/{match_id}/rematch", {})


WAYS: Final = (
    invites_to_an_event,
    invites_to_a_league,
    enters_in_an_event,
    enters_in_a_file,
    enters_in_a_league,
    names_a_substitute,
    names_an_official,
    names_an_official_of_a_league,
    grants_a_role,
    shares_a_study,
    follows,
    challenges,
    asks_for_a_rematch,
)
INTO_EVENTS: Final = (
    invites_to_an_event,
    invites_to_a_league,
    enters_in_an_event,
    enters_in_a_file,
    enters_in_a_league,
    names_a_substitute,
)
BOUNDED: Final = (
    invites_to_an_event,
    invites_to_a_league,
    names_an_official,
    names_an_official_of_a_league,
    grants_a_role,
    shares_a_study,
)


@pytest.mark.parametrize("reaches", WAYS)
def test_a_blocked_account_cannot_contact_the_person(
    cleo: Member, dora: Member, reaches: Callable[[Person, Person], Answer]
) -> None:
    put(dora, f"/talk/boundaries/{cleo.id}", {"kind": "block"})

    status, problem = reaches(cleo, dora)

    assert (status, problem["code"]) == (403, "person/blocked")
    assert dora.name in problem["detail"]


@pytest.mark.parametrize("reaches", WAYS)
def test_a_muted_account_can_contact_the_person(
    cleo: Member, dora: Member, reaches: Callable[[Person, Person], Answer]
) -> None:
    put(dora, f"/talk/boundaries/{cleo.id}", {"kind": "mute"})

    status, body = reaches(cleo, dora)

    assert status in {200, 201, 204}, body


@pytest.mark.parametrize("reaches", INTO_EVENTS)
def test_an_account_cannot_enter_a_person_whom_it_blocks(
    cleo: Member, dora: Member, reaches: Callable[[Person, Person], Answer]
) -> None:
    put(cleo, f"/talk/boundaries/{dora.id}", {"kind": "block"})

    status, problem = reaches(cleo, dora)

    assert (status, problem["code"]) == (409, "person/own_block")


def test_a_block_of_the_organiser_applies_to_other_officials(cleo: Member, dora: Member, emil: Member) -> None:
    event = opened_event(cleo)
    assert cleo.post("/roles", {"person": emil.id, "role": "organiser", "granted": True, "event": event})[0] in {
        200,
        201,
    }
    put(dora, f"/talk/boundaries/{cleo.id}", {"kind": "block"})

    status, problem = emil.post(f"/tournaments/{event}/entries", {"person": dora.id})

    assert (status, problem["code"]) == (403, "person/blocked")


def test_an_event_with_a_blocked_official_is_not_opened(cleo: Member, dora: Member) -> None:
    put(dora, f"/talk/boundaries/{cleo.id}", {"kind": "block"})
    name = "Cup without an official"

    cleo.post("/tournaments", {"plan": {**PLAN, "name": name}, "official": dora.id})
    cleo.post("/leagues", {"plan": {**LEAGUE, "name": name}, "official": dora.id})
    follow(cleo)

    assert name not in str(cleo.get("/tournaments")) + str(cleo.get("/leagues"))


@pytest.mark.parametrize("reaches", BOUNDED)
def test_invitations_from_one_account_to_another_are_limited(
    cleo: Member, dora: Member, emil: Member, reaches: Callable[[Person, Person], Answer]
) -> None:
    for _ in range(INVITATIONS_TO_ONE_PER_DAY):
        status, body = reaches(cleo, dora)
        assert status in {200, 201}, body

    status, problem = reaches(cleo, dora)

    assert (status, problem["code"]) == (429, "caller/too_many_requests")
    assert f"at most {INVITATIONS_TO_ONE_PER_DAY} invitations a day" in problem["detail"]
    assert reaches(cleo, emil)[0] in {200, 201}


def test_a_page_rejects_an_invitation_after_a_block(cleo: Member, dora: Member) -> None:
    put(dora, f"/talk/boundaries/{cleo.id}", {"kind": "block"})
    event = opened_event(cleo)
    visitor = Visitor(cleo.client)

    response = visitor.sends(f"/events/{event}/desk/invite", {"person": dora.name}, cleo.headers)

    assert response.status_code == 403


def test_an_imported_study_is_not_shared_with_people_who_block_its_owner(cleo: Member, dora: Member) -> None:
    study = opened_study(cleo)
    added = cleo.client.patch(f"/api/studies/{study}", json={"add": [dora.id]}, headers=cleo.headers)
    assert added.status_code == 200
    file = cleo.client.get(f"/api/studies/{study}/file", headers=cleo.headers).content
    removed = cleo.client.patch(f"/api/studies/{study}", json={"remove": [dora.id]}, headers=cleo.headers)
    assert removed.status_code == 200
    put(dora, f"/talk/boundaries/{cleo.id}", {"kind": "block"})

    response = cleo.client.post("/api/studies", content=file, headers=cleo.headers)

    assert (response.status_code, response.json()["code"]) == (403, "person/blocked")
