"""Tournaments over the API, from opening to final standings, with refusals."""

from __future__ import annotations

import json
from typing import Any

from tests.api.full_service import FullService

PLAN: dict[str, Any] = {
    "name": "Autumn cup",
    "title": "la_granja",
    "size": 2,
    "stages": [{"kind": "swiss", "rounds": 2}],
    "bot": "bot:random@1",
    "seed": 7,
}


class ApiPerson:
    """A person with a token."""

    def __init__(self, service: FullService) -> None:
        self.service = service
        self.id, self.token = service.guest()

    def get(self, path: str) -> Any:
        status, body = self.service.ask("GET", path, token=self.token)
        assert status == 200, body
        return body

    def does(self, method: str, path: str, wanted: Any = None) -> Any:
        status, body = self.service.ask(method, path, {} if wanted is None else wanted, self.token)
        assert status in {200, 201}, body
        return body

    def accepts(self, path: str, **invitation: Any) -> Any:
        """Accept an invitation to an event."""
        return self.does("POST", f"{path}/invitation", {"accept": True, **invitation})

    def is_refused(self, method: str, path: str, wanted: Any = None) -> tuple[int, str, str]:
        status, body = self.service.ask(method, path, {} if wanted is None else wanted, self.token)
        assert status >= 400, body
        return status, body["code"], body["detail"]


def open_tournament(organiser: ApiPerson, **changes: Any) -> str:
    event = organiser.does("POST", "/tournaments", {"plan": {**PLAN, **changes}})
    return f"/tournaments/{event['eventId']}"


def with_four(service: FullService, people: list[ApiPerson], **changes: Any) -> str:
    """Return an event that all four players have entered."""
    path = open_tournament(people[0], **changes)
    for person in people[1:]:
        person.does("POST", f"{path}/entries")
    return path


def publish_next_round(service: FullService, organiser: ApiPerson, path: str) -> Any:
    """Pair and publish the next round, and open its matches."""
    organiser.does("POST", f"{path}/pairings")
    service.settle()
    number = organiser.get(path)["rounds"][-1]["round"]
    organiser.does("POST", f"{path}/rounds/{number}/publication")
    service.settle()
    return organiser.get(path)["rounds"][-1]


def play_round(service: FullService, people: list[ApiPerson], path: str, round_: Any) -> None:
    """At every table, make everyone ready and let the last seat resign."""
    names = {entry["entry"]: entry["player"] for entry in people[0].get(path)["entries"]}
    known = {person.id: person for person in people}
    for table in round_["tables"]:
        sitting = [known[names[entry]] for entry in table["entries"]]
        for person in sitting:
            person.does("POST", f"/matches/{table['matchId']}/ready")
        sitting[-1].does("POST", f"/matches/{table['matchId']}/resignation")
    service.follow()


def points(person: ApiPerson, path: str) -> dict[str, str]:
    """Return the current points of every entry."""
    return {row["entry"]: row["points"] for row in person.get(f"{path}/standings")["standings"]}


def test_an_event_is_played_from_opening_to_final_standings(full_service: FullService, people: list[ApiPerson]) -> None:
    organiser, path = people[0], with_four(full_service, people)
    first = publish_next_round(full_service, organiser, path)
    status, code, detail = organiser.is_refused("POST", f"{path}/rounds/1/closing")
    assert (status, code) == (409, "tournament/refused")
    assert "no result yet for tables 1, 2" in detail

    play_round(full_service, people, path, first)
    organiser.does("POST", f"{path}/rounds/1/closing")
    second = publish_next_round(full_service, organiser, path)
    met = [frozenset(table["entries"]) for table in (*first["tables"], *second["tables"])]
    play_round(full_service, people, path, second)
    event = organiser.does("POST", f"{path}/rounds/2/closing")
    standings = organiser.get(f"{path}/standings")

    assert len(set(met)) == 4
    assert event["status"] == "ended"
    assert standings["isFinal"]
    assert [row["points"] for row in standings["standings"]] == ["24", "12", "12", "0"]
    assert all(table["status"] == "over" and table["matchId"] for each in event["rounds"] for table in each["tables"])
    assert all(table["reasons"] for each in event["rounds"] for table in each["tables"])
    assert {line["rank"] for line in organiser.get(f"{path}/crosstable")["lines"]} == {1, 2, 3, 4}
    assert "Autumn cup" in {each["name"] for each in organiser.get("/tournaments")["events"]}


def test_voiding_a_match_derives_the_standings_again(full_service: FullService, people: list[ApiPerson]) -> None:
    organiser, path = people[0], with_four(full_service, people)
    play_round(full_service, people, path, publish_next_round(full_service, organiser, path))
    before = points(organiser, path)
    ruling = {"scores": [0, 10], "places": [2, 1], "reason": "the other way round"}
    organiser.does("PUT", f"{path}/rounds/1/tables/1/ruling", ruling)
    after = points(organiser, path)

    table = organiser.get(path)["rounds"][0]["tables"][0]
    loser, winner = table["entries"]
    assert table["ruled"]
    assert (before[loser], before[winner]) == ("12", "0")
    assert (after[loser], after[winner]) == ("0", "12")


def test_a_bot_takes_the_seat_of_an_absent_player(full_service: FullService, people: list[ApiPerson]) -> None:
    organiser, path = people[0], with_four(full_service, people)
    table = publish_next_round(full_service, organiser, path)["tables"][0]
    gone = table["entries"][1]
    event = organiser.does("POST", f"{path}/rounds/1/no-shows", {"entry": gone, "reason": "not seen", "bot": True})
    full_service.follow()
    match = organiser.get(f"/matches/{table['matchId']}")

    assert event["rounds"][0]["tables"][0]["absent"] == [gone]
    assert match["seats"][1]["player"]["id"] == "bot:random@1"


def test_a_round_is_previewed_edited_locked_and_paired_again(
    full_service: FullService, people: list[ApiPerson]
) -> None:
    organiser, path = people[0], open_tournament(people[0], size=4)
    organiser.does("POST", f"{path}/entries", {"bot": "random", "count": 9})
    organiser.does("POST", f"{path}/pairings")
    assert full_service.settle() == ["pair"]
    proposal = organiser.get(path)["rounds"][0]
    assert [len(table["entries"]) for table in proposal["tables"]] == [3, 3, 3]
    assert people[1].get(path)["rounds"] == []
    one, other = proposal["tables"][0]["entries"][0], proposal["tables"][1]["entries"][0]

    swapped = organiser.does("POST", f"{path}/rounds/1/swaps", {"reason": "So", "first": one, "second": other})[
        "rounds"
    ][0]
    moved = organiser.does("POST", f"{path}/rounds/1/moves", {"reason": "So", "entry": one, "table": 3})["rounds"][0]
    locked = organiser.does("PUT", f"{path}/rounds/1/locks", {"tables": [3]})["rounds"][0]
    organiser.does("POST", f"{path}/pairings", {"tables": [3], "again": 1})
    full_service.settle()
    again = organiser.get(path)["rounds"][0]

    assert swapped["edited"]
    assert other in swapped["tables"][0]["entries"]
    assert len(moved["tables"][2]["entries"]) == 4
    assert [table["locked"] for table in locked["tables"]] == [False, False, True]
    entries = moved["tables"][2]["entries"]
    assert entries in [table["entries"] for table in again["tables"] if table["locked"]]
    assert organiser.is_refused("POST", f"{path}/rounds/1/moves", {"reason": "So", "entry": "e99", "table": 1})[1] == (
        "tournament/entry_unknown"
    )


def test_unsatisfiable_pairings_name_the_conflicts(full_service: FullService, people: list[ApiPerson]) -> None:
    organiser, path = people[0], open_tournament(people[0], size=4)
    organiser.does("POST", f"{path}/entries", {"bot": "random", "count": 8})
    ring = [["e1", "e2"], ["e2", "e3"], ["e3", "e1"]]
    organiser.does("PUT", f"{path}/pairs", {"forbidden": ring})
    organiser.does("POST", f"{path}/pairings")
    full_service.settle()
    failed = organiser.get(path)["rounds"][0]
    organiser.does("PUT", f"{path}/pairs", {"forbidden": ring[:2]})
    organiser.does("POST", f"{path}/pairings")
    full_service.settle()

    assert failed["status"] == "failed"
    assert failed["why"] == (
        "these conditions contradict each other at 2 tables: "
        "e1 and e2 must not meet; e1 and e3 must not meet; e2 and e3 must not meet"
    )
    assert organiser.get(path)["rounds"][0]["status"] == "proposed"


def test_an_event_of_bots_runs_automatically(full_service: FullService, people: list[ApiPerson]) -> None:
    organiser, path = people[0], open_tournament(people[0], auto=True, stages=[{"kind": "swiss", "rounds": 1}])
    organiser.does("POST", f"{path}/entries", {"bot": "random", "count": 2})
    organiser.does("POST", f"{path}/pairings")
    assert full_service.settle() == ["pair", "publish", "open"]
    full_service.play(organiser.get(path)["rounds"][0]["tables"][0]["matchId"])
    assert full_service.settle() == ["close"]

    event = organiser.get(path)
    assert event["status"] == "ended"
    assert sorted(row["played"] for row in organiser.get(f"{path}/standings")["standings"]) == [1, 1]


FACE_TO_FACE = {"size": 4, "stages": [{"kind": "swiss", "rounds": 1}]}
PLAYERS = "name;club\nJana;Ostrava\nPetr;Ostrava\nIva;Brno\nMarek;\n"


def test_players_and_results_are_imported_once(full_service: FullService, people: list[ApiPerson]) -> None:
    organiser, path = people[0], open_tournament(people[0], **FACE_TO_FACE)

    def upload(kind: str, content: str) -> tuple[int, Any]:
        status, body = full_service.fetch("POST", f"{path}/files/{kind}", content.encode(), organiser.token)
        return status, json.loads(body)

    assert upload("players", PLAYERS) == (201, {"count": 4, "repeated": False})
    assert upload("players", PLAYERS) == (200, {"count": 0, "repeated": True})
    publish_next_round(full_service, organiser, path)
    wrong = "round,table,player,score,place\n1,1,Nobody,60,1\n"
    results = "round,table,player,score,place\n1,1,Jana,60,1\n1,1,Petr,50,2\n1,1,Iva,40,3\n1,1,Marek,30,4\n"

    assert upload("results", wrong)[1]["detail"] == "row 1: no player named 'Nobody' in this event"
    assert "unknown column 'points'" in upload("results", "round,points\n1,2\n")[1]["detail"]
    assert upload("results", results) == (201, {"count": 1, "repeated": False})
    assert upload("results", results)[0] == 200
    table = organiser.get(path)["rounds"][0]["tables"][0]
    assert table["unverified"]
    assert table["matchId"] is None
    standings = organiser.get(f"{path}/standings")["standings"]
    assert [(row["name"], row["points"]) for row in standings] == [
        ("Jana", "12"),
        ("Petr", "8"),
        ("Iva", "4"),
        ("Marek", "0"),
    ]
    for what in ("players", "results", "standings", "crosstable"):
        for kind in ("csv", "json"):
            status, content = full_service.fetch("GET", f"{path}/files/{what}.{kind}")
            assert status == 200
            assert b"Jana" in content


def test_invalid_requests_are_refused_with_a_message(full_service: FullService, people: list[ApiPerson]) -> None:
    organiser, ann = people[0], people[1]
    path = with_four(full_service, people)

    assert ann.is_refused("POST", f"{path}/entries")[:2] == (409, "tournament/entered_already")
    assert ann.is_refused("POST", f"{path}/pairings")[:2] == (403, "role/missing")
    assert ann.is_refused("POST", f"{path}/entries", {"name": "Eva"})[:2] == (403, "role/missing")
    assert organiser.is_refused("POST", f"{path}/entries", {"person": "Nobody"})[:2] == (404, "person/unknown")
    assert organiser.is_refused("GET", "/tournaments/00000000-0000-0000-0000-000000000001")[0] == 404
    assert organiser.is_refused("PUT", f"{path}/rounds/3/tables/1/result", {"scores": [1, 2], "places": [2, 1]})[
        :2
    ] == (
        404,
        "tournament/round_unknown",
    )
    publish_next_round(full_service, organiser, path)
    result = {"scores": [1, 2], "places": [2, 1]}
    assert (
        "is played online; its result comes from the match"
        in organiser.is_refused("PUT", f"{path}/rounds/1/tables/1/result", result)[2]
    )
    places = {"scores": [1, 2], "places": [1, 3], "reason": "a slip"}
    assert organiser.is_refused("PUT", f"{path}/rounds/1/tables/1/ruling", places)[1] == "tournament/wrong_result"
    assert organiser.is_refused("POST", "/tournaments", {"plan": {**PLAN, "size": 5}})[1] == "seats/wrong_count"
    assert organiser.is_refused("POST", "/tournaments", {"plan": {**PLAN, "stages": []}})[1] == (
        "tournament/plan_refused"
    )


def test_entries_wait_withdraw_and_return(full_service: FullService, people: list[ApiPerson]) -> None:
    organiser, path = people[0], with_four(full_service, people, cap=3)
    event = organiser.get(path)
    assert [entry["status"] for entry in event["entries"]] == ["in", "in", "in", "waiting"]

    event = people[1].does("POST", f"{path}/entries/e1/withdrawal")
    assert [entry["status"] for entry in event["entries"]] == ["withdrawn", "in", "in", "in"]
    assert "all 3 places are taken" in people[1].is_refused("POST", f"{path}/entries/e1/return")[2]
    assert people[1].is_refused("POST", f"{path}/entries/e2/withdrawal")[1] == "role/missing"


def test_an_event_by_invitation_admits_only_invited_people(full_service: FullService, people: list[ApiPerson]) -> None:
    organiser, path = people[0], open_tournament(people[0], registration="invite")
    organiser.does("POST", f"{path}/invitations", {"person": people[1].id})

    people[1].does("POST", f"{path}/entries")
    assert "this event is by invitation only" in people[2].is_refused("POST", f"{path}/entries")[2]
    organiser.does("POST", f"{path}/announcements", {"text": "We begin at noon."})
    event = organiser.does("POST", f"{path}/penalties", {"entry": "e1", "sixtieths": 60, "reason": "late"})
    assert event["notices"][0]["text"] == "We begin at noon."
    assert organiser.get(f"{path}/standings")["standings"][0]["points"] == "-1"
    assert (
        organiser.does("PUT", f"{path}/plan", {"plan": {**PLAN, "name": "Winter cup"}})["plan"]["name"] == "Winter cup"
    )


def test_a_round_is_not_closed_while_a_dispute_about_it_is_open(
    full_service: FullService, people: list[ApiPerson]
) -> None:
    organiser, path = people[0], with_four(full_service, people)
    round_ = publish_next_round(full_service, organiser, path)
    play_round(full_service, people, path, round_)
    names = {entry["entry"]: entry["player"] for entry in organiser.get(path)["entries"]}
    table = round_["tables"][1]
    loser = next(person for person in people if person.id == names[table["entries"][0]])
    wanted = {"entry": 8, "reason": "I was not asked"}
    loser.does("POST", f"/matches/{table['matchId']}/disputes", wanted)
    full_service.follow()

    assert "open dispute at table 2 of round 1" in organiser.is_refused("POST", f"{path}/rounds/1/closing")[2]
