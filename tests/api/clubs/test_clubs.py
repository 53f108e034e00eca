"""Clubs over the API: founding, joining, inviting, roles, events, and the departure of erased accounts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest
from litestar.testing import TestClient

from api.accounts.people import PEOPLE
from api.clubs.commands import find_clubs_of
from api.clubs.store import CLUB_TEXTS
from api.matches.service import MATCHES
from domain.eventstore.application import Matches
from projections.clubs import KnownClubs
from tests.api.service import Member, Person, catch_up, make_operator
from tests.seeding import next_name

CUP: Final = {"name": "Cup", "title": "el_grande", "size": 2, "stages": [{"kind": "swiss", "rounds": 2}]}
LEAGUE: Final = {
    "name": "Serra",
    "title": "el_grande",
    "size": 2,
    "table": {"clock": {"kind": "correspondence", "seconds": 172_800}},
}


def send(person: Person, method: str, path: str, wanted: Any = None) -> tuple[int, Any]:
    """Send a request about clubs."""
    response = person.client.request(method, f"/api/{path}", json=wanted, headers=person.headers)
    return response.status_code, response.json() if response.content else None


def log_of(client: TestClient[Any]) -> Matches:
    """Return the log of the service."""
    return MATCHES.of(client.app).writer.matches


def found(owner: Person, admission: str = "request", **wanted: Any) -> str:
    """Found a club and return its path."""
    name = wanted.pop("name", None) or next_name("Club ")
    status, club = send(owner, "POST", "clubs", {"name": name, "admission": admission, **wanted})
    assert status == 201, club
    return f"clubs/{club['id']}"


def test_a_club_is_founded_once_and_its_name_is_its_own(olga: Member, cleo: Member) -> None:
    name = next_name("Els Amics ")
    headers = {**olga.headers, "Idempotency-Key": "once"}
    wanted = {"name": name, "about": " On Fridays. "}
    first, again = (olga.client.post("/api/clubs", json=wanted, headers=headers) for _ in range(2))

    assert (first.status_code, again.status_code, first.json()) == (201, 201, again.json())
    club = first.json()
    assert (club["name"], club["about"], club["members"], club["standing"]) == (name, "On Fridays.", 1, "owner")
    assert [each["id"] for each in club["officers"]] == [olga.id]
    assert (club["requests"], club["invited"], club["admission"]) == ([], [], "request")
    status, refusal = send(cleo, "POST", "clubs", {"name": f"  {name.upper()} "})
    assert (status, refusal["code"]) == (409, "club/name_taken")
    assert send(cleo, "POST", "clubs", {"name": "\u200b "})[1]["code"] == "club/name_blank"
    assert send(cleo, "GET", f"clubs/{club['id']}")[1]["requests"] is None


def test_the_list_has_the_open_clubs_by_name(olga: Member) -> None:
    part = next_name("Zz_")
    closed, *_ = [found(olga, name=f"{part} {end}") for end in ("a", "b", "c%", "d")]
    assert send(olga, "DELETE", closed)[1]["isOpen"] is False
    catch_up(olga.client)

    first = send(olga, "GET", f"clubs?name={part.upper()}&limit=2")[1]
    rest = send(olga, "GET", f"clubs?name={part}&limit=2&before={first['next']}")[1]

    assert [club["name"] for club in (*first["clubs"], *rest["clubs"])] == [f"{part} {end}" for end in ("b", "c%", "d")]
    assert rest["next"] is None
    assert [club["name"] for club in send(olga, "GET", "clubs?name=c%25")[1]["clubs"]] == [f"{part} c%"]


def test_a_request_is_answered_and_its_message_deleted(olga: Member, cleo: Member, dora: Member) -> None:
    club = found(olga)
    for person in (cleo, dora):
        status, shown = send(person, "POST", f"{club}/membership", {"message": "Hello from me."})
        assert (status, shown["standing"], shown["requests"]) == (200, "asked", None)

    shown = send(olga, "GET", club)[1]
    assert {(each["person"]["id"], each["message"]) for each in shown["requests"]} == {
        (cleo.id, "Hello from me."),
        (dora.id, "Hello from me."),
    }
    assert send(cleo, "POST", f"{club}/requests/{cleo.id}", {"accept": True})[1]["code"] == "club/not_of_club"
    assert send(olga, "POST", f"{club}/requests/{cleo.name}", {"accept": True})[1]["members"] == 2
    assert send(olga, "POST", f"{club}/requests/{dora.name}", {"accept": False})[1]["requests"] == []

    assert send(cleo, "GET", club)[1]["standing"] == "member"
    status, refusal = send(dora, "POST", f"{club}/membership", {})
    assert (status, refusal["code"]) == (409, "club/refused")
    assert dora.name in refusal["detail"]
    texts = CLUB_TEXTS.of(olga.client.app)
    assert (texts.messages_of(cleo.id), texts.messages_of(dora.id)) == ((), ())


def test_a_request_can_be_withdrawn_and_an_open_club_is_joined_at_once(olga: Member, cleo: Member) -> None:
    club = found(olga)
    assert send(cleo, "POST", f"{club}/membership", {"message": "Please."})[1]["standing"] == "asked"
    assert send(cleo, "DELETE", f"{club}/membership")[1]["standing"] == ""
    assert CLUB_TEXTS.of(olga.client.app).messages_of(cleo.id) == ()

    assert send(olga, "PATCH", club, {"admission": "open", "about": "Open to all."})[1]["about"] == "Open to all."
    assert send(cleo, "POST", f"{club}/membership", {})[1]["standing"] == "member"
    assert send(cleo, "PATCH", club, {"name": "Mine"})[1]["code"] == "club/not_of_club"
    assert send(cleo, "DELETE", f"{club}/membership")[1]["standing"] == ""


def test_people_join_by_invitation(olga: Member, cleo: Member, dora: Member) -> None:
    club = found(olga, "invitation")
    assert send(cleo, "POST", f"{club}/membership", {})[1]["code"] == "club/refused"
    for person in (cleo, dora):
        assert send(olga, "POST", f"{club}/invitations", {"person": person.name})[0] == 201
    catch_up(olga.client)
    assert [each["standing"] for each in send(cleo, "GET", "me/clubs")[1]["clubs"]] == ["invited"]

    assert send(cleo, "POST", f"{club}/invitation", {"accept": True})[1]["standing"] == "member"
    assert send(dora, "POST", f"{club}/invitation", {"accept": False})[1]["standing"] == ""
    assert send(olga, "POST", f"{club}/invitations", {"person": dora.name})[1]["code"] == "club/refused"
    assert send(olga, "POST", f"{club}/invitations", {"person": olga.name})[1]["code"] == "club/refused"
    assert send(olga, "POST", f"{club}/invitations", {"person": "Nobody at all"})[0] == 404


def test_an_invitation_can_be_withdrawn_and_answers_a_request(olga: Member, cleo: Member, dora: Member) -> None:
    club = found(olga)
    assert send(olga, "POST", f"{club}/invitations", {"person": cleo.name})[1]["invited"][0]["id"] == cleo.id
    assert send(olga, "DELETE", f"{club}/invitations/{cleo.id}")[1]["invited"] == []
    assert send(cleo, "POST", f"{club}/invitation", {"accept": True})[1]["code"] == "club/refused"
    assert send(dora, "POST", f"{club}/membership", {"message": "Hello."})[1]["standing"] == "asked"
    assert send(olga, "POST", f"{club}/invitations", {"person": dora.name})[1]["members"] == 2
    assert CLUB_TEXTS.of(olga.client.app).messages_of(dora.id) == ()


def test_a_removed_member_sees_the_reason_and_needs_an_invitation(olga: Member, cleo: Member) -> None:
    club = found(olga, "open")
    send(cleo, "POST", f"{club}/membership", {})
    wanted = {"person": cleo.name, "reason": "Never came."}
    assert send(cleo, "POST", f"{club}/removals", wanted)[1]["code"] == "club/not_of_club"
    assert send(olga, "POST", f"{club}/removals", {**wanted, "reason": " "})[1]["code"] == "club/refused"
    assert send(olga, "POST", f"{club}/removals", wanted)[0] == 201

    shown = send(cleo, "GET", club)[1]
    assert (shown["standing"], shown["removal"]) == ("removed", "Never came.")
    assert "Never came." not in str(send(olga, "GET", club)[1])
    assert send(cleo, "POST", f"{club}/membership", {})[1]["code"] == "club/refused"
    assert send(cleo, "GET", "me/data")[1]["clubs"]["removals"] == {club.removeprefix("clubs/"): "Never came."}
    send(olga, "POST", f"{club}/invitations", {"person": cleo.name})
    assert send(cleo, "POST", f"{club}/membership", {})[1]["removal"] == ""
    assert CLUB_TEXTS.of(olga.client.app).reasons_of(cleo.id) == ()


def test_roles_are_given_and_the_club_is_handed_over_and_closed(olga: Member, cleo: Member, dora: Member) -> None:
    club = found(olga, "open")
    for person in (cleo, dora):
        send(person, "POST", f"{club}/membership", {})
    assert send(cleo, "PUT", f"{club}/roles", {"person": dora.name, "role": "organiser"})[1]["code"]
    status, shown = send(olga, "PUT", f"{club}/roles", {"person": cleo.name, "role": "organiser"})
    assert (status, [each["id"] for each in shown["officers"]]) == (200, [olga.id, cleo.id])
    assert send(olga, "PUT", f"{club}/owner", {"person": dora.name})[1]["standing"] == "organiser"
    catch_up(olga.client)

    members = send(olga, "GET", f"{club}/members")[1]["members"]
    assert [(each["person"]["id"], each["role"]) for each in members] == [
        (dora.id, "owner"),
        (cleo.id, "organiser"),
        (olga.id, "organiser"),
    ]
    assert send(olga, "DELETE", club)[1]["code"] == "club/not_of_club"
    assert send(dora, "DELETE", club)[1]["isOpen"] is False
    assert send(dora, "POST", f"{club}/invitations", {"person": "x"})[0] == 404
    make_operator(olga.client, olga.id)
    assert send(olga, "PATCH", club, {"name": next_name("Renamed ")})[0] == 200


def test_the_list_of_events_takes_events_that_the_organiser_runs(olga: Member, cleo: Member) -> None:
    club = found(olga, "open")
    send(cleo, "POST", f"{club}/membership", {})
    cup = send(olga, "POST", "tournaments", {"plan": CUP})[1]["eventId"]
    league = send(olga, "POST", "leagues", {"plan": LEAGUE})[1]["leagueId"]
    other = send(cleo, "POST", "tournaments", {"plan": CUP})[1]["eventId"]
    for event in (cup, league):
        assert send(olga, "PUT", f"{club}/events/{event}")[0] == 200
    assert send(olga, "PUT", f"{club}/events/{cup}")[1]["code"] == "club/refused"
    assert send(olga, "PUT", f"{club}/events/{other}")[1]["code"] == "role/missing"
    assert send(cleo, "PUT", f"{club}/events/{other}")[1]["code"] == "club/not_of_club"
    assert send(olga, "PUT", f"{club}/events/{olga.id}")[0] == 404
    catch_up(olga.client)

    (event,) = send(cleo, "GET", f"{club}/events")[1]["events"]
    assert (event["eventId"], event["name"], event["title"]) == (cup, "Cup", "el_grande")
    assert [each["name"] for each in send(cleo, "GET", f"{club}/events?kind=league")[1]["events"]] == ["Serra"]
    assert send(cleo, "DELETE", f"{club}/events/{cup}")[1]["code"] == "club/not_of_club"
    assert send(olga, "DELETE", f"{club}/events/{cup}")[0] == 200
    catch_up(olga.client)
    assert send(cleo, "GET", f"{club}/events")[1]["events"] == []


def test_guests_and_unknown_callers_cannot_be_members(
    client: TestClient[Any], olga: Member, member: Callable[[str], Member]
) -> None:
    club = found(olga, "open")
    assert client.post(f"/api/{club}/membership", json={}).status_code == 401
    assert client.get(f"/api/{club}").json()["standing"] == ""
    assert client.get("/api/clubs/00000000-0000-0000-0000-000000000009").status_code == 404
    bot = member("Robo")
    PEOPLE.of(client.app).mark_bot(bot.id)
    assert send(bot, "POST", f"{club}/membership", {})[1]["code"] == "club/refused"
    assert send(olga, "POST", f"{club}/invitations", {"person": bot.id})[1]["code"] == "club/refused"


@pytest.mark.parametrize("caught_up", [True, False])
def test_an_erased_account_leaves_its_clubs(olga: Member, cleo: Member, dora: Member, caught_up: bool) -> None:
    client = olga.client
    own, other, asked = found(cleo, "request"), found(olga, "open"), found(olga, "request")
    send(dora, "POST", f"{own}/membership", {"message": "Dear Cleo"})
    send(cleo, "POST", f"{other}/membership", {})
    send(cleo, "POST", f"{asked}/membership", {"message": "Dear Olga"})
    if caught_up:
        catch_up(client)

    assert send(cleo, "DELETE", "me")[0] == 204

    assert send(dora, "GET", own)[1]["isOpen"] is False
    assert send(olga, "GET", other)[1]["members"] == 1
    assert send(olga, "GET", asked)[1]["requests"] == []
    texts, matches = CLUB_TEXTS.of(client.app), log_of(client)
    assert (texts.messages_of(cleo.id), texts.messages_of(dora.id)) == ((), ())
    assert find_clubs_of(matches, cleo.id, KnownClubs(0, ())) == ()
