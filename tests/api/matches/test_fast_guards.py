"""The fast paths run every guard of the routes they serve, or leave the request to the framework."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec
import pytest
from httpx import Response
from litestar.handlers import HTTPRouteHandler
from litestar.testing import TestClient

from api.app import create_app
from api.disputes.guards import shields_what_ifs
from api.guarding import GUARDS, guarded
from api.integrity.addresses import AddressNotes, notes_addresses
from api.matches import direct, short
from api.matches.acting import now
from api.matches.guards import shields_private_tables
from api.web.guards import requires_caller, requires_person, within_scopes
from api.web.inputs import has_meaning
from api.web.limits import within_limits
from tests.api.house import Person, Sockets, behind_sockets, settings_in, started
from tests.seeding import entropy

CHANGES_MAX: Final = 40
ADDRESSES: Final = ("203.0.113.7", "203.0.113.8")
ACTION: Final = {"type": "la_granja.pass"}
BOTH_PATHS: Final[tuple[dict[str, str], ...]] = (
    {},
    {"Esporles-Signed": '{"key": "a", "signature": "b"}'},
)
"""Headers by which a request takes the fast path, and those by which it takes the framework's."""


class Request(NamedTuple):
    """A request that one guard decides about."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any = None


class World:
    """A running match of Ann and Ben, public or private, and Zoe, who has no part in it."""

    def __init__(self, client: TestClient[Any]) -> None:
        self.client = client
        self.ann, self.ben, self.zoe = Person(client), Person(client), Person(client)
        self.public = started(self.ann, self.ben)
        self.private = started(self.ann, self.ben, table={"public": False})

    def ask(self, request: Request, more: dict[str, str]) -> Response:
        self.client.cookies.clear()
        headers = request.headers | more
        return self.client.request(request.method, request.path, headers=headers, json=request.body)

    def token(self, scope: Any) -> dict[str, str]:
        people = self.client.app.state.people
        return {"Authorization": f"Bearer {people.issue_token(people.find(self.ann.id), '', now(), (scope,))[1]}"}

    def action(self, match_id: str, **headers: str) -> Request:
        """Return an action with a stale version: it is refused, and changes nothing."""
        legal = self.ann.legal(match_id)
        actions = legal["actions"] or self.ben.legal(match_id)["actions"]
        wanted = {"expectedVersion": 1, "action": actions[0]["action"]}
        return Request("POST", f"/api/matches/{match_id}/actions", headers or self.ann.headers, wanted)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    settings = msgspec.structs.replace(settings_in(tmp_path), changes_per_minute=CHANGES_MAX)
    with TestClient(create_app(settings, entropy())) as client:
        yield World(client)


def reads(world: World, match_id: str, headers: dict[str, str]) -> Iterator[Request]:
    for path in ("", "/legal-actions", "/entries"):
        yield Request("GET", f"/api/matches/{match_id}{path}", headers)
    yield Request("GET", f"/tables/{match_id}", headers)


def meaningless(world: World) -> Iterator[Request]:
    for request in reads(world, world.public, world.ann.headers):
        if request.path.startswith("/api/"):
            yield request._replace(path=f"{request.path}?unknown=1")


def too_frequent(world: World) -> Iterator[Request]:
    wanted = world.action(world.public)
    for _ in range(CHANGES_MAX):
        world.ask(wanted, {})
    yield wanted


def out_of_scope(world: World) -> Iterator[Request]:
    yield from reads(world, world.public, world.token("play"))
    yield world.action(world.public, **world.token("read"))


def at_a_private_table(world: World) -> Iterator[Request]:
    yield from reads(world, world.private, world.zoe.headers)
    yield from reads(world, world.private, {})
    yield world.action(world.private, **world.zoe.headers)


def at_a_what_if(world: World) -> Iterator[Request]:
    """Make no request: a what-if is never public, so that the fast paths leave all requests to the framework."""
    tables, match = world.client.app.state.tables, world.client.app.state.tables.recalled(UUID(world.public))
    what_if = msgspec.structs.replace(match, docket=msgspec.structs.replace(match.docket, dispute="desk"))
    assert not tables.is_open_to(what_if, world.client.app.state.tables)
    yield from ()


def from_nobody(world: World) -> Iterator[Request]:
    yield Request("GET", f"/api/matches/{world.public}/legal-actions", {})
    yield world.action(world.public)._replace(headers={})


CASES: Final[dict[Any, Callable[[World], Iterator[Request]]]] = {
    has_meaning: meaningless,
    within_limits: too_frequent,
    within_scopes: out_of_scope,
    shields_private_tables: at_a_private_table,
    shields_what_ifs: at_a_what_if,
    requires_person: from_nobody,
    requires_caller: from_nobody,
}
"""For each guard requests that it refuses."""


@pytest.mark.parametrize("guard", CASES, ids=lambda guard: guard.__name__)
def test_what_a_guard_refuses_is_refused_on_the_fast_path_too(world: World, guard: Any) -> None:
    for request in CASES[guard](world):
        fast, slow = (world.ask(request, more) for more in BOTH_PATHS)
        assert fast.status_code == slow.status_code, request
        assert fast.status_code >= 400, request


def test_every_guard_of_a_route_with_a_fast_path_is_tried_above(world: World) -> None:
    """A new guard, on one of these routes or on all, needs its line in `CASES`."""
    templates = {*short.ROUTES.values(), *(route.template for route in direct.ROUTES.values())}
    handlers = {
        (route.path_format, handler)
        for route in world.client.app.routes
        for handler in getattr(route, "route_handlers", ())
        if isinstance(handler, HTTPRouteHandler)
        and route.path_format in templates
        and "OPTIONS" not in handler.http_methods
    }
    assert {path for path, _ in handlers} == templates
    guards = {getattr(guard, "func", guard) for _, handler in handlers for guard in handler.resolve_guards()}
    assert (guards - {guarded}) | {*GUARDS} == {*CASES, notes_addresses}


@pytest.mark.parametrize("more", BOTH_PATHS)
def test_the_address_of_an_action_is_noted_on_both_paths(tmp_path: Path, more: dict[str, str]) -> None:
    """Two people share an address only by the action that one of them sends from the other's."""
    settings = msgspec.structs.replace(settings_in(tmp_path), proxies=("127.0.0.1",))
    with behind_sockets(tmp_path, settings) as house:
        ann, ben = (Sender(house, address) for address in ADDRESSES)
        match_id = ann.sends("/api/matches", {"title": "la_granja", "seats": 2})["matchId"]
        for seat, person in enumerate((ann, ben)):
            person.sends(f"/api/matches/{match_id}/seats", {"seat": seat})
        notes: AddressNotes = house.app.state.addresses
        assert notes.store.shared(now()) == ()

        ann.address = ADDRESSES[1]
        ann.sends(f"/api/matches/{match_id}/actions", {"expectedVersion": 1, "action": ACTION}, more, status=409)

        assert [{each.one, each.two} for each in notes.store.shared(now())] == [{ann.id, ben.id}]


class Sender:
    """A guest whose requests all have one address, through a trusted proxy."""

    def __init__(self, house: Sockets, address: str) -> None:
        account = house.people.create_guest(now())
        self.id = account.id
        self.address = address
        self._house = house
        self._token = house.people.issue_token(account, "", now())[1]

    def sends(self, path: str, wanted: Any, more: dict[str, str] | None = None, status: int = 201) -> Any:
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        with closing(self._house.connection()) as connection:
            forwarded = headers | {"X-Forwarded-For": self.address} | (more or {})
            connection.request("POST", path, msgspec.json.encode(wanted), forwarded)
            answer = connection.getresponse()
            content = msgspec.json.decode(answer.read())
        assert answer.status == status, content
        return content
