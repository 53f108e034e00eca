"""Export and import of logs, and forks."""

from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from api.accounts.people import PEOPLE
from api.http.guards import OPERATOR
from api.matches.service import MATCHES
from domain.matches.log.log_files import parse_log, write_log
from domain.matches.play.in_memory import seeded_origins, table_of_bots
from domain.titles import TITLES
from projections.catalogue import PROJECTIONS
from projections.loop import FollowerLoop
from tests.api.service import Member, Person, settings_in, start_match
from tests.seeding import entropy
from tests.service_app import create_app


def end_match(*people: Person) -> str:
    """Play a match until all players but one have resigned."""
    match_id = start_match(*people)
    for person in people[1:]:
        assert person.post(f"/matches/{match_id}/resignation", {})[0] == 201
    return match_id


def log_of(person: Person, match_id: str) -> bytes:
    response = person.client.get(f"/api/matches/{match_id}/log", headers=person.headers)
    assert response.status_code == 200
    return response.content


def follow(person: Person) -> None:
    """Update the read models of the person's service."""
    tables = MATCHES.of(person.client)
    FollowerLoop(tables.writer.matches, tables.writer.reads, list(PROJECTIONS.values())).catch_up()


def imports(person: Person, log: bytes) -> tuple[int, Any]:
    response = person.client.post("/api/logs", content=log, headers=person.headers)
    return response.status_code, response.json()


@pytest.fixture
def operator(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return an operator of another service."""
    folder: Path = tmp_path_factory.mktemp("elsewhere")
    with TestClient(create_app(settings_in(folder), entropy())) as client:
        person = Person(client)
        PEOPLE.of(client).set_role(person.id, OPERATOR)
        yield person


def test_the_log_of_an_ended_match_is_whole_for_everybody(ann: Person, ben: Person) -> None:
    match_id = end_match(ann, ben)

    log = parse_log(log_of(Person(ann.client), match_id))

    assert log.header.redacted_for is None
    assert log.header.head == ann.get(f"/matches/{match_id}")[1]["head"]


def test_a_log_is_imported_into_another_service_under_its_own_id(ann: Person, ben: Person, operator: Person) -> None:
    match_id = end_match(ann, ben)
    log = log_of(ann, match_id)

    first, second = imports(operator, log), imports(operator, log)

    assert first == second
    assert (first[0], first[1]["matchId"]) == (201, match_id)
    assert log_of(operator, match_id) == log


def test_an_imported_match_is_marked_and_unrated(client: TestClient[Any], operator: Person) -> None:
    ann, ben = Member(client, "Ann"), Member(client, "Ben")
    match_id = start_match(ann, ben, table={"rated": True, "clock": {"kind": "per_move", "seconds": 600}})
    for person in (ann, ben):
        assert person.get(f"/matches/{match_id}")[1]["imported"] is False
    assert ann.get(f"/matches/{match_id}")[1]["table"]["rated"] is True
    assert ben.post(f"/matches/{match_id}/resignation", {})[0] == 201
    imports(operator, log_of(ann, match_id))

    folded = operator.get(f"/matches/{match_id}")[1]
    follow(operator)
    read = operator.get(f"/matches/{match_id}")[1]
    (listed,) = operator.get("/matches")[1]["matches"]

    assert folded == read
    assert [(shown["imported"], shown["table"]["rated"]) for shown in (read, listed)] == [(True, False)] * 2
    assert "imported, unrated" in operator.client.get(f"/tables/{match_id}").text
    assert "imported" not in ann.client.get(f"/tables/{match_id}").text


def test_a_log_with_a_changed_byte_is_refused_by_its_entry(ann: Person, ben: Person, operator: Person) -> None:
    lines = log_of(ann, end_match(ann, ben)).split(b"\n")
    lines[3] = lines[3].replace(b'"seat":1', b'"seat":0')

    status, problem = imports(operator, b"\n".join(lines))

    assert (status, problem["code"]) == (422, "log/false")
    assert "entry 3" in problem["detail"]


def test_a_redacted_log_is_refused(ann: Person, ben: Person, operator: Person) -> None:
    status, problem = imports(operator, log_of(ann, start_match(ann, ben)))

    assert (status, problem["code"]) == (409, "log/refused")


def test_a_running_match_of_a_bot_unknown_here_is_refused(operator: Person, tmp_path: Path) -> None:
    table = table_of_bots(TITLES["la_granja"], ("bot:genius@1",) * 2, {}, seeded_origins(b"\x01"))
    path = tmp_path / "running.jsonl"
    write_log(path, table.entries)

    status, problem = imports(operator, path.read_bytes())

    assert (status, problem["code"]) == (409, "log/refused")
    assert "bot:genius@1" in problem["detail"]


def test_only_an_operator_imports_logs(ann: Person, ben: Person) -> None:
    status, problem = imports(ann, log_of(ann, end_match(ann, ben)))

    assert (status, problem["code"]) == (403, "caller/forbidden")


def test_an_operator_may_take_the_whole_log_of_a_running_match(ann: Person, ben: Person) -> None:
    match_id, olga = start_match(ann, ben), Person(ann.client)
    PEOPLE.of(ann.client).set_role(olga.id, OPERATOR)

    log = ann.client.get(f"/api/matches/{match_id}/log?whole=true", headers=olga.headers)

    assert parse_log(log.content).header.redacted_for is None


def test_a_fork_begins_as_its_parent_stood(ann: Person, ben: Person) -> None:
    match_id, olga = start_match(ann, ben), Person(ann.client)
    PEOPLE.of(ann.client).set_role(olga.id, OPERATOR)
    version = ann.get(f"/matches/{match_id}")[1]["version"]
    wanted, key = {"at": version, "luck": "fresh"}, {"Idempotency-Key": "fork"}

    first = olga.post(f"/matches/{match_id}/forks", wanted, **key)
    again = olga.post(f"/matches/{match_id}/forks", wanted, **key)

    assert first == again
    assert first[1]["parent"] == {"matchId": match_id, "version": version}
    assert first[1]["version"] == version + 1
    assert first[1]["view"]["market"] == ann.get(f"/matches/{match_id}")[1]["view"]["market"]
    assert [seat["player"] is None for seat in first[1]["seats"]] == [True, True]


def test_a_person_forks_only_matches_without_hidden_information(ann: Person, ben: Person) -> None:
    """The bots in a fork of a running match would play its hidden cards (DESIGN §3)."""
    match_id = start_match(ann, ben)
    version = ann.get(f"/matches/{match_id}")[1]["version"]

    status, problem = ann.post(f"/matches/{match_id}/forks", {"at": version, "luck": "fresh"})
    assert (status, problem["code"]) == (422, "fork/refused")

    ben.post(f"/matches/{match_id}/resignation", None)
    assert ann.post(f"/matches/{match_id}/forks", {"at": version, "luck": "fresh"})[0] == 201


@pytest.mark.parametrize("wanted", [{"at": 999}, {"at": 1}, {"at": 6, "luck": "same"}])
def test_an_invalid_fork_is_rejected(ann: Person, ben: Person, wanted: Any) -> None:
    olga = Person(ann.client)
    PEOPLE.of(ann.client).set_role(olga.id, OPERATOR)
    status, problem = olga.post(f"/matches/{start_match(ann, ben)}/forks", wanted)

    assert (status, problem["code"]) == (422, "fork/refused")
