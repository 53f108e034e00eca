"""Prizes over the API and on the pages: set, shared, shown and exported."""

from __future__ import annotations

from typing import Any

from tests.api.full_service import FullService, Visitor
from tests.api.tournaments.test_tournament_pages import open_event
from tests.api.tournaments.test_tournaments import ApiPerson, open_tournament

PRIZES: dict[str, Any] = {"places": [{"amount": 10000, "name": "Cup"}, {"amount": 5001}], "currency": "€"}


def played_by_hand(service: FullService, organiser: ApiPerson) -> str:
    """Play a round of two face-to-face tables whose winners have equal points."""
    path = open_tournament(organiser, faceToFace=True, stages=[{"kind": "swiss", "rounds": 1}])
    for name in ("Ana", "Blai", "Clara", "Dolors"):
        organiser.does("POST", f"{path}/entries", {"name": name})
    organiser.does("POST", f"{path}/pairings")
    service.settle()
    organiser.does("POST", f"{path}/rounds/1/publication")
    service.settle()
    for table in (1, 2):
        organiser.does("PUT", f"{path}/rounds/1/tables/{table}/result", {"scores": [9, 4], "places": [1, 2]})
    return path


def test_ties_share_prizes_and_awards_are_public(full_service: FullService, people: list[ApiPerson]) -> None:
    organiser, path = people[0], ""
    path = played_by_hand(full_service, organiser)
    wanted = {"prizes": PRIZES, "reason": "The sponsor came."}
    assert organiser.is_refused("PUT", f"{path}/prizes", {"prizes": PRIZES})[1] == "tournament/refused"
    assert people[1].is_refused("PUT", f"{path}/prizes", wanted)[0] == 403
    rising = {"prizes": {"places": [{"amount": 1}, {"amount": 2}]}, "reason": "So."}
    assert organiser.is_refused("PUT", f"{path}/prizes", rising)[1] == "tournament/plan_refused"
    organiser.does("PUT", f"{path}/prizes", wanted)
    organiser.does("POST", f"{path}/rounds/1/closing")
    full_service.follow()
    awards = people[1].get(f"{path}/awards")
    event = path.rpartition("/")[2]
    report = full_service.fetch("GET", f"{path}/files/event.trf")
    status, content = full_service.fetch("GET", f"{path}/files/prizes.csv")
    page = Visitor(full_service).sees(f"/events/{event}/archive")

    assert awards["isFinal"]
    assert [(each["amount"], each["prize"]) for each in awards["awards"]] == [(7501, "Cup"), (7500, "")]
    assert status == 200
    assert content.decode().splitlines()[0] == "rank,entry,name,amount,currency,prize"
    assert report[0] == 200
    assert report[1].decode().count("\n001 ") == 4
    assert f"/api{path}/files/event.trf" in page
    assert "75.01 €" in page
    assert "tied players split the prize money of their places" in page
    assert "changed the prizes" in Visitor(full_service).sees(f"/events/{event}/record")


def test_amounts_are_decimal_text(full_service: FullService) -> None:
    organiser = Visitor(full_service)
    event = open_event(organiser)
    rows = {"places.0.number": 1, "places.0.amount": "100,50", "places.1.number": 2, "places.1.name": "Book"}
    assert organiser.sends(f"{event}/desk/prizes", **rows, currency="€", split="broken") == f"{event}/desk/prizes"
    form = organiser.sees(f"{event}/desk/prizes")
    status, page = organiser.submit_refused(f"{event}/desk/prizes", **rows | {"places.0.amount": "1.234"})

    assert 'name="places.0.amount" inputmode="decimal" value="100.50"' in form
    assert 'name="places.1.name" value="Book"' in form
    assert status == 400
    assert "Enter an amount such as 20 or 12.50, not “1.234”." in page
    assert Visitor(full_service).sees(f"{event}/desk/prizes", 403)
