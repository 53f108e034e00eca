"""Roles and the audit trail by API."""

import hashlib
from datetime import datetime
from typing import Any

import pytest
from litestar.testing import TestClient

from domain.matches.log.entries import EPOCH
from domain.matches.log.records import record_digest
from domain.roles.audit import AUDIT, AuditRead
from domain.roles.audit_file import parse_trail
from tests.api.service import Person, catch_up, make_operator, start_match


@pytest.fixture
def client(own_client: TestClient[Any]) -> TestClient[Any]:
    """Use a separate service, so that counts are exact."""
    return own_client


@pytest.fixture
def olga(client: TestClient[Any]) -> Person:
    person = Person(client)
    make_operator(client, person.id)
    return person


def gives(person: Person, to: Person, role: str, event: str | None = None, granted: bool = True) -> Any:
    wanted = {"person": to.id, "role": role, "granted": granted} | ({"event": event} if event else {})
    return person.post("/roles", wanted)


def roles_of(person: Person) -> list[tuple[str, str, str | None]]:
    status, body = person.get("/roles")
    assert status == 200
    return [(grant["person"], grant["role"], grant["event"]) for grant in body["roles"]]


def test_operators_grant_all_roles_and_organisers_the_ones_of_their_event(
    ann: Person, ben: Person, olga: Person
) -> None:
    assert gives(ann, ben, "arbiter")[0] == 403
    assert gives(olga, ann, "organiser", "cup")[0] == 200
    assert gives(ann, ben, "arbiter", "cup")[0] == 200
    status, problem = gives(ann, ben, "arbiter")

    assert (status, problem["code"]) == (403, "role/refused")
    assert roles_of(ben) == [(ben.id, "arbiter", "cup")]
    assert sorted(roles_of(ann)) == sorted([(ann.id, "organiser", "cup"), (ben.id, "arbiter", "cup")])
    assert gives(ann, ben, "arbiter", "cup", granted=False)[0] == 200
    assert roles_of(ben) == []


def test_a_role_needs_a_known_person(olga: Person) -> None:
    status, problem = olga.post("/roles", {"person": "nobody", "role": "arbiter"})

    assert (status, problem["code"]) == (404, "person/unknown")
    assert olga.post("/roles", {"person": olga.id, "role": "king"})[0] == 400


def test_an_operator_appointed_by_api_has_all_rights(
    client: TestClient[Any], ann: Person, ben: Person, olga: Person
) -> None:
    assert gives(olga, ann, "operator")[0] == 200
    assert gives(ann, ben, "organiser")[0] == 200
    assert gives(olga, ann, "operator", granted=False)[0] == 200

    assert gives(ann, ben, "arbiter")[0] == 403


def test_organisers_of_event_or_service_read_the_audit_trail(
    client: TestClient[Any], ann: Person, ben: Person, olga: Person
) -> None:
    gives(olga, ann, "organiser", "cup")
    gives(ann, ben, "arbiter", "cup")
    gives(olga, ben, "annotator")
    catch_up(client)

    assert ben.get("/audit")[1]["code"] == "role/missing"
    assert ann.get("/audit")[0] == 403
    own = ann.get("/audit?event=cup")[1]
    whole = olga.get("/audit?limit=2")[1]

    assert [(line["kind"], line["by"], line["role"]) for line in own["lines"]] == [
        ("role_changed", ann.id, "organiser"),
        ("role_changed", olga.id, "operator"),
    ]
    assert own["lines"][0]["details"] == {"person": ben.id, "changed": "arbiter", "granted": True}
    assert [line["version"] for line in whole["lines"]] == [4, 3]
    assert (whole["version"], whole["head"]) == (4, whole["lines"][0]["digest"])
    assert whole["next"] == 3
    assert [line["version"] for line in olga.get("/audit?before=3")[1]["lines"]] == [2, 1]


def test_the_audit_trail_can_be_verified_independently(ann: Person, olga: Person) -> None:
    gives(olga, ann, "organiser")
    gives(olga, ann, "arbiter")
    head = "00" * 32

    for version in (1, 2, 3):
        record = olga.get(f"/audit/records/{version}")[1]
        passed = datetime.fromisoformat(record["timestamp"]) - EPOCH
        time = (passed.days * 86_400 + passed.seconds) * 1_000_000 + passed.microseconds
        assert record["previous"] == head
        header = bytes.fromhex(record["stream"].replace("-", "")) + version.to_bytes(8, "big")
        hashed = b"esporles.record/1\0" + header + time.to_bytes(8, "big", signed=True) + bytes.fromhex(head)
        head = hashlib.sha256(hashed + record["body"].encode()).hexdigest()
        assert record["digest"] == head
    assert olga.get("/audit/records/4")[0] == 404
    assert olga.get("/audit/records/0")[0] == 404
    assert olga.get("/audit")[1]["head"] == head


def test_an_export_of_a_running_matchs_whole_log_is_recorded(
    client: TestClient[Any], ann: Person, ben: Person, olga: Person
) -> None:
    match_id = start_match(ann, ben)
    for query in ("?whole=true", "?seat=0", ""):
        assert client.get(f"/api/matches/{match_id}/log{query}", headers=olga.headers).status_code == 200
    assert client.get(f"/api/matches/{match_id}/log", headers=ann.headers).status_code == 200
    catch_up(client)

    lines = olga.get(f"/audit?match={match_id}")[1]["lines"]

    assert [(line["kind"], line["details"]["whole"]) for line in lines] == [
        ("log_exported", False),
        ("log_exported", True),
    ]


def test_an_export_of_the_audit_trail_is_recorded(
    client: TestClient[Any], ann: Person, ben: Person, olga: Person
) -> None:
    gives(olga, ann, "organiser")
    gives(olga, ben, "organiser", "cup")
    refusal = client.get("/api/audit/file", headers=ben.headers)
    assert (refusal.status_code, refusal.json()["code"]) == (403, "role/missing")
    assert client.get("/api/audit/file").status_code == 401

    response = client.get("/api/audit/file", headers=ann.headers)

    assert response.headers["content-type"].startswith("application/jsonl")
    records = parse_trail(response.content)
    assert AUDIT.read(records[-1]) == AuditRead(by=ann.id, role="organiser", upto=len(records))
    catch_up(client)
    trail = olga.get("/audit")[1]
    assert (trail["head"], trail["version"]) == (record_digest(records[-1]).hex(), len(records))
    assert [trail["lines"][0][name] for name in ("kind", "by")] == ["audit_read", ann.id]
    assert olga.get(f"/audit/records/{len(records)}")[1]["digest"] == trail["head"]
