"""Matches over HTTP: opening, reading, acting, and error codes."""

from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from api.http.guards import Caller
from api.http.ids import IDS
from tests.api.service import Person, play_until, settings_in, start_match
from tests.seeding import entropy, new_id
from tests.service_app import create_app

TAKE_DIE = {"type": "la_granja.take_die", "pips": 2}


def test_the_same_idempotency_key_opens_one_table(ann: Person) -> None:
    wanted = {"title": "la_granja", "seats": 2}

    first = ann.post("/matches", wanted, **{"Idempotency-Key": "one"})
    second = ann.post("/matches", wanted, **{"Idempotency-Key": "one"})
    third = ann.post("/matches", wanted, **{"Idempotency-Key": "two"})

    assert first == second
    assert first[1]["matchId"] != third[1]["matchId"]


def test_idempotency_keys_are_separate_per_person(ann: Person, ben: Person) -> None:
    wanted = {"title": "la_granja", "seats": 2}

    of_ann = ann.post("/matches", wanted, **{"Idempotency-Key": "one"})
    of_ben = ben.post("/matches", wanted, **{"Idempotency-Key": "one"})

    assert of_ann[1]["matchId"] != of_ben[1]["matchId"]


def test_match_ids_are_not_predictable(tmp_path: Path) -> None:
    """Ids depend on a secret of the service, so another service gives the same person and key another id."""
    ids = set()
    for name in ("here", "there"):
        folder = tmp_path / name
        folder.mkdir()
        for _ in range(2):
            with TestClient(create_app(settings_in(folder), entropy())) as client:
                ids.add(IDS.of(client).id_for(Caller(is_service=True), "match", "one"))

    assert len(ids) == 2


def test_a_key_used_for_something_else_is_refused(ann: Person) -> None:
    ann.post("/matches", {"title": "la_granja", "seats": 2}, **{"Idempotency-Key": "one"})

    status, problem = ann.post("/matches", {"title": "la_granja", "seats": 3}, **{"Idempotency-Key": "one"})

    assert (status, problem["code"]) == (409, "match/exists")


@pytest.mark.parametrize(
    ("wanted", "status", "code"),
    [
        ({"title": "go", "seats": 2}, 422, "title/unknown"),
        ({"title": "la_granja", "seats": 9}, 422, "seats/wrong_count"),
        ({"title": "la_granja", "seats": 2, "options": {"colour": "red"}}, 422, "option/unknown"),
        ({"title": "la_granja", "seats": 2, "options": {"edition": "first"}}, 422, "option/unknown"),
        ({"title": "la_granja", "seats": 2, "chairs": 2}, 400, "request/malformed"),
        ({"title": "la_granja", "seats": 2, "table": {"clock": {"kind": "sundial"}}}, 400, "request/malformed"),
        ({"title": "la_granja"}, 400, "request/malformed"),
    ],
)
def test_an_invalid_table_is_rejected_with_a_code(ann: Person, wanted: Any, status: int, code: str) -> None:
    answered, problem = ann.post("/matches", wanted)

    assert (answered, problem["code"]) == (status, code)
    assert problem["detail"]


def test_an_unknown_status_is_rejected(ann: Person) -> None:
    status, problem = ann.get("/matches?status=zz")

    assert (status, problem["code"]) == (400, "request/malformed")
    assert "zz" in str(problem)
    assert ann.get("/matches?status=void")[0] == 200


def test_anonymous_callers_cannot_open_tables(client: TestClient[Any]) -> None:
    response = client.post("/api/matches", json={"title": "la_granja", "seats": 2})

    assert (response.status_code, response.json()["code"]) == (401, "caller/unknown")


def test_every_answer_about_a_match_shows_version_and_head(ann: Person, ben: Person) -> None:
    match_id = start_match(ann, ben)

    response = ann.client.get(f"/api/matches/{match_id}", headers=ann.headers)
    match = response.json()

    assert response.headers["ETag"].startswith(f'"{match["version"]}-')
    for path in (f"/matches/{match_id}/legal-actions", f"/matches/{match_id}/entries"):
        shown = ann.get(path)[1]
        assert (shown["version"], shown["head"]) == (match["version"], match["head"])


def test_an_action_is_answered_with_the_view_after_it(ann: Person, ben: Person) -> None:
    match_id = start_match(ann, ben)
    people = (ann, ben)
    actor = people[ann.get(f"/matches/{match_id}")[1]["toAct"][0]]
    before = actor.get(f"/matches/{match_id}")[1]

    status, after = actor.acts(match_id)

    assert status == 201
    assert after["version"] > before["version"]
    assert after["seat"] == before["seat"]
    assert after == actor.get(f"/matches/{match_id}?atLeast={after['version']}")[1]


def test_a_repeated_action_at_the_same_version_gets_the_first_answer(ann: Person, ben: Person) -> None:
    people = (ann, ben)
    match_id = start_match(*people)
    actor = people[ann.get(f"/matches/{match_id}")[1]["toAct"][0]]
    legal = actor.legal(match_id)
    wanted = {"expectedVersion": legal["version"], "action": legal["actions"][0]["action"]}

    first = actor.post(f"/matches/{match_id}/actions", wanted)
    again = actor.post(f"/matches/{match_id}/actions", wanted)

    assert first[0] == again[0] == 201
    assert first[1]["version"] == again[1]["version"]


def test_a_stale_action_is_refused_with_the_present_version(ann: Person, ben: Person) -> None:
    people = (ann, ben)
    match_id = start_match(*people)
    actor = people[ann.get(f"/matches/{match_id}")[1]["toAct"][0]]
    legal = actor.legal(match_id)
    actor.acts(match_id, 0)
    other = {"expectedVersion": legal["version"], "action": legal["actions"][1]["action"]}

    status, problem = actor.post(f"/matches/{match_id}/actions", other)

    assert (status, problem["code"]) == (409, "match/stale")
    assert problem["version"] == actor.get(f"/matches/{match_id}")[1]["version"]


def test_an_illegal_action_is_refused(ann: Person, ben: Person) -> None:
    match_id = start_match(ann, ben)
    version = ann.get(f"/matches/{match_id}")[1]["version"]

    status, problem = ann.post(f"/matches/{match_id}/actions", {"expectedVersion": version, "action": TAKE_DIE})

    assert (status, problem["code"]) == (422, "action/illegal")


@pytest.mark.parametrize(
    ("action", "path"),
    [
        ({"type": "la_granja.fly"}, "action.type"),
        ({"type": "la_granja.take_die", "pips": "two"}, "action.pips"),
        ({"type": "la_granja.take_die", "pips": 2, "dice": 3}, "action"),
        ({"pips": 2}, "action"),
    ],
)
def test_an_unknown_action_is_refused_by_its_path(ann: Person, ben: Person, action: Any, path: str) -> None:
    match_id = start_match(ann, ben)

    status, problem = ann.post(f"/matches/{match_id}/actions", {"expectedVersion": 6, "action": action})

    assert (status, problem["code"]) == (400, "request/malformed")
    assert [fault["path"] for fault in problem["errors"]] == [path]


@pytest.mark.parametrize("body", [b"{", b"", b"[]", b"nonsense", b'{"expectedVersion": 1}', b"\xff\xfe"])
def test_malformed_json_is_refused(ann: Person, ben: Person, body: bytes) -> None:
    match_id = start_match(ann, ben)

    response = ann.client.post(f"/api/matches/{match_id}/actions", content=body, headers=ann.headers)

    assert (response.status_code, response.json()["code"]) == (400, "request/malformed")


def test_an_over_long_body_is_refused(ann: Person, ben: Person) -> None:
    match_id = start_match(ann, ben)
    long = {"expectedVersion": 6, "action": {"type": "x" * 70_000}}

    status, problem = ann.post(f"/matches/{match_id}/actions", long)

    assert (status, problem["code"]) == (413, "request/too_large")


def test_a_person_acts_for_no_other_seat_and_not_for_the_house(ann: Person, ben: Person) -> None:
    match_id = start_match(ann, ben)
    cid = Person(ann.client)
    wanted = {"expectedVersion": 6, "action": {"type": "la_granja.pass"}}

    for person, seat in ((ann, 1), (ann, -1), (cid, 0), (cid, None)):
        status, problem = person.post(f"/matches/{match_id}/actions", wanted | {"seat": seat})
        assert (status, problem["code"]) == (403, "seat/not_yours")


def test_nobody_acts_in_a_match_that_has_ended(ann: Person, ben: Person) -> None:
    match_id = start_match(ann, ben)
    ann.post(f"/matches/{match_id}/resignation", {})

    status, problem = ben.post(
        f"/matches/{match_id}/actions", {"expectedVersion": 6, "action": {"type": "la_granja.pass"}}
    )

    assert ben.get(f"/matches/{match_id}")[1]["status"] == "ended"
    assert (status, problem["code"]) == (409, "match/over")


@pytest.mark.parametrize("path", ["", "/entries", "/at/1", "/legal-actions", "/stream", "/log"])
def test_a_match_that_is_not_there_is_a_404(ann: Person, path: str) -> None:
    status, problem = ann.get(f"/matches/{new_id()}{path}")

    assert (status, problem["code"]) == (404, "match/unknown")


def test_an_entry_that_is_not_there_is_a_404(ann: Person, ben: Person) -> None:
    match_id = start_match(ann, ben)

    for version, code in ((99_999, "entry/unknown"), (10**20, "path/unknown")):
        status, problem = ann.get(f"/matches/{match_id}/at/{version}")

        assert (status, problem["code"]) == (404, code)


def test_a_path_that_is_not_there_is_a_problem_document_too(ann: Person) -> None:
    status, problem = ann.get("/nothing")

    assert (status, problem["code"]) == (404, "path/unknown")


def test_past_versions_of_a_match_can_be_read(ann: Person, ben: Person) -> None:
    match_id = start_match(ann, ben)

    past = ann.get(f"/matches/{match_id}/at/1")[1]

    assert (past["version"], past["status"], past["view"]) == (1, "open", None)


def test_entries_come_in_pages_without_a_gap(ann: Person, ben: Person) -> None:
    match_id = start_match(ann, ben)
    whole = ann.get(f"/matches/{match_id}/entries")[1]

    entries: list[Any] = []
    while page := ann.get(f"/matches/{match_id}/entries?after={len(entries)}&limit=2")[1]:
        entries += page["entries"]
        if not page["more"]:
            break

    assert entries == whole["entries"]
    assert [entry["version"] for entry in entries] == list(range(1, whole["version"] + 1))


def test_an_action_says_what_it_is_in_a_sentence(ann: Person, ben: Person) -> None:
    people = (ann, ben)
    match_id = start_match(*people)
    actor = people[ann.get(f"/matches/{match_id}")[1]["toAct"][0]]

    texts = [choice["text"] for choice in actor.legal(match_id)["actions"]]

    assert texts[0].startswith("Play no more cards")
    assert len(set(texts)) == len(texts)


def test_the_last_action_of_the_own_turn_can_be_taken_back(ann: Person, ben: Person) -> None:
    people = (ann, ben)
    match_id = start_match(*people)
    play_until(people, match_id, "growth")
    actor = people[ann.get(f"/matches/{match_id}")[1]["toAct"][0]]
    before = actor.get(f"/matches/{match_id}")[1]
    sell = next(index for index, choice in enumerate(actor.legal(match_id)["actions"]) if "silver" in choice["text"])
    assert actor.acts(match_id, sell)[0] == 201

    status, after = actor.post(f"/matches/{match_id}/take-backs", {"toVersion": before["version"]})

    assert status == 201
    assert after["view"] == before["view"]
    assert actor.post(f"/matches/{match_id}/take-backs", {"toVersion": 1})[1]["code"] == "take_back/refused"


def test_the_versions_to_which_a_seat_may_take_back_are_listed(ann: Person, ben: Person) -> None:
    people = (ann, ben)
    match_id = start_match(*people)
    play_until(people, match_id, "growth")
    actor = people[ann.get(f"/matches/{match_id}")[1]["toAct"][0]]
    sell = next(index for index, choice in enumerate(actor.legal(match_id)["actions"]) if "silver" in choice["text"])
    before = actor.legal(match_id)["version"]
    actor.acts(match_id, sell)
    assert before in actor.legal(match_id)["takeBackTo"]
    back = actor.post(f"/matches/{match_id}/take-backs", {"toVersion": before})[1]
    assert back["version"] not in actor.legal(match_id)["takeBackTo"]
    actor.acts(match_id, sell)

    assert {before, back["version"]} <= {*actor.legal(match_id)["takeBackTo"]}
    wrong = actor.post(f"/matches/{match_id}/take-backs", {"toVersion": 1})[1]
    assert f"{before}, {back['version']}" in wrong["detail"]
    status, after = actor.post(f"/matches/{match_id}/take-backs", {"toVersion": back["version"]})
    assert (status, after["view"]) == (201, back["view"])
    assert all(other.legal(match_id)["takeBackTo"] == [] for other in people if other is not actor)
