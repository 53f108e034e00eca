"""A full disk or an unreachable database gives 503 with Retry-After, and the service recovers."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec
import pytest
from litestar.testing import TestClient

from api.accounts.name_salts import find_salted, list_salted, list_uncommitted
from api.accounts.people import People
from api.http.errors import is_unavailable, problem_of
from api.matches.service import MATCHES
from domain.eventstore.sqlite_recorder import StreamSQLiteRecorder
from projections.platform.database import DatabaseTimeout
from projections.platform.store import ReadStore
from tests.api.service import Person, settings_in, start_match
from tests.domain.eventstore.postgres import Server, commits_held, fresh_database, stoppable_server
from tests.seeding import entropy
from tests.service_app import create_app


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with stoppable_server() as server:
        yield server


def next_act(match_id: str, *people: Person) -> tuple[Person, Any]:
    match = people[0].get(f"/matches/{match_id}")[1]
    person = people[match["toAct"][0]]
    legal = person.legal(match_id)
    return person, {"expectedVersion": legal["version"], "action": legal["actions"][0]["action"]}


def is_told(response: Any) -> bool:
    return bool(
        response.status_code == 503
        and response.json()["code"] == "service/unavailable"
        and int(response.headers["Retry-After"]) > 0
    )


@contextmanager
def full_disk(client: TestClient[Any]) -> Iterator[None]:
    """Prevent the log from growing.

    SQLite keeps the limit per connection, so the pool sets it on every connection that it hands out.
    """
    recorder = MATCHES.of(client).writer.matches.log.recorder
    assert isinstance(recorder, StreamSQLiteRecorder)
    pool = recorder.datastore.pool
    with closing(sqlite3.connect(pool.db_name)) as other:
        bound: int = other.execute("PRAGMA page_count").fetchone()[0]
    hand_out = pool.get_connection

    def connect_limited(*args: Any, **named: Any) -> Any:
        connection = hand_out(*args, **named)
        connection.cursor().execute(f"PRAGMA max_page_count={bound}")
        return connection

    pool.get_connection = connect_limited  # type: ignore[method-assign]  # SQLite has no bound for a whole file
    try:
        yield
    finally:
        bound = 1_000_000


def test_an_action_gives_503_when_the_disk_is_full(own_client: TestClient[Any]) -> None:
    ann, ben = Person(own_client), Person(own_client)
    match_id = start_match(ann, ben)
    with full_disk(own_client):
        for _ in range(100):
            person, wanted = next_act(match_id, ann, ben)
            sent = own_client.post(f"/api/matches/{match_id}/actions", json=wanted, headers=person.headers)
            if sent.status_code != 201:
                break
        assert is_told(sent), sent.text
        # Reads still work.
        assert ann.get(f"/matches/{match_id}")[1]["version"] == wanted["expectedVersion"]
        # Other writes fail as well once the last pages are full.
        for _ in range(1_000):
            opened = own_client.post("/api/matches", json={"title": "la_granja", "seats": 2}, headers=ann.headers)
            if opened.status_code != 201:
                break
        assert is_told(opened), opened.text

    assert person.post(f"/matches/{match_id}/actions", wanted)[0] == 201


def test_all_match_operations_give_503_while_postgres_is_down(server: Server, tmp_path: Path) -> None:
    """Requests give 503 until the log and the read models return, and at first also afterwards.

    Connections are replaced one at a time.
    """
    log, reads = fresh_database(server.address, "log"), fresh_database(server.address, "reads")
    settings = msgspec.structs.replace(settings_in(tmp_path), store=log, reads=reads)
    with TestClient(create_app(settings, entropy())) as client:
        ann, ben = Person(client), Person(client)
        match_id = start_match(ann, ben)
        person, wanted = next_act(match_id, ann, ben)
        server.stop()
        try:
            responses = [
                client.get(f"/api/matches/{match_id}/legal-actions", headers=person.headers),
                client.get(f"/api/matches/{match_id}", headers=person.headers),
                client.get("/api/matches", headers=person.headers),
                client.get("/api/ready"),
                client.post(f"/api/matches/{match_id}/actions", json=wanted, headers=person.headers),
            ]
            page = client.get(f"/tables/{match_id}")
        finally:
            server.start()
        assert all(map(is_told, responses)), [answer.text for answer in responses]
        assert (page.status_code, page.headers["Retry-After"]) == (503, "2")
        assert client.get("/api/health").json() == {"status": "ok"}

        answers_again(client)
        after = [person.get(path)[0] for path in (f"/matches/{match_id}/legal-actions", "/matches") for _ in range(8)]
        assert set(after) == {200}
        assert client.get("/api/ready").json() == {"status": "ready"}
        assert person.post(f"/matches/{match_id}/actions", wanted)[0] == 201


def test_requests_do_not_wait_for_an_unresponsive_postgres(server: Server, tmp_path: Path) -> None:
    """The server keeps its connections and receives queries, but does not answer."""
    places = {name: fresh_database(server.address, f"still-{name}") for name in ("store", "reads", "people")}
    settings = msgspec.structs.replace(settings_in(tmp_path), **places)
    with TestClient(create_app(settings, entropy())) as client:
        ann, ben = Person(client), Person(client)
        match_id = start_match(ann, ben)
        person, wanted = next_act(match_id, ann, ben)
        with server.frozen():
            responses = [
                client.get(f"/api/matches/{match_id}/legal-actions", headers=person.headers),
                client.get(f"/api/matches/{match_id}", headers=person.headers),
                client.post(f"/api/matches/{match_id}/actions", json=wanted, headers=person.headers),
                client.get("/api/matches", headers=person.headers),
                client.get("/api/ready"),
                client.post(f"/api/matches/{match_id}/actions", json=wanted, headers=person.headers),
                *(client.get(f"/api/matches/{match_id}/entries", headers=person.headers) for _ in range(20)),
            ]
            page = client.get(f"/tables/{match_id}")
            assert client.get("/api/health").json() == {"status": "ok"}
        assert all(map(is_told, responses)), [answer.text for answer in responses]
        assert (page.status_code, page.headers["Retry-After"]) == (503, "2")

        answers_again(client)
        after = [person.get(path)[0] for path in (f"/matches/{match_id}/legal-actions", "/matches") for _ in range(8)]
        assert set(after) == {200}
        assert person.post(f"/matches/{match_id}/actions", wanted)[0] == 201


def test_other_requests_are_answered_while_the_accounts_database_hangs(server: Server, tmp_path: Path) -> None:
    """People are looked up outside the event loop, and `/api/ready` checks their database too."""
    people = fresh_database(server.address, "people")
    settings = msgspec.structs.replace(settings_in(tmp_path), people=people)
    with TestClient(create_app(settings, entropy())) as client, ThreadPoolExecutor(1) as beside:
        ann = Person(client)
        with server.frozen():
            waiting = beside.submit(client.get, "/api/me", headers=ann.headers)
            answered = 0
            while not waiting.done():
                answered += client.get("/api/health").status_code == 200
            assert is_told(waiting.result())
            assert answered > 2
            assert is_told(client.get("/api/ready"))
            assert is_told(client.get("/api/me", headers=ann.headers))

        answers_again(client)
        assert ann.get("/me")[0] == 200


def test_background_reads_of_accounts_do_not_block_requests_while_their_database_hangs(server: Server) -> None:
    """They share the connection with requests, which would wait for it."""
    reads = (list_uncommitted, lambda people: find_salted(people, "anna"), lambda people: [*list_salted(people)])
    with closing(People(fresh_database(server.address, "names"))) as people:
        with server.frozen():
            for read in reads:
                with pytest.raises(DatabaseTimeout):
                    read(people)

        wait_for_answer(people)


def wait_for_answer(people: People) -> None:
    """Read until the accounts have noticed that the database is back."""
    until = monotonic() + 30
    while monotonic() < until:
        with suppress(DatabaseTimeout):
            list_uncommitted(people)
            return
    pytest.fail("the database is back, but no read succeeds")


def test_a_change_that_may_be_stored_is_reported_as_unknown(server: Server, tmp_path: Path) -> None:
    log = fresh_database(server.address, "unsaid")
    settings = msgspec.structs.replace(settings_in(tmp_path), store=log)
    with TestClient(create_app(settings, entropy())) as client:
        ann, ben = Person(client), Person(client)
        match_id = start_match(ann, ben)
        person, wanted = next_act(match_id, ann, ben)
        with commits_held(log):
            sent = client.post(f"/api/matches/{match_id}/actions", json=wanted, headers=person.headers)
        assert (sent.status_code, sent.json()["code"]) == (503, "service/outcome_unknown"), sent.text
        assert int(sent.headers["Retry-After"]) > 0

        answers_again(client)
        version = wanted["expectedVersion"] + 1
        assert person.get(f"/matches/{match_id}?atLeast={version}")[1]["version"] == version
        status, again = person.post(f"/matches/{match_id}/actions", wanted)
        assert (status, again["version"]) == (201, version)


def answers_again(client: TestClient[Any]) -> None:
    """Wait until the service has noticed that the database is back."""
    until = monotonic() + 30
    while (response := client.get("/api/ready")).status_code != 200:
        assert is_told(response), response.text
        assert monotonic() < until


def test_an_invalid_statement_is_a_server_error(tmp_path: Path) -> None:
    reads = ReadStore(tmp_path / "reads.db")
    with pytest.raises(sqlite3.OperationalError) as wrong:
        reads.rows("SELECT nothing FROM nowhere")
    reads.close()

    assert not is_unavailable(wrong.value)
    assert problem_of(wrong.value).status == 500
