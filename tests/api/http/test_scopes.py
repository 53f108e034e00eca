"""Token scopes: every operation is called with each scope and compared with a table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final
from uuid import UUID

import pytest
from litestar.routes import HTTPRoute
from litestar.testing import TestClient

from api.accounts.people import PEOPLE
from api.http.guards import SAFE_METHODS, scopes_of
from api.http.identity import SCOPES, Scope
from projections.platform.clock import now
from tests.api.service import Person, make_operator, start_match

TABLE: Final[tuple[tuple[str, tuple[Scope, ...]], ...]] = (
    (r"POST /api/(accounts|tokens)", SCOPES),
    (r"\w+ /api/me/keys.*", ("play",)),
    (r"(PUT /api/me/presence|POST /api/me/holidays.*)", ("play",)),
    (r"\w+ /api/(me|tokens|roles|logs).*", ("admin",)),
    (r"\w+ /api/talk/messages/\{\}/removal", ("arbitrate",)),
    (r"DELETE /api/talk/messages/\{\}/reports", ("arbitrate",)),
    (r"\w+ /api/(talk|friends|challenges|lessons|quick)/.*", ("play",)),
    (r"DELETE /api/accounts/\{\}", ("admin",)),
    (r"\w+ /api/outgoing/.*", ("admin",)),
    (r"POST /api/matches/\{\}/(owed|time-outs|deadlines|analysis/pieces|hints/\{\}/\{\})", ("admin",)),
    (r"POST /api/invitations", ("play",)),
    (r"\w+ /api/matches/\{\}/pause", ("play", "arbitrate")),
    (r"POST /api/matches/\{\}/calls/(presence|answer)", ("arbitrate", "organise", "admin")),
    (r"\w+ /api/matches.*", ("play",)),
    (r"\w+ /api/studies.*", ("play",)),
    (r"(DELETE /api/disputes/\{\}|POST /api/disputes/\{\}/appeal)", ("play",)),
    (r"POST /api/disputes/\{\}/(arbiter|hand-over|forks|rulings|motions|votes|decision)", ("arbitrate",)),
    (r"PUT /api/(disputes/\{\}/committee|committees/\{\})", ("organise",)),
    (r"POST /api/tournaments/\{\}/entries/\{\}/code", ("organise",)),
    (r"\w+ /api/(tournaments|leagues)/\{\}/(entries.*|invitation)", ("play", "organise")),
    (r"POST /api/tournaments/\{\}/rounds/\{\}/tables/\{\}/claims", ("play", "organise")),
    (r"POST /api/tournaments/\{\}/(rounds/\{\}/tables/\{\}/photos|photos/\{\}/removal)", ("play", "organise")),
    (r"PUT /api/tournaments/\{\}/rounds/\{\}/tables/\{\}/ruling", ("organise", "arbitrate")),
    (r"\w+ /api/contests/\{\}/(absences/\{\}|alternates/\{\}|offers/answer)", ("play", "organise")),
    (r"\w+ /api/clubs/\{\}/(membership|invitation)", ("play",)),
    (r"POST /api/(rankings/steps/\{\}|holidays/due)", ("admin",)),
    (r"\w+ /api/(tournaments|leagues|circuits|contests|clubs|rankings).*", ("organise",)),
)
"""Scopes for changes; the first matching line counts. `docs/play/accounts.md` has the same in words."""
READING: Final[tuple[tuple[str, tuple[Scope, ...]], ...]] = (
    (r"/api/disputes/\{\}/position", ("arbitrate",)),
    (r"/api/disputes/(calls|queue|precedents|statistics|templates)", ("organise", "arbitrate", "admin")),
    (r"/api/integrity.*", ("arbitrate",)),
    (r"/api/talk/\{\}/\{\}/file", ("arbitrate",)),
    (r"/api/talk/reports", ("organise", "arbitrate", "admin")),
    (r"/api/audit.*", ("organise", "arbitrate", "admin")),
    (r"/api/.*", ("read",)),
)
FILLED: Final = {"uuid": str(UUID(int=7)), "str": "la_granja", "int": "2"}
"""Values of path parameters, with ids of missing objects."""
ENDLESS: Final = "/stream"
UNGUARDED: Final = "/api/health"
"""Monitoring calls it without a caller."""


def operations(client: TestClient[Any]) -> Iterator[tuple[str, str, Any]]:
    """Yield method, path and handler of every API operation."""
    for route in client.app.routes:
        if isinstance(route, HTTPRoute) and route.path.startswith("/api/") and "/schema" not in route.path:
            for handler in route.route_handlers:
                for method in sorted(set(handler.http_methods) - {"OPTIONS", "HEAD"}):
                    yield method, route.path, handler


def look_up_scopes(method: str, path: str) -> tuple[Scope, ...]:
    bare = re.sub(r"\{[^}]*\}", "{}", path)
    table = READING if method in SAFE_METHODS else TABLE
    wanted = bare if method in SAFE_METHODS else f"{method} {bare}"
    return next(scopes for pattern, scopes in table if re.fullmatch(pattern, wanted))


def test_every_operation_requires_the_scopes_of_the_table(client: TestClient[Any]) -> None:
    actual = {f"{method} {path}": set(scopes_of(method, handler)) for method, path, handler in operations(client)}

    assert actual == {f"{method} {path}": set(look_up_scopes(method, path)) for method, path, _ in operations(client)}
    assert len(actual) > 100


@pytest.mark.parametrize("scope", SCOPES)
def test_a_token_is_limited_to_its_scope(client: TestClient[Any], scope: Scope) -> None:
    """Even an operator's token: each operation rejects the scope, or continues to validate the request."""
    people = PEOPLE.of(client)
    for method, path, handler in operations(client):
        if path == UNGUARDED or (path.endswith(ENDLESS) and scope == "read"):
            continue
        guest = people.create_guest(now())
        people.set_role(guest.id, "operator")
        _, secret = people.access.issue_token(guest, "", now(), (scope,))
        address = re.sub(r"\{\w+:(\w+)\}", lambda parameter: FILLED[parameter[1]], path)

        response = client.request(method, address, headers={"Authorization": f"Bearer {secret}"})

        is_refused = response.status_code == 403 and response.json()["code"] == "token/scope_missing"
        assert is_refused == (scope not in scopes_of(method, handler)), (method, path, response.text)


def test_a_role_needs_a_token_with_its_scope(client: TestClient[Any], ann: Person, ben: Person) -> None:
    """Reading is public, but data for officials needs a token with their scope."""
    make_operator(client, ann.id)
    match_id = ben.opens(2)
    ben.sits(match_id, 0)
    people = PEOPLE.of(client)
    person = people.find(ann.id)
    assert person is not None
    bare = {"Authorization": f"Bearer {people.access.issue_token(person, '', now(), ('read',))[1]}"}

    whole = client.get(f"/api/matches/{match_id}/log?whole=true", headers=ann.headers)
    refusal = client.get(f"/api/matches/{match_id}/log?whole=true", headers=bare)

    assert (whole.status_code, refusal.status_code) == (200, 403)


def test_an_arbiter_with_a_play_token_has_only_a_players_rights(
    client: TestClient[Any], ann: Person, ben: Person
) -> None:
    olga = Person(client)
    make_operator(client, olga.id)
    assert olga.post("/roles", {"person": ann.id, "role": "arbiter", "event": None, "granted": True})[0] == 200
    match_id = start_match(ben, Person(client))
    version = ben.get(f"/matches/{match_id}")[1]["version"]
    people = PEOPLE.of(client)
    person = people.find(ann.id)
    assert person is not None
    scopes: tuple[tuple[Scope, ...], ...] = (("play",), ("play", "arbitrate"))
    tokens = [people.access.issue_token(person, "", now(), each)[1] for each in scopes]

    answers = [
        client.post(
            f"/api/matches/{match_id}/forks",
            json={"at": version, "luck": "fresh"},
            headers={"Authorization": f"Bearer {token}"},
        ).status_code
        for token in tokens
    ]

    assert answers == [422, 201]


def test_the_document_lists_403_for_tokens(client: TestClient[Any]) -> None:
    paths = client.get("/api/schema/openapi.json").json()["paths"]

    lacking = [
        f"{method} {path}"
        for path, methods in paths.items()
        for method, operation in methods.items()
        if "403" not in operation["responses"] and path != UNGUARDED
    ]
    assert lacking == []
