"""Generated requests get the same response and side effects from a fast route and from its handler."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from random import Random
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec
import pytest
from httpx import Response
from litestar.testing import TestClient
from structlog.testing import capture_logs

from api.accounts.people import PEOPLE
from api.http.app_state import SETTINGS, TITLES_PLAYED
from api.http.application import FAST_ROUTES
from api.http.identity import SCOPES
from api.http.limits import LIMITS
from api.http.metrics import METRICS
from api.integrity.addresses import ADDRESSES
from tests.api.disputes.test_disputes import raises, rules
from tests.api.service import (
    SERVICE_TOKEN,
    CountedFastRoutes,
    CountedLimits,
    ListedMetrics,
    ListedNotes,
    Person,
    account_of,
    catch_up,
    make_operator,
    session_of,
    settings_in,
    start_match,
)
from tests.seeding import derive_number, entropy, example_count
from tests.service_app import create_app

REQUESTS: Final = example_count(1_200, 2)
FAST_MIN: Final = REQUESTS * 7 // 24
"""Requests that the fast routes must answer themselves; the others are unusual in some way."""
PARTS: Final = ("", "/legal-actions", "/actions")
OWN: Final = frozenset({"x-request-id", "date"})
METHODS: Final = ("GET", "POST", "HEAD", "PUT", "PATCH", "OPTIONS")
JSON: Final = "application/json"
SESSION: Final = "esporles"


class GeneratedRequest(NamedTuple):
    """A generated request."""

    method: str
    path: str
    headers: tuple[tuple[str, str], ...]
    body: bytes | None


class ObservedResponse(NamedTuple):
    """The response, and the records that the request caused."""

    status: int
    headers: list[tuple[str, str]]
    body: Any
    counted: list[tuple[str, str]]
    noted: list[str]
    measured: list[tuple[str, str, int]]
    logged: list[dict[str, Any]]


class World:
    """Matches and tokens of every kind."""

    def __init__(self, client: TestClient[Any]) -> None:
        self.client = client
        self.random = Random(derive_number("both paths"))
        self.ann, self.ben, self.zoe, self.olga = (Person(client) for _ in range(4))
        make_operator(client, self.olga.id)
        self.matches = self._open_matches()
        catch_up(client)
        self.limits = CountedLimits(SETTINGS.of(self.client))
        LIMITS.replace(client, self.limits)
        self.notes = ListedNotes(ADDRESSES.of(self.client))
        ADDRESSES.replace(client, self.notes)
        self.metrics = ListedMetrics()
        METRICS.replace(client, self.metrics)
        self.fast = CountedFastRoutes(client.app, TITLES_PLAYED.of(self.client))
        tired = Person(client)
        self.limits.exhausted.add(tired.id)
        self.tokens = [*self._tokens(), tired.headers["Authorization"]]
        self.session = session_of(client, self.ann.id)

    def _open_matches(self) -> dict[str, str]:
        ann, ben, olga = self.ann, self.ben, self.olga
        public, private, disputed, replaced, ended = (
            start_match(ann, ben, table={"public": kind != "private"})
            for kind in ("public", "private", "disputed", "replaced", "ended")
        )
        version = ann.get(f"/matches/{disputed}")[1]["version"]
        wanted = {"entry": version, "seats": ["me", "greedy"]}
        what_if = olga.post(f"/disputes/{raises(ann, disputed, version)['id']}/forks", wanted)[1]["matchId"]
        for _ in range(6):
            (ann, ben)[ann.get(f"/matches/{replaced}")[1]["toAct"][0]].acts(replaced)
        version = ann.get(f"/matches/{replaced}")[1]["version"]
        ruled = rules(olga, raises(ann, replaced, version, "second"), {"type": "line_resumed", "version": version - 2})
        assert ruled[0] == 201, ruled
        assert ann.post(f"/matches/{ended}/resignation", {})[0] < 300
        return {
            "public": public,
            "private": private,
            "disputed": disputed,
            "what-if": what_if,
            "replaced": replaced,
            "ended": ended,
            "open": ann.opens(),
            "unknown": str(UUID(int=9)),
            "capitals": public.upper(),
        }

    def _tokens(self) -> Iterator[str]:
        people = PEOPLE.of(self.client)
        for person in (self.ann, self.ben, self.zoe, self.olga):
            yield person.headers["Authorization"]
        for scope in SCOPES:
            account = account_of(self.client, self.ann.id)
            yield f"Bearer {people.access.issue_token(account, '', datetime.now(UTC), (scope,))[1]}"
        yield from ("Bearer unknown", "Bearer", "Basic x", "", f"bearer {self.ben.token}", f"Bearer {SERVICE_TOKEN}")

    def generate(self) -> GeneratedRequest:
        """Return a request; most have at most one unusual property."""
        random = self.random
        match_id = self.matches[random.choice([*self.matches, "public", "public", "public", "private"])]
        part = random.choice(PARTS)
        usual = "POST" if part == "/actions" else "GET"
        method = usual if random.random() < 0.95 else random.choice(METHODS)
        headers = list[tuple[str, str]]()
        if random.random() < 0.9:
            token = random.choice(self.tokens if random.random() < 0.35 else self.tokens[:3])
            headers.append(("Authorization", token))
        headers += self._conditions(match_id) if part == "" else []
        headers += self._unusual_headers() if random.random() < 0.2 else []
        body = self._body(match_id, headers) if method != "GET" else None
        query = self._query(match_id) if random.random() < 0.2 else ""
        return GeneratedRequest(method, f"/api/matches/{match_id}{part}{query}", tuple(headers), body)

    def _conditions(self, match_id: str) -> list[tuple[str, str]]:
        if self.random.random() < 0.6:
            return []
        tag = self.client.get(f"/api/matches/{match_id}", headers=self.ann.headers).headers.get("ETag", '"1"')
        return [("If-None-Match", self.random.choice([tag, tag, f"W/{tag}", f'"x", {tag}', '"x"', "*", "", tag[1:-1]]))]

    def _unusual_headers(self) -> list[tuple[str, str]]:
        return [
            self.random.choice(
                [
                    ("Cookie", "language=cs"),
                    ("Cookie", f"{SESSION}={self.session}"),
                    ("Accept-Language", "de"),
                    ("Accept", "text/html"),
                    ("Esporles-Held", "word"),
                    ("Esporles-Signed", "{"),
                    ("Esporles-Signed", '{"key": "a", "signature": "b"}'),
                    ("Prefer", "return=minimal"),
                    ("X-CSRFToken", "x"),
                    ("HX-Request", "true"),
                    ("X-Forwarded-For", "203.0.113.7"),
                    ("Accept", "application/json"),
                    ("Content-Encoding", "gzip"),
                ]
            )
        ]

    def _query(self, match_id: str) -> str:
        version = self.ann.get(f"/matches/{match_id}")[1].get("version", 1)
        return self.random.choice(
            [
                "?",
                "?atLeast=0",
                f"?atLeast={version}",
                f"?atLeast={version - 1}",
                "?atLeast=x",
                "?atLeast=-1",
                "?atLeast=99999999999",
                "?atLeast=1&atLeast=2",
                "?more=1",
                "?a=%00",
                "?atLeast=%00",
            ]
        )

    def _body(self, match_id: str, headers: list[tuple[str, str]]) -> bytes:
        """Return a body, and add its type and a preference to the headers."""
        random, kind = self.random, JSON
        if random.random() < 0.1:
            kind = random.choice(["text/plain", f"{JSON}; charset=utf-8", "application/x-www-form-urlencoded", ""])
        if kind:
            headers.append(("Content-Type", kind))
        if random.random() < 0.5 and not any(name == "Prefer" for name, _ in headers):
            headers.append(("Prefer", random.choice(["return=representation", "wait=1, Return=Representation", "x"])))
        wanted = self._action(match_id)
        if random.random() < 0.6:
            return msgspec.json.encode(wanted)
        return random.choice(
            [
                msgspec.json.encode(wanted | {"expectedVersion": wanted["expectedVersion"] - 1}),
                msgspec.json.encode(wanted | {"expectedVersion": wanted["expectedVersion"] + 5}),
                msgspec.json.encode(wanted | {"expectedVersion": str(wanted["expectedVersion"])}),
                msgspec.json.encode(wanted | {"expectedVersion": -1}),
                msgspec.json.encode(wanted | {"action": {"type": "el_grande.pass_intrigue_card"}}),
                msgspec.json.encode(wanted | {"action": {"type": "la_granja.nothing"}}),
                msgspec.json.encode(wanted | {"seat": 0}),
                msgspec.json.encode(wanted | {"signed": {"key": "a", "signature": "b", "head": "c", "version": 1}}),
                msgspec.json.encode(wanted | {"more": 1}),
                msgspec.json.encode(wanted).replace(b"la_granja", b"la_gran\\u0000ja"),
                msgspec.json.encode(wanted).replace(b"{", b" {"),
                msgspec.json.encode(wanted) + b" " * 17_000,
                b"",
                b"{",
                b"null",
                b"[" * 4_000,
                b"\xff\xfe",
            ]
        )

    def _action(self, match_id: str) -> dict[str, Any]:
        for person in (self.ann, self.ben):
            status, legal = person.get(f"/matches/{match_id}/legal-actions")
            if status == 200 and legal["actions"]:
                action = self.random.choice(legal["actions"])["action"]
                return {"expectedVersion": legal["version"], "action": action}
        return {"expectedVersion": 3, "action": {"type": "la_granja.pass"}}

    def send(self, sent: GeneratedRequest, *, fast: bool) -> ObservedResponse:
        """Send the request with the fast routes on or off."""
        self.client.cookies.clear()
        self.limits.spent.clear()
        self.notes.people.clear()
        self.metrics.counted.clear()
        FAST_ROUTES.replace(self.client, self.fast if fast else None)
        with capture_logs() as logged:
            response = self.client.request(sent.method, sent.path, headers=list(sent.headers), content=sent.body)
        FAST_ROUTES.replace(self.client, None)
        return ObservedResponse(
            response.status_code,
            sorted((name, value) for name, value in response.headers.multi_items() if name not in OWN),
            body_of(response),
            list(self.limits.spent),
            list(self.notes.people),
            list(self.metrics.counted),
            [{name: value for name, value in line.items() if name != "seconds"} for line in logged],
        )


def body_of(response: Response) -> Any:
    """Return the bytes, or the problem without its request id."""
    if not response.content or not response.headers["content-type"].startswith("application/problem+json"):
        return response.content
    problem = response.json()
    assert problem.pop("instance").endswith(response.headers["x-request-id"])
    return problem


@pytest.fixture
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    settings = msgspec.structs.replace(settings_in(tmp_path_factory.mktemp("both")), log_requests=True)
    with TestClient(create_app(settings, entropy())) as client:
        yield World(client)


def test_generated_requests_are_answered_alike_by_both_paths(world: World) -> None:
    statuses = Counter[int]()
    for number in range(REQUESTS):
        sent = world.generate()
        first_is_fast = world.random.random() < 0.5
        responses = {fast: world.send(sent, fast=fast) for fast in (first_is_fast, not first_is_fast)}
        assert responses[True] == responses[False], (number, sent)
        statuses[responses[True].status] += 1
        if responses[True].status == 201:
            catch_up(world.client)

    assert world.fast.answered >= FAST_MIN, statuses
    assert {200, 201, 304, 400, 401, 403, 404, 405, 409, 413, 429} <= {*statuses}, statuses
