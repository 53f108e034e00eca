"""The queue of arbiters, earlier rulings, statistics and handovers."""

from __future__ import annotations

from typing import Any

import pytest
from litestar.testing import TestClient

from api.accounts.people import PEOPLE
from api.accounts.service import ACCOUNTS
from api.disputes.service import DisputeService
from api.http.app_state import SETTINGS
from api.http.guards import Caller
from api.matches.service import MATCHES
from tests.api.disputes.test_dispute_pages import Reader
from tests.api.service import Person, catch_up, make_operator, start_match


@pytest.fixture
def client(own_client: TestClient[Any]) -> TestClient[Any]:
    """Return a service without other data, so that counts are exact."""
    return own_client


def test_the_queue_precedents_and_statistics_are_for_arbiters(
    client: TestClient[Any], ann: Person, ben: Person
) -> None:
    olga, zoe = Person(client), Person(client)
    make_operator(client, olga.id)
    match_id = start_match(ann, ben, table={"clock": {"kind": "per_move", "seconds": 600}, "pauseOnDispute": True})
    act = ann.get(f"/matches/{match_id}")[1]["toAct"][0]
    (ann, ben)[act].acts(match_id)
    last = ann.get(f"/matches/{match_id}")[1]["version"]
    dispute = ann.post(f"/matches/{match_id}/disputes", {"entry": last, "reason": "The 100 % rule"})[1]["id"]
    catch_up(client)
    arbiter, player = Reader(client, olga), Reader(client, ann)
    path = f"/disputes/{dispute}"
    waiting = arbiter.goes("/disputes/queue")
    player.goes("/disputes/queue", 403)
    player.goes("/disputes/precedents", 403)

    assert path in waiting
    assert "match paused" in waiting
    arbiter.sends(path, f"{path}/arbiter")
    begun = arbiter.goes(f"{path}?reasons=fault")
    assert "No player loses points or time.</textarea>" in begun
    zoe_named = olga.post("/roles", {"person": zoe.id, "role": "arbiter"})
    assert zoe_named[0] in {200, 201}
    refusal = arbiter.sends(path, f"{path}/hand-over", 403, person=ann.id, note="Yours.")
    assert "you need a role" in refusal or "arbiter" in refusal
    handed = arbiter.sends(path, f"{path}/hand-over", person=zoe.id, note="Look at the clock.")
    catch_up(client)
    other = Reader(client, zoe)
    assert "Hand over" not in handed
    assert "Look at the clock." in other.goes(path)
    assert "Look at the clock." not in player.goes(path)
    other.sends(path, f"{path}/rulings", decision="none", rule="LG 4.2 100 %", reasons="So it is.")
    catch_up(client)

    precedents = other.goes("/disputes/precedents?rule=100+%25")
    assert "So it is." in precedents
    assert ann.id not in precedents
    assert "So it is." not in other.goes("/disputes/precedents?rule=100+_")
    assert "Nothing needs your attention." in other.goes("/disputes/queue")
    page = other.goes("/disputes/statistics?event=")
    assert "LG 4.2 100 %</a>" in page
    assert "no change" in page
    player.goes("/disputes/statistics", 403)


def test_programs_of_arbiters_have_the_same_access(client: TestClient[Any], ann: Person, ben: Person) -> None:
    olga, zoe = Person(client), Person(client)
    make_operator(client, olga.id)
    assert olga.post("/roles", {"person": zoe.id, "role": "annotator"})[0] in {200, 201}
    match_id = start_match(ann, ben, table={"clock": {"kind": "per_move", "seconds": 600}, "pauseOnDispute": True})
    last = ann.get(f"/matches/{match_id}")[1]["version"]
    dispute = ann.post(f"/matches/{match_id}/disputes", {"entry": last, "reason": "That was wrong."})[1]["id"]
    catch_up(client)
    waiting = olga.get("/disputes/queue")[1]["queue"]
    templates = olga.get("/disputes/templates")[1]["templates"]
    ruled = olga.post(f"/disputes/{dispute}/rulings", {"rule": "LG 4.2", "reasons": templates[0]["text"]})
    catch_up(client)
    precedents = olga.get("/disputes/precedents?rule=lg")[1]["precedents"]
    counts = olga.get("/disputes/statistics")[1]

    assert [(each["dispute"]["id"], each["isLate"], each["isHeld"]) for each in waiting] == [(dispute, False, True)]
    assert ruled[0] == 201
    assert [(each["rule"], each["outcome"], each["onAppeal"]) for each in precedents] == [("LG 4.2", "nothing", False)]
    assert ann.id not in str(precedents)
    assert (counts["rulings"], counts["onAppeal"], counts["upheld"]) == (1, 0, 0)
    assert [(each["of"], each["count"]) for each in counts["rules"]] == [("LG 4.2", 1)]
    assert [(each["of"], each["count"]) for each in counts["events"]] == [("", 1)]
    assert olga.get("/disputes/statistics?event=cup")[1]["rulings"] == 0
    for path in ("queue", "precedents", "statistics", "templates"):
        assert ann.get(f"/disputes/{path}")[0] == 403
        assert zoe.get(f"/disputes/{path}")[0] == 403


def test_the_most_urgent_dispute_is_in_a_queue_that_cannot_show_all(
    client: TestClient[Any], ann: Person, ben: Person
) -> None:
    """The list begins with the latest dispute, and with one that the arbiter, who plays there, may not rule on."""
    olga = Person(client)
    make_operator(client, olga.id)
    disputes: list[str] = []
    for people in ((ann, ben), (ann, ben), (ann, olga)):
        match_id = start_match(*people, table={"clock": {"kind": "per_move", "seconds": 600}})
        last = ann.get(f"/matches/{match_id}")[1]["version"]
        disputes.append(ann.post(f"/matches/{match_id}/disputes", {"entry": last, "reason": "Wrong."})[1]["id"])
    catch_up(client)
    service = DisputeService(
        MATCHES.of(client), ACCOUNTS.of(client), Caller(PEOPLE.of(client).find(olga.id)), SETTINGS.of(client)
    )

    shown = [client.blocking_portal.call(service.queue, limit) for limit in (1, 2, 3)]

    assert [[str(due.dispute.id) for due in queue] for queue in shown] == [disputes[:1], disputes[:2], disputes[:2]]
