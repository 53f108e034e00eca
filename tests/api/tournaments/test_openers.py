"""The opener of an event is its organiser in every respect: disputes, officials and audit trail."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.full_service import FullService, Visitor
from tests.api.tournaments.test_tournament_rulings import raise_dispute
from tests.api.tournaments.test_tournaments import ApiPerson, play_round, publish_next_round, with_four


@pytest.fixture(scope="module")
def people(full_service: FullService) -> list[ApiPerson]:
    """Return an opener without any role, four players, and a stranger."""
    return [ApiPerson(full_service) for _ in range(6)]


@pytest.fixture(scope="module")
def event(full_service: FullService, people: list[ApiPerson]) -> tuple[str, str]:
    """Return the path of an event and the id of a dispute about its first table."""
    path = with_four(full_service, people[:5])
    first = publish_next_round(full_service, people[0], path)
    play_round(full_service, people[:5], path, first)
    return path, raise_dispute(full_service, people[:5], path, first["tables"][0])


def list_disputes(person: ApiPerson, **query: str) -> list[str]:
    parameters = "&".join(f"{name}={value}" for name, value in query.items())
    return [each["id"] for each in person.get(f"/disputes?{parameters}")["disputes"]]


def test_the_opener_reads_the_disputes_of_the_event(people: list[ApiPerson], event: tuple[str, str]) -> None:
    path, dispute = event
    organiser, outsider = people[0], people[5]

    assert list_disputes(organiser) == [dispute]
    assert list_disputes(organiser, event=path.rpartition("/")[2], waiting="true") == [dispute]
    assert organiser.get(f"/disputes/{dispute}")["reason"] == "I was not asked"
    assert list_disputes(outsider) == []
    assert outsider.is_refused("GET", f"/disputes/{dispute}")[0] == 403


def test_the_opener_grants_and_revokes_roles_of_the_event(
    full_service: FullService, people: list[ApiPerson], event: tuple[str, str]
) -> None:
    path, dispute = event
    organiser, other = people[0], people[5]
    scope = path.rpartition("/")[2]

    def grant_role(role: str, person: ApiPerson, **more: Any) -> Any:
        return organiser.does("POST", "/roles", {"person": person.id, "role": role, "event": scope, **more})["roles"]

    assert organiser.is_refused("POST", "/roles", {"person": other.id, "role": "arbiter"})[1] == "role/refused"
    assert other.is_refused("POST", "/roles", {"person": other.id, "role": "arbiter", "event": scope})[0] == 403
    assert (other.id, "arbiter") in [(each["person"], each["role"]) for each in grant_role("arbiter", other)]
    other.does("POST", f"/disputes/{dispute}/arbiter")
    grant_role("organiser", other)
    full_service.follow()
    assert other.get(f"/audit?event={scope}")["lines"]
    grant_role("organiser", other, granted=False)
    assert other.is_refused("GET", f"/audit?event={scope}")[0] == 403
    assert list_disputes(organiser, event=scope) == [dispute]


def test_the_opener_cannot_be_removed(
    full_service: FullService, people: list[ApiPerson], event: tuple[str, str]
) -> None:
    path, _ = event
    organiser, scope = people[0], path.rpartition("/")[2]
    wanted = {"person": organiser.id, "role": "organiser", "event": scope, "granted": False}

    refusal = organiser.is_refused("POST", "/roles", wanted)

    assert refusal[:2] == (403, "role/refused")
    assert "created the event" in refusal[2]
    assert (organiser.id, "organiser", scope) in [
        (each["person"], each["role"], each["event"]) for each in organiser.get("/roles")["roles"]
    ]


def test_the_opener_reads_the_trail_of_that_event_only(
    full_service: FullService, people: list[ApiPerson], event: tuple[str, str]
) -> None:
    path, _ = event
    organiser, scope = people[0], path.rpartition("/")[2]
    full_service.follow()

    assert {line["event"] for line in organiser.get(f"/audit?event={scope}")["lines"]} <= {scope}
    assert organiser.is_refused("GET", "/audit")[1] == "role/missing"
    assert people[1].is_refused("GET", f"/audit?event={scope}")[1] == "role/missing"


def test_the_opener_of_a_league_organises_it_in_the_same_way(
    full_service: FullService, people: list[ApiPerson]
) -> None:
    organiser, other = people[0], people[5]
    plan = {"name": "League", "title": "la_granja", "size": 2, "table": {}, "divisions": [{"name": "A", "places": 4}]}
    league = organiser.does("POST", "/leagues", {"plan": plan})["leagueId"]
    organiser.does("POST", "/roles", {"person": other.id, "role": "arbiter", "event": league})
    full_service.follow()

    assert organiser.get(f"/audit?event={league}")["lines"][0]["kind"] == "role_changed"
    assert league in [each["event"] for each in organiser.get("/roles")["roles"]]


def test_the_organisers_pages_are_open_to_the_opener(full_service: FullService) -> None:
    organiser = Visitor(full_service)
    desk = organiser.sends("/events", name="Vesnický pohár", size=2, rounds=2)
    full_service.follow()
    event = desk.removesuffix("/desk").rpartition("/")[2]
    page, roles = organiser.sees(f"{desk}/word"), organiser.sees("/desk/roles")

    assert f'href="/desk/roles?event={event}"' in page
    assert f'href="/desk/audit?event={event}"' in page
    assert "Vesnický pohár" in roles
    assert "Vesnický pohár" in organiser.sees("/desk")
    assert f'value="{event}" selected' in organiser.sees(f"/desk/roles?event={event}")
    assert organiser.sees(f"/desk/audit?event={event}")


def test_the_opener_has_the_role_before_any_projection_has_seen_the_event(full_service: FullService) -> None:
    organiser = Visitor(full_service)
    event = organiser.sends("/events", name="Vesnický pohár", size=2, rounds=2).removesuffix("/desk").rpartition("/")[2]

    assert f'value="{event}" selected' in organiser.sees(f"/desk/roles?event={event}")
    assert organiser.sees(f"/desk/audit?event={event}")
