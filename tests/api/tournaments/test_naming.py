"""Texts for people: names in errors, confirmation of odd results, round trips of lists, and stages."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from tests.api.full_service import FullService, Visitor
from tests.api.tournaments.test_tournament_pages import open_event, publish_round
from tests.api.tournaments.test_tournaments import ApiPerson, open_tournament, with_four
from tests.api.tournaments.test_tournaments import publish_next_round as published_by


def upload(service: FullService, organiser: ApiPerson, path: str, what: str, content: bytes) -> tuple[int, Any]:
    status, body = service.fetch("POST", f"{path}/files/{what}", content, organiser.token)
    return status, json.loads(body)


def test_errors_name_people_instead_of_ids(full_service: FullService, people: list[ApiPerson]) -> None:
    organiser, path = people[0], with_four(full_service, people)
    table = published_by(full_service, organiser, path)["tables"][0]
    called = {entry["entry"]: entry["name"] for entry in organiser.get(path)["entries"]}
    one = table["entries"][0]
    organiser.does("POST", f"{path}/rounds/1/no-shows", {"entry": one, "reason": "not seen"})
    twice = organiser.is_refused("POST", f"{path}/rounds/1/no-shows", {"entry": one, "reason": "not seen"})
    substitute = {"entry": one, "person": people[4].id, "reason": "Ill."}
    other = organiser.is_refused("POST", f"{path}/rounds/1/substitutes", substitute)
    again = people[1].is_refused("POST", f"{path}/entries")

    assert twice[2] == f"{called[one]} is already recorded as a no-show in round 1"
    assert people[4].id not in other[2]
    assert "plays in this event and cannot substitute" in other[2]
    assert people[1].id not in again[2]
    assert again[2].startswith(called["e1"])


def test_people_with_the_same_name_are_distinguished(full_service: FullService, people: list[ApiPerson]) -> None:
    organiser, path = people[0], open_tournament(people[0], size=2, faceToFace=True)
    organiser.does("POST", f"{path}/entries", {"bot": "random"})
    organiser.does("POST", f"{path}/entries", {"name": "Random 1"})
    called = {entry["name"] for entry in organiser.get(path)["entries"]}
    published_by(full_service, organiser, path)
    refusal = organiser.is_refused("POST", f"{path}/rounds/1/no-shows", {"entry": "e1", "reason": "not seen"})[2]

    assert refusal.endswith("is a bot and cannot be a no-show")
    assert ("(e1)" in refusal) == (len(called) == 1)


def test_contradictory_places_need_confirmation(full_service: FullService, people: list[ApiPerson]) -> None:
    organiser, path = people[0], open_tournament(people[0], size=2, stages=[{"kind": "swiss", "rounds": 1}])
    for name in ("Jana", "Petr"):
        organiser.does("POST", f"{path}/entries", {"name": name})
    published_by(full_service, organiser, path)
    slip = {"scores": [10, 40], "places": [1, 2]}
    at = f"{path}/rounds/1/tables/1"
    refusal = organiser.is_refused("PUT", f"{at}/result", slip)
    ruling = organiser.is_refused("PUT", f"{at}/ruling", {**slip, "reason": "So."})
    rows = b"round,table,player,score,place\n1,1,Jana,10,1\n1,1,Petr,40,2\n"
    file = upload(full_service, organiser, path, "results", rows)
    untouched = organiser.get(path)["rounds"][0]["tables"][0]["places"]
    meant = upload(full_service, organiser, path, "results?sure=true", rows)

    assert refusal[:2] == ruling[:2] == (422, "tournament/places_contradict")
    assert "seat 2 has 40 points and place 2, seat 1 10 points and place 1; confirm it if intended" in refusal[2]
    assert (file[0], file[1]["code"]) == (422, "tournament/places_contradict")
    assert file[1]["detail"].startswith("table 1 of round 1: seat")
    assert untouched is None
    assert meant[0] == 201
    assert sorted(organiser.get(path)["rounds"][0]["tables"][0]["places"]) == [1, 2]
    assert organiser.does("PUT", f"{at}/ruling", {**slip, "reason": "So.", "sure": True})["rounds"][0]["tables"][0][
        "ruled"
    ]


def test_the_page_asks_for_confirmation_of_contradictory_places(full_service: FullService) -> None:
    organiser = Visitor(full_service)
    event = open_event(organiser, faceToFace="true")
    for name in ("Jana", "Petr"):
        organiser.sends(f"{event}/desk/enter", name=name)
    publish_round(full_service, organiser, event)
    result = {"round": 1, "table": 1, "scores": [10, 40], "places": [1, 2]}
    assert "These places are correct" not in organiser.sees(f"{event}/desk")
    status, html = organiser.submit_refused(f"{event}/desk/result", **result)
    organiser.sends(f"{event}/desk/result", **result, sure="true")

    assert status == 422
    assert "These places are correct" in html


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_players_round_trip_through_a_file(full_service: FullService, people: list[ApiPerson], kind: str) -> None:
    organiser = people[0]
    path, other = (open_tournament(organiser, name=f"{name} {kind}", size=2) for name in ("First", "Second"))
    organiser.does("POST", f"{path}/entries", {"bot": "random"})
    for name in ("=Jana", "Petr"):
        organiser.does("POST", f"{path}/entries", {"name": name, "club": "Ostrava", "family": "N"})
    organiser.does("POST", f"{path}/entries/e3/withdrawal?reason=Ill")
    organiser.does("POST", f"{path}/entries", {"person": people[1].id, "club": "Brno", "seeding": 3})
    people[1].accepts(path)
    _, content = full_service.fetch("GET", f"{path}/files/players.{kind}")
    before = organiser.get(path)

    assert upload(full_service, organiser, path, "players", content) == (201, {"count": 0, "repeated": False})
    assert organiser.get(path)["entries"] == before["entries"]
    assert upload(full_service, organiser, other, "players", content) == (201, {"count": 4, "repeated": False})
    people[1].accepts(other)
    assert organiser.get(other)["entries"] == before["entries"]


def test_an_unknown_bot_is_refused_with_its_row(full_service: FullService, people: list[ApiPerson]) -> None:
    path = open_tournament(people[0], size=2)

    assert upload(full_service, people[0], path, "players", b"name,person\nRoger,bot:roger@1\n")[0] == 422


def test_final_standings_mark_their_stages(full_service: FullService) -> None:
    organiser = Visitor(full_service)
    stages = {"stages.0.kind": "heats", "stages.0.rounds": 1, "stages.1.kind": "final", "stages.1.cut": 2}
    event = open_event(organiser, faceToFace="true", format="own", **stages)
    for name in ("Jana", "Petr", "Iva", "Marek"):
        organiser.sends(f"{event}/desk/enter", name=name)
    publish_round(full_service, organiser, event)
    for table in (1, 2):
        organiser.sends(f"{event}/desk/result", round=1, table=table, scores=[3, 1])
    organiser.sends(f"{event}/desk/close", round=1)
    organiser.sends(f"{event}/desk/pairing")
    full_service.settle()
    organiser.sends(f"{event}/desk/publish", round=2)
    full_service.settle()
    page = organiser.sees(f"{event}/standings")
    _, content = full_service.fetch("GET", f"{event.replace('/events/', '/tournaments/')}/files/standings.csv")
    rows = list(csv.DictReader(io.StringIO(content.decode())))

    assert page.index("Stage 2: Final table") < page.index("Stage 1: Heats")
    assert [row["stage"] for row in rows] == ["2", "2", "1", "1"]


def test_organisers_use_names_for_pairs_byes_and_penalties(full_service: FullService) -> None:
    organiser = Visitor(full_service)
    event = open_event(organiser, faceToFace="true", size=2)
    for name in ("Aina Coll", "Bel", "Coll, Jana", "Petr", "Iva Nová"):
        organiser.sends(f"{event}/desk/enter", name=name)
    unknown = organiser.submit_refused(f"{event}/desk/pairs", wished="Bel, Ainna")[1]
    organiser.sends(f"{event}/desk/pairs", forbidden="aina coll, Bel\ne3 Petr")
    organiser.sends(f"{event}/desk/pairing", byes="Iva Nová")
    full_service.settle()
    organiser.sends(f"{event}/desk/publish", round=1)
    organiser.sends(f"{event}/desk/penalty", entry="Petr", points=2, reason="Came an hour late.")
    tournament = full_service.ask("GET", event.replace("/events/", "/tournaments/"))[1]
    page = organiser.sees(f"{event}/desk/people")
    met = [{*table["entries"]} for table in tournament["rounds"][0]["tables"]]

    assert "wished: No one here is called “Ainna”. Check the spelling." in unknown
    assert "Aina Coll, Bel\ne3, Petr\n" in page
    assert tournament["rounds"][0]["byes"] == ["e5"]
    assert {"e1", "e2"} not in met
    assert {"e3", "e4"} not in met
    assert [each["entry"] for each in tournament["penalties"]] == ["e4"]
