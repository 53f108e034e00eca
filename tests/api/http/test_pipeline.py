"""Every step of the pipeline runs on every route, including fast routes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple
from uuid import UUID

import pytest
from httpx import Response
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute
from litestar.testing import TestClient

from api.accounts.people import PEOPLE, People
from api.app import PIPELINE
from api.http.app_state import SETTINGS, TITLES_PLAYED
from api.http.application import FAST_ROUTES
from api.http.cookies import FORMS, cookie_name
from api.http.csrf import EXEMPT_PATHS, HEADER
from api.http.guards import ANONYMOUS_PATHS, API_PATH, PUBLIC_FILES, SAFE_METHODS, scopes_of
from api.http.headers import SECURITY_HEADERS
from api.http.identity import SCOPES, Scope
from api.http.limits import BODY_BYTES_MAX, LIMITS
from api.integrity.addresses import ADDRESSES
from api.matches.fast_routes import ROUTES
from api.matches.service import MATCHES
from projections.platform.clock import now
from tests.api.disputes.test_disputes import raises
from tests.api.http.test_metrics import figures
from tests.api.service import (
    CountedFastRoutes,
    CountedLimits,
    ListedNotes,
    Person,
    catch_up,
    make_operator,
    settings_in,
    start_match,
)
from tests.seeding import entropy
from tests.service_app import create_app

PLACE: Final = re.compile(r"\{(\w+):(\w+)\}")
VALUES: Final = {"uuid": str(UUID(int=7)), "str": "la_granja", "int": "2", "path": "nothing"}
FAST: Final = frozenset(ROUTES.values())
ROUTES_MIN: Final = 300
FORMS_MIN: Final = 100
FORM_BYTES_MAX: Final = 2_000_000
"""Maximum size of a form without a file."""


class RouteMethod(NamedTuple):
    """A route with one of its methods."""

    method: str
    route: HTTPRoute
    handler: HTTPRouteHandler

    @property
    def changes(self) -> bool:
        return self.method not in SAFE_METHODS

    @property
    def has_form(self) -> bool:
        return self.changes and not self.route.path.startswith(EXEMPT_PATHS)

    @property
    def has_caller(self) -> bool:
        return not self.route.path.startswith(PUBLIC_FILES) and self.route.path not in ANONYMOUS_PATHS

    @property
    def has_match(self) -> bool:
        return "{match_id:uuid}" in self.route.path


class World:
    """A public, a private and a hypothetical match, and an unrelated person."""

    def __init__(self, client: TestClient[Any]) -> None:
        self.client = client
        self._tokens = dict[tuple[tuple[Scope, ...], str], dict[str, str]]()
        self.ann, self.ben, self.olga = Person(client), Person(client), Person(client)
        make_operator(client, self.olga.id)
        self.public = start_match(self.ann, self.ben)
        self.private = start_match(self.ann, self.ben, table={"public": False})
        disputed = start_match(self.ann, self.ben)
        version = self.ann.get(f"/matches/{disputed}")[1]["version"]
        dispute = raises(self.ann, disputed, version)
        wanted = {"entry": version, "seats": ["me", "greedy"]}
        self.what_if = self.olga.post(f"/disputes/{dispute['id']}/forks", wanted)[1]["matchId"]
        catch_up(client)
        self.limits = CountedLimits(SETTINGS.of(self.client))
        LIMITS.replace(client, self.limits)
        self.notes = ListedNotes(ADDRESSES.of(self.client))
        ADDRESSES.replace(client, self.notes)
        self.fast = CountedFastRoutes(client.app, TITLES_PLAYED.of(self.client))
        FAST_ROUTES.replace(client, self.fast)
        acting = next(person for person in (self.ann, self.ben) if person.legal(self.public)["actions"])
        self.act = {"expectedVersion": 1, "action": acting.legal(self.public)["actions"][0]["action"]}
        # If a step is missing, a stream begins. It ends at once, so that the test fails instead of waiting.
        client.blocking_portal.call(MATCHES.of(self.client).notifier.close)
        client.cookies.clear()
        client.get("/")
        self.form_token = client.cookies[cookie_name(FORMS, SETTINGS.of(self.client))]

    def token(self, scopes: tuple[Scope, ...] = SCOPES, role: str = "") -> dict[str, str]:
        """Return the header with a guest's token. Requests that no step rejects need `new_token`."""
        if (scopes, role) not in self._tokens:
            self._tokens[scopes, role] = self.new_token(scopes, role)[1]
        return self._tokens[scopes, role]

    def new_token(self, scopes: tuple[Scope, ...] = SCOPES, role: str = "") -> tuple[str, dict[str, str]]:
        """Return the id of a new guest and the header with the guest's token."""
        people: People = PEOPLE.of(self.client)
        guest = people.create_guest(now())
        if role:
            people.set_role(guest.id, role)
        return guest.id, {"Authorization": f"Bearer {people.access.issue_token(guest, '', now(), scopes)[1]}"}

    def ask(
        self, route_method: RouteMethod, headers: dict[str, str], *, match_id: str = "", query: str = ""
    ) -> Response:
        """Send a request to the route, with the CSRF token unless the headers have one."""
        self.client.cookies.clear()
        sent = {**headers}
        if route_method.has_form:
            self.client.cookies.set(cookie_name(FORMS, SETTINGS.of(self.client)), self.form_token)
            sent = {HEADER: self.form_token, **headers}
        values = {**VALUES, "match_id": match_id or self.public}
        path = PLACE.sub(lambda parameter: values.get(parameter[1]) or values[parameter[2]], route_method.route.path)
        body: Any = {}
        if (route_method.method, route_method.route.path_format) in FAST and route_method.changes:
            body = {"json": self.act}
        return self.client.request(route_method.method, path + query, headers=sent, follow_redirects=False, **body)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with TestClient(create_app(settings_in(tmp_path_factory.mktemp("pipeline")), entropy())) as client:
        yield World(client)


def routes(world: World) -> list[RouteMethod]:
    return [
        RouteMethod(method, route, handler)
        for route in world.client.app.routes
        if isinstance(route, HTTPRoute)
        for handler in route.route_handlers
        for method in sorted(handler.http_methods - {"OPTIONS", "HEAD"})
    ]


def refuses_an_unknown_token(world: World, route_method: RouteMethod) -> bool:
    answer = world.ask(route_method, {"Authorization": "Bearer unknown"})
    return answer.status_code == 401


def refuses_a_form_without_a_token(world: World, route_method: RouteMethod) -> bool:
    answer = world.ask(route_method, {**world.token(), HEADER: "forged"})
    return answer.status_code == 403 and "the form token does not match the session" in answer.text


def refuses_a_query_with_a_nul(world: World, route_method: RouteMethod) -> bool:
    answer = world.ask(route_method, {}, query="?a=%00")
    return answer.status_code == 400 and "NUL character" in answer.text


def counts_a_change(world: World, route_method: RouteMethod) -> bool:
    """Use a token with the wrong scope, so that nothing is changed."""
    before = len(world.limits.spent)
    world.ask(route_method, world.token(("read",)))
    return [kind for kind, _ in world.limits.spent[before : before + 1]] in (["change"], ["account"])


def refuses_a_token_of_another_scope(world: World, route_method: RouteMethod) -> bool:
    accepted = scopes_of(route_method.method, route_method.handler)
    other = next((scope for scope in SCOPES if scope not in accepted), None)
    if other is None:
        return True
    answer = world.ask(route_method, world.token((other,), "operator"))
    return answer.status_code == 403 and "a token with the scope" in answer.text


def records_an_address(world: World, route_method: RouteMethod) -> bool:
    person, headers = world.new_token()
    world.ask(route_method, headers)
    return world.notes.people[-1:] == [person]


def hides_a_private_match(world: World, route_method: RouteMethod) -> bool:
    answer = world.ask(route_method, world.token(), match_id=world.private)
    return answer.status_code == 404 and world.private in answer.text


def refuses_a_what_if(world: World, route_method: RouteMethod) -> bool:
    answer = world.ask(route_method, world.ann.headers, match_id=world.what_if)
    return answer.status_code == 403 and "only arbiters of the match can see a what-if" in answer.text


CASES: Final[dict[str, tuple[Callable[[RouteMethod], bool], Callable[[World, RouteMethod], bool]]]] = {
    "caller": (lambda tried: tried.has_caller, refuses_an_unknown_token),
    "forgery": (lambda tried: tried.has_form, refuses_a_form_without_a_token),
    "meaning": (lambda _: True, refuses_a_query_with_a_nul),
    "limits": (lambda tried: tried.changes, counts_a_change),
    "scopes": (lambda tried: tried.has_caller, refuses_a_token_of_another_scope),
    "addresses": (lambda tried: tried.changes, records_an_address),
    "private tables": (lambda tried: tried.has_match, hides_a_private_match),
    "what-ifs": (lambda tried: tried.has_match, refuses_a_what_if),
}
"""For each step the routes it concerns, and a request that it rejects or records."""


def test_every_step_has_a_case() -> None:
    assert [step.name for step in PIPELINE.steps] == [*CASES]


@pytest.mark.parametrize("name", CASES)
def test_a_step_runs_on_every_route_it_concerns(world: World, name: str) -> None:
    concerns, is_seen = CASES[name]
    tried_routes = [each for each in routes(world) if concerns(each)]
    fast = {(each.method, each.route.path_format) for each in tried_routes} & FAST
    before = world.fast.answered

    missed = [f"{each.method} {each.route.path}" for each in tried_routes if not is_seen(world, each)]

    assert missed == []
    assert tried_routes
    if name not in {"meaning", "what-ifs"}:  # the framework handles queries and what-ifs
        assert world.fast.answered - before >= len(fast)


def test_every_response_is_measured_and_has_the_default_headers(world: World) -> None:
    tried_routes = routes(world)
    assert len(tried_routes) > ROUTES_MIN
    before = figures(world.client)
    for each in tried_routes:
        answer = world.ask(each, {}, query="?a=%00")
        assert answer.headers.items() >= {name.lower(): value for name, value in SECURITY_HEADERS.items()}.items()
    after = figures(world.client)

    for each in tried_routes:
        labels = {"method": each.method, "route": each.route.path_format, "status": "400"}
        name = ("esporles_requests_total", frozenset(labels.items()))
        assert after[name] - before.get(name, 0.0) == 1, labels


def test_every_operation_rejects_a_long_body(world: World) -> None:
    for each in routes(world):
        is_read = "data" in each.handler.parsed_fn_signature.parameters
        if not (each.changes and is_read and each.route.path.startswith(API_PATH)):
            continue
        most = each.handler.resolve_request_max_body_size() or BODY_BYTES_MAX
        path = PLACE.sub(lambda parameter: VALUES[parameter[2]], each.route.path).replace(VALUES["uuid"], world.public)
        headers = world.token(role="operator")
        response = world.client.request(
            each.method, path, headers=headers | {"Content-Type": "application/json"}, content=b" " * (most + 1)
        )
        assert response.status_code in {403, 404, 413}, (each.method, path, response.text)
        if (each.method, each.route.path_format) in FAST:
            assert response.status_code == 413


def test_every_form_rejects_a_long_body(world: World) -> None:
    """A route of a missing event or league answers 404 before reading the body."""
    wanted = {HEADER: world.form_token, "Content-Type": "application/x-www-form-urlencoded"}
    statuses = list[int]()
    for each in routes(world):
        if not each.has_form:
            continue
        most = max(each.handler.resolve_request_max_body_size() or 0, FORM_BYTES_MAX)
        world.client.cookies.clear()
        world.client.cookies.set(cookie_name(FORMS, SETTINGS.of(world.client)), world.form_token)
        path = PLACE.sub(lambda parameter: VALUES[parameter[2]], each.route.path).replace(VALUES["uuid"], world.public)
        headers = wanted | world.token(role="operator")
        response = world.client.request(each.method, path, headers=headers, content=b"a=" + b"b" * most)
        assert response.status_code in {400, 404, 413}, (each.method, path, response.text)
        statuses.append(response.status_code)

    assert statuses.count(413) >= FORMS_MIN


def test_a_browser_receives_the_csrf_token_once(world: World) -> None:
    """The page and the middleware both know the token."""
    for path in ("/", f"/tables/{world.public}", f"/tables/{world.private}"):
        world.client.cookies.clear()
        first = world.client.get(path)
        assert len(first.headers.get_list("set-cookie")) == 1, path
        assert "set-cookie" not in world.client.get(path).headers, path
