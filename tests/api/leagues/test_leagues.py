"""Leagues over the API: a whole season of three people, from opening to the hall of fame."""

from typing import Any

import pytest
from litestar.testing import TestClient

from tests.api.service import Person, catch_up, open_tables

PLAN = {
    "name": "Island league",
    "title": "la_granja",
    "size": 2,
    "table": {"clock": {"kind": "correspondence", "seconds": 172_800}},
}


@pytest.fixture
def cleo(client: TestClient[Any]) -> Person:
    return Person(client)


def open_league(person: Person, **plan: Any) -> str:
    status, league = person.post("/leagues", {"plan": {**PLAN, **plan}})
    assert status == 201, league
    return f"/leagues/{league['leagueId']}"


def resign_first_seats(client: TestClient[Any], season: Any, *people: Person) -> None:
    """In every open match of the season, make everyone ready and let the first seat resign."""
    by_id = {person.id: person for person in people}
    for fixture in season["fixtures"]:
        if fixture["matchId"] and not fixture["isOver"]:
            for player in fixture["players"]:
                by_id[player["id"]].is_ready(fixture["matchId"])
            loser = by_id[fixture["players"][0]["id"]]
            assert loser.post(f"/matches/{fixture['matchId']}/resignation", {})[0] in {200, 201}
    catch_up(client)


def test_a_season_is_played_from_entry_to_the_hall_of_fame(
    client: TestClient[Any], ann: Person, ben: Person, cleo: Person
) -> None:
    league = open_league(ann)
    assert ann.post(f"{league}/seasons", {"name": "Spring"})[0] == 201
    for person in (ann, ben, cleo):
        assert person.post(f"{league}/entries", {})[0] == 201
    assert ben.post(f"{league}/draw", {})[0] == 403
    status, body = ann.post(f"{league}/draw", {})
    assert (status, body["seasons"][0]["rounds"]) == (200, 3)
    for _ in range(3):
        assert ann.post(f"{league}/rounds", {})[0] == 201
        open_tables(client)
        resign_first_seats(client, ann.get(f"{league}/seasons/1")[1], ann, ben, cleo)
    status, shown = ann.get(f"{league}/seasons/1")
    assert status == 200
    assert all(fixture["isOver"] for fixture in shown["fixtures"])
    assert ann.post(f"{league}/close", {})[0] == 200
    status, closed = ben.get(league)

    (group,) = shown["groups"]
    assert (group["design"]["meetingsMin"], group["design"]["meetingsMax"]) == (1, 1)
    assert (group["design"]["seatsMin"], group["design"]["seatsMax"]) == (1, 1)
    assert [line["played"] for line in group["lines"]] == [2, 2, 2]
    assert closed["seasons"][0]["status"] == "closed"
    assert closed["hallOfFame"][0]["champions"]
    csv = client.get(f"/api{league}/seasons/1/standings.csv")
    assert csv.headers["content-type"].startswith("text/csv")
    assert csv.text.splitlines()[0].startswith("season,group,division,rank")
    assert len(csv.text.splitlines()) == 4


def test_invalid_requests_are_refused_by_name(client: TestClient[Any], ann: Person, ben: Person) -> None:
    league = open_league(ann)
    refusals = [
        (ann.post(f"{league}/entries", {}), 409, "no season"),
        (ann.post(f"{league}/seasons", {"name": "One"}), 201, ""),
        (ann.post(f"{league}/seasons", {"name": "Two"}), 409, "season 1 is not over"),
        (ann.post(f"{league}/entries", {}), 201, ""),
        (ann.post(f"{league}/entries", {}), 409, "already"),
        (ann.post(f"{league}/entries", {"player": "nobody-at-all"}), 404, "nobody-at-all"),
        (ben.post(f"{league}/entries", {"player": ann.id}), 403, "organisers of the league"),
        (ann.post(f"{league}/draw", {}), 409, "players, not 1"),
        (ann.post(f"{league}/rounds", {}), 409, "not been drawn"),
        (ann.post(f"{league}/close", {}), 409, "not been drawn"),
        (ann.post(f"{league}/announcements", {"text": " "}), 409, "enter the text"),
        (ann.post(f"{league}/deadlines", {"round": 1, "deadline": "2030-01-01T00:00:00"}), 400, "malformed"),
        (ann.post("/leagues", {"plan": {**PLAN, "size": 6}}), 400, "malformed"),
        (ann.post("/leagues", {"plan": {**PLAN, "title": "chess"}}), 422, "chess"),
        (ann.post("/leagues", {"plan": {**PLAN, "bot": "bot:clever@1"}}), 422, "unknown bot 'clever'"),
        (ann.post(f"{league}/entries", {"player": "bot:clever@1"}), 422, "unknown bot 'clever'"),
        (ann.get("/leagues/00000000-0000-0000-0000-000000000000"), 404, "no league"),
        (ann.get(f"{league}/seasons/2"), 404, "no season 2"),
    ]
    for (status, answer), wanted, message in refusals:
        assert status == wanted, answer
        if message and message != "malformed":
            assert message in answer["detail"], answer


def test_opening_a_league_is_idempotent_by_key(ann: Person) -> None:
    first = ann.post("/leagues", {"plan": PLAN}, **{"Idempotency-Key": "once"})[1]
    again = ann.post("/leagues", {"plan": PLAN}, **{"Idempotency-Key": "once"})[1]

    assert first == again


def test_a_player_who_leaves_is_replaced_and_a_table_is_ruled_on(
    client: TestClient[Any], ann: Person, ben: Person, cleo: Person
) -> None:
    league, dora = open_league(ann), Person(client)
    ann.post(f"{league}/seasons", {"name": "One"})
    for person in (dora, ben):
        person.post(f"{league}/entries", {})
    assert ann.post(f"{league}/draw", {})[0] == 200
    assert ben.delete(f"{league}/entries/{ben.id}")[0] == 200
    assert ann.post(f"{league}/rounds", {})[0] == 409
    wanted = {"group": 1, "out": ben.id, "player": cleo.id, "fromRound": 1, "reason": "Ill."}
    invited = ann.post(f"{league}/substitutes", wanted)[1]["invitations"][0]
    assert ann.post(f"{league}/rounds", {})[0] == 409, "nobody has accepted the place"
    assert cleo.accepts(league, {key: invited[key] for key in ("season", "group", "place", "fromRound")})[0] == 200
    assert ann.post(f"{league}/rounds", {})[0] == 201
    later = {"round": 1, "deadline": "2199-01-01T00:00:00Z"}
    assert ann.post(f"{league}/deadlines", later)[0] == 400
    assert ann.post(f"{league}/deadlines", later | {"reason": "Snow."})[0] == 200
    ruling = {"group": 1, "round": 1, "table": 1, "places": [1, 2], "scores": [0, 0]}
    assert "a ruling needs a reason" in ann.post(f"{league}/rulings", ruling)[1]["detail"]
    status, ruled = ann.post(f"{league}/rulings", ruling | {"reason": "So."})

    assert status == 201, ruled
    (fixture,) = ann.get(f"{league}/seasons/1")[1]["fixtures"]
    assert {player["id"] for player in fixture["players"]} == {dora.id, cleo.id}
    assert (fixture["ruled"], fixture["places"]) == (True, [1, 2])
    assert ann.post(f"{league}/announcements", {"text": "Well played."})[1]["notices"][0]["text"] == "Well played."
    assert ann.get("/leagues")[0] == 200


def upload(client: TestClient[Any], person: Person, path: str, content: str) -> tuple[int, Any]:
    response = client.post(f"/api{path}", content=content.encode(), headers=person.headers)
    return response.status_code, response.json()


def test_players_are_imported_once(client: TestClient[Any], ann: Person, ben: Person) -> None:
    league = open_league(ann)
    path = f"{league}/files/players"
    ann.post(f"{league}/seasons", {"name": "Spring"})
    rows = f"player,seeding\n{ann.id},1\n{ben.id},2\nbot:greedy@1,\n"
    first, again = upload(client, ann, path, rows), upload(client, ann, path, rows)
    assert ben.accepts(league, {"season": 1})[0] == 200
    more = upload(client, ann, path, f'[{{"player": "{ben.id}"}}, {{"player": "bot:random@1"}}]')
    entered = ann.get(league)[1]["entered"]

    assert first == (201, {"count": 3, "repeated": False})
    assert again == (200, {"count": 0, "repeated": True})
    assert more == (201, {"count": 1, "repeated": False})
    assert [player["id"] for player in entered] == [ann.id, "bot:greedy@1", ben.id, "bot:random@1"]


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ("player\nNobody", "row 1: no account with the id or name 'Nobody'"),
        ("player\nbot:greedy@1\nbot:Clever", "row 2: "),
        ("player\nbot:greedy@1\nbot:clever@1", "row 2: unknown bot 'clever'; known: "),
        ("name\nAnn", "line 1: unknown column 'name'; known: player, seeding"),
        ("seeding\n1", "line 1: the column 'player' is missing"),
        ("player,seeding\nbot:greedy@1,many", "line 2: "),
        ("player\nbot:greedy@1\nbot:greedy@1", "row 2: 'bot:greedy@1' is in the file twice"),
        ("player\n", "a file has 1 to 10000 rows, not 0"),
    ],
)
def test_an_invalid_file_of_players_is_refused_by_its_row(
    client: TestClient[Any], ann: Person, rows: str, sentence: str
) -> None:
    league = open_league(ann)
    ann.post(f"{league}/seasons", {"name": "Spring"})
    status, body = upload(client, ann, f"{league}/files/players", rows)

    assert (status, body["code"]) == (422, "tournament/import_refused")
    assert sentence in body["detail"]
    assert ann.get(league)[1]["entered"] == []


def test_only_organisers_import_players(client: TestClient[Any], ann: Person, ben: Person) -> None:
    league = open_league(ann)

    assert upload(client, ben, f"{league}/files/players", "player\nbot:greedy@1")[0] == 403
    assert upload(client, ann, f"{league}/files/players", "player\nbot:greedy@1")[0] == 409


def test_a_season_is_exported_with_every_players_rounds(client: TestClient[Any], ann: Person, ben: Person) -> None:
    league = open_league(ann)
    for name in ("Spring", "Summer"):
        ann.post(f"{league}/seasons", {"name": name})
        ann.post(f"{league}/entries", {})
        ben.post(f"{league}/entries", {})
        ann.post(f"{league}/draw", {})
        ann.post(f"{league}/rounds", {})
        open_tables(client)
        number = len(ann.get(league)[1]["seasons"])
        resign_first_seats(client, ann.get(f"{league}/seasons/{number}")[1], ann, ben)
        assert ann.post(f"{league}/close", {})[0] == 200
    season, closed = ann.get(f"{league}/seasons/1")[1], ann.get(league)[1]
    winner, loser = season["groups"][0]["lines"]

    assert winner["cells"] == [
        {"table": 1, "opponents": [2], "place": 1, "points": "12", "isBye": False, "unverified": False, "absent": False}
    ]
    assert [career["seasons"][0]["season"] for career in closed["careers"]] == [1, 1]
    assert sum(career["firsts"] for career in closed["careers"]) == 2
    for name, line in (
        ("standings", f"1,1,First division,1,{winner['player']['id']},{winner['player']['name']},12,1,1"),
        ("crosstable", f"1,2,{loser['player']['id']},{loser['player']['name']},T1: 2 (0) 1"),
        ("fixtures", "1,1,1,1,"),
    ):
        csv = client.get(f"/api{league}/seasons/1/files/{name}.csv")
        assert csv.headers["content-type"].startswith("text/csv")
        assert line in csv.text
        assert client.get(f"/api{league}/seasons/1/files/{name}.json").json()
    assert client.get(f"/api{league}/seasons/1/files/players.csv").status_code == 404


def test_the_default_name_of_a_division_is_translated(client: TestClient[Any], ann: Person) -> None:
    default, named = open_league(ann), open_league(ann, divisions=[{"name": "Erste", "groups": 0}])

    def page(league: str) -> str:
        return client.get(league, headers={"accept-language": "de"}).text

    assert "Erste Division" in page(default)
    assert "First division" not in page(default)
    assert "<li>Erste</li>" in page(named)
