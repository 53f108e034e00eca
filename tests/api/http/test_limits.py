"""Rate limits, counted for each caller; the service itself is exempt."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPResponse
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import msgspec
import pytest
from litestar.exceptions import TooManyRequestsException
from litestar.routes import HTTPRoute
from litestar.testing import TestClient

from api.http.app_state import AppKey
from api.http.guards import Caller
from api.http.stream_responses import StreamOutput, StreamResponse
from api.http.streams import STREAMS, Streams
from projections.platform.clock import now
from projections.platform.setting_values import BadSetting
from projections.platform.settings import Settings
from tests.api.service import PASSWORD, SERVICE_TOKEN, Person, Sockets, behind_sockets, settings_in
from tests.seeding import entropy
from tests.service_app import create_app

FEW = 3
WATCHED: Final = AppKey[str]("watched")
"""The match that the streams of a test follow."""
MORE = 2
"""Requests beyond the limit: if the minute ends in between, one more than `FEW` may pass."""


def strict(folder: Path) -> Settings:
    return msgspec.structs.replace(settings_in(folder), changes_per_minute=FEW, accounts_per_minute=FEW)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient[Any]]:
    with TestClient(create_app(strict(tmp_path), entropy())) as client:
        yield client


def test_too_many_changes_per_minute_give_429(client: TestClient[Any]) -> None:
    person, other = Person(client), Person(client)
    wanted = {"title": "la_granja", "seats": 2}

    for _ in range(FEW):
        assert person.post("/matches", wanted)[0] == 201
    for _ in range(MORE):
        refusal = client.post("/api/matches", json=wanted, headers=person.headers)

    assert refusal.status_code == 429
    assert refusal.json()["code"] == "caller/too_many_requests"
    assert 0 < int(refusal.headers["retry-after"]) <= 120
    assert person.get("/matches")[0] == 200
    assert other.post("/matches", wanted)[0] == 201


def test_guessing_passwords_is_counted_by_address(client: TestClient[Any]) -> None:
    guess = {"name": "somebody", "password": "guessed it perhaps"}

    answers = [client.post("/api/tokens", json=guess).status_code for _ in range(FEW + MORE)]

    assert answers[:FEW] == [401] * FEW
    assert answers[-1] == 429


def test_passwords_of_one_account_are_guessed_no_faster_from_many_addresses(tmp_path: Path) -> None:
    """A correct password resets the count."""
    settings = msgspec.structs.replace(settings_in(tmp_path), guesses_per_hour=FEW, proxies=("127.0.0.1",))
    with behind_sockets(tmp_path, settings) as door:
        door.people.create("Ann", PASSWORD, now())
        tries = ["guess no. 1", "guess no. 2", PASSWORD, *(f"guess no. {number}" for number in range(3, 6)), PASSWORD]
        answers = [
            post_from(door, "/tokens", {"name": name, "password": word}, f"192.0.2.{number}")
            for number, (name, word) in enumerate(zip(("Ann", "ANN ", "ann") * 3, tries, strict=False))
        ]
        other = post_from(door, "/tokens", {"name": "Ben", "password": PASSWORD}, "192.0.2.1")

    assert answers == [401, 401, 201, 401, 401, 401, 429]
    assert other == 401


def test_only_a_configured_proxy_may_forward_addresses(tmp_path: Path) -> None:
    guess = {"name": "somebody", "password": "guessed it perhaps"}
    for folder, proxies, last in (("none", (), 429), ("named", ("127.0.0.0/8",), 401), ("other", ("192.0.2.1",), 429)):
        (tmp_path / folder).mkdir()
        settings = msgspec.structs.replace(strict(tmp_path / folder), proxies=proxies)
        with behind_sockets(tmp_path / folder, settings) as door:
            answers = [post_from(door, "/tokens", guess, f"192.0.2.{number}") for number in range(FEW + MORE)]

        assert answers[-1] == last, folder


def test_an_ipv6_network_counts_as_one_address(tmp_path: Path) -> None:
    guess = {"name": "somebody", "password": "guessed it perhaps"}
    settings = msgspec.structs.replace(strict(tmp_path), proxies=("127.0.0.1",))
    with behind_sockets(tmp_path, settings) as door:
        answers = [post_from(door, "/tokens", guess, f"2001:db8::{number}") for number in range(1, FEW + MORE + 1)]
        other = post_from(door, "/tokens", guess, "2001:db8:0:1::1")

    assert (answers[0], answers[-1], other) == (401, 429, 401)


def post_from(door: Sockets, path: str, wanted: Any, address: str) -> int:
    """Post as a client with this forwarded address, and return the status."""
    with closing(door.connection()) as connection:
        connection.request("POST", f"/api{path}", json.dumps(wanted), {"X-Forwarded-For": address})
        return connection.getresponse().status


def test_new_guests_are_limited_like_sign_ins(client: TestClient[Any]) -> None:
    answers = []
    for _ in range(FEW + MORE):
        client.cookies.clear()
        client.get("/")
        token = client.cookies["csrftoken"]
        form = {"title": "la_granja", "_csrf_token": token}
        answers.append(client.post("/play", data=form, follow_redirects=False).status_code)

    assert answers[:FEW] == [303] * FEW
    assert answers[-1] == 429


def test_the_service_itself_is_not_limited(tmp_path: Path) -> None:
    with behind_sockets(tmp_path, strict(tmp_path)) as door:
        wanted = {"title": "la_granja", "seats": 2}
        answers = [door.ask("POST", "/matches", wanted, SERVICE_TOKEN, private=True)[0] for _ in range(FEW + 2)]

    assert answers == [201] * (FEW + 2)


@contextmanager
def listening(sockets: Sockets, token: str = "") -> Iterator[HTTPResponse]:
    """Open a stream of the match, until the end of the block."""
    connection = sockets.connection()
    try:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        connection.request("GET", f"/api/matches/{WATCHED.of(sockets)}/stream", headers=headers)
        yield connection.getresponse()
    finally:
        connection.close()


@pytest.fixture
def stream_limited_sockets(tmp_path: Path) -> Iterator[Sockets]:
    """Start a service with a match, where a person may have two streams and an address three."""
    settings = msgspec.structs.replace(settings_in(tmp_path), streams_per_person=2, streams_per_address=3)
    with behind_sockets(tmp_path, settings) as sockets:
        opened = sockets.ask("POST", "/matches", {"title": "la_granja", "seats": 2}, SERVICE_TOKEN, private=True)[1]
        WATCHED.put(sockets.app, opened["matchId"])
        yield sockets


def test_streams_are_limited_per_person_and_address(stream_limited_sockets: Sockets) -> None:
    token = stream_limited_sockets.token_of("Ann")

    with listening(stream_limited_sockets, token) as first, listening(stream_limited_sockets, token) as second:
        with listening(stream_limited_sockets, token) as third:
            assert [answer.status for answer in (first, second, third)] == [200, 200, 429]
            assert third.headers["Retry-After"] == "10"
            assert json.loads(third.read())["detail"] == ("this person already has 2 open live streams, the maximum")
        with listening(stream_limited_sockets) as unknown, listening(stream_limited_sockets) as another:
            assert (unknown.status, another.status) == (200, 429)


def test_a_closed_stream_no_longer_counts(stream_limited_sockets: Sockets) -> None:
    streams = STREAMS.of(stream_limited_sockets)
    for _ in range(5):
        with listening(stream_limited_sockets) as answer:
            assert answer.status == 200
            assert answer.readline()
        for _ in range(1_000):
            assert stream_limited_sockets.ask("GET", "/health")[0] == 200
            if streams.is_empty:
                break
        assert streams.is_empty


def test_a_stream_that_never_started_no_longer_counts(tmp_path: Path) -> None:
    streams = Streams(msgspec.structs.replace(settings_in(tmp_path), streams_per_address=1))
    reader: Any = SimpleNamespace(scope={"server": ("host", 80)}, client=None, user=Caller())

    answer = StreamResponse(nothing, streams.acquire(reader), is_packed=False)
    with pytest.raises(TooManyRequestsException, match="this address already has 1 open live streams"):
        streams.acquire(reader)
    del answer

    assert streams.is_empty
    assert streams.acquire(reader)


async def nothing(_: StreamOutput) -> None:
    """Send nothing."""


def test_a_limit_that_is_not_a_number_is_rejected() -> None:
    with pytest.raises(BadSetting, match="ESPORLES_CHANGES_PER_MINUTE: 'many' is not a number"):
        Settings.from_environment({"ESPORLES_CHANGES_PER_MINUTE": "many"})


CREATING = frozenset(
    {
        "POST /api/circuits",
        "POST /api/clubs",
        "POST /clubs",
        "POST /api/leagues",
        "POST /api/lessons/{title}/{lesson}",
        "POST /api/matches",
        "POST /api/matches/{match_id}/annotations",
        "POST /api/matches/{match_id}/forks",
        "POST /api/studies",
        "POST /api/tournaments",
        "POST /circuits",
        "POST /events",
        "POST /leagues",
        "POST /learn/{title}/{name}",
        "POST /play",
        "POST /players/{name}/challenges",
        "POST /studies/import",
        "POST /tables",
        "POST /tables/{match_id}/analysis/study",
        "POST /tables/{match_id}/hint/fork",
        "POST /tables/{match_id}/replay/fork",
        "POST /tables/{match_id}/studies",
    }
)
"""The operations and forms that add a table, fork, study, event, league or circuit."""


def test_every_operation_that_creates_something_is_counted(client: TestClient[Any]) -> None:
    counted = {
        f"{method} {route.path_format}"
        for route in client.app.routes
        if isinstance(route, HTTPRoute)
        for method, (handler, _) in route.route_handler_map.items()
        if handler.opt.get("creates")
    }

    assert counted == CREATING


def test_creations_per_person_and_hour_are_limited(tmp_path: Path) -> None:
    settings = msgspec.structs.replace(settings_in(tmp_path), creations_per_hour=FEW)
    wanted = {"title": "la_granja", "seats": 2}
    with TestClient(create_app(settings, entropy())) as client:
        person, other = Person(client), Person(client)
        table = person.opens()
        for _ in range(FEW - 1):
            assert person.post("/matches", wanted)[0] == 201
        for path in ("/matches", f"/matches/{table}/annotations"):
            refusal = client.post(f"/api{path}", json=wanted, headers=person.headers)
            assert (refusal.status_code, refusal.json()["code"]) == (429, "caller/too_many_requests")
            assert f"at most {FEW} tables, forks, studies, events and leagues an hour" in refusal.json()["detail"]

        assert other.post("/matches", wanted)[0] == 201
        assert person.post(f"/matches/{table}/seats", {"seat": 0})[0] == 201
