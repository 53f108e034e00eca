"""Disputes over the API: raise, examine, fork, rule, appeal; and visibility."""

from typing import Any

import pytest
from litestar.testing import TestClient

from tests.api.service import Member, Person, catch_up, make_operator, start_match

TABLE = {"clock": {"kind": "per_move", "seconds": 600}, "pauseOnDispute": True, "rated": True}


@pytest.fixture
def client(own_client: TestClient[Any]) -> TestClient[Any]:
    """Return a service without other data, so that lists and counts are exact."""
    return own_client


@pytest.fixture
def ann(client: TestClient[Any]) -> Person:
    """Return a member, because guests play no rated match."""
    return Member(client, "Ann")


@pytest.fixture
def ben(client: TestClient[Any]) -> Person:
    return Member(client, "Ben")


@pytest.fixture
def olga(client: TestClient[Any]) -> Person:
    person = Person(client)
    make_operator(client, person.id)
    return person


@pytest.fixture
def art(client: TestClient[Any], olga: Person) -> Person:
    """Return an arbiter of the service."""
    person = Person(client)
    assert olga.post("/roles", {"person": person.id, "role": "arbiter"})[0] == 200
    return person


@pytest.fixture
def match_id(ann: Person, ben: Person) -> str:
    """Return a match with some entries."""
    match_id = start_match(ann, ben, table=TABLE)
    for _ in range(6):
        act = ann.get(f"/matches/{match_id}")[1]["toAct"][0]
        (ann, ben)[act].acts(match_id)
    return match_id


def version(person: Person, match_id: str) -> int:
    return int(person.get(f"/matches/{match_id}")[1]["version"])


def raises(person: Person, match_id: str, entry: int, key: str = "k") -> Any:
    status, dispute = person.post(
        f"/matches/{match_id}/disputes", {"entry": entry, "reason": "That was wrong."}, **{"Idempotency-Key": key}
    )
    assert status == 201, dispute
    return dispute


def rules(person: Person, dispute: Any, *measures: Any, key: str = "r", **more: Any) -> Any:
    wanted = {"rule": "4.2", "reasons": "So it is.", "measures": list(measures), **more}
    return person.post(f"/disputes/{dispute['id']}/rulings", wanted, **{"Idempotency-Key": key})


def test_a_dispute_from_start_to_end(
    client: TestClient[Any], ann: Person, ben: Person, art: Person, olga: Person, match_id: str
) -> None:
    last = version(ann, match_id)
    dispute = raises(ann, match_id, last)
    assert raises(ann, match_id, last)["id"] == dispute["id"]
    assert (dispute["status"], dispute["mayRule"], dispute["seat"]) == ("open", False, 0)
    assert ann.get(f"/matches/{match_id}")[1]["status"] == "paused"
    assert ben.delete(f"/matches/{match_id}/pause")[1]["code"] == "pause/refused"

    assert art.post(f"/disputes/{dispute['id']}/arbiter", {})[1]["arbiter"] == art.id
    status, evidence = art.get(f"/disputes/{dispute['id']}/position?entry={last - 1}")
    assert status == 200
    assert [known["seat"] for known in evidence["knew"]] == [None, 0, 1]
    assert evidence["knew"][1]["view"] != evidence["knew"][2]["view"]
    assert evidence["audit"]["isGood"]
    assert len(evidence["clocks"][-1]["leftMs"]) == 2

    status, ruled = rules(
        art, dispute, {"type": "line_resumed", "version": last - 2}, {"type": "seat_warned", "seat": 1}
    )
    assert status == 201, ruled
    (ruling,) = ruled["rulings"]
    assert (ruling["rule"], ruling["by"], ruling["before"]["line"]) == ("4.2", art.id, match_id)
    line = ruling["line"]
    assert ruled["officialLine"] == ruling["after"]["line"] == line
    assert [measure["text"] for measure in ruling["measures"]] == [
        f"An arbiter resumes the match from entry {last - 2}",
        "An arbiter warns Player 2",
    ]

    assert ann.get(f"/matches/{match_id}")[1]["status"] == "superseded"
    new = ann.get(f"/matches/{line}")[1]
    assert (new["status"], new["seat"], new["table"]["rated"], new["toAct"]) == ("waiting", 0, True, [])
    for person in (ann, ben):
        new = person.is_ready(line)
    assert new["status"] == "running"
    act = new["toAct"][0]
    assert (ann, ben)[act].acts(line)[0] == 201
    in_log = ben.get(f"/matches/{line}/rulings")[1]
    assert [known["ruling"] for known in in_log["rulings"]] == [ruling["ruling"]]
    assert in_log["rulings"][0]["counts"]
    catch_up(client)
    kinds = [each["kind"] for each in olga.get("/audit")[1]["lines"]]
    assert kinds[:3] == ["ruling_made", "hidden_seen", "dispute_taken"]


def test_the_replaced_part_is_for_arbiters_until_its_replacement_has_ended(
    client: TestClient[Any], ann: Person, ben: Person, art: Person, olga: Person, match_id: str
) -> None:
    last = version(ann, match_id)
    ruled = rules(art, raises(ann, match_id, last), {"type": "line_resumed", "version": last - 2})[1]
    line = ruled["officialLine"]

    status, problem = ann.get(f"/matches/{match_id}/at/{last}")
    assert (status, problem["code"]) == (403, "match/not_allowed")
    for path in (f"/at/{last}", "/entries"):
        assert art.get(f"/matches/{match_id}{path}")[0] == 200
    catch_up(client)
    (access,) = (each for each in olga.get("/audit")[1]["lines"] if each["kind"] == "hidden_seen")
    assert (access["by"], access["matchId"], access["details"]["why"]) == (
        art.id,
        match_id,
        "the part that was replaced",
    )
    entries = ann.get(f"/matches/{match_id}/entries")[1]
    assert (len(entries["entries"]), entries["more"]) == (last - 2, False)
    for person in (ann, ben):
        person.post(f"/matches/{line}/resignation", {})
    assert ann.get(f"/matches/{match_id}/at/{last}")[0] == 200
    assert len(ann.get(f"/matches/{match_id}/entries")[1]["entries"]) > last


def test_of_two_simultaneous_rulings_one_is_refused(
    client: TestClient[Any], ann: Person, art: Person, olga: Person, match_id: str
) -> None:
    dispute = raises(ann, match_id, version(ann, match_id))
    first = rules(art, dispute, {"type": "points_taken", "seat": 1, "points": 2})

    status, problem = rules(olga, dispute, {"type": "match_voided"}, expectedVersion=dispute["version"])

    assert first[0] == 201
    assert (status, problem["code"]) == (409, "dispute/settled")
    assert art.id in problem["detail"]
    assert rules(art, dispute, {"type": "points_taken", "seat": 1, "points": 2})[0] == 201, "sent twice, given once"
    assert ann.get(f"/matches/{match_id}/rulings")[1]["penalties"] == [0, 2]


def test_an_outdated_version_of_the_dispute_is_refused(ann: Person, art: Person, match_id: str) -> None:
    dispute = raises(ann, match_id, version(ann, match_id))
    art.post(f"/disputes/{dispute['id']}/arbiter", {})

    status, problem = rules(art, dispute, expectedVersion=dispute["version"])

    assert (status, problem["code"], problem["version"]) == (409, "match/stale", 2)


def test_a_player_may_not_rule_and_sees_nothing_hidden(ann: Person, ben: Person, olga: Person, match_id: str) -> None:
    dispute = raises(ann, match_id, version(ann, match_id))
    olga.post("/roles", {"person": ben.id, "role": "head_arbiter"})

    refusal = rules(ben, dispute)[1]
    assert refusal["code"] == "arbiter/plays"
    assert refusal["detail"] == f"Ben plays in the match {match_id} and cannot be its arbiter"
    assert ben.get(f"/disputes/{dispute['id']}/position")[1]["code"] == "arbiter/plays"
    assert ben.get(f"/disputes/{dispute['id']}")[1]["mayRule"] is False
    assert ann.get(f"/disputes/{dispute['id']}/position")[1]["code"] == "role/missing"
    wanted = {"at": version(ann, match_id), "luck": "fresh"}
    assert ben.post(f"/matches/{match_id}/forks", wanted)[1]["code"] == "arbiter/plays"


def test_a_dispute_is_hidden_from_others(client: TestClient[Any], ann: Person, art: Person, match_id: str) -> None:
    dispute = raises(ann, match_id, version(ann, match_id))
    outsider = Person(client)
    catch_up(client)

    assert outsider.get(f"/disputes/{dispute['id']}")[1]["code"] == "dispute/not_a_party"
    assert outsider.get("/disputes")[1]["disputes"] == []
    assert [each["id"] for each in art.get("/disputes?waiting=true")[1]["disputes"]] == [dispute["id"]]
    assert [each["id"] for each in ann.get(f"/matches/{match_id}/disputes")[1]["disputes"]] == [dispute["id"]]
    assert art.get("/disputes?event=cup")[1]["disputes"] == []


def test_a_what_if_is_visible_to_arbiters_only(
    client: TestClient[Any], ann: Person, ben: Person, art: Person, olga: Person, match_id: str
) -> None:
    last = version(ann, match_id)
    dispute = raises(ann, match_id, last)
    status, line = art.post(f"/disputes/{dispute['id']}/forks", {"entry": last, "seats": ["me", "greedy"]})
    assert status == 201, line
    assert (line["seat"], line["table"]["public"], line["table"]["rated"]) == (0, False, False)
    own = art.post(f"/matches/{match_id}/forks", {"at": last, "luck": "fresh"})[1]
    catch_up(client)

    for id in (line["matchId"], own["matchId"]):
        for path in ("", "/entries", "/log", "/proof", "/at/3", "/rulings", "/forks"):
            status = client.get(f"/api/matches/{id}{path}", headers=ann.headers).status_code
            assert status == 403, path
        assert client.get(f"/tables/{id}").status_code == 403
        assert art.get(f"/matches/{id}")[0] == 200
    assert art.get(f"/disputes/{dispute['id']}")[1]["whatIfs"][0]["line"] == line["matchId"]
    assert ben.get(f"/disputes/{dispute['id']}")[1]["whatIfs"] == []
    lines = art.get(f"/matches/{match_id}/forks")[1]["lines"]
    assert [each["whatIf"] for each in lines] == [False, True, True]
    assert len(ann.get(f"/matches/{match_id}/forks")[1]["lines"]) == 1
    olga.post("/roles", {"person": ben.id, "role": "arbiter"})
    assert len(ben.get(f"/matches/{match_id}/forks")[1]["lines"]) == 1, "an arbiter who plays there"
    for path in ("", "/entries", "/at/3"):
        assert olga.get(f"/matches/{line['matchId']}{path}")[0] == 200
    catch_up(client)
    accesses = [each for each in olga.get("/audit")[1]["lines"] if each["kind"] == "hidden_seen"]
    assert [(each["by"], each["details"]["why"]) for each in accesses] == [(olga.id, f"the what-if {line['matchId']}")]
    assert rules(art, dispute)[0] == 201
    catch_up(client)
    assert art.get(f"/matches/{line['matchId']}")[1]["status"] == "void"


def test_an_appeal_goes_to_a_head_arbiter_once(
    ann: Person, ben: Person, art: Person, olga: Person, match_id: str
) -> None:
    dispute = raises(ann, match_id, version(ann, match_id))
    path = f"/disputes/{dispute['id']}/appeal"
    assert ben.post(path, {"reason": "Too soon."})[1]["code"] == "appeal/refused"
    rules(art, dispute, {"type": "points_taken", "seat": 1, "points": 5})
    status, appealed = ben.post(path, {"reason": "Unfair."})
    assert (status, appealed["status"], appealed["appeal"]["seat"]) == (201, "appealed", 1)
    assert ann.post(path, {"reason": "Me too."})[1]["code"] == "appeal/refused"
    refusal = rules(art, dispute, key="again")[1]
    assert refusal["code"] == "role/missing"
    assert refusal["detail"].endswith(" is not a head arbiter of this match")
    assert art.id not in refusal["detail"]
    assert [person.get(f"/disputes/{dispute['id']}")[1]["mayRule"] for person in (art, olga)] == [False, True]

    status, closed = rules(olga, dispute, key="head", upheld=True)

    assert (status, closed["status"]) == (201, "closed")
    assert ben.post(path, {"reason": "Again."})[1]["code"] == "appeal/refused"
    assert ann.get(f"/matches/{match_id}/rulings")[1]["penalties"] == [0, 5]


def test_only_its_author_withdraws_a_dispute(ann: Person, ben: Person, match_id: str) -> None:
    dispute = raises(ann, match_id, version(ann, match_id))
    assert ben.delete(f"/disputes/{dispute['id']}")[1]["code"] == "dispute/not_a_party"

    status, withdrawn = ann.delete(f"/disputes/{dispute['id']}")

    assert (status, withdrawn["status"]) == (200, "withdrawn")
    assert ann.get(f"/matches/{match_id}")[1]["status"] == "running"
    assert ann.delete(f"/disputes/{dispute['id']}")[1]["code"] == "dispute/settled"


@pytest.mark.parametrize(
    ("measure", "status", "code"),
    [
        ({"type": "line_resumed", "version": 10_000}, 422, "ruling/refused"),
        ({"type": "seat_warned", "seat": 9}, 422, "seat/unknown"),
        ({"type": "points_taken", "seat": 0, "points": 0}, 422, "ruling/refused"),
        ({"type": "result_set", "scores": [1], "ranking": [1]}, 422, "ruling/refused"),
        ({"type": "banished"}, 400, "request/malformed"),
    ],
)
def test_invalid_rulings_are_refused(
    ann: Person, art: Person, match_id: str, measure: Any, status: int, code: str
) -> None:
    dispute = raises(ann, match_id, version(ann, match_id))

    answer = rules(art, dispute, measure)

    assert (answer[0], answer[1]["code"]) == (status, code)


def test_only_finished_visible_matches_are_forked(client: TestClient[Any], ann: Person, ben: Person) -> None:
    private = start_match(ann, ben, table={"public": False})
    rated = start_match(ann, ben, table=TABLE)
    for match_id in (private, rated):
        ann.post(f"/matches/{match_id}/resignation", {})
    outsider, at = Person(client), 6

    assert outsider.post(f"/matches/{private}/forks", {"at": at})[1]["code"] == "match/unknown"
    assert ben.post(f"/matches/{private}/forks", {"at": at})[0] == 201
    status, fork = outsider.post(f"/matches/{rated}/forks", {"at": at, "luck": "same"})
    assert (status, fork["table"]["rated"]) == (201, False)
    shared = outsider.get(f"/matches/{fork['matchId']}/at/{at - 1}")[1]
    assert (shared["matchId"], shared["table"]["rated"]) == (fork["matchId"], False)


def test_a_person_rules_in_their_own_name_only(ann: Person, art: Person, match_id: str) -> None:
    dispute = raises(ann, match_id, version(ann, match_id))

    assert rules(art, dispute, by=ann.id)[1]["rulings"][0]["by"] == art.id


def test_a_closed_dispute_names_the_arbiter_who_decided_it(
    client: TestClient[Any], ann: Person, ben: Person, art: Person, olga: Person, match_id: str
) -> None:
    dispute = raises(ann, match_id, version(ann, match_id))
    assert ann.get(f"/disputes/{dispute['id']}")[1]["arbiterName"] is None
    # No one has taken the dispute.
    rules(art, dispute)
    ruled = ann.get(f"/disputes/{dispute['id']}")[1]
    ben.post(f"/disputes/{dispute['id']}/appeal", {"reason": "Unfair."})
    rules(olga, dispute, key="head", upheld=True)
    catch_up(client)
    (listed,) = ann.get("/disputes")[1]["disputes"]

    assert (ruled["arbiter"], ruled["arbiterName"]) == (art.id, name_of(art))
    assert (listed["status"], listed["arbiter"], listed["arbiterName"]) == ("closed", olga.id, name_of(olga))


def name_of(person: Person) -> str:
    return str(person.get("/me")[1]["person"]["name"])
