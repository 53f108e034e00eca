"""The source of chance: the tests' seed in tests, only the system's in the shipped service."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from litestar.testing import TestClient

from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from ops.stores import settings_for
from ops.supervisor import SERVICE_MODULE
from tests.launching import create_app
from tests.seeding import HEADER, SEED, VARIABLE
from tests.workers.serving import Client, serving

Post = Callable[[str, dict[str, Any], str], Any]
"""Posts a body to a path with a token."""


@contextmanager
def seeded_service(folder: Path) -> Iterator[Post]:
    """Run the application of the tests in this process."""
    with TestClient(create_app(settings_for(folder))) as client:

        def post(path: str, body: dict[str, Any], token: str) -> Any:
            headers = {HEADER: "the same"} | ({"Authorization": f"Bearer {token}"} if token else {})
            response = client.post(f"/api{path}", json=body, headers=headers)
            assert response.is_success, response.text
            return response.json()

        yield post


@contextmanager
def shipped_service(folder: Path) -> Iterator[Post]:
    """Run the service as it is shipped, with the seed of the tests in its environment."""
    with serving(folder, 1, SERVICE_MODULE, **{VARIABLE: SEED}) as service:
        yield lambda path, body, token: Client(service.started.url, token, name="the same").post(path, body)


def first_luck(folder: Path, run_service: Callable[[Path], Any]) -> tuple[UUID, bytes, str]:
    """Return the id and the server seed of the first match of a new service, and the hash of its first password.

    Every service gets the same requests with the same name.
    """
    with run_service(folder) as post:
        account = {"name": "Ann", "password": "correct horse battery"}
        post("/accounts", account, "")
        token = post("/tokens", account, "")["secret"]
        match_id = UUID(post("/matches", {"title": "la_granja", "seats": 2}, token)["matchId"])
    with closing(open_store(store_env(settings_for(folder).log_file or ""))) as matches:
        seed = matches.get(match_id).seed
    assert seed is not None
    with closing(sqlite3.connect(settings_for(folder).people_place)) as people:
        ((password_hash,),) = people.execute("SELECT password FROM people")
    return match_id, seed, password_hash


@pytest.mark.walk
def test_only_the_service_of_the_tests_has_reproducible_chance(
    tmp_path: Path,
) -> None:
    first, second = first_luck(tmp_path / "first", seeded_service), first_luck(tmp_path / "again", seeded_service)
    shipped = first_luck(tmp_path / "shipped", shipped_service)

    assert first[:2] == second[:2]
    assert shipped[0] != first[0]
    assert shipped[1] != first[1]
    assert "$m=65536,t=3,p=4$" in shipped[2]
    assert "$m=8,t=1,p=1$" in first[2]
