"""The officials' pages name events, and are open to organisers of one event."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID

import pytest
from litestar.testing import TestClient

from api.accounts.people import PEOPLE
from api.accounts.service import ACCOUNTS
from api.disputes.service import DisputeService
from api.http.app_state import SETTINGS
from api.http.guards import Caller
from api.matches.service import MATCHES
from domain.matches.facts import SERVICE, Table
from projections.platform.clock import now
from tests.api.disputes.test_dispute_pages import Reader
from tests.api.service import Person, catch_up, make_operator, start_match
from tests.domain.tournaments.building import seat_entrants
from tests.seeding import new_id


@pytest.fixture
def olga(client: TestClient[Any]) -> Person:
    person = Person(client)
    make_operator(client, person.id)
    return person


@pytest.fixture
def event(client: TestClient[Any], olga: Person) -> str:
    """Return an event of the operator."""
    plan = {"name": "Cup <of> Soller", "title": "la_granja", "size": 2, "stages": [{"kind": "swiss", "rounds": 2}]}
    status, event = olga.post("/tournaments", {"plan": plan})
    assert status == 201, event
    catch_up(client)
    return str(event["eventId"])


def test_officials_pages_show_event_names(
    client: TestClient[Any], ann: Person, ben: Person, olga: Person, event: str
) -> None:
    matches, match_id = MATCHES.of(client).writer.matches, new_id()
    matches.open(match_id, title="la_granja", seats=2, by=SERVICE, at=now(), table=Table(event=event))
    seat_entrants(matches, match_id, ann.id, ben.id, at=now())
    for person in (ann, ben):
        person.is_ready(str(match_id))
    version = matches.get(match_id).version
    dispute = ann.post(f"/matches/{match_id}/disputes", {"entry": version, "reason": "Wrong"})[1]["id"]
    art = Person(client)
    olga.post("/roles", {"person": art.id, "role": "arbiter", "event": event})
    art.post(f"/disputes/{dispute}/arbiter", {})
    catch_up(client)
    link = f'<a href="/events/{event}">Cup &lt;of&gt; Soller</a>'
    arbiter, operator = Reader(client, art), Reader(client, olga)

    for reader, path in (
        (arbiter, "/desk"),
        (arbiter, "/disputes"),
        (arbiter, f"/disputes/{dispute}"),
        (operator, "/desk/roles"),
        (operator, "/desk/audit"),
        (operator, f"/desk/audit?event={event}"),
    ):
        assert link in reader.goes(path), path
    for path in ("/desk/roles", "/desk/audit"):
        assert f'<option value="{event}">Cup &lt;of&gt; Soller</option>' in operator.goes(path)


def test_an_event_arbiter_sees_its_disputes_in_a_short_list(
    client: TestClient[Any], ann: Person, ben: Person, olga: Person, event: str
) -> None:
    matches, match_id, other = MATCHES.of(client).writer.matches, new_id(), Person(client)
    matches.open(match_id, title="la_granja", seats=2, by=SERVICE, at=now(), table=Table(event=event))
    seat_entrants(matches, match_id, ann.id, ben.id, at=now())
    for person in (ann, ben):
        person.is_ready(str(match_id))
    wanted = {"entry": matches.get(match_id).version, "reason": "Wrong"}
    dispute = ann.post(f"/matches/{match_id}/disputes", wanted)[1]["id"]
    ben.post(f"/matches/{start_match(ben, other)}/disputes", wanted)
    art = Person(client)
    olga.post("/roles", {"person": art.id, "role": "arbiter", "event": event})
    catch_up(client)
    door = DisputeService(
        MATCHES.of(client), ACCOUNTS.of(client), Caller(PEOPLE.of(client).find(art.id)), SETTINGS.of(client)
    )

    assert [str(each.id) for each in asyncio.run(door.list(limit=1)).items] == [dispute]


def test_a_player_sees_disputes_of_their_match_in_a_short_list(
    client: TestClient[Any], ann: Person, ben: Person
) -> None:
    """Also for a player whose seat was taken over."""
    leaver = Person(client)
    match_id = start_match(ann, ben, leaver)
    wanted = {"entry": ann.get(f"/matches/{match_id}")[1]["version"], "reason": "Wrong"}
    dispute = ann.post(f"/matches/{match_id}/disputes", wanted)[1]["id"]
    MATCHES.of(client).writer.matches.replace_seat(UUID(match_id), 2, leaver.id, actor="bot:greedy@2", at=now())
    strangers = Person(client), Person(client)
    strangers[0].post(f"/matches/{start_match(*strangers)}/disputes", wanted)
    catch_up(client)

    for person in (ann, ben, leaver):
        door = DisputeService(
            MATCHES.of(client), ACCOUNTS.of(client), Caller(PEOPLE.of(client).find(person.id)), SETTINGS.of(client)
        )
        assert [str(each.id) for each in asyncio.run(door.list(limit=1)).items] == [dispute]
    whole = DisputeService(
        MATCHES.of(client), ACCOUNTS.of(client), Caller(PEOPLE.of(client).find(Person(client).id)), SETTINGS.of(client)
    )
    assert asyncio.run(whole.list()).items == ()


def test_an_event_annotator_annotates_its_matches(
    client: TestClient[Any], ann: Person, ben: Person, olga: Person, event: str
) -> None:
    """Others see the study of an event's match after the match."""
    matches, match_id, players = MATCHES.of(client).writer.matches, new_id(), (ben, Person(client))
    matches.open(match_id, title="la_granja", seats=2, by=SERVICE, at=now(), table=Table(event=event))
    seat_entrants(matches, match_id, *(each.id for each in players), at=now())
    for player in players:
        player.is_ready(str(match_id))
    other = ben.opens()
    for match in (str(match_id), other):
        ann.post(f"/matches/{match}/annotations", {"title": match, "visibility": "public"})
    olga.post("/roles", {"person": ann.id, "role": "annotator", "event": event})
    catch_up(client)
    during = marked_studies(ben)
    assert ben.post(f"/matches/{match_id}/resignation", {})[0] < 300
    catch_up(client)

    assert during == {other: False}
    assert marked_studies(ben) == {str(match_id): True, other: False}


def marked_studies(reader: Person) -> dict[str, bool]:
    """Return the listed studies by title, and whether each is by an annotator."""
    return {each["title"]: each["byAnnotator"] for each in reader.get("/studies")[1]["studies"]}


def test_officials_pages_show_league_names(client: TestClient[Any], ann: Person, olga: Person) -> None:
    status, league = olga.post("/leagues", {"plan": {"name": "Liga", "title": "la_granja", "size": 2}})
    assert status == 201, league
    league_id = str(UUID(str(league["leagueId"])))
    olga.post("/roles", {"person": ann.id, "role": "arbiter", "event": league_id})
    catch_up(client)

    assert f'<a href="/leagues/{league_id}">Liga</a>' in Reader(client, olga).goes("/desk/roles")


def test_an_event_organiser_sees_its_audit_trail_and_roles(
    client: TestClient[Any], ann: Person, ben: Person, olga: Person, event: str
) -> None:
    """By links of the start page, without an event."""
    olga.post("/roles", {"person": ann.id, "role": "organiser", "event": event})
    organiser, outsider = Reader(client, ann), Reader(client, ben)
    assert 'href="/desk/audit"' in organiser.goes("/desk")

    organiser.sends("/desk/roles", "/desk/roles", person=ben.id, role="arbiter", event=event)
    catch_up(client)
    trail = organiser.goes("/desk/audit")

    assert f'<option value="{event}" selected>' in trail
    assert "arbiter" in trail
    assert "everywhere</option>" not in organiser.goes("/desk/roles")
    assert "everywhere</option>" not in trail
    outsider.goes("/desk/audit", 403)
