"""Mistakes of organisers, over the API and on the page, are refused or handled with a readable message."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.api.full_service import FullService, Visitor
from tests.api.tournaments.test_tournaments import ApiPerson, open_tournament, play_round, publish_next_round, with_four

FOURS = {"size": 4, "smallest": 3}


@pytest.fixture(scope="module")
def visitor(full_service: FullService, people: list[ApiPerson]) -> Visitor:
    """Return the organiser in a browser."""
    return Visitor(full_service, people[0].id)


def with_bots(organiser: ApiPerson, count: int, **plan: Any) -> tuple[str, str]:
    """Return the API path and the page of an event with this many bots."""
    path = open_tournament(organiser, **{**FOURS, **plan})
    organiser.does("POST", f"{path}/entries", {"bot": "random", "count": count})
    return path, path.replace("/tournaments/", "/events/")


def test_one_remaining_player_makes_no_round(
    full_service: FullService, people: list[ApiPerson], visitor: Visitor
) -> None:
    path, page = with_bots(people[0], 1)
    sentence = "a round needs at least two players, not 1"

    assert people[0].is_refused("POST", f"{path}/pairings") == (409, "tournament/refused", sentence)
    status, html = visitor.submit_refused(f"{page}/desk/pairing")
    assert status == 409
    assert sentence in html


@pytest.mark.parametrize(
    ("plan", "sizes", "byes"),
    [
        ({"leftover": "bye"}, [4], 1),
        ({"leftover": "short", "smallest": 2}, [3, 2], 0),
        ({"leftover": "short", "smallest": 3}, [4], 1),
    ],
    ids=["a bye", "a short table", "a bye, for no table may be so short"],
)
def test_five_players_at_tables_of_four_follow_the_events_rule(
    full_service: FullService,
    people: list[ApiPerson],
    visitor: Visitor,
    plan: dict[str, Any],
    sizes: list[int],
    byes: int,
) -> None:
    path, page = with_bots(people[0], 5, **plan)
    people[0].does("POST", f"{path}/pairings")
    full_service.settle()
    (round_,) = people[0].get(path)["rounds"]

    assert round_["status"] == "proposed"
    assert sorted((len(table["entries"]) for table in round_["tables"]), reverse=True) == sizes
    assert len(round_["byes"]) == byes
    assert ("Bye: " in visitor.sees(f"{page}/desk")) == bool(byes)


def test_no_one_enters_twice(people: list[ApiPerson], visitor: Visitor) -> None:
    path = open_tournament(people[0])
    page = path.replace("/tournaments/", "/events/")
    people[1].does("POST", f"{path}/entries")
    code = "tournament/entered_already"

    assert people[1].is_refused("POST", f"{path}/entries")[:2] == (409, code)
    assert people[0].is_refused("POST", f"{path}/entries", {"person": people[1].id})[:2] == (409, code)
    people[0].does("POST", f"{path}/entries", {"name": "Jana  Nová"})
    for name in ("Jana Nová", " Jana Nová ", "Jana Nova\u0301"):
        assert people[0].is_refused("POST", f"{path}/entries", {"name": name})[1] == code
        assert visitor.submit_refused(f"{page}/desk/enter", name=name)[0] == 409
        assert visitor.submit_refused(f"{page}/desk/paste", text=f"Petr\n{name}")[0] == 409
        assert visitor.submit_refused(f"{page}/desk/import", what="players", text=f"name\n{name}\n")[0] == 409
    status, html = visitor.submit_refused(f"{page}/desk/enter", person=people[1].id)
    assert status == 409
    assert "has already entered" in html


def test_a_result_needs_a_table_of_a_public_round(
    full_service: FullService, people: list[ApiPerson], visitor: Visitor
) -> None:
    path = with_four(full_service, people)
    page = path.replace("/tournaments/", "/events/")
    publish_next_round(full_service, people[0], path)
    result = {"scores": [1, 2], "places": [2, 1], "reason": "by hand"}

    for at, sentence in (
        ("rounds/2/tables/1", "round 2 has not started"),
        ("rounds/1/tables/3", "round 1 has no table 3; it has 2"),
    ):
        assert people[0].is_refused("PUT", f"{path}/{at}/ruling", result) == (404, "tournament/round_unknown", sentence)
    status, html = visitor.submit_refused(f"{page}/desk/result", round=1, table=9, scores=[1, 2], reason="by hand")
    assert status == 404
    assert "round 1 has no table 9; it has 2" in html
    assert (
        "scores: Enter a whole number from -100000 to 100000, not “many”."
        in visitor.submit_refused(f"{page}/desk/result", round=1, table=1, scores="many")[1]
    )
    assert (
        "is played online; its result comes from the match"
        in visitor.submit_refused(f"{page}/desk/result", round=1, table=1, scores=[1, 2])[1]
    )


def test_a_round_with_an_open_dispute_is_not_closed_and_the_table_is_named(
    full_service: FullService, people: list[ApiPerson], visitor: Visitor
) -> None:
    path = with_four(full_service, people)
    page = path.replace("/tournaments/", "/events/")
    round_ = publish_next_round(full_service, people[0], path)
    play_round(full_service, people, path, round_)
    table = round_["tables"][1]
    names = {entry["entry"]: entry["player"] for entry in people[0].get(path)["entries"]}
    first = next(person for person in people if person.id == names[table["entries"][0]])
    first.does("POST", f"/matches/{table['matchId']}/disputes", {"entry": 8, "reason": "I was not asked"})
    full_service.follow()
    sentence = "open dispute at table 2 of round 1"

    assert people[0].is_refused("POST", f"{path}/rounds/1/closing")[2] == sentence
    assert sentence in visitor.submit_refused(f"{page}/desk/close", round=1)[1]


def test_contradictory_forbidden_pairs_are_named(
    full_service: FullService, people: list[ApiPerson], visitor: Visitor
) -> None:
    path = open_tournament(people[0], **FOURS)
    page = path.replace("/tournaments/", "/events/")
    for name in ("Jana", "Petr", "Iva", "Marek", "Lucie", "Olga", "Piotr", "Tomàs"):
        people[0].does("POST", f"{path}/entries", {"name": name})
    ring = "e1 e2\ne2 e3\ne3 e1\ne4 e5"
    visitor.sends(f"{page}/desk/pairs", forbidden=ring)
    visitor.sends(f"{page}/desk/pairing")
    full_service.settle()
    html = visitor.sees(f"{page}/desk")

    assert people[0].get(path)["rounds"][0]["status"] == "failed"
    assert re.findall(r"<li>(\w+ and \w+ must not meet)</li>", html) == [
        "Jana and Petr must not meet",
        "Jana and Iva must not meet",
        "Petr and Iva must not meet",
    ]
    assert "forbidden: Enter 2 values, not 3." in visitor.submit_refused(f"{page}/desk/pairs", forbidden="e1 e2 e3")[1]
    assert (
        "cannot be both forbidden and required as a pair"
        in visitor.submit_refused(f"{page}/desk/pairs", forbidden="e1 e2", wished="e2, e1")[1]
    )


@pytest.mark.parametrize(
    ("what", "content", "sentence"),
    [
        ("players", "name,person\nJana,Nobody\n", "row 1: no account with the id or name 'Nobody'"),
        ("players", "name,town\nJana,Brno\n", "line 1: unknown column 'town'; known: name, person, club"),
        ("players", "club\nBrno\n", "line 1: the column 'name' is missing"),
        ("players", "name,seeding\nJana,first\n", "line 2: "),
        ("players", "name\nJana,Brno\n", "line 2: 2 columns instead of 1"),
        ("results", "round,table,player,score,place\n1,1,Nobody,60,1\n", "no player named"),
        ("results", "round,table,player,score,place\n2,1,Iva,60,1\n", "round 2 has not started"),
        ("results", "round,table,player,score,place\n1,1,Iva,60,1\n", "is missing at table 1 of round 1"),
        ("prizes", "name\nJana\n", "cannot import 'prizes'; known: players, results"),
    ],
)
def test_an_invalid_file_changes_nothing_and_its_line_is_named(
    full_service: FullService,
    people: list[ApiPerson],
    visitor: Visitor,
    face_to_face: str,
    what: str,
    content: str,
    sentence: str,
) -> None:
    path, page = face_to_face, face_to_face.replace("/tournaments/", "/events/")
    before = people[0].get(path)["version"]
    status, body = full_service.fetch("POST", f"{path}/files/{what}", content.encode(), people[0].token)

    assert status in {404, 422}
    assert sentence in json.loads(body)["detail"]
    assert sentence in visitor.submit_refused(f"{page}/desk/import", what=what, text=content)[1]
    assert people[0].get(path)["version"] == before


@pytest.fixture(scope="module")
def face_to_face(full_service: FullService, people: list[ApiPerson]) -> str:
    """Return an event of four people whose first round has begun."""
    path = open_tournament(people[0], **FOURS)
    for name in ("Iva", "Petr", "Olga", "Marek"):
        people[0].does("POST", f"{path}/entries", {"name": name})
    publish_next_round(full_service, people[0], path)
    return path


def test_nul_in_a_list_of_people_is_refused_with_its_line(
    full_service: FullService, people: list[ApiPerson], visitor: Visitor
) -> None:
    path = open_tournament(people[0], **FOURS)
    content = b"name,club\nJana,\nPe\0tr,Brno\n"
    status, body = full_service.fetch("POST", f"{path}/files/players", content, people[0].token)

    assert status == 422
    assert "line 3: the column 'name' contains a character that is not allowed: U+0000" in json.loads(body)["detail"]
    page = path.replace("/tournaments/", "/events/")
    for form, fields in (("paste", {}), ("import", {"what": "players"})):
        status, html = visitor.submit_refused(f"{page}/desk/{form}", **fields, text=content.decode())
        assert status == 400
        assert "contains a NUL character in line 3" in html
    assert people[0].get(path)["entries"] == []


def test_a_line_that_is_too_long_for_csv_is_refused(people: list[ApiPerson], visitor: Visitor) -> None:
    page = open_tournament(people[0], **FOURS).replace("/tournaments/", "/events/")
    status, html = visitor.submit_refused(f"{page}/desk/paste", text="Jana\n" + "," * 200_000)

    assert status == 422
    assert "line 2: a line has at most 10000 characters" in html


def test_a_repeated_file_changes_nothing(full_service: FullService, people: list[ApiPerson], visitor: Visitor) -> None:
    path = open_tournament(people[0], **FOURS)
    page, players = path.replace("/tournaments/", "/events/"), "name\nJana\nPetr\n"
    visitor.sends(f"{page}/desk/import", what="players", text=players)
    first = people[0].get(path)
    visitor.sends(f"{page}/desk/import", what="players", text=players)

    assert [entry["name"] for entry in first["entries"]] == ["Jana", "Petr"]
    assert people[0].get(path)["version"] == first["version"]


def test_a_thousand_people_with_long_utf_8_names_are_pasted(
    full_service: FullService, people: list[ApiPerson], visitor: Visitor
) -> None:
    path = open_tournament(people[0], **FOURS)
    lines = [f"Світлана Щербаківська {number}, Клуб настільних ігор" for number in range(1_000)]
    visitor.sends(f"{path.replace('/tournaments/', '/events/')}/desk/paste", text="\n".join(lines))

    assert len(people[0].get(path)["entries"]) == 1_000


def test_a_plan_with_an_unknown_bot_is_refused(people: list[ApiPerson]) -> None:
    path = open_tournament(people[0])
    plan = people[0].get(path)["plan"]
    for method, where, wanted in (
        ("POST", "/tournaments", {"plan": {**plan, "bot": "bot:clever@1"}}),
        ("PUT", f"{path}/plan", {"plan": {**plan, "bot": "bot:clever@1"}, "reason": "People leave."}),
    ):
        status, code, sentence = people[0].is_refused(method, where, wanted)
        assert (status, code) == (422, "actor/unknown")
        assert sentence.startswith("unknown bot 'clever'; known: ")
