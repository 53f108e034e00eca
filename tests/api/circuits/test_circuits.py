"""Circuits over the API: plans, contests, roles, official standings and their corrections, exports."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from litestar.testing import TestClient

from tests.api.service import Person, catch_up, make_operator

PLAN: dict[str, Any] = {"name": "Island circuit", "table": [{"size": 1, "points": [10, 6]}], "qualify": 1}
EVENT: dict[str, Any] = {"name": "Cup", "title": "la_granja", "size": 2, "stages": [{"kind": "heats", "rounds": 1}]}
LEAGUE: dict[str, Any] = {"name": "Serra", "title": "el_grande", "size": 2, "table": {}}
MISSING = str(UUID(int=7))


def open_circuit(person: Person, **plan: Any) -> str:
    status, circuit = person.post("/circuits", {"plan": {**PLAN, **plan}})
    assert status == 201, circuit
    return f"/circuits/{circuit['circuitId']}"


def open_event(person: Person, **plan: Any) -> str:
    return str(person.post("/tournaments", {"plan": {**EVENT, **plan}})[1]["eventId"])


def add(person: Person, circuit: str, contest: str, kind: str = "tournament", **more: Any) -> tuple[int, Any]:
    return person.post(f"{circuit}/contests", {"contest": {"kind": kind, "id": contest, **more}})


def put(person: Person, path: str, wanted: Any) -> tuple[int, Any]:
    response = person.client.put(f"/api{path}", json=wanted, headers=person.headers)
    return response.status_code, response.json()


@pytest.mark.parametrize(
    ("plan", "detail"),
    [
        ({"table": [], "formula": {"terms": []}}, "a formula without terms gives no points"),
        ({"formula": {"terms": [{"kind": "size", "factor": 1}]}}, "either a table of points or a formula, not both"),
        ({"table": []}, "state the points by place"),
        ({"table": [{"size": 3, "points": [1, 2]}]}, "from 3 participants on, place 2 earns 2 points"),
        ({"best": 2, "resultsMin": 3}, "a rank needs 3 results, but only the best 2 count"),
        ({"tieBreaks": ["wins", "wins"]}, "a tie-break is named twice"),
        ({"name": " "}, "enter a name for the circuit"),
    ],
)
def test_a_plan_that_contradicts_itself_is_refused(ann: Person, plan: Any, detail: str) -> None:
    status, problem = ann.post("/circuits", {"plan": {**PLAN, **plan}})

    assert (status, problem["code"]) == (409, "circuit/refused")
    assert detail in problem["detail"]


def test_a_circuit_never_contains_itself(ann: Person) -> None:
    circuits = [open_circuit(ann, name=f"Circuit {number}") for number in range(4)]
    ids = [path.removeprefix("/circuits/") for path in circuits]
    itself = add(ann, circuits[0], ids[0], "circuit")
    assert add(ann, circuits[0], ids[1], "circuit")[0] == 201
    assert add(ann, circuits[1], ids[2], "circuit")[0] == 201

    assert (itself[0], itself[1]["detail"]) == (409, f"the circuit 'Circuit 0' cannot contain itself: {ids[0]}")
    assert "through another circuit" in add(ann, circuits[2], ids[0], "circuit")[1]["detail"]
    assert "at most 3 circuits" in add(ann, circuits[2], ids[3], "circuit")[1]["detail"]


def test_only_organisers_of_both_add_an_event(ann: Person, ben: Person) -> None:
    circuit, event = open_circuit(ann), open_event(ben)
    others = add(ben, circuit, event)
    foreign = add(ann, circuit, event)
    final = put(ann, f"{circuit}/final", {"contest": {"kind": "tournament", "id": event}})
    make_operator(ann.client, ann.id)

    assert (others[0], others[1]["detail"]) == (403, "only organisers of the circuit can do this")
    assert (foreign[0], final[0]) == (403, 403)
    assert "only organisers of the event" in foreign[1]["detail"]
    assert add(ann, circuit, event)[0] == 201
    assert add(ann, circuit, MISSING)[0] == 404
    assert ann.get(f"/circuits/{MISSING}")[0] == 404


def test_events_are_listed_with_their_circuits(client: TestClient[Any], ann: Person, ben: Person) -> None:
    circuit, event = open_circuit(ann), open_event(ann)
    league = str(ann.post("/leagues", {"plan": LEAGUE})[1]["leagueId"])
    assert add(ann, circuit, event)[0] == 201
    assert put(ann, f"{circuit}/final", {"contest": {"kind": "season", "id": league, "season": 1}})[0] == 200
    catch_up(client)
    shown = ben.get(circuit)[1]

    found = ben.get(f"/circuits?contest={league}")[1]["circuits"]
    assert [(each["name"], each["part"], each["season"]) for each in found] == [("Island circuit", "final", 1)]
    assert ben.get(f"/circuits?contest={event}")[1]["circuits"][0]["part"] == "event"
    assert shown["final"]["contest"]["name"] == "Serra, 1"
    assert (shown["final"]["free"], shown["final"]["takesInvitations"]) == (1, False)
    assert ann.post(f"{circuit}/final/invitations", {})[0] == 409
    assert put(ann, f"{circuit}/final", {"contest": None})[1]["final"] is None
    assert ben.get("/circuits")[1]["circuits"][0]["contests"] == 1


def test_changes_need_reasons_and_are_recorded(client: TestClient[Any], ann: Person, ben: Person) -> None:
    circuit, event = open_circuit(ann), open_event(ann)
    assert ann.post(f"{circuit}/plan", {"plan": {**PLAN, "best": 2}})[0] == 200
    assert add(ann, circuit, event)[0] == 201
    key = {"kind": "tournament", "id": event}
    assert "needs a reason" in ann.post(f"{circuit}/plan", {"plan": PLAN})[1]["detail"]
    assert "needs a reason" in ann.post(f"{circuit}/contests/withdrawal", {"contest": key, "reason": " "})[1]["detail"]
    assert "is not over" in ann.post(f"{circuit}/standings", {})[1]["detail"]
    withdrawn = ann.post(f"{circuit}/contests/withdrawal", {"contest": key, "reason": "Too few players."})[1]
    assert "the circuit has no contest" in ann.post(f"{circuit}/standings", {})[1]["detail"]
    catch_up(client)
    acts = ben.get(f"{circuit}/record")[1]["acts"]
    trail = ann.get(f"/audit?event={circuit.removeprefix('/circuits/')}")[1]["lines"]

    assert [(each["name"], each["withdrawn"]) for each in withdrawn["withdrawn"]] == [("Cup", "Too few players.")]
    assert [(act["kind"], act["reason"]) for act in acts] == [
        ("contest_withdrawn", "Too few players."),
        ("contest_added", ""),
        ("plan_changed", ""),
    ]
    assert acts[1]["contest"]["name"] == "Cup"
    assert [line["details"]["act"] for line in trail] == [act["kind"] for act in acts]
