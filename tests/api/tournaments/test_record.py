"""The record of an event: public acts of organisers with reasons, also in the audit trail."""

from __future__ import annotations

from api.tournaments.acts import ACT_WORDS
from domain.tournaments.acts import KINDS
from tests.api.full_service import FullService, Visitor
from tests.api.tournaments.test_tournament_pages import open_event, publish_round
from tests.api.tournaments.test_tournaments import ApiPerson, with_four
from tests.api.tournaments.test_tournaments import publish_next_round as published_by


def test_every_kind_of_act_has_a_text() -> None:
    assert set(ACT_WORDS) >= set(KINDS.values())


def test_rulings_penalties_and_substitutes_are_public_and_audited(full_service: FullService) -> None:
    people = [ApiPerson(full_service) for _ in range(6)]
    organiser, path = people[0], with_four(full_service, people[:5])
    table = published_by(full_service, organiser, path)["tables"][0]
    one, other = table["entries"]
    substitute = {"entry": one, "person": people[5].id, "reason": "Ill."}
    organiser.does("POST", f"{path}/rounds/1/substitutes", substitute)
    people[5].accepts(path, entry=one, round=1)
    ruling = {"scores": [0, 10], "places": [2, 1], "reason": "The sheet says so."}
    organiser.does("PUT", f"{path}/rounds/1/tables/1/ruling", ruling)
    organiser.does("POST", f"{path}/penalties", {"entry": other, "sixtieths": 60, "reason": "late"})
    people[1].does("POST", f"{path}/entries/e1/withdrawal")
    full_service.follow()
    status, record = full_service.ask("GET", f"{path}/record")
    event = path.rpartition("/")[2]
    trail = organiser.get(f"/audit?event={event}")["lines"]

    assert status == 200
    acts = [(act["kind"], act["reason"], act["byName"] != "") for act in record["acts"]]
    assert acts == [
        ("penalty_given", "late", True),
        ("result_ruled", "The sheet says so.", True),
        ("substitute_named", "Ill.", True),
        ("person_invited", "Ill.", True),
        ("round_published", "", True),
    ]
    assert record["acts"][1]["scores"] == [0, 10]
    assert [(line["details"]["act"], line["details"].get("reason", "")) for line in trail] == [
        (kind, reason) for kind, reason, _ in acts if kind != "substitute_named"
    ]
    decided = [act["version"] for act in record["acts"] if act["kind"] != "substitute_named"]
    assert [line["details"]["record"] for line in trail] == decided, "to accept a seat uses no role"
    page = full_service.ask("GET", f"{path}/record?limit=3")[1]
    rest = full_service.ask("GET", f"{path}/record?limit=3&before={page['next']}")[1]
    assert [act["version"] for act in (*page["acts"], *rest["acts"])] == [act["version"] for act in record["acts"]]


def test_reasons_are_required_everywhere(full_service: FullService) -> None:
    people = [ApiPerson(full_service) for _ in range(6)]
    organiser, path = people[0], with_four(full_service, people[:5])
    one, other = (table["entries"][0] for table in published_by(full_service, organiser, path)["tables"])
    for address, wanted in (
        ("swaps", {"first": one, "second": other}),
        ("no-shows", {"entry": one}),
        ("substitutes", {"entry": one, "person": people[5].id}),
    ):
        assert organiser.is_refused("POST", f"{path}/rounds/1/{address}", wanted)[0] == 400
        blank = organiser.is_refused("POST", f"{path}/rounds/1/{address}", wanted | {"reason": " "})
        assert blank[0] == 409
    assert "needs a reason" in organiser.is_refused("POST", f"{path}/entries/e1/withdrawal")[2]
    organiser.does("POST", f"{path}/entries/e1/withdrawal?reason=Ill")
    for method, address in (("POST", "entries/e2/code"), ("PUT", "pairs")):
        assert "needs a reason" in organiser.is_refused(method, f"{path}/{address}")[2]
    organiser.does("POST", f"{path}/entries/e2/code?reason=Lost")
    organiser.does("PUT", f"{path}/pairs", {"forbidden": [["e2", "e3"]], "reason": "Sisters."})
    full_service.follow()
    reasons = [act["reason"] for act in full_service.ask("GET", f"{path}/record")[1]["acts"][:2]]
    assert reasons == ["Sisters.", "Lost"]
    trail = organiser.get(f"/audit?event={path.rpartition('/')[2]}")["lines"]
    assert [line["details"]["reason"] for line in trail[:2]] == reasons
    plan = organiser.get(path)["plan"]
    assert "needs a reason" in organiser.is_refused("PUT", f"{path}/plan", {"plan": plan})[2]


def test_the_record_page_is_public_and_linked_from_the_trail(full_service: FullService) -> None:
    organiser, outsider = Visitor(full_service), Visitor(full_service)
    event = open_event(organiser, faceToFace="true")
    for name in ("Jana", "Petr"):
        organiser.sends(f"{event}/desk/enter", name=name)
    assert "No decisions yet." in outsider.sees(f"{event}/record")
    organiser.sends(f"{event}/dates", zone="Asia/Tokyo")
    publish_round(full_service, organiser, event)
    result = {"round": 1, "table": 1, "scores": [3, 1]}
    organiser.sends(f"{event}/desk/result", **result)
    status, again = organiser.submit_refused(f"{event}/desk/result", **result | {"scores": [1, 3]})
    organiser.sends(f"{event}/desk/result", **result | {"scores": [1, 3], "reason": "I had misread the sheet."})
    organiser.sends(f"{event}/desk/close", round=1)
    organiser.sends(f"{event}/leave", entry="e1", reason="Gone home.")
    full_service.follow()
    page, trail = outsider.sees(f"{event}/record"), organiser.sees(f"/desk/audit?event={event.rpartition('/')[2]}")

    assert status == 409
    assert "needs a reason" in again
    for text in (
        "I had misread the sheet.",
        "changed a result",
        "Gone home.",
        "closed the round",
        "Jana",
        "<s>3 (1.)",
        "Times are in the Asia/Tokyo time zone.",
    ):
        assert text in page
    assert "UTC" not in page, "every page of an event tells times in its own zone"
    assert f'href="{event}/record"' in outsider.sees(event)
    assert "I had misread the sheet." in trail
    assert f'href="{event}/record"' in trail


def test_entries_against_the_plan_are_recorded(full_service: FullService) -> None:
    people = [ApiPerson(full_service) for _ in range(6)]
    organiser, path = people[0], with_four(full_service, people[:5], lateEntry=False)
    published_by(full_service, organiser, path)
    page, visitor = path.replace("/tournaments/", "/events/"), Visitor(full_service, organiser.id)
    assert 'name="reason" required' in visitor.sees(f"{page}/desk/people")
    assert "needs a reason" in visitor.submit_refused(f"{page}/desk/enter", person=people[5].id)[1]
    visitor.sends(f"{page}/desk/enter", person=people[5].id, reason="The train was late.")
    people[5].accepts(path)
    full_service.follow()
    act = full_service.ask("GET", f"{path}/record")[1]["acts"][0]

    assert (act["kind"], act["reason"], act["entries"]) == ("person_invited", "The train was late.", [])
    assert act["actorName"]
    assert "invited a player" in visitor.sees(f"{page}/record")
    line = organiser.get(f"/audit?event={path.rpartition('/')[2]}")["lines"][0]
    assert line["details"]["reason"] == "The train was late."
