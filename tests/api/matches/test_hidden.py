"""Hidden information of other seats never leaks: in views, entries, streams, logs, pages and errors."""

import json
from random import Random
from typing import Any

import pytest
from litestar.testing import TestClient

from api.http.fragments import digests, join_digests, split_digests
from tests.api.service import Person, play_until, start_match


@pytest.fixture
def match_id(ann: Person, ben: Person) -> str:
    return start_match(ann, ben)


def hands(match: Any) -> list[list[int]]:
    return [farm["hand"] for farm in match["view"]["farms"]]


def test_a_seat_sees_its_own_hand_alone(ann: Person, ben: Person, match_id: str) -> None:
    own, other = hands(ann.get(f"/matches/{match_id}")[1])

    assert len(own) == 4
    assert other == []
    assert hands(ben.get(f"/matches/{match_id}")[1])[0] == []


def test_a_spectator_sees_no_hand(ann: Person, client: TestClient[Any], match_id: str) -> None:
    for headers in ({}, Person(client).headers):
        match = client.get(f"/api/matches/{match_id}", headers=headers).json()
        assert match["seat"] is None
        assert hands(match) == [[], []]


def test_entries_are_opened_for_their_audience_alone(ann: Person, ben: Person, match_id: str) -> None:
    def list_commitments(person: Person) -> set[str]:
        entries = person.get(f"/matches/{match_id}/entries")[1]["entries"]
        return {opening["commitment"] for entry in entries for opening in entry.get("secrets", [])}

    of_ann, of_ben, of_nobody = list_commitments(ann), list_commitments(ben), list_commitments(Person(ann.client))

    assert of_ann
    assert of_ben
    assert of_ann.isdisjoint(of_ben)
    assert not of_nobody


def test_the_log_of_a_running_match_keeps_its_seed(ann: Person, match_id: str) -> None:
    log = ann.client.get(f"/api/matches/{match_id}/log", headers=ann.headers).text
    header, opening = (json.loads(line) for line in log.splitlines()[:2])

    assert header["redactedFor"] == "seat/0"
    assert "secrets" not in opening


def test_the_whole_log_of_a_running_match_is_not_for_players(ann: Person, match_id: str) -> None:
    for choice in ("whole=true", "seat=1"):
        status, problem = ann.get(f"/matches/{match_id}/log?{choice}")
        assert (status, problem["code"]) in {(403, "match/not_allowed"), (403, "seat/not_yours")}


def test_the_legal_actions_of_another_seat_are_not_available(ann: Person, match_id: str) -> None:
    cid = Person(ann.client)

    assert cid.get(f"/matches/{match_id}/legal-actions")[1]["code"] == "seat/not_yours"
    assert ann.get(f"/matches/{match_id}/owed")[1]["code"] == "caller/forbidden"


def test_a_chosen_donkey_is_known_to_its_seat_alone(ann: Person, ben: Person, match_id: str) -> None:
    people = (ann, ben)
    play_until(people, match_id, "donkeys")

    chosen = ann.acts(match_id, 2)[1]

    assert chosen["view"]["farms"][0]["donkey"] is not None
    farm = ben.get(f"/matches/{match_id}?atLeast={chosen['version']}")[1]["view"]["farms"][0]
    assert (farm["hasDonkey"], farm["donkey"]) == (True, None)
    entry = ben.get(f"/matches/{match_id}/entries?after={chosen['version'] - 1}")[1]["entries"][0]
    assert "action" not in entry["body"]
    assert "secrets" not in entry


def test_the_page_of_a_spectator_holds_no_hand_and_no_action(ann: Person, match_id: str) -> None:
    page = ann.client.get(f"/tables/{match_id}").text

    assert "Your hand" not in page
    assert "Your turn" not in page


def audiences(value: Any) -> dict[str, list[int]]:
    """Return the audience of every hidden value in a body, by commitment."""
    if isinstance(value, list):
        return {key: seats for part in value for key, seats in audiences(part).items()}
    if not isinstance(value, dict):
        return {}
    if value.keys() == {"commitment", "audience"}:
        return {value["commitment"]: value["audience"]}
    return audiences(list(value.values()))


@pytest.mark.parametrize("seed", [1, 2])
def test_random_play_never_leaks_hidden_values(client: TestClient[Any], seed: int) -> None:
    people = (Person(client), Person(client), Person(client))
    match_id, choice, after = start_match(*people), Random(seed), 0

    for _ in range(60):
        match = people[0].get(f"/matches/{match_id}")[1]
        if match["status"] != "running":
            break
        actor = people[match["toAct"][0]]
        assert actor.acts(match_id, choice.randrange(len(actor.legal(match_id)["actions"])))[0] == 201
        for seat, reader in enumerate((*people, Person(client))):
            shown_match = reader.get(f"/matches/{match_id}/at/{match['version']}")[1]
            assert all(hand == [] for owner, hand in enumerate(hands(shown_match)) if owner != seat)
            for entry in reader.get(f"/matches/{match_id}/entries?after={after}")[1]["entries"]:
                allowed = audiences(entry["body"])
                commitments = [opening["commitment"] for opening in entry.get("secrets", [])]
                assert all(seat in allowed[commitment] for commitment in commitments)
        after = match["version"]


def test_etags_of_pages_are_keyed_by_reader() -> None:
    parts = {"farms": "Your hand: card 17"}

    assert digests(parts, "a" * 128) == digests(parts, "a" * 128)
    assert digests(parts, "a" * 128) != digests(parts, "b" * 128)
    assert split_digests(join_digests(digests(parts, "a" * 128))) == digests(parts, "a" * 128)


@pytest.mark.parametrize(
    "path", ["/api/matches", "/api/matches/{}", "/api/matches/{}/entries", "/tables/{}", "/", "/api/zz"]
)
def test_shared_caches_do_not_mix_readers(ann: Person, ben: Person, path: str) -> None:
    """ETags depend on no hidden value, and responses vary by reader."""
    response = ann.client.get(path.format(start_match(ann, ben)), headers=ann.headers)

    assert response.headers["cache-control"] == "private, no-cache"
    assert response.headers["vary"] == "Authorization, Cookie, Accept-Language"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert "public" in ann.client.get("/static/vendor/htmx-2.0.11.min.js").headers["cache-control"]
