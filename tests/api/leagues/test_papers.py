"""Prizes, papers and the calendar file of a season."""

from __future__ import annotations

from typing import Any, Final

import pytest
from litestar.testing import TestClient

from tests.api.leagues.test_league_pages import Visitor
from tests.api.leagues.test_league_results import start_league, tables
from tests.api.service import Person, catch_up

PRIZES: Final = {"places": [{"amount": 10000, "name": "Cup"}, {"amount": 5000}], "currency": "€"}


@pytest.fixture
def org(client: TestClient[Any]) -> Person:
    """Return a person who organises the league and does not play."""
    return Person(client)


@pytest.fixture
def league(client: TestClient[Any], org: Person, ann: Person, ben: Person) -> str:
    """Return a league whose only table, of two people, has a result."""
    league = start_league(client, org, ann, ben)
    (fixture,) = tables(ann, league)
    assert fixture["players"]
    result = {"group": 1, "round": 1, "table": 1, "places": [2, 1], "scores": [41, 60]}
    assert org.post(f"{league}/results", result)[0] == 201
    catch_up(client)
    return league


def put(person: Person, path: str, wanted: Any) -> tuple[int, Any]:
    response = person.client.put(f"/api{path}", json=wanted, headers=person.headers)
    return response.status_code, response.json()


def fetch(client: TestClient[Any], path: str) -> tuple[int, str, bytes]:
    response = client.get(f"/api{path}")
    return response.status_code, response.headers["content-type"], response.content


def test_prizes_of_a_division_are_awarded_by_the_group_table(
    client: TestClient[Any], org: Person, ann: Person, league: str
) -> None:
    assert put(org, f"{league}/prizes", {"prizes": PRIZES})[1]["code"] == "league/refused"
    assert put(ann, f"{league}/prizes", {"prizes": PRIZES, "reason": "A sponsor."})[0] == 403
    status, problem = put(org, f"{league}/prizes", {"prizes": PRIZES, "reason": "A sponsor.", "division": 2})
    assert (status, "the season has divisions 1 to 1, not 2" in str(problem)) == (409, True)
    assert put(org, f"{league}/prizes", {"prizes": PRIZES, "reason": "A sponsor."})[0] == 200
    (winner, second) = tables(ann, league)[0]["players"][::-1]
    awards = ann.get(f"{league}/seasons/1/awards")[1]
    csv = fetch(client, f"{league}/seasons/1/files/prizes.csv")[2].decode().splitlines()

    assert [(each["player"]["name"], each["amount"], each["prize"]) for each in awards["awards"]] == [
        (winner["name"], 10000, "Cup"),
        (second["name"], 5000, ""),
    ]
    assert awards["isFinal"] is False
    assert csv[0] == "group,rank,player,name,amount,currency,prize"
    assert csv[1] == f"1,1,{winner['id']},{winner['name']},10000,€,Cup"
    assert ann.get(f"{league}/seasons/2/awards")[0] == 404
    catch_up(client)
    assert [act["kind"] for act in ann.get(f"{league}/record")[1]["acts"]][:1] == ["prizes_set"]


def test_papers_of_a_season_are_reproducible(client: TestClient[Any], org: Person, league: str) -> None:
    files = f"{league}/seasons/1/files"
    status, _, refusal = fetch(client, f"{files}/certificates.pdf")
    assert (status, b"certificates are available when the season is closed" in refusal) == (409, True)
    assert org.post(f"{league}/close", {})[0] == 200
    for name in ("standings", "crosstable", "certificates"):
        status, kind, content = fetch(client, f"{files}/{name}.pdf")

        assert (status, kind) == (200, "application/pdf")
        assert content.startswith(b"%PDF-")
        assert content == fetch(client, f"{files}/{name}.pdf")[2]
    assert fetch(client, f"{files}/fixtures.pdf")[0] == 404


def test_the_calendar_file_has_the_rounds_of_a_season(client: TestClient[Any], league: str) -> None:
    status, kind, content = fetch(client, f"{league}/seasons/1/schedule.ics")
    lines = content.decode().splitlines()

    assert (status, kind.partition(";")[0]) == (200, "text/calendar")
    assert [line for line in lines if line.startswith("UID")] == [
        f"UID:{league.rpartition('/')[2]}-season-1-round-1@esporles"
    ]
    assert any(line.startswith("SUMMARY:") and line.endswith("Round 1") for line in lines)
    assert fetch(client, f"{league}/seasons/2/schedule.ics")[0] == 404


def test_organisers_set_prizes_on_a_page(client: TestClient[Any]) -> None:
    olga, ann, ben = (Visitor(client) for _ in range(3))
    league = olga.sends("/leagues", name="Cup of Mallorca", size=2, places=4)
    olga.sends(f"{league}/desk/season", name="Winter")
    for player in (ann, ben):
        player.sends(f"{league}/enter")
    season, form = olga.sends(f"{league}/desk/draw"), f"{league}/desk/prizes/1"
    rows: dict[str, Any] = {"places.0.number": 1, "places.0.amount": "100,50", "places.0.name": "Cup"}
    assert olga.sends(form, **rows, currency="€", split="broken") == form

    assert 'value="100.50"' in olga.sees(form)
    assert "Enter an amount such as 20 or 12.50" in olga.sends(form, 400, **rows | {"places.0.amount": "1.234"})
    assert "100.50 €" in ann.sees(season)
    assert "schedule.ics" in ann.sees(season)
    assert "only organisers of the league" in ann.sees(form, 403)
    assert "the season has divisions 1 to 1, not 2" in olga.sees(f"{league}/desk/prizes/2", 409)
