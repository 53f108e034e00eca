"""Seats over HTTP: take, leave, get ready, hand over, resign, pause."""

import hashlib
from typing import Any
from uuid import UUID

import pytest

from tests.api.service import Person, start_match


def test_a_person_cannot_take_two_seats(ann: Person) -> None:
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


SHARE, SALT = "ab" * 32, "cd" * 32


def compute_commitment(match_id: str, seat: int, player: Person) -> str:
    """Return the commitment that a client sends (docs/specifications/chance.md)."""
    prefix = UUID(match_id).bytes + seat.to_bytes(4, "big")
    secret = bytes.fromhex(SALT + SHARE) + player.id.encode()
    return hashlib.sha256(b"esporles.share/2\0" + prefix + secret).hexdigest()


def test_a_share_of_luck_is_committed_first_and_opened_when_the_table_is_closed(ann: Person) -> None:
    match_id = ann.opens(2)
    ann.post(f"/matches/{match_id}/seats", {"seat": 0, "shareCommitment": compute_commitment(match_id, 0, ann)})

    early = ann.post(f"/matches/{match_id}/ready", {"share": SHARE, "salt": SALT})
    ann.post(f"/matches/{match_id}/seats", {"seat": 1, "bot": "greedy"})
    wrong = ann.post(f"/matches/{match_id}/ready", {"share": "00" * 32, "salt": SALT})
    right = ann.post(f"/matches/{match_id}/ready", {"share": SHARE, "salt": SALT})

    assert early[0] == 403, early
    assert (wrong[0], wrong[1]["code"]) == (422, "share/wrong")
    assert (right[0], right[1]["status"]) == (201, "running")


def test_a_share_of_luck_may_follow_when_the_table_is_known(ann: Person, ben: Person) -> None:
    match_id = ann.opens(2)
    ann.post(f"/matches/{match_id}/seats", {"seat": 0, "ownLuck": True})
    ben.sits(match_id, 1)
    assert ben.is_ready(match_id)["status"] == "open"

    nobody = ben.post(f"/matches/{match_id}/share", {"shareCommitment": compute_commitment(match_id, 0, ann)})
    done = ann.post(f"/matches/{match_id}/share", {"shareCommitment": compute_commitment(match_id, 0, ann)})
    again = ann.post(f"/matches/{match_id}/share", {"shareCommitment": "00" * 32})
    ready = ann.post(f"/matches/{match_id}/ready", {"share": SHARE, "salt": SALT})

    assert nobody[0] == 403, nobody
    assert done[0] == 201
    assert again[0] == 403, again
    assert (ready[0], ready[1]["status"]) == (201, "running")


def test_a_fork_awaits_the_share_of_its_player(ann: Person) -> None:
    match_id = ann.opens(2)
    ann.sits(match_id, 0)
    ann.post(f"/matches/{match_id}/seats", {"seat": 1, "bot": "random"})
    version = ann.is_ready(match_id)["version"]
    assert ann.post(f"/matches/{match_id}/resignation", {})[1]["status"] == "ended"

    fork = ann.post(f"/matches/{match_id}/forks", {"at": version, "ownLuck": True})[1]
    fork_id = fork["matchId"]
    ann.post(f"/matches/{fork_id}/share", {"shareCommitment": compute_commitment(fork_id, 0, ann)})
    ready = ann.post(f"/matches/{fork_id}/ready", {"share": SHARE, "salt": SALT})

    assert (fork["status"], fork["toAct"]) == ("waiting", [])
    assert (ready[0], ready[1]["status"]) == (201, "running")


def test_a_match_starts_when_the_last_seat_is_ready(ann: Person, ben: Person) -> None:
    match_id = ann.opens(2)
    ann.sits(match_id, 0)
    ben.sits(match_id, 1)

    assert ann.is_ready(match_id)["status"] == "open"
    assert ben.is_ready(match_id)["status"] == "running"


def test_a_player_hands_over_to_a_bot(ann: Person, ben: Person) -> None:
    match_id = start_match(ann, ben)

    assert ben.post(f"/matches/{match_id}/seats/0/player", {"bot": "greedy"})[1]["code"] == "seat/not_yours"
    status, match = ann.post(f"/matches/{match_id}/seats/0/player", {"bot": "greedy"})

    assert status == 201
    assert match["seats"][0]["player"]["kind"] == "bot"
    assert match["seat"] is None


def test_a_pause_starts_when_everyone_asks_and_any_player_ends_it(ann: Person, ben: Person) -> None:
    match_id = start_match(ann, ben)

    assert ann.post(f"/matches/{match_id}/pause", {})[1]["status"] == "running"
    assert ben.post(f"/matches/{match_id}/pause", {})[1]["status"] == "paused"
    assert ann.legal(match_id)["actions"] == []
    assert ann.delete(f"/matches/{match_id}/pause")[1]["status"] == "running"


def test_who_resigns_is_placed_last(ann: Person, ben: Person) -> None:
    match_id = start_match(ann, ben)

    status, match = ann.post(f"/matches/{match_id}/resignation", {})

    assert (status, match["status"], match["ranking"]) == (201, "ended", [2, 1])
    assert match["seats"][0]["resigned"]


def test_the_lobby_shows_names_and_leaves_private_tables_out(ann: Person) -> None:
    private: Any = {"table": {"public": False}}
    ann.opens(2, **private)

    assert ann.get("/matches") == (200, {"matches": [], "next": None})
