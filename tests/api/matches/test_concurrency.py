"""Concurrent requests: one wins per version, none is lost, and the chain stays intact."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from threading import Barrier
from typing import Any

from domain.matches.log.log_files import parse_log
from tests.api.service import Answer, Sockets, behind_sockets

CLIENTS = 20


def run_at_once(calls: list[Callable[[], Answer]]) -> list[Answer]:
    """Run all calls at once, each on a separate thread and connection."""
    together = Barrier(len(calls))

    def run(call: Callable[[], Answer]) -> Answer:
        together.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def running(sockets: Sockets, tokens: list[str]) -> str:
    """Start a match of these people."""
    wanted = {"title": "la_granja", "seats": len(tokens)}
    match_id = str(sockets.ask("POST", "/matches", wanted, tokens[0])[1]["matchId"])
    for seat, token in enumerate(tokens):
        assert sockets.ask("POST", f"/matches/{match_id}/seats", {"seat": seat}, token)[0] == 201
    for token in tokens:
        assert sockets.ask("POST", f"/matches/{match_id}/ready", {}, token)[0] == 201
    return match_id


def legal(sockets: Sockets, match_id: str, token: str) -> Any:
    return sockets.ask("GET", f"/matches/{match_id}/legal-actions", token=token)[1]


def chain_holds(sockets: Sockets, match_id: str) -> bool:
    connection = sockets.connection()
    connection.request("GET", f"/api/matches/{match_id}/log")
    log = parse_log(connection.getresponse().read())
    connection.close()
    return log.header.entries == len(log.entries)


def test_of_twenty_clients_with_one_expected_version_exactly_one_wins(tmp_path: Path) -> None:
    with behind_sockets(tmp_path) as sockets:
        tokens = [sockets.token_of(name) for name in ("Ann", "Ben")]
        match_id = running(sockets, tokens)
        acting = sockets.ask("GET", f"/matches/{match_id}")[1]["toAct"][0]
        token, choices = tokens[acting], legal(sockets, match_id, tokens[acting])
        version, actions = choices["version"], [choice["action"] for choice in choices["actions"][:CLIENTS]]
        assert len(actions) == CLIENTS

        def act(action: Any) -> Answer:
            wanted = {"expectedVersion": version, "action": action}
            return sockets.ask("POST", f"/matches/{match_id}/actions", wanted, token)

        answers = run_at_once([partial(act, action) for action in actions])

        assert Counter(status for status, _ in answers) == {201: 1, 409: CLIENTS - 1}
        assert {answer["code"] for status, answer in answers if status == 409} == {"match/stale"}
        assert {answer["version"] for _, answer in answers} == {version + 1}
        assert sockets.ask("GET", f"/matches/{match_id}/entries?after={version}")[1]["version"] == version + 1
        assert chain_holds(sockets, match_id)


def test_four_seats_choosing_donkeys_at_the_same_moment_all_succeed(tmp_path: Path) -> None:
    with behind_sockets(tmp_path) as sockets:
        tokens = [sockets.token_of(name) for name in ("Ann", "Ben", "Cid", "Dee")]
        match_id = running(sockets, tokens)
        while not (match := sockets.ask("GET", f"/matches/{match_id}")[1])["phase"].endswith("/donkeys"):
            choices = legal(sockets, match_id, tokens[match["toAct"][0]])
            wanted = {"expectedVersion": choices["version"], "action": choices["actions"][0]["action"]}
            assert sockets.ask("POST", f"/matches/{match_id}/actions", wanted, tokens[match["toAct"][0]])[0] == 201
        chosen = {token: legal(sockets, match_id, token)["actions"][1]["action"] for token in tokens}
        assert {action["type"] for action in chosen.values()} == {"la_granja.choose_donkey"}

        def choose(token: str) -> Answer:
            wanted = {"expectedVersion": match["version"], "action": chosen[token]}
            return sockets.ask("POST", f"/matches/{match_id}/actions", wanted, token)

        answers = run_at_once([partial(choose, token) for token in tokens])

        assert Counter(status for status, _ in answers) == {201: 4}
        assert not sockets.ask("GET", f"/matches/{match_id}")[1]["phase"].endswith("/donkeys")
        assert chain_holds(sockets, match_id)
