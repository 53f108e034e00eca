"""A page of a variation that is removed concurrently shows the study before the removal, or is refused."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

import pytest

from api.accounts.people import PEOPLE
from tests.api.matches.test_concurrency import run_at_once
from tests.api.service import Sockets, behind_sockets
from tests.api.studies.test_studies import legal_at

LOG: Final = Path(__file__).parents[2] / "golden" / "el_grande-2-eager-8.jsonl"
ENTRY: Final = 40
ROUNDS: Final = 12
READERS: Final = 6
VERSION: Final = re.compile(r'/stream" data-version="(\d+)"')
"""The version of the study that a page shows."""


@pytest.fixture(scope="module")
def sockets(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sockets]:
    with behind_sockets(tmp_path_factory.mktemp("places")) as sockets:
        yield sockets


def page(sockets: Sockets, path: str, token: str) -> tuple[int, str]:
    with closing(sockets.connection()) as connection:
        connection.request("GET", path, headers={"Authorization": f"Bearer {token}", "HX-Request": "true"})
        response = connection.getresponse()
        return response.status, response.read().decode()


def test_no_page_shows_a_removed_variation_as_current(sockets: Sockets) -> None:
    """A page with the version of the removal would receive no event and keep showing the removed place."""
    token = sockets.token_of("Ann")

    def ask(method: str, path: str, wanted: Any = None) -> Any:
        status, body = sockets.ask(method, path, wanted, token)
        assert status in {200, 201}, body
        return body

    PEOPLE.of(sockets.app).set_role(ask("GET", "/me")["person"]["id"], "operator")
    with closing(sockets.connection()) as connection:
        connection.request("POST", "/api/logs", LOG.read_bytes(), {"Authorization": f"Bearer {token}"})
        match_id = json.loads(connection.getresponse().read())["matchId"]
    study = ask("POST", f"/matches/{match_id}/annotations", {"title": "Opening", "visibility": "unlisted"})["id"]
    steps = legal_at(sockets, match_id, ENTRY)[:1]
    for _ in range(ROUNDS):
        shown = ask("POST", f"/studies/{study}/variations", {"entry": ENTRY, "steps": steps})
        number = shown["variations"][-1]["number"]
        path = f"/tables/{match_id}/replay?at={ENTRY}&seat=all&study={study}&variation={number}&step=1"
        variation = f"/studies/{study}/variations/{number}"
        removal: Callable[[], Any] = partial(sockets.ask, "DELETE", variation, None, token)
        reads: list[Callable[[], Any]] = [partial(page, sockets, path, token) for _ in range(READERS)]

        (status, removed), *pages = run_at_once([removal, *reads])

        assert status == HTTPStatus.OK
        for read_status, text in pages:
            assert read_status in {HTTPStatus.OK, HTTPStatus.UNPROCESSABLE_ENTITY}
            if read_status == HTTPStatus.OK:
                (version,) = VERSION.findall(text)
                assert int(version) < removed["version"]
