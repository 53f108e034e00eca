"""Face-to-face results of a league from programs, files and forms, marked everywhere."""

from typing import Any

import pytest
from litestar.testing import TestClient

from api.leagues.files import RESULTS_AT_ONCE_MAX
from tests.api.leagues.test_league_pages import Visitor
from tests.api.leagues.test_leagues import open_league, resign_first_seats, upload
from tests.api.service import Person, catch_up, open_tables

HEADING = "group,round,table,player,score,place\n"


@pytest.fixture
def cleo(client: TestClient[Any]) -> Person:
    return Person(client)


@pytest.fixture
def org(client: TestClient[Any]) -> Person:
    """Return a person who organises the league and does not play."""
    return Person(client)


def start_league(client: TestClient[Any], org: Person, *people: Person, rounds: int = 1) -> str:
    """Start a league of tables of two of these people, with this many rounds open."""
    league = open_league(org)
    org.post(f"{league}/seasons", {"name": "Spring"})
    for person in people:
        assert person.post(f"{league}/entries", {})[0] == 201
    assert org.post(f"{league}/draw", {})[0] == 200
    for _ in range(rounds):
        assert org.post(f"{league}/rounds", {})[0] == 201
    open_tables(client)
    return league


def tables(person: Person, league: str) -> list[Any]:
    fetched: list[Any] = person.get(f"{league}/seasons/1")[1]["fixtures"]
    return fetched


def lines(fixture: Any, *results: tuple[int, int]) -> str:
    """Return the rows of a table in a file: points and place of every seat."""
    at = f"{fixture['group']},{fixture['round']},{fixture['table']}"
    rows = zip(fixture["players"], results, strict=True)
    return "".join(f"{at},{player['name']},{score},{place}\n" for player, (score, place) in rows)


def test_an_entered_result_is_marked_everywhere(client: TestClient[Any], org: Person, ann: Person, ben: Person) -> None:
    league = start_league(client, org, ann, ben)
    (fixture,) = tables(ann, league)
    result = {"group": 1, "round": 1, "table": 1, "places": [2, 1], "scores": [41, 60]}
    assert ben.post(f"{league}/results", result)[0] == 403
    assert org.post(f"{league}/results", result)[0] == 201
    catch_up(client)
    season = ann.get(f"{league}/seasons/1")[1]
    (after,) = season["fixtures"]
    files = {name: client.get(f"/api{league}/seasons/1/files/{name}.csv").text for name in ("crosstable", "fixtures")}
    as_json = client.get(f"/api{league}/seasons/1/files/fixtures.json").json()

    assert (after["places"], after["scores"], after["unverified"], after["ruled"]) == ([2, 1], [41, 60], True, False)
    assert season["groups"][0]["lines"][0]["player"]["id"] == fixture["players"][1]["id"]
    assert [line["cells"][0]["unverified"] for line in season["groups"][0]["lines"]] == [True, True]
    assert [line.split(",")[-2:] for line in files["fixtures"].splitlines()[1:]] == [["False", "True"]] * 2
    assert files["crosstable"].count("unverified") == 2
    assert [row["unverified"] for row in as_json] == [True, True]
    assert ann.get(f"/matches/{fixture['matchId']}")[1]["status"] == "void"
    assert ann.get("/rankings")[1]["pools"] == []
    assert org.post(f"{league}/close", {})[0] == 200


def test_results_are_imported_whole_and_only_once(
    client: TestClient[Any], org: Person, ann: Person, ben: Person, cleo: Person
) -> None:
    league = start_league(client, org, ann, ben, cleo, rounds=3)
    first, second, third = tables(ann, league)
    content = HEADING + lines(first, (30, 2), (40, 1)) + lines(second, (9, 1), (9, 1))
    path = f"{league}/files/results"
    broken = upload(client, org, path, content + lines(third, (5, 2), (4, 2)))
    untouched = [each["isOver"] for each in tables(ann, league)]
    uploaded, again = upload(client, org, path, content), upload(client, org, path, content)

    assert (broken[0], broken[1]["code"]) == (422, "tournament/wrong_result")
    assert "group 1, round 3, table 1: the places 2, 2 are not possible" in broken[1]["detail"]
    assert untouched == [False] * 3
    assert uploaded == (201, {"count": 2, "repeated": False})
    assert again == (200, {"count": 0, "repeated": True})
    assert [each["unverified"] for each in tables(ann, league)] == [True, True, False]
    assert upload(client, ben, path, content)[0] == 403


@pytest.mark.parametrize(
    ("content", "status", "code", "sentence"),
    [
        ("1,1,1,Nobody,3,1\n", 422, "tournament/import_refused", "row 1: no account with the id or name 'Nobody'"),
        ("1,1,1,{first},3,1\n", 422, "tournament/import_refused", "is missing at group 1, round 1, table 1"),
        ("1,1,1,{first},3,1\n" * 2, 422, "tournament/import_refused", "is listed twice at group 1, round 1, table 1"),
        ("1,1,1,{third},3,1\n", 422, "tournament/import_refused", "does not play at group 1, round 1, table 1"),
        ("1,1,1,{first},3,6\n", 422, "tournament/import_refused", "line 2: "),
        ("1,1,1,{first},3,2\n1,1,1,{second},4,2\n", 422, "tournament/wrong_result", "possible are: 1, 1"),
        ("1,2,1,{first},3,1\n", 409, "league/refused", "round 2 of group 1 is not open"),
        ("7,1,1,{first},3,1\n", 409, "league/refused", "has groups 1 to 1, not 7"),
        ("1,1,5,{first},3,1\n", 409, "league/refused", "has tables 1 to 1, not 5"),
    ],
)
def test_an_invalid_file_of_results_is_refused_by_name(
    client: TestClient[Any],
    org: Person,
    ann: Person,
    ben: Person,
    cleo: Person,
    content: str,
    status: int,
    code: str,
    sentence: str,
) -> None:
    league = start_league(client, org, ann, ben, cleo)
    first, second = (player["id"] for player in tables(ann, league)[0]["players"])
    (third,) = {ann.id, ben.id, cleo.id} - {first, second}
    answer = upload(
        client, org, f"{league}/files/results", HEADING + content.format(first=first, second=second, third=third)
    )

    assert (answer[0], answer[1]["code"]) == (status, code)
    assert sentence in answer[1]["detail"]
    assert not tables(ann, league)[0]["isOver"]


def test_a_table_played_here_gets_its_result_from_its_log(
    client: TestClient[Any], org: Person, ann: Person, ben: Person
) -> None:
    league = start_league(client, org, ann, ben)
    resign_first_seats(client, {"fixtures": tables(ann, league)}, ann, ben)
    result = {"group": 1, "round": 1, "table": 1, "places": [2, 1], "scores": [41, 60]}
    status, body = org.post(f"{league}/results", result)

    assert (status, body["code"]) == (409, "league/refused")
    assert "was played on this server: its result comes from the match log" in body["detail"]
    assert upload(client, org, f"{league}/files/results", "group,player\n1,2\n")[1]["detail"].startswith(
        "line 1: the co"
    )


def test_the_organisers_page_accepts_results_by_form_and_file(client: TestClient[Any]) -> None:
    ann, ben = Visitor(client), Visitor(client)
    league = ann.sends("/leagues", name="Cup of Mallorca", size=2, places=4, atOnce="true")
    ann.sends(f"{league}/desk/season", name="Winter")
    for player in (Visitor(client), ben):
        player.sends(f"{league}/enter")
    ann.sends(f"{league}/desk/enter", player="bot:greedy@1")
    season = ann.sends(f"{league}/desk/draw")
    ann.sends(f"{league}/desk/round")
    assert "Results of tables played in person" in ann.sees(season)
    assert "from -100000 to 100000, not “many”" in ann.sends(
        f"{league}/desk/result", 400, group=1, round=1, table=1, scores="many"
    )
    assert ann.sends(f"{league}/desk/result", group=1, round=1, table=1, scores="30 44") == season
    rows = [
        f"1,{each['round']},1,{player['id']},{score},1"
        for each in ann.client.get(f"/api{season}").json()["fixtures"][1:]
        for player, score in zip(each["players"], (7, 7), strict=True)
    ]
    assert ann.sends(f"{league}/desk/results", text=HEADING + "\n".join(rows)) == season
    assert "only organisers of the league" in ben.sends(f"{league}/desk/results", 403, text=HEADING)
    page = ann.sees(season)

    assert page.count('<span class="badge warn">in person, unverified</span>') == 3
    assert page.count("· unverified</span>") == 6
    assert "place 2" in page
    assert "View match" not in page


def test_a_long_file_is_imported_in_parts_and_voids_the_matches_of_its_tables(
    client: TestClient[Any], org: Person, ann: Person, ben: Person, cleo: Person
) -> None:
    league = start_league(client, org, ann, ben, cleo, Person(client), Person(client), rounds=5)
    whole = HEADING + "".join(lines(fixture, (3, 1), (1, 2)) for fixture in tables(ann, league))
    version = ann.get(league)[1]["version"]
    first, again = (
        upload(client, org, f"{league}/files/results", whole),
        upload(client, org, f"{league}/files/results", whole),
    )
    catch_up(client)

    assert RESULTS_AT_ONCE_MAX < 10
    assert (first, again) == ((201, {"count": 10, "repeated": False}), (200, {"count": 0, "repeated": True}))
    assert ann.get(league)[1]["version"] == version + 11
    shown = tables(ann, league)
    assert [(each["scores"], each["unverified"]) for each in shown] == [([3, 1], True)] * 10
    assert {ann.get(f"/matches/{each['matchId']}")[1]["status"] for each in shown} == {"void"}
