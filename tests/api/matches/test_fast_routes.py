"""Fast routes respond like the handlers of the same addresses, and leave unusual requests to them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final
from uuid import UUID

import msgspec
import pytest
from httpx import Response
from litestar.testing import TestClient

from api.accounts.people import PEOPLE
from api.http.app_state import TITLES_PLAYED
from api.http.application import FAST_ROUTES
from api.matches.fast_routes import FastRoutes, prefers_representation
from api.matches.response_cache import EncodedResponse, ResponseCache
from domain.eventstore.application import Matches
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from tests.api.service import Member, Person, account_of, catch_up, settings_in, start_match
from tests.domain.matches.match_helpers import ALL_TITLES, BOT, act_once, uuid
from tests.domain.matches.match_helpers import start_match as begun
from tests.seeding import entropy
from tests.service_app import create_app

LONG: Final = {"Cookie": "language=en"}
"""Requests with a cookie are left to the handler."""
NOTHING: Final = MappingProxyType[str, str]({})
PREFER: Final = {"Prefer": "return=representation"}


class CountedRoutes(FastRoutes):
    """Fast routes that count the requests they answer."""

    taken = 0

    async def handle(self, *args: Any) -> Any:
        rest = await super().handle(*args)
        self.taken += rest is None
        return rest


@pytest.fixture
def routes(client: TestClient[Any]) -> Iterator[CountedRoutes]:
    before = FAST_ROUTES.of(client)
    counted = CountedRoutes(client.app, TITLES_PLAYED.of(client))
    FAST_ROUTES.replace(client, counted)
    yield counted
    FAST_ROUTES.replace(client, before)


@pytest.fixture
def own_limited(tmp_path: Path) -> Iterator[TestClient[Any]]:
    """Start a service that allows twelve changes per minute and person."""
    settings = msgspec.structs.replace(settings_in(tmp_path), changes_per_minute=12)
    with TestClient(create_app(settings, entropy())) as client:
        yield client


@pytest.fixture
def quick_matches(tmp_path: Path) -> Iterator[Matches]:
    matches = open_store(store_env(tmp_path / "log.db"), titles=ALL_TITLES, entropy=entropy())
    yield matches
    matches.close()


def to_comparable(response: Response) -> tuple[int, dict[str, str], Any]:
    """Return a response for comparison, without cookies of the handler and the request id."""
    own = {"set-cookie", "content-length", "x-request-id"}
    headers = {name: value for name, value in response.headers.items() if name not in own}
    body = response.json() if response.content else None
    if isinstance(body, dict):
        body.pop("instance", None)
    return response.status_code, headers, body


def same(
    person: Person,
    path: str,
    routes: CountedRoutes,
    wanted: Any = None,
    *,
    is_short: bool = True,
    headers: Mapping[str, str] = NOTHING,
) -> Any:
    """Send a request both ways, compare, and return the response."""
    sent = {**person.headers, **headers}
    before = routes.taken

    def ask(more: dict[str, str]) -> Response:
        url = f"/api/matches/{path}"
        if wanted is None:
            return person.client.get(url, headers=sent | more)
        if isinstance(wanted, bytes):
            return person.client.post(url, content=wanted, headers=sent | more)
        return person.client.post(url, json=wanted, headers=sent | more)

    short = ask({})
    assert routes.taken - before == is_short
    assert to_comparable(short) == to_comparable(ask(LONG))
    assert routes.taken - before == is_short
    return short


def next_of(match_id: str, *people: Person) -> tuple[Person, Any]:
    """Return the next player to act and the legal actions."""
    match = people[0].get(f"/matches/{match_id}")[1]
    person = people[match["toAct"][0]]
    return person, person.legal(match_id)


def test_a_match_and_its_legal_actions_are_the_same_both_ways(ann: Person, ben: Person, routes: CountedRoutes) -> None:
    match_id, outsider = start_match(ann, ben), Person(ann.client)
    catch_up(ann.client)
    for person in (ann, ben, outsider):
        shown = same(person, match_id, routes).json()
        assert same(person, f"{match_id}?atLeast={shown['version']}", routes).json() == shown
        headers = {"If-None-Match": same(person, match_id, routes).headers["ETag"]}
        assert same(person, match_id, routes, headers=headers).status_code == 304
    for person in (ann, ben):
        assert same(person, f"{match_id}/legal-actions", routes).json()["seat"] == (ann, ben).index(person)
    assert same(outsider, f"{match_id}/legal-actions", routes).status_code == 403


def test_an_action_and_its_repetition_are_the_same_both_ways(ann: Person, ben: Person, routes: CountedRoutes) -> None:
    match_id = start_match(ann, ben)
    for headers in ({}, PREFER):
        person, legal = next_of(match_id, ann, ben)
        wanted = {"expectedVersion": legal["version"], "action": legal["actions"][0]["action"]}
        # The second response repeats the first: the same action at the same version.
        answer = same(person, f"{match_id}/actions", routes, wanted, headers=headers)
        assert (answer.status_code, answer.json()["version"]) == (201, legal["version"] + 1)
        assert answer.headers.get("Preference-Applied") == headers.get("Prefer")


def test_the_response_contains_the_next_legal_actions_on_request(
    ann: Person, ben: Person, routes: CountedRoutes
) -> None:
    match_id = start_match(ann, ben)
    for _ in range(6):
        person, legal = next_of(match_id, ann, ben)
        wanted = {"expectedVersion": legal["version"], "action": legal["actions"][0]["action"]}
        response = person.post(f"/matches/{match_id}/actions", wanted, **PREFER)[1]
        assert response["legalActions"] == person.legal(match_id)
    assert routes.taken >= 6


def test_rejections_of_actions_are_the_same_both_ways(ann: Person, ben: Person, routes: CountedRoutes) -> None:
    match_id = start_match(ann, ben)
    person, legal = next_of(match_id, ann, ben)
    other = ben if person is ann else ann
    action, version = legal["actions"][0]["action"], legal["version"]
    path = f"{match_id}/actions"
    for wanted, status, code in (
        ({"expectedVersion": version - 1, "action": action}, 409, "match/stale"),
        ({"expectedVersion": version + 7, "action": action}, 409, "match/stale"),
        ({"expectedVersion": version, "action": {"type": "el_grande.pass_intrigue_card"}}, 400, "request/malformed"),
    ):
        is_short = status != 400
        refusal = same(person, path, routes, wanted, is_short=is_short)
        assert (refusal.status_code, refusal.json()["code"]) == (status, code)
    refusal = same(other, path, routes, {"expectedVersion": version, "action": action})
    assert (refusal.status_code, refusal.json()["code"]) == (422, "action/illegal")
    refusal = same(Person(ann.client), path, routes, {"expectedVersion": version, "action": action})
    assert (refusal.status_code, refusal.json()["code"]) == (403, "seat/not_yours")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'{"expectedVersion":1}',
        b'{"expectedVersion":"1","action":{"type":"la_granja.pass"}}',
        b'{"expectedVersion":1,"action":{"type":"nonsense"},"more":1}',
        b'{"expectedVersion":1,"action":{"type":"\\u0000"}}',
        b'{"expectedVersion":1,"action":' + b"[" * 5_000,
        b"\xff\xfe",
        b" " * 20_000,
    ],
)
def test_a_malformed_body_is_left_to_the_handler(ann: Person, ben: Person, routes: CountedRoutes, body: bytes) -> None:
    match_id = start_match(ann, ben)
    sent = {"Content-Type": "application/json"}
    assert same(ann, f"{match_id}/actions", routes, body, is_short=False, headers=sent).status_code in {
        400,
        409,
        413,
        422,
    }


def test_unusual_requests_are_left_to_the_handler(ann: Person, ben: Person, routes: CountedRoutes) -> None:
    match_id = start_match(ann, ben)
    person, legal = next_of(match_id, ann, ben)
    wanted = {"expectedVersion": legal["version"], "action": legal["actions"][0]["action"]}
    for path in (str(UUID(int=5)), match_id.upper(), f"{match_id}/", f"{match_id}?atLeast=x", f"{match_id}?a=1"):
        same(person, path, routes, is_short=False)
    same(person, f"{match_id}/legal-actions?atLeast=1", routes, is_short=False)
    for header in ("Bearer wrong", "Basic x", "Bearer", ""):
        assert same(person, match_id, routes, headers={"Authorization": header}).status_code == 401
    body = msgspec.json.encode(wanted)
    for kind in ("text/plain", "application/json; charset=utf-8"):
        same(person, f"{match_id}/actions", routes, body, is_short=False, headers={"Content-Type": kind})
    same(person, f"{match_id}/actions", routes, wanted | {"seat": 0}, is_short=False)
    signed = {"key": "a", "signature": "b", "head": "c", "version": 1}
    same(person, f"{match_id}/actions", routes, wanted | {"signed": signed}, is_short=False)
    assert routes.taken == 6, "the two reads at the beginning, and the refused tokens"


def test_token_scopes_apply_both_ways(ann: Person, ben: Person, routes: CountedRoutes) -> None:
    match_id = start_match(ann, ben)
    person, legal = next_of(match_id, ann, ben)
    people = PEOPLE.of(ann.client)
    reads = people.access.issue_token(account_of(ann.client, person.id), "", datetime.now(UTC), ("read",))[1]
    wanted = {"expectedVersion": legal["version"], "action": legal["actions"][0]["action"]}
    sent = {"Authorization": f"Bearer {reads}"}
    assert same(person, match_id, routes, headers=sent).status_code == 200
    assert same(person, f"{match_id}/actions", routes, wanted, headers=sent).status_code == 403


def test_private_tables_are_hidden_both_ways(client: TestClient[Any], routes: CountedRoutes) -> None:
    one, two, outsider = Member(client, "One Short"), Member(client, "Two Short"), Member(client, "Three Short")
    match_id = start_match(one, two, table={"public": False})
    catch_up(client)
    assert same(one, match_id, routes).status_code == 200
    assert same(outsider, match_id, routes).status_code == 404


def test_rate_limits_apply_both_ways(own_limited: TestClient[Any]) -> None:
    ann, ben = Person(own_limited), Person(own_limited)
    routes = CountedRoutes(own_limited.app, TITLES_PLAYED.of(own_limited))
    FAST_ROUTES.replace(own_limited, routes)
    match_id = start_match(ann, ben)
    person, legal = next_of(match_id, ann, ben)
    before = routes.taken
    wanted = {"expectedVersion": legal["version"] - 1, "action": legal["actions"][0]["action"]}
    url = f"/api/matches/{match_id}/actions"

    answers = [own_limited.post(url, json=wanted, headers=person.headers) for _ in range(13)]

    assert [answers[0].status_code, answers[-1].status_code] == [409, 429]
    assert int(answers[-1].headers["Retry-After"]) > 0
    assert routes.taken - before == 13
    long = own_limited.post(url, json=wanted, headers=person.headers | LONG)
    assert (long.status_code, long.json()["code"]) == (429, answers[-1].json()["code"])


def test_preferences_are_parsed_as_in_rfc_7240() -> None:
    for header in ("return=representation", "respond-async, return=representation", "wait=10; Return=Representation"):
        assert prefers_representation(header)
    for other in (None, "", "return=minimal", "return", "representation"):
        assert not prefers_representation(other)


def test_a_response_is_encoded_once_per_audience_on_a_thread(quick_matches: Matches) -> None:
    match = begun(quick_matches, uuid(1), (BOT, BOT))
    names = {BOT: "Bot"}

    async def story() -> None:
        with ThreadPoolExecutor(1, thread_name_prefix="reader") as readers:
            answers = ResponseCache(readers)
            first: EncodedResponse = await answers.match(match, None, names, imported=False)
            assert await answers.match(match, None, names, imported=False) is first
            assert await answers.match(match, 0, names, imported=False) != first
            assert await answers.match(match, None, names | {"anna": "Anna"}, imported=False) is not first
            assert await answers.match(match, None, names, imported=True) != first
            later = act_once(quick_matches, match)
            newer = await answers.match(later, None, names, imported=False)
            # An older version is returned on request, but the newer one stays cached.
            assert await answers.match(match, None, names, imported=False) == first
            assert await answers.match(later, None, names, imported=False) is newer

    asyncio.run(story())
