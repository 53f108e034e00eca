"""Calls for an arbiter: at the table of an event, in the officials' queue, and on their pages."""

from __future__ import annotations

from typing import Any

import pytest
from litestar.testing import TestClient

from tests.api.disputes.test_committees import Cup
from tests.api.disputes.test_dispute_pages import Reader
from tests.api.service import Person, catch_up, start_match


@pytest.fixture
def cup(own_client: TestClient[Any]) -> Cup:
    return Cup(own_client)


def test_a_call_over_the_api(cup: Cup) -> None:
    path = f"/matches/{cup.match}/calls"
    assert cup.ann.get(path)[1]["code"] == "call/refused"
    status, call = cup.ann.post(path, {"words": "Who has the die?"})
    assert (status, call["status"], call["officialName"]) == (201, "open", None)
    assert cup.ben.post(path, {})[1]["code"] == "call/refused"
    catch_up(cup.client)
    for official in (cup.art, cup.organiser, cup.olga):
        assert [each["words"] for each in official.get("/disputes/calls")[1]["calls"]] == ["Who has the die?"]
    assert cup.ann.get("/disputes/calls")[0] == 403
    refusal = cup.ann.post(f"{path}/presence", {"here": True})
    assert (refusal[0], cup.ann.id in refusal[1]["detail"]) == (403, False), refusal
    status, body = cup.art.post(f"{path}/presence", {})
    assert (status, body["status"], bool(body["officialName"])) == (201, "looking", True)
    assert cup.organiser.post(f"{path}/presence", {"here": True})[1]["status"] == "here"
    assert cup.organiser.post(f"{path}/answer", {"words": "Ben."})[1]["answer"] == "Ben."
    assert cup.ann.delete(path)[1]["code"] == "call/refused"
    catch_up(cup.client)
    assert cup.art.get("/disputes/calls")[1]["calls"] == []
    assert Person(cup.client).get(path)[0] == 403


def test_a_casual_table_has_no_calls(ann: Person, ben: Person, client: TestClient[Any]) -> None:
    match_id = start_match(ann, ben)

    assert ann.post(f"/matches/{match_id}/calls", {})[1]["code"] == "call/refused"
    assert "Call an arbiter" not in Reader(client, ann).goes(f"/tables/{match_id}")


def test_the_table_shows_the_official_who_handles_a_call(cup: Cup) -> None:
    table = f"/tables/{cup.match}"
    player, other, arbiter = (Reader(cup.client, person) for person in (cup.ann, cup.ben, cup.art))
    before = player.goes(table)
    assert "Call an arbiter" in before
    assert "Dispute: decided" in before, "the state of the dispute stands at the table"
    called = player.sends(table, f"{table}/calls", words="Who has the die?")
    assert "Arbiter called" in called
    assert "Cancel call" in called
    catch_up(cup.client)
    waiting = arbiter.goes("/disputes/queue")
    assert "Who has the die?" in waiting

    arbiter.sends("/disputes/queue", f"{table}/calls/presence", here="false")
    assert "is on the way" in other.goes(table)
    assert "Cancel call" not in other.goes(table)
    arbiter.sends("/disputes/queue", f"{table}/calls/presence", here="true")
    assert "is at the table" in other.goes(table)
    arbiter.sends("/disputes/queue", f"{table}/calls/answer", words="Ben.")
    assert "answered the call" in player.goes(table)
    assert "Call an arbiter" not in Reader(cup.client, Person(cup.client)).goes(table), "it is for players"
    player.sends(table, f"{table}/calls", 409, words="Again.")
