"""The service token: valid on the private socket only, and required to act for bots and HOUSE."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import pytest
from litestar.testing import TestClient

from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.eventstore.writer_lock import StoreBusy
from domain.kernel.rules import SERVICE_SEAT
from domain.matches.aggregate import Match, legal_actions, seats_to_act
from domain.matches.facts import SERVICE, Clock, Table
from tests.api.service import SERVICE_TOKEN, Answer, Sockets, behind_sockets, settings_in
from tests.seeding import entropy
from tests.service_app import create_app

MATCH: Final = UUID(int=1)
LONG_AGO: Final = datetime(2026, 5, 1, tzinfo=UTC)


def bots_alone(sockets: Sockets, token: str) -> str:
    """Start a match of two bots."""
    match_id = str(sockets.ask("POST", "/matches", {"title": "la_granja", "seats": 2}, token)[1]["matchId"])
    for seat in (0, 1):
        assert sockets.ask("POST", f"/matches/{match_id}/seats", {"seat": seat, "bot": "random"}, token)[0] == 201
    return match_id


def fetch_duty(sockets: Sockets, match_id: str) -> Any:
    status, owed = sockets.ask("GET", f"/matches/{match_id}/owed", token=SERVICE_TOKEN, private=True)
    assert status == 200, owed
    return owed


def test_the_service_token_is_unknown_at_the_public_port(tmp_path: Path) -> None:
    with behind_sockets(tmp_path) as sockets:
        public = sockets.ask("GET", "/me", token=SERVICE_TOKEN)
        private = sockets.ask("GET", "/me", token=SERVICE_TOKEN, private=True)

    assert (public[0], public[1]["code"]) == (401, "caller/unknown")
    assert (private[0], private[1]["isService"]) == (200, True)


def test_an_owed_decision_includes_everything_a_bot_may_know(tmp_path: Path) -> None:
    with behind_sockets(tmp_path) as sockets:
        match_id = bots_alone(sockets, sockets.token_of("Ann"))

        duty = fetch_duty(sockets, match_id)

    assert duty["by"] == "bot:random@1"
    assert len(bytes.fromhex(duty["seed"])) == 32
    assert duty["view"]["seat"] == duty["seat"]
    assert duty["actions"]
    hands = [len(farm["hand"]) for farm in duty["view"]["farms"]]
    assert [hand > 0 for hand in hands] == [seat == duty["seat"] for seat in (0, 1)]


def test_bots_play_a_match_to_its_end_by_the_private_socket_and_the_house_sells_once(tmp_path: Path) -> None:
    with behind_sockets(tmp_path) as sockets:
        match_id = bots_alone(sockets, sockets.token_of("Ann"))

        def act(wanted: Any) -> Answer:
            return sockets.ask("POST", f"/matches/{match_id}/actions", wanted, SERVICE_TOKEN, private=True)

        sold = 0
        while (duty := fetch_duty(sockets, match_id))["seat"] is not None:
            wanted = {"expectedVersion": duty["version"], "seat": duty["seat"], "action": duty["actions"][0]}
            status, body = act(wanted)
            assert status == 201, body
            sold += duty["seat"] == SERVICE_SEAT
        again = act(wanted | {"expectedVersion": duty["version"]})
        match = sockets.ask("GET", f"/matches/{match_id}")[1]

    assert sold == 1
    assert (again[0], again[1]["code"]) == (409, "match/over")
    assert match["status"] == "ended"
    assert 1 in match["ranking"]


def test_taking_an_owed_decision_returns_the_next_one(tmp_path: Path) -> None:
    with behind_sockets(tmp_path) as sockets:
        token = sockets.token_of("Ann")
        match_id = bots_alone(sockets, token)
        duty, path = fetch_duty(sockets, match_id), f"/matches/{match_id}/owed"
        wanted = {"expectedVersion": duty["version"], "seat": duty["seat"], "action": duty["actions"][0]}

        by_person = sockets.ask("POST", path, wanted, token)
        status, after = sockets.ask("POST", path, wanted, SERVICE_TOKEN, private=True)
        again = sockets.ask("POST", path, wanted, SERVICE_TOKEN, private=True)
        late = sockets.ask("POST", path, wanted | {"action": duty["actions"][1]}, SERVICE_TOKEN, private=True)
        shown = fetch_duty(sockets, match_id)

    assert (by_person[0], by_person[1]["code"]) == (403, "caller/forbidden")
    assert (status, after["version"]) == (201, duty["version"] + 1)
    assert after == shown
    assert again == (201, after), "the same again gets the first answer"
    assert (late[0], late[1]["code"]) == (409, "match/stale")


def test_a_person_acts_neither_for_a_bot_nor_for_the_house(tmp_path: Path) -> None:
    with behind_sockets(tmp_path) as sockets:
        token = sockets.token_of("Ann")
        match_id = bots_alone(sockets, token)
        duty = fetch_duty(sockets, match_id)

        for seat in (duty["seat"], SERVICE_SEAT):
            for private in (False, True):
                wanted = {"expectedVersion": duty["version"], "seat": seat, "action": duty["actions"][0]}
                status, problem = sockets.ask("POST", f"/matches/{match_id}/actions", wanted, token, private=private)
                assert (status, problem["code"]) == (403, "seat/not_yours")


def test_the_service_acts_for_no_person(tmp_path: Path) -> None:
    with behind_sockets(tmp_path) as sockets:
        token = sockets.token_of("Ann")
        match_id = str(sockets.ask("POST", "/matches", {"title": "la_granja", "seats": 2}, token)[1]["matchId"])
        sockets.ask("POST", f"/matches/{match_id}/seats", {"seat": 0}, token)
        sockets.ask("POST", f"/matches/{match_id}/seats", {"seat": 1, "bot": "greedy"}, token)
        sockets.ask("POST", f"/matches/{match_id}/ready", {}, token)
        wanted = {"expectedVersion": 6, "action": {"type": "la_granja.pass"}}

        for seat in (0, None):
            status, problem = sockets.ask(
                "POST", f"/matches/{match_id}/actions", wanted | {"seat": seat}, SERVICE_TOKEN, private=True
            )
            assert (status, problem["code"]) == (403, "seat/not_yours")


def in_store(folder: Path, table: Table) -> Match:
    """Store an old match of la granja between a person and a bot, before the service starts."""
    matches = open_store(store_env(settings_in(folder).log_place), entropy=entropy())
    match = matches.open(MATCH, title="la_granja", seats=2, by="ann", at=LONG_AGO, table=table)
    for seat, player in enumerate(("ann", "bot:random@1")):
        match = matches.take_seat(MATCH, seat, player, at=LONG_AGO)
    matches.close()
    return match


def test_a_time_out_is_for_the_service_and_for_the_present_version(tmp_path: Path) -> None:
    in_store(tmp_path, Table(clock=Clock("per_move", 60), time_out="bot"))
    matches = open_store(store_env(settings_in(tmp_path).log_place), entropy=entropy())
    match = matches.ready(MATCH, 0, "ann", at=LONG_AGO)
    while (seat := seats_to_act(match)[0]) != 0:
        action = legal_actions(match, seat)[0]
        by = SERVICE if seat == SERVICE_SEAT else "bot:random@1"
        match = matches.act(MATCH, seat, by, action, expected_version=match.version, at=LONG_AGO)
    matches.close()
    with behind_sockets(tmp_path) as sockets:
        token, path = sockets.token_of("Ann"), f"/matches/{MATCH}/time-outs"
        late = {"expectedVersion": match.version, "seat": 0}

        by_person = sockets.ask("POST", path, late, token)
        stale = sockets.ask("POST", path, late | {"expectedVersion": 1}, SERVICE_TOKEN, private=True)
        response = sockets.ask("POST", path, late, SERVICE_TOKEN, private=True)
        again = sockets.ask("POST", path, late, SERVICE_TOKEN, private=True)

    assert (by_person[0], by_person[1]["code"]) == (403, "caller/forbidden")
    assert (stale[0], stale[1]["code"]) == (409, "match/stale")
    assert (response[0], response[1]["seats"][0]["player"]["id"]) == (201, "bot:greedy@2")
    assert again[0] == 409


def test_a_time_out_that_contradicts_the_clock_is_rejected(tmp_path: Path) -> None:
    with behind_sockets(tmp_path) as sockets:
        token = sockets.token_of("Ann")
        wanted = {"title": "la_granja", "seats": 2, "table": {"clock": {"kind": "per_move", "seconds": 3600}}}
        match_id = str(sockets.ask("POST", "/matches", wanted, token)[1]["matchId"])
        sockets.ask("POST", f"/matches/{match_id}/seats", {"seat": 0}, token)
        sockets.ask("POST", f"/matches/{match_id}/seats", {"seat": 1, "bot": "greedy"}, token)
        version = sockets.ask("POST", f"/matches/{match_id}/ready", {}, token)[1]["version"]
        answers = [
            sockets.ask(
                "POST",
                f"/matches/{match_id}/time-outs",
                {"expectedVersion": version, "seat": seat},
                SERVICE_TOKEN,
                private=True,
            )
            for seat in (0, 1)
        ]

    assert {(status, problem["code"]) for status, problem in answers} == {(409, "time_out/refused")}


def test_a_seat_that_never_gets_ready_is_freed_when_the_service_says_so(tmp_path: Path) -> None:
    match = in_store(tmp_path, Table(clock=Clock("per_move", 60)))
    with behind_sockets(tmp_path) as sockets:
        token, path = sockets.token_of("Ann"), f"/matches/{MATCH}/deadlines"
        wanted = {"expectedVersion": match.version}

        by_person = sockets.ask("POST", path, wanted, token)
        freed = sockets.ask("POST", path, wanted, SERVICE_TOKEN, private=True)
        again = sockets.ask("POST", path, wanted, SERVICE_TOKEN, private=True)

    assert (by_person[0], by_person[1]["code"]) == (403, "caller/forbidden")
    assert (freed[0], freed[1]["seats"][0]["player"]) == (201, None)
    assert again[0] == 409


def test_a_second_service_on_the_same_folder_is_refused(tmp_path: Path) -> None:
    with behind_sockets(tmp_path) as sockets:
        assert sockets.ask("GET", "/health") == (200, {"status": "ok"})

        with pytest.raises(BaseExceptionGroup) as errors, TestClient(create_app(settings_in(tmp_path), entropy())):
            pass

    assert errors.group_contains(StoreBusy, match="another process is using")


@pytest.mark.parametrize("path", ["/api/health", "/api/matches", "/", "/sign-in", "/static/esporles.css", "/nowhere"])
def test_head_requests_return_headers_only(client: TestClient[Any], path: str) -> None:
    whole, head = client.get(path), client.head(path)

    assert (head.status_code, head.content) == (whole.status_code, b"")
    assert head.headers["content-type"] == whole.headers["content-type"]
