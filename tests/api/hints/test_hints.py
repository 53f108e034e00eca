"""Hints at tables of one person and bots: the best action, and the cost of a blunder."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

import msgspec
import pytest
from litestar.exceptions import ClientException
from litestar.testing import TestClient

from api.hints.service import HINTS, HintService
from api.http.guards import Caller
from api.matches.service import MATCHES
from domain.analyses.report import Choice
from domain.hints import Advice, HintTask, Kind, Marked
from domain.kernel.messages import Message
from tests.api.service import Member, Person
from workers.hints import give_hint

WITH_HINTS: Final = {"table": {"hints": True}}
BOT: Final = "greedy"


class WorkerApi:
    """The API of a worker, calling the service in this process."""

    def __init__(self, client: TestClient[Any]) -> None:
        self._client = client
        self._hints = HintService(MATCHES.of(client), HINTS.of(client), Caller(is_service=True))
        self.tasks = list[HintTask]()

    def read_hint_task(self, match_id: str, version: int, kind: Kind) -> HintTask | None:
        task = self._client.blocking_portal.call(self._hints.load_task, UUID(match_id), version, kind)
        self.tasks.append(task)
        return task

    def hand_in_hint(self, match_id: str, version: int, kind: Kind, advice: Advice) -> bool:
        document = msgspec.json.encode(advice).decode()
        self._client.blocking_portal.call(self._hints.store_result, UUID(match_id), version, kind, document)
        return True

    def holds(self, match_id: str) -> bool:
        return bool(self._client.blocking_portal.call(self._hints.has_waiting_bots, UUID(match_id)))


def at_table(person: Person, **table: Any) -> str:
    """Start a match of El Grande against a bot with hints, on the person's turn."""
    match_id = person.opens(2, title="el_grande", table={"hints": True, **table})
    person.sits(match_id, 0)
    assert person.post(f"/matches/{match_id}/seats", {"seat": 1, "bot": BOT})[0] == 201
    person.is_ready(match_id)
    bots_play(person.client, match_id)
    return match_id


def bots_play(client: TestClient[Any], match_id: str) -> None:
    """Let the bot play its first legal action until it is the person's turn."""
    tables, by, call = MATCHES.of(client), Caller(is_service=True), client.blocking_portal.call
    owed = call(tables.duties.read_duty, UUID(match_id))
    while owed.seat is not None:
        owed = call(tables.duties.take_owed, UUID(match_id), by, owed.actions[0], owed.version, owed.seat)


def test_a_hint_uses_only_the_view_of_the_seat(client: TestClient[Any], ann: Person) -> None:
    match_id, worker = at_table(ann), WorkerApi(client)
    assert ann.get(f"/matches/{match_id}/hint")[1]["stage"] == "none"
    status, body = ann.post(f"/matches/{match_id}/hint", {})
    assert (status, body["stage"], body["choices"]) == (202, "waiting", [])
    version = body["version"]

    assert give_hint(worker, match_id, version, "hint")

    hint = ann.get(f"/matches/{match_id}/hint")[1]
    legal = ann.legal(match_id)["actions"]
    assert hint["stage"] == "done"
    assert 2 <= len(hint["choices"]) <= 3
    assert [choice["action"] for choice in hint["choices"]] == [
        next(each["action"] for each in legal if each["text"] == choice["told"]) for choice in hint["choices"]
    ]
    assert any(choice["reasons"] for choice in hint["choices"])
    view = ann.get(f"/matches/{match_id}")[1]["view"]
    assert msgspec.json.decode(worker.tasks[0].view) == view, "a worker is handed what the seat sees"


def blunder(action: Any) -> Advice:
    """Return a worker's result that is certain of a blunder."""
    played = Choice(msgspec.Raw(msgspec.json.encode(action)), Message("this"), -900, 1_000, 8)
    best = Choice(msgspec.Raw(b"{}"), Message("that"), 900, 6_000, 8)
    return Advice((Marked(best, ()),), played, 100)


def test_bots_wait_after_a_blunder_until_it_is_taken_back_or_kept(client: TestClient[Any], ann: Person) -> None:
    match_id, worker = at_table(ann), WorkerApi(client)
    before = ann.legal(match_id)
    assert ann.acts(match_id)[0] == 201
    waiting = ann.get(f"/matches/{match_id}/hint")[1]["verdict"]
    assert (waiting["entry"], waiting["stage"]) == (before["version"] + 1, "waiting")

    worker.hand_in_hint(match_id, before["version"], "verdict", blunder(before["actions"][0]["action"]))

    verdict = ann.get(f"/matches/{match_id}/hint")[1]["verdict"]
    assert (verdict["grade"], verdict["loss"], verdict["best"]) == ("blunder", 5_000, "that")
    assert (verdict["takeBackTo"], verdict["forkAt"], verdict["waits"]) == (before["version"], None, True)
    assert worker.holds(match_id)
    assert ann.post(f"/matches/{match_id}/hint/kept", {})[0] == 204
    assert not worker.holds(match_id)
    assert ann.post(f"/matches/{match_id}/take-backs", {"toVersion": before["version"]})[0] == 201
    assert ann.get(f"/matches/{match_id}/hint")[1]["verdict"] is None
    assert ann.legal(match_id)["actions"] == before["actions"]

    ann.acts(match_id)
    ann.get(f"/matches/{match_id}/hint")
    worker.hand_in_hint(match_id, before["version"] + 2, "verdict", blunder(before["actions"][0]["action"]))
    again = ann.get(f"/matches/{match_id}/hint")[1]["verdict"]
    assert (again["entry"], again["takeBackTo"], again["waits"]) == (before["version"] + 3, before["version"] + 2, True)


def test_without_take_backs_a_fork_starts_before_the_blunder(client: TestClient[Any], ann: Person) -> None:
    match_id, worker = at_table(ann, takeBacks=0), WorkerApi(client)
    before = ann.legal(match_id)
    ann.acts(match_id)
    ann.get(f"/matches/{match_id}/hint")

    worker.hand_in_hint(match_id, before["version"], "verdict", blunder(before["actions"][0]["action"]))

    verdict = ann.get(f"/matches/{match_id}/hint")[1]["verdict"]
    assert (verdict["takeBackTo"], verdict["forkAt"], verdict["waits"]) == (None, before["version"], False)
    status, fork = ann.post(f"/matches/{match_id}/forks", {"at": verdict["forkAt"]})
    assert status == 201, fork
    assert fork["table"]["hints"] is True
    assert [seat["player"]["kind"] for seat in fork["seats"]] == ["person", "bot"]
    body = ann.get(f"/matches/{match_id}")[1]
    assert [seat["player"]["kind"] for seat in body["seats"]] == ["bot", "bot"], "a bot ends what is not played on"
    refusal = ann.post(f"/matches/{match_id}/forks", {"at": verdict["forkAt"], "luck": "same"})
    assert (refusal[0], refusal[1]["code"]) == (422, "fork/refused")


def test_a_fork_has_no_verdict_on_earlier_choices(client: TestClient[Any], ann: Person) -> None:
    match_id = at_table(ann)
    assert ann.acts(match_id)[0] == 201
    bots_play(client, match_id)
    assert ann.get(f"/matches/{match_id}/hint")[1]["verdict"] is not None

    status, fork = ann.post(f"/matches/{match_id}/forks", {"at": ann.legal(match_id)["version"]})

    assert status == 201, fork
    assert ann.get(f"/matches/{fork['matchId']}/hint")[1]["verdict"] is None


def test_hints_need_a_table_with_hints_and_only_bots_as_opponents(
    client: TestClient[Any], ann: Person, ben: Person
) -> None:
    member = Member(client, "Rosa")
    plain, table = ann.opens(2), {"clock": {"kind": "per_move", "seconds": 60}, "rated": True, "hints": True}
    ann.sits(plain, 0)
    mine = ann.opens(3, **WITH_HINTS)
    ann.sits(mine, 0)

    answers = [
        ann.get(f"/matches/{plain}/hint"),
        member.post("/matches", {"title": "la_granja", "seats": 2, "table": table}),
        ben.post(f"/matches/{mine}/seats", {"seat": 1}),
        ann.post(f"/matches/{mine}/hint", {}),
    ]

    assert [(status, problem["code"]) for status, problem in answers] == [
        (409, "hints/refused"),
        (409, "hints/refused"),
        (409, "hints/refused"),
        (409, "match/not_running"),
    ]
    assert ben.get(f"/matches/{mine}/hint")[1]["code"] == "seat/not_yours"


def test_an_invalid_result_is_rejected(client: TestClient[Any]) -> None:
    service = HintService(MATCHES.of(client), HINTS.of(client), Caller(is_service=True))

    with pytest.raises(ClientException, match="invalid advice:"):
        client.blocking_portal.call(service.store_result, UUID(int=1), 1, "hint", "{}")
