"""Committee hearings over the API: named by the organiser, with secret votes until the announcement."""

from __future__ import annotations

from typing import Any

import pytest
from litestar.testing import TestClient

from tests.api.disputes.test_dispute_pages import Reader
from tests.api.leagues.test_leagues import open_league
from tests.api.service import Person, catch_up, make_operator, open_tables

RULING = {"rule": "4.2", "reasons": "So it is.", "measures": [{"type": "points_taken", "seat": 0, "points": 5}]}
UPHOLD = {"rule": "4.2", "reasons": "It was right.", "upheld": True}
SECRET = "Nobody was harmed by it."


class Cup:
    """A league of Ann's with Ben, its arbiters, and a dispute about its first table that Art has ruled on."""

    def __init__(self, client: TestClient[Any]) -> None:
        self.client = client
        self.olga, self.art, self.hella, self.ada, self.abe = (Person(client) for _ in range(5))
        self.ann, self.ben, self.organiser = (Person(client) for _ in range(3))
        make_operator(client, self.olga.id)
        self.league = open_league(self.organiser)
        self.organiser.post(f"{self.league}/seasons", {"name": "Spring"})
        for person in (self.ann, self.ben):
            assert person.post(f"{self.league}/entries", {})[0] == 201
        assert self.organiser.post(f"{self.league}/draw", {})[0] == 200
        assert self.organiser.post(f"{self.league}/rounds", {})[0] == 201
        open_tables(client)
        self.event = self.league.rpartition("/")[2]
        roles = {"head_arbiter": [self.hella], "arbiter": [self.art, self.ada, self.abe]}
        for role, people in roles.items():
            for person in people:
                wanted = {"person": person.id, "role": role, "event": self.event}
                assert self.organiser.post("/roles", wanted)[0] == 200
        (fixture, *_) = self.ann.get(f"{self.league}/seasons/1")[1]["fixtures"]
        self.match = fixture["matchId"]
        for person in (self.ann, self.ben):
            person.is_ready(self.match)
        last = self.ann.get(f"/matches/{self.match}")[1]["version"]
        status, dispute = self.ann.post(f"/matches/{self.match}/disputes", {"entry": last, "reason": "No."})
        assert status == 201, dispute
        self.path = f"/disputes/{dispute['id']}"
        assert self.art.post(f"{self.path}/rulings", RULING)[0] == 201

    def committee(self, *members: Person, by: Person | None = None, path: str = "") -> tuple[int, Any]:
        wanted = {"members": [member.id for member in members], "reason": "As announced."}
        headers = (by or self.organiser).headers
        response = self.client.put(f"/api{path or f'/committees/{self.event}'}", json=wanted, headers=headers)
        return response.status_code, response.json()


@pytest.fixture
def cup(own_client: TestClient[Any]) -> Cup:
    return Cup(own_client)


def test_a_committee_votes_in_secret_and_its_chair_announces(cup: Cup) -> None:
    refusal = cup.committee(cup.hella, cup.ada, cup.ann)
    assert (refusal[0], refusal[1]["code"]) == (422, "committee/refused")
    assert cup.ann.id not in refusal[1]["detail"], "people are named, not their ids"
    assert cup.committee(cup.hella, cup.ada, cup.abe, by=cup.ada)[1]["code"] == "role/missing"
    assert cup.committee(cup.hella, cup.ada, cup.abe)[0] == 200
    public = cup.client.get(f"/api/committees/{cup.event}").json()
    assert [member["id"] for member in public["members"]] == [cup.hella.id, cup.ada.id, cup.abe.id]
    status, appealed = cup.ben.post(f"{cup.path}/appeal", {"reason": "Unfair."})
    assert (status, appealed["hearing"]["members"][0]["id"]) == (201, cup.hella.id)
    catch_up(cup.client)
    assert [each["dispute"]["id"] for each in cup.ada.get("/disputes/queue")[1]["queue"]] == [appealed["id"]]
    assert cup.art.get("/disputes/queue")[1]["queue"] == []

    assert cup.ada.post(f"{cup.path}/motions", UPHOLD)[0] == 201
    assert cup.abe.post(f"{cup.path}/motions", {**RULING, "measures": []})[0] == 201
    for person, motion in ((cup.ada, 2), (cup.abe, 2), (cup.hella, 1)):
        assert person.post(f"{cup.path}/votes", {"motion": motion, "reason": SECRET})[0] == 201
    assert cup.art.post(f"{cup.path}/votes", {"motion": 1, "reason": "Me too."})[0] == 403
    assert cup.art.get(f"{cup.path}/position")[0] == 403
    assert cup.abe.get(f"{cup.path}/position")[0] == 200
    for outsider in (cup.ann, cup.ben, cup.art, cup.organiser):
        outsider_hearing = outsider.get(cup.path)[1]["hearing"]
        assert (outsider_hearing["motions"], outsider_hearing["votes"], outsider_hearing["decides"]) == ([], [], 0)
    inside = cup.abe.get(cup.path)[1]
    assert (inside["hearing"]["decides"], len(inside["hearing"]["votes"])) == (2, 3)
    assert cup.hella.post(f"{cup.path}/rulings", UPHOLD)[1]["code"] == "appeal/refused"
    assert cup.ada.post(f"{cup.path}/decision", {})[0] == 403
    assert cup.hella.post(f"{cup.path}/decision", {"expectedVersion": inside["version"] - 1})[0] == 409

    status, closed = cup.hella.post(f"{cup.path}/decision", {"expectedVersion": inside["version"]})

    assert (status, closed["status"], closed["rulings"][1]["motion"]) == (201, "closed", 2)
    hearing = cup.ann.get(cup.path)[1]["hearing"]
    assert {(vote["by"], vote["motion"]) for vote in hearing["votes"]} == {
        (cup.ada.id, 2),
        (cup.abe.id, 2),
        (cup.hella.id, 1),
    }
    assert [vote["reason"] for vote in hearing["votes"]] == [SECRET] * 3
    catch_up(cup.client)
    record = cup.client.get(f"/api/disputes/record?event={cup.event}").json()["acts"]
    assert [(act["kind"], act["voices"], act["members"]) for act in record[:2]] == [
        ("ruling_made", 2, 3),
        ("committee_named", 0, 3),
    ]
    assert SECRET not in str(cup.organiser.get(f"/audit?event={cup.event}"))
    page = cup.client.get(f"/leagues/{cup.event}/record").text
    assert "Arbiter actions" in page
    assert "2 of 3 votes" in page
    assert f'href="/disputes/committees/{cup.event}"' in page
    earlier = cup.client.get(f"/leagues/{cup.event}/record?of=arbiters").text
    assert ("Organisers' decisions" in earlier, "appointed an appeal committee" in earlier) == (False, True)


def test_a_committee_for_one_appeal(cup: Cup) -> None:
    path = f"{cup.path}/committee"
    assert cup.committee(cup.hella, cup.ada, cup.abe, path=path)[1]["code"] == "dispute/settled"
    cup.ben.post(f"{cup.path}/appeal", {"reason": "Unfair."})
    assert cup.committee(cup.hella, cup.ada, cup.art, path=path)[1]["code"] == "committee/refused"
    assert cup.committee(cup.hella, cup.ada, cup.abe, path=path, by=cup.ben)[0] == 403

    status, seated = cup.committee(cup.hella, cup.ada, cup.abe, path=path)

    assert (status, len(seated["hearing"]["members"]), seated["hearing"]["reason"]) == (200, 3, "As announced.")
    assert cup.hella.post(f"{cup.path}/rulings", UPHOLD)[1]["code"] == "appeal/refused"
    assert cup.organiser.get(f"/committees/{cup.match}")[0] == 404


def test_a_committee_on_pages(cup: Cup) -> None:
    organiser, chair, member, player = (
        Reader(cup.client, person) for person in (cup.organiser, cup.hella, cup.ada, cup.ben)
    )
    page = f"/disputes/committees/{cup.event}"
    assert "No committee has been appointed" in player.goes(page)
    assert "Appoint a committee" not in player.goes(page)
    names = "\n".join(person.id for person in (cup.hella, cup.ada, cup.abe))
    wrong = organiser.sends(page, page, 422, members=f"{names}\n{cup.art.id}", reason="So.")
    assert "These people cannot form an appeal committee. Choose different members." in wrong
    assert "As announced." in organiser.sends(page, page, members=names, reason="As announced.")
    player.sends(cup.path, f"{cup.path}/appeal", reason="Unfair.")
    assert "Propose a ruling" in member.goes(cup.path)
    decided = {"decision": "void", "rule": "4.2", "reasons": "It cannot stand."}
    member.sends(cup.path, f"{cup.path}/motions", more=decided)
    appeal_page = player.goes(cup.path)
    assert "Appeal committee" in appeal_page
    assert "It cannot stand." not in appeal_page
    member.sends(cup.path, f"{cup.path}/votes", motion="1", reason=SECRET)
    assert "Announce decision" not in chair.goes(cup.path)
    voted = chair.sends(cup.path, f"{cup.path}/votes", motion="1", reason="I agree.")
    assert "has the majority" in voted
    version = cup.hella.get(cup.path)[1]["version"]

    chair.sends(cup.path, f"{cup.path}/decision", expectedVersion=str(version))

    html = player.goes(cup.path)
    assert SECRET in html
    assert "decided by the committee" in html
    again = organiser.sends(cup.path, f"{cup.path}/committee", 409, members=names, reason="So.")
    assert "settled" in again
