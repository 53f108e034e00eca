"""Announcing and ending absences in correspondence matches over HTTP."""

from __future__ import annotations

import time

from tests.api.service import Person, start_match

DAY = 86_400
TURNS = {"clock": {"kind": "correspondence", "seconds": 3 * DAY}}


def test_an_absence_is_announced_and_ended(ann: Person, ben: Person) -> None:
    match_id = start_match(ann, ben, table=TURNS)
    first = int(time.time()) + 3_600
    status, match = ann.post(f"/matches/{match_id}/absence", {"begins": first, "ends": first + 3 * DAY})
    assert status == 201
    entries = ann.get(f"/matches/{match_id}/entries?after={match['version'] - 1}")[1]["entries"]
    assert entries[0]["body"]["type"] == "absence_announced"

    status, problem = ann.post(f"/matches/{match_id}/absence", {"begins": first, "ends": first + 3 * DAY})
    assert (status, problem["code"]) == (409, "absence/refused")
    assert ann.delete(f"/matches/{match_id}/absence")[0] == 200
    assert ann.delete(f"/matches/{match_id}/absence")[1]["code"] == "absence/refused"
    outsider = Person(ann.client)
    assert outsider.post(f"/matches/{match_id}/absence", {"begins": first, "ends": first + DAY})[0] == 403


def test_absences_require_correspondence(ann: Person, ben: Person) -> None:
    match_id = start_match(ann, ben)
    first = int(time.time()) + 3_600

    status, problem = ann.post(f"/matches/{match_id}/absence", {"begins": first, "ends": first + 3 * DAY})
    assert (status, problem["code"]) == (409, "absence/refused")
    status, problem = ann.post(f"/matches/{match_id}/absence", {"begins": -1, "ends": 2**60})
    assert status == 400
