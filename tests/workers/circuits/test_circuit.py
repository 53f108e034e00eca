"""A circuit of three events in two titles with a final, through a real service with its follower and worker."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from tests.api.full_service import FullService, run_full_service
from workers.circuits import circuit_step

NAMES: Final = ("ann", "ben", "cleo", "dora")
CIRCUIT: Final = {
    "name": "Island circuit",
    "table": [{"size": 1, "points": [10, 6, 4, 2]}],
    "best": 2,
    "resultsMin": 2,
    "tieBreaks": ["countback"],
    "qualify": 2,
    "answerDays": 7,
}
EVENT: Final = {"size": 4, "stages": [{"kind": "heats", "rounds": 1}], "auto": False}
LEAGUE: Final = {
    "name": "Serra league",
    "title": "el_grande",
    "size": 4,
    "table": {"clock": {"kind": "correspondence", "seconds": 172_800}},
    "divisions": [{"name": "First", "groups": 0, "places": 4, "up": 0, "down": 0}],
}


class Island:
    """An organiser with four players, and their circuit."""

    def __init__(self, service: FullService) -> None:
        self.service = service
        self.organiser = service.guest()
        self.people = {name: service.guest() for name in NAMES}
        self.names = {person_id: name for name, (person_id, _) in self.people.items()}
        self.circuit = f"/circuits/{self.asks('POST', '/circuits', {'plan': CIRCUIT})['circuitId']}"

    def asks(self, method: str, path: str, wanted: Any = None, name: str = "") -> Any:
        """Send a request as the organiser, or as a player."""
        token = self.people[name][1] if name else self.organiser[1]
        status, response = self.service.ask(method, path, wanted, token)
        assert status in {200, 201}, response
        return response

    def refuses(self, method: str, path: str, wanted: Any) -> tuple[int, str]:
        status, response = self.service.ask(method, path, wanted, self.organiser[1])
        return status, response["detail"]

    def opens_event(self, name: str, title: str, **plan: Any) -> str:
        return str(
            self.asks("POST", "/tournaments", {"plan": {**EVENT, "name": name, "title": title, **plan}})["eventId"]
        )

    def plays_event(self, event: str, *order: str) -> None:
        """Play a tournament of one table that ends in this order."""
        path = f"/tournaments/{event}"
        for name in NAMES:
            self.asks("POST", f"{path}/entries", {}, name)
        self.asks("POST", f"{path}/pairings", {})
        self.service.settle()
        self.asks("POST", f"{path}/rounds/1/publication", {})
        self.service.settle()
        (table,) = self.asks("GET", path)["rounds"][0]["tables"]
        seated = {entry["entry"]: self.names[entry["player"]] for entry in self.asks("GET", path)["entries"]}
        places = [order.index(seated[entry]) + 1 for entry in table["entries"]]
        ruling = {"scores": [50 - 10 * place for place in places], "places": places, "reason": "Played in the hall."}
        self.asks("PUT", f"{path}/rounds/1/tables/1/ruling", ruling)
        self.service.settle()
        self.asks("POST", f"{path}/rounds/1/closing", {})
        self.service.follow()

    def adds(self, kind: str, contest: str, **more: Any) -> Any:
        weight = more.pop("weight", 100)
        key = {"kind": kind, "id": contest, **more}
        return self.asks("POST", f"{self.circuit}/contests", {"contest": key, "weight": weight})


@pytest.fixture
def island(tmp_path: Path) -> Iterator[Island]:
    with run_full_service(tmp_path) as service:
        yield Island(service)


def season_of(island: Island) -> tuple[str, str]:
    """Open a league of El Grande with a season that registers players; return its id and its path."""
    league = str(island.asks("POST", "/leagues", {"plan": LEAGUE})["leagueId"])
    island.asks("POST", f"/leagues/{league}/seasons", {"name": "Autumn"})
    return league, f"/leagues/{league}"


def plays_season(island: Island, path: str, *order: str) -> None:
    """Play a season whose tables all end in this order."""
    for name in NAMES:
        island.asks("POST", f"{path}/entries", {}, name)
    island.asks("POST", f"{path}/draw", {})
    for number in range(1, island.asks("GET", f"{path}/seasons/1")["season"]["rounds"] + 1):
        island.asks("POST", f"{path}/rounds", {})
        fixtures = island.asks("GET", f"{path}/seasons/1")["fixtures"]
        (fixture,) = [each for each in fixtures if each["round"] == number]
        places = [order.index(island.names[player["id"]]) + 1 for player in fixture["players"]]
        key = {"group": 1, "round": number, "table": fixture["table"]}
        result = {"scores": [50 - 10 * place for place in places], "places": places}
        island.asks("POST", f"{path}/results", {**key, **result})
    island.asks("POST", f"{path}/close", {})
    island.service.follow()


def standings(island: Island) -> list[tuple[int, str, str, int | None]]:
    lines = island.asks("GET", island.circuit)["standings"]
    return [(line["rank"], island.names[line["player"]["id"]], line["points"], line["bestRank"]) for line in lines]


def places(island: Island) -> list[tuple[str, str]]:
    final = island.asks("GET", island.circuit)["final"]
    return [(island.names[each["player"]["id"]], each["answer"]) for each in final["places"]]


def test_a_circuit_of_three_events_in_two_titles_with_a_final(island: Island) -> None:
    spring, cup = island.opens_event("Spring cup", "la_granja"), island.opens_event("Summer cup", "el_grande")
    league, season = season_of(island)
    island.adds("tournament", spring)
    island.adds("tournament", cup, weight=150)
    island.adds("season", league, season=1)
    island.plays_event(spring, "ann", "ben", "cleo", "dora")
    one = standings(island)
    island.plays_event(cup, "ben", "cleo", "ann", "dora")
    two = standings(island)
    assert island.refuses("POST", f"{island.circuit}/standings", {})[0] == 409
    plays_season(island, season, "ann", "cleo", "ben", "dora")
    shown = island.asks("GET", island.circuit)

    assert [line[:3] for line in one] == [(0, "ann", "10"), (0, "ben", "6"), (0, "cleo", "4"), (0, "dora", "2")]
    assert two == [(1, "ben", "21", 1), (2, "ann", "16", 2), (3, "cleo", "13", 2), (4, "dora", "5", 3)]
    assert standings(island)[:3] == [(1, "ben", "21", 1), (2, "ann", "20", 2), (3, "cleo", "15", 3)]
    assert [(each["title"], each["size"], each["status"]) for each in shown["contests"]] == [
        ("la_granja", 4, "ended"),
        ("el_grande", 4, "ended"),
        ("el_grande", 4, "ended"),
    ]
    assert [(each["points"], each["counts"]) for each in shown["standings"][0]["results"]] == [
        ("6", True),
        ("15", True),
        ("4", False),
    ]

    fill_final(island)
    correct(island, cup)


def fill_final(island: Island) -> None:
    """Make the standings official and invite to the final: one person accepts, one declines, the next is invited."""
    final = island.opens_event("Grand final", "la_granja", registration="invite")
    island.asks("PUT", f"{island.circuit}/final", {"contest": {"kind": "tournament", "id": final}})
    assert island.refuses("POST", f"{island.circuit}/final/invitations", {}) == (
        409,
        "the standings are not official yet",
    )
    island.asks("POST", f"{island.circuit}/standings", {})
    island.asks("POST", f"{island.circuit}/final/invitations", {})
    assert island.service.settle() == []
    assert places(island) == [("ben", "invited"), ("ann", "invited")]
    island.asks("POST", f"/tournaments/{final}/invitation", {"accept": True}, "ann")
    island.asks("POST", f"/tournaments/{final}/invitation", {"accept": False}, "ben")
    version = island.asks("GET", island.circuit)["version"]
    assert island.service.settle() == ["invite"]
    circuit_id = island.circuit.removeprefix("/circuits/")
    assert not circuit_step(island.service.service, circuit_id, "invite", version), "the same job comes again"
    assert not circuit_step(island.service.service, circuit_id, "invite", version + 2), "no place is free"
    assert island.service.settle() == []
    assert places(island) == [("ben", "declined"), ("ann", "entered"), ("cleo", "invited")]
    island.asks("POST", f"/tournaments/{final}/invitation", {"accept": True}, "cleo")
    entries = island.asks("GET", f"/tournaments/{final}")["entries"]
    assert sorted(island.names[entry["player"]] for entry in entries) == ["ann", "cleo"]

    record = island.asks("GET", f"{island.circuit}/record")["acts"]
    assert [act["kind"] for act in record] == [
        "qualified_invited",
        "places_released",
        "qualified_invited",
        "standings_settled",
        "final_named",
        "contest_added",
        "contest_added",
        "contest_added",
    ]
    assert record[1]["released"][0]["why"] == "declined"
    _, csv = island.service.fetch("GET", f"{island.circuit}/files/standings.csv")
    assert csv.decode().splitlines()[1].split(",")[0::3] == ["1", "21", ""]
    check_results(island)


def check_results(island: Island) -> None:
    """Check the export of single results, and that other files are refused by name."""
    rows = island.asks("GET", f"{island.circuit}/files/results.json")
    assert [(row["contest"], row["game"], row["weight"], row["points"], row["counts"]) for row in rows[:3]] == [
        ("Spring cup", "la_granja", 100, "6", True),
        ("Summer cup", "el_grande", 150, "15", True),
        ("Serra league, Autumn", "el_grande", 100, "4", False),
    ]
    assert len(rows) == len(NAMES) * 3
    status, reason = island.refuses("GET", f"{island.circuit}/files/places.csv", None)
    assert (status, "unknown file 'places.csv'; known: standings, results" in reason) == (404, True)


def correct(island: Island, cup: str) -> None:
    """Withdraw a contest of a circuit that is over, and correct the official standings."""
    before = standings(island)
    key = {"kind": "tournament", "id": cup}
    withdrawal = {"contest": key, "reason": "The hall was too loud."}
    assert island.asks("POST", f"{island.circuit}/contests/withdrawal", withdrawal)["isOutdated"]
    assert standings(island) == before, "the official standings stay"
    assert "needs a reason" in island.refuses("POST", f"{island.circuit}/standings", {})[1]
    corrected = island.asks("POST", f"{island.circuit}/standings", {"reason": "The cup was annulled."})
    island.service.follow()
    (act,) = island.asks("GET", f"{island.circuit}/record?limit=1")["acts"]

    assert not corrected["isOutdated"]
    assert sorted(line[:3] for line in standings(island)) == [
        (1, "ann", "20"),
        (2, "ben", "10"),
        (2, "cleo", "10"),
        (4, "dora", "4"),
    ]
    assert (act["kind"], act["reason"]) == ("standings_corrected", "The cup was annulled.")
    assert sorted((each["wasRank"], each["rank"]) for each in act["changes"]) == [(1, 2), (2, 1), (3, 2), (4, 4)]
