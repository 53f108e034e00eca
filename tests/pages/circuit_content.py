"""Circuits with results for the tests of pages: one in progress over two titles, and one that is over, with a final."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tests.workers.serving import Client, Serving

ORDER: Final = (1, 2, 3, 4)
EVENT: Final = {"size": 4, "stages": [{"kind": "heats", "rounds": 1}], "faceToFace": True}
POINTS: Final = [{"size": 1, "points": [10, 6, 4, 2]}, {"size": 8, "points": [20, 15, 12, 10, 8, 6, 4, 2]}]
TERMS: Final = [{"kind": "constant", "factor": 1}, {"kind": "beaten", "factor": 2}, {"kind": "top", "factor": 3}]
Until = Callable[[Client, str, Callable[[Any], bool]], Any]


def create_circuits(service: Serving, organiser: Client, league: str, until: Until) -> dict[str, str]:
    """Create both circuits; return their ids by placeholder."""
    players = [service.player() for _ in ORDER]
    cup, open_ = (open_event(organiser, name, "el_grande") for name in ("Copa de primavera", "Obert d'estiu"))
    for event in (cup, open_):
        for player in players:
            player.post(f"/tournaments/{event}/entries", {})
    play_event(organiser, cup, until)
    winter = open_event(organiser, "Torneig d'hivern", "la_granja")
    players[1].post(f"/tournaments/{winter}/entries", {})
    plan = {"name": "Volta a l'illa", "table": POINTS, "best": 2, "qualify": 2, "text": "¡Olé!"}
    circuit = open_circuit(organiser, plan, [("tournament", cup), ("tournament", winter)])
    season = {"contest": {"kind": "season", "id": league, "season": 1}, "weight": 150}
    organiser.post(f"/circuits/{circuit}/contests", season)
    withdrawn = {"kind": "tournament", "id": open_}
    organiser.post(f"/circuits/{circuit}/contests", {"contest": withdrawn})
    organiser.post(f"/circuits/{circuit}/contests/withdrawal", {"contest": withdrawn, "reason": "Snow."})
    formula = {"name": "Gran Premi", "formula": {"terms": TERMS}, "qualify": 2}
    over = open_circuit(organiser, formula, [("tournament", cup)])
    final = open_event(organiser, "Gran final", "la_granja")
    path = f"/circuits/{over}"
    status, response = organiser.ask("PUT", f"{path}/final", {"contest": {"kind": "tournament", "id": final}})
    assert status == 200, response
    organiser.post(f"{path}/standings", {})
    organiser.post(f"{path}/final/invitations", {})
    return {"circuit": circuit, "formula": over, "counted": cup}


def open_event(organiser: Client, name: str, title: str) -> str:
    """Announce a face-to-face tournament of one round."""
    return str(organiser.post("/tournaments", {"plan": {**EVENT, "name": name, "title": title}})["eventId"])


def play_event(organiser: Client, event: str, until: Until) -> None:
    """Play a tournament of one table to its end."""
    path = f"/tournaments/{event}"
    organiser.post(f"{path}/pairings", {})
    until(organiser, path, lambda response: bool(response["rounds"]) and response["rounds"][-1]["status"] == "proposed")
    organiser.post(f"{path}/rounds/1/publication", {})
    until(organiser, path, lambda response: response["rounds"][-1]["status"] == "opened")
    result = {"scores": [90, 80, 70, 60], "places": [*ORDER]}
    status, response = organiser.ask("PUT", f"{path}/rounds/1/tables/1/result", result)
    assert status == 200, response
    organiser.post(f"{path}/rounds/1/closing", {})
    until(organiser, path, lambda response: response["status"] == "ended")


def open_circuit(organiser: Client, plan: dict[str, Any], contests: list[tuple[str, str]]) -> str:
    """Open a circuit and add contests; return its id."""
    circuit = str(organiser.post("/circuits", {"plan": plan})["circuitId"])
    for kind, contest in contests:
        organiser.post(f"/circuits/{circuit}/contests", {"contest": {"kind": kind, "id": contest}})
    return circuit
