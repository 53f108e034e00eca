"""Request ids: generated or accepted from trusted senders, returned, and logged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
import structlog
from litestar.testing import TestClient

from api.http.errors import PROBLEM_TYPE
from api.http.identity import CALLER_ACCOUNTS
from projections.platform.telemetry.logs import add_request
from projections.platform.telemetry.requests import HEADER, URN, new_request_id
from tests.api.service import SERVICE_TOKEN, FaultyAccounts, Person, Sockets, behind_sockets, settings_in, start_match

GIVEN = "0a1b2c3d-from-the-proxy"


def test_every_response_has_a_unique_id(client: TestClient[Any], ann: Person, ben: Person) -> None:
    """Pages, errors, files and fast routes."""
    match_id = start_match(ann, ben)
    paths = ("/", "/nowhere", "/static/nothing", "/api/health", f"/api/matches/{match_id}", "/api/schema/openapi.json")
    ids = [client.get(path, headers=ann.headers).headers.get_list(HEADER) for path in paths for _ in range(2)]

    assert all(len(values) == 1 for values in ids)
    assert len({values[0] for values in ids}) == len(ids)


def test_an_id_reveals_nothing_about_other_requests() -> None:
    ids = [new_request_id() for _ in range(100)]

    assert sorted(ids) != ids
    assert len({each[:6] for each in ids}) > 90, "no part of them counts, or names the process"


def test_a_problem_document_names_its_request(client: TestClient[Any]) -> None:
    response = client.get("/api/matches/00000000-0000-0000-0000-000000000000")

    assert response.headers["Content-Type"].startswith(PROBLEM_TYPE)
    assert response.json()["instance"] == URN + response.headers[HEADER]


def test_log_lines_contain_the_id_of_the_response(own_client: TestClient[Any]) -> None:
    CALLER_ACCOUNTS.replace(own_client, FaultyAccounts())
    with structlog.testing.capture_logs(processors=[add_request]) as lines:
        response = own_client.get("/api/me", headers={"Authorization": "Bearer esp_x"})

    assert [line["request_id"] for line in lines] == [response.headers[HEADER]]


def answered_id(sockets: Sockets, request_id: str, token: str = "", *, private: bool = False) -> str:
    connection = sockets.connection(private=private)
    try:
        known = {"Authorization": f"Bearer {token}"} if token else {}
        connection.request("GET", "/api/health", headers={HEADER: request_id, **known})
        response = connection.getresponse()
        response.read()
        values = response.headers.get_all(HEADER)
        assert values is not None
        assert len(values) == 1
        return str(values[0])
    finally:
        connection.close()


@pytest.mark.parametrize(("proxies", "is_taken"), [((), False), (("127.0.0.0/8",), True), (("192.0.2.1",), False)])
def test_only_a_configured_proxy_may_set_the_id(tmp_path: Path, proxies: tuple[str, ...], is_taken: bool) -> None:
    settings = msgspec.structs.replace(settings_in(tmp_path), proxies=proxies)
    with behind_sockets(tmp_path, settings) as sockets:
        assert (answered_id(sockets, GIVEN) == GIVEN) is is_taken


def test_workers_may_set_the_id(tmp_path: Path) -> None:
    """Requests on the private socket are trusted, but malformed ids are replaced."""
    with behind_sockets(tmp_path) as sockets:
        assert answered_id(sockets, GIVEN, SERVICE_TOKEN, private=True) == GIVEN
        for wrong in ("short", "x" * 101, "two words here", 'quote"quote', "semi;colon;here"):
            assert answered_id(sockets, wrong, SERVICE_TOKEN, private=True) != wrong
