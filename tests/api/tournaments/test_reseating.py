"""Unfit proposals, and seats changed after publication: over the API and on the page."""

from __future__ import annotations

import re

from tests.api.full_service import FullService, Visitor
from tests.api.tournaments.test_tournament_pages import open_event, publish_round
from tests.api.tournaments.test_tournaments import ApiPerson, with_four
from tests.api.tournaments.test_tournaments import publish_next_round as published_by


def test_a_proposal_with_a_withdrawn_player_is_not_published(
    full_service: FullService, people: list[ApiPerson]
) -> None:
    organiser, path = people[0], with_four(full_service, people)
    organiser.does("POST", f"{path}/pairings")
    full_service.settle()
    people[1].does("POST", f"{path}/entries/e1/withdrawal")
    proposal = organiser.get(path)["rounds"][0]
    refusal = organiser.is_refused("POST", f"{path}/rounds/1/publication")
    organiser.does("POST", f"{path}/pairings", {"again": 1})
    full_service.settle()
    again = organiser.get(path)["rounds"][0]
    organiser.does("POST", f"{path}/rounds/1/publication")

    assert len(proposal["misfits"]) == 1
    assert "has withdrawn" in proposal["misfits"][0]
    assert refusal[:2] == (409, "tournament/refused")
    assert "no longer fits" in refusal[2]
    assert again["misfits"] == []
    assert "e1" not in [entry for table in again["tables"] for entry in table["entries"]]


def test_two_players_are_swapped_at_waiting_tables(full_service: FullService, people: list[ApiPerson]) -> None:
    organiser, path = people[0], with_four(full_service, people)
    first = published_by(full_service, organiser, path)
    one, other = (table["entries"][0] for table in first["tables"])
    wanted = {"first": one, "second": other, "reason": "They came together."}
    after = organiser.does("POST", f"{path}/rounds/1/swaps", wanted)["rounds"][0]
    full_service.settle()

    assert [table["entries"][0] for table in after["tables"]] == [other, one]
    assert after["levels"][0]["name"] == "forbidden"
    for old, new in zip(first["tables"], after["tables"], strict=True):
        assert organiser.get(f"/matches/{old['matchId']}")["status"] == "void"
        assert organiser.get(f"/matches/{new['matchId']}")["status"] == "open"
    assert organiser.is_refused("POST", f"{path}/rounds/1/swaps", {"first": one, "second": other})[0] == 400
    assert people[1].is_refused("POST", f"{path}/rounds/1/swaps", wanted)[1] == "role/missing"
    gone = organiser.is_refused("POST", f"{path}/rounds/1/moves", {"entry": one, "table": 0, "reason": "Ill."})
    assert "table 2 would have 1 seats" in gone[2]


def test_the_page_shows_the_cost_of_a_new_seating_first(full_service: FullService) -> None:
    organiser = Visitor(full_service)
    event = open_event(organiser, faceToFace="true")
    for name in ("Jana", "Petr", "Iva", "Marek", "Olga"):
        organiser.sends(f"{event}/desk/enter", name=name)
    organiser.sends(f"{event}/desk/pairs", forbidden="e1 e2")
    publish_round(full_service, organiser, event)
    told = full_service.ask("GET", event.replace("/events/", "/tournaments/"))[1]["rounds"][0]
    beside = next(
        name for table in told["tables"] if "e1" in table["entries"] for name in table["entries"] if name != "e1"
    )
    wanted = {"round": 1, "first": "e2", "second": beside, "reason": "One drives the other."}

    html = organiser.submit_unconfirmed(f"{event}/desk/swap", **wanted)
    costs = [int(cell) for cell in re.findall(r"Broken pairing rules.*?>(\d+)</td>.*?>(\d+)</td>", html)[0]]
    unchanged = full_service.ask("GET", event.replace("/events/", "/tournaments/"))[1]["rounds"][0]["tables"]
    organiser.sends(f"{event}/desk/swap", **wanted, sure=f"e2 {beside}")
    why = organiser.sees(event)

    assert costs == [0, 1]
    assert unchanged == told["tables"]
    assert "Jana and Petr must not meet, but the organiser seated them together." in why


def test_the_page_marks_an_unfit_proposal(full_service: FullService) -> None:
    organiser = Visitor(full_service)
    event = open_event(organiser, faceToFace="true")
    for name in ("Jana", "Petr", "Iva", "Marek"):
        organiser.sends(f"{event}/desk/enter", name=name)
    organiser.sends(f"{event}/desk/pairing")
    full_service.settle()
    organiser.sends(f"{event}/leave", entry="e1", reason="Ill.")
    page = organiser.sees(f"{event}/desk")

    assert "Jana has withdrawn." in page
    assert re.search(r'id="publish" disabled', page)
    assert organiser.submit_refused(f"{event}/desk/publish", round=1)[0] == 409
