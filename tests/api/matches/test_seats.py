"""Seats: who may sit where, leave, be ready, hand over, resign, pause."""

import hashlib
from typing import Any

import pytest

from tests.api.house import Person, started


def test_nobody_sits_in_two_seats(ann: Person) -> None:
    match_id = ann.opens(2)
    ann.sits(match_id, 0)

    status, problem = ann.post(f"/matches/{match_id}/seats", {"seat": 1})

    assert (status, problem["code"]) == (409, "seat/seated_already")


@pytest.mark.parametrize(("seat", "status", "code"), [(0, 409, "seat/taken"), (7, 422, "seat/unknown")])
def test_a_seat_that_is_not_free_is_refused(ann: Person, ben: Person, seat: int, status: int, code: str) -> None:
    match_id = ann.opens(2)
    ann.sits(match_id, 0)

    answered, problem = ben.post(f"/matches/{match_id}/seats", {"seat": seat})

    assert (answered, problem["code"]) == (status, code)


def test_only_who_opened_the_table_puts_bots_on_seats(ann: Person, ben: Person) -> None:
    match_id = ann.opens(2)

    assert ben.post(f"/matches/{match_id}/seats", {"seat": 1, "bot": "greedy"})[1]["code"] == "match/not_allowed"
    assert ann.post(f"/matches/{match_id}/seats", {"seat": 1, "bot": "nobody"})[1]["code"] == "actor/unknown"
    status, match = ann.post(f"/matches/{match_id}/seats", {"seat": 1, "bot": "greedy"})

    assert status == 201
    assert match["seats"][1]["player"] == {"kind": "bot", "id": "bot:greedy@2", "name": "Greedy bot"}
    assert match["seats"][1]["ready"]


def test_a_player_may_leave_and_be_sent_away_before_the_start(ann: Person, ben: Person) -> None:
    match_id = ann.opens(2)
    ann.sits(match_id, 0)
    ben.sits(match_id, 1)

    assert ben.delete(f"/matches/{match_id}/seats/0")[1]["code"] == "seat/not_yours"
    assert ann.delete(f"/matches/{match_id}/seats/1")[0] == 200
    status, match = ann.delete(f"/matches/{match_id}/seats/0")

    assert status == 200
    assert [seat["player"] for seat in match["seats"]] == [None, None]


def test_a_share_of_luck_is_committed_first_and_opened_when_ready(ann: Person) -> None:
    match_id = ann.opens(2)
    share, salt = "ab" * 32, "cd" * 32
    commitment = hashlib.sha256(bytes.fromhex(salt) + f'"{share}"'.encode()).hexdigest()
    ann.post(f"/matches/{match_id}/seats", {"seat": 0, "shareCommitment": commitment})
    ann.post(f"/matches/{match_id}/seats", {"seat": 1, "bot": "greedy"})

    wrong = ann.post(f"/matches/{match_id}/ready", {"share": "00" * 32, "salt": salt})
    right = ann.post(f"/matches/{match_id}/ready", {"share": share, "salt": salt})

    assert (wrong[0], wrong[1]["code"]) == (422, "share/wrong")
    assert (right[0], right[1]["status"]) == (201, "running")


def test_a_match_starts_when_the_last_seat_is_ready(ann: Person, ben: Person) -> None:
    match_id = ann.opens(2)
    ann.sits(match_id, 0)
    ben.sits(match_id, 1)

    assert ann.is_ready(match_id)["status"] == "open"
    assert ben.is_ready(match_id)["status"] == "running"


def test_a_player_hands_over_to_a_bot(ann: Person, ben: Person) -> None:
    match_id = started(ann, ben)

    assert ben.post(f"/matches/{match_id}/seats/0/player", {"bot": "greedy"})[1]["code"] == "seat/not_yours"
    status, match = ann.post(f"/matches/{match_id}/seats/0/player", {"bot": "greedy"})

    assert status == 201
    assert match["seats"][0]["player"]["kind"] == "bot"
    assert match["seat"] is None


def test_a_pause_comes_when_everybody_asks_and_anybody_ends_it(ann: Person, ben: Person) -> None:
    match_id = started(ann, ben)

    assert ann.post(f"/matches/{match_id}/pause", {})[1]["status"] == "running"
    assert ben.post(f"/matches/{match_id}/pause", {})[1]["status"] == "paused"
    assert ann.legal(match_id)["actions"] == []
    assert ann.delete(f"/matches/{match_id}/pause")[1]["status"] == "running"


def test_who_resigns_is_placed_last(ann: Person, ben: Person) -> None:
    match_id = started(ann, ben)

    status, match = ann.post(f"/matches/{match_id}/resignation", {})

    assert (status, match["status"], match["ranking"]) == (201, "ended", [2, 1])
    assert match["seats"][0]["resigned"]


def test_the_lobby_shows_names_and_leaves_private_tables_out(ann: Person) -> None:
    private: Any = {"table": {"public": False}}
    ann.opens(2, **private)

    assert ann.get("/matches") == (200, {"matches": [], "next": None})
