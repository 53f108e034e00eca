"""Access rights: unrelated callers call every operation of the API.

Handlers declare who may use an operation. Bodies are generated from the OpenAPI schemas, so that new operations are
included.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import pytest
from litestar.routes import HTTPRoute
from litestar.testing import TestClient

from api.http.access import ACCESS_WORDS, access_of, implied_by_guards
from api.http.openapi import access_by_operation
from ops.dev.access import PAGE, page
from tests.api.http.access_places import NOT_THERE_YET, PLACES, RANKING_RULE
from tests.api.service import PASSWORD, Member, Person, catch_up, make_operator, settings_in, start_match
from tests.seeding import entropy
from tests.service_app import create_app
from tests.signing import Pen

METHODS: Final = ("get", "post", "put", "patch", "delete")
NOBODY: Final = "somebody unknown"
REFUSED: Final = frozenset({401, 403, 404})
PLAN: Final = {"name": "Cup", "title": "la_granja", "size": 2}
CIRCUIT: Final = {"name": "Circuit", "table": [{"size": 1, "points": [3, 1]}]}
LEAGUE: Final = {"name": "League", "title": "la_granja", "size": 3, "table": {}}
SAID: Final[Mapping[str, Any]] = {
    "title": "la_granja",
    "seats": 2,
    "seat": 1,
    "entry": 6,
    "at": 6,
    "rule": "2",
    "role": "arbiter",
    "name": "Somebody new",
    "address": "ann@players.example",
    "password": PASSWORD,
    "scores": [3, 1],
    "places": [1, 2],
    "deadline": "2999-01-31T00:00:00Z",
    "step": "pair",
    "tables": [],
}
"""Values of body fields by name; other fields get the minimum of their schema."""
TEXTS: Final[Mapping[str, str]] = {
    "/api/leagues/{league_id}/files/players": "player,seeding\nAnn,1\n",
    "/api/leagues/{league_id}/files/results": "group,round,table,player,score,place\n1,1,1,Ann,3,1\n",
    "/api/tournaments/{event_id}/files/{what}": "player,seeding\nAnn,1\n",
}
ONESELF: Final = frozenset({"DELETE /api/me", "DELETE /api/me/sessions", "POST /api/me/bot"})
"""Operations after which the caller's token is invalid, or the caller plays differently."""
AT_TABLES: Final = "/api/matches/{match_id}"
OF_SOMEBODY_ELSE: Final = frozenset(
    {
        "DELETE /api/tokens/{token_id}",
        "DELETE /api/me/sessions/{session_id}",
        "DELETE /api/me/passkeys/{passkey_id}",
        "DELETE /api/me/keys/{key}",
        "DELETE /api/me/identities/{identity_id}",
        "POST /api/tournaments/{event_id}/rounds/{number}/tables/{table}/photos",
        "POST /api/tournaments/{event_id}/photos/{photo}/removal",
    }
)
"""Operations that answer 404 for things of other people."""
OPEN_TABLES: Final = frozenset({"POST /api/matches/{match_id}/seats"})
ENDED_TABLES: Final = frozenset(
    {
        "POST /api/matches/{match_id}/forks",
        "POST /api/matches/{match_id}/annotations",
        "POST /api/matches/{match_id}/rematch",
        "GET /api/matches/{match_id}/log",
        "GET /api/matches/{match_id}/proof",
    }
)
OTHER_FILES: Final = {
    "GET /api/circuits/{circuit_id}/files/{what}": "standings.csv",
    "GET /api/leagues/{league_id}/seasons/{number}/files/{what}": "standings.csv",
    "GET /api/tournaments/{event_id}/files/{what}": "players.csv",
}
WITH_A_PASSWORD: Final = frozenset({"POST /api/me/password"})
"""Operations that need the current password; a wrong one gives 401."""

OFFICIALS_ELSEWHERE: Final = ("the organiser of another tournament", "the arbiter of another tournament")
OF_WHATEVER_EVENT: Final = frozenset(
    f"GET /api/{what}"
    for what in (
        "disputes/calls",
        "disputes/queue",
        "disputes/precedents",
        "disputes/statistics",
        "disputes/templates",
        "talk/reports",
    )
)
"""Operations for officials of any event, who see only their events."""


class World:
    """At least one object of each kind, made by Ann, Ben and officials, and five unrelated callers."""

    def __init__(self, client: TestClient[Any]) -> None:
        self.client = client
        self.ann, self.ben, self.olga, outsider = (Person(client) for _ in range(4))
        self.officials = (Person(client), Person(client))
        make_operator(client, self.olga.id)
        client.post("/api/accounts", json={"name": "Otto", "password": PASSWORD})
        wanted = {"name": "Otto", "password": PASSWORD, "label": "walk"}
        token = client.post("/api/tokens", json=wanted).json()["secret"]
        organiser, arbiter = self.officials
        other = organiser.post("/tournaments", {"plan": PLAN})[1]["eventId"]
        assert self.olga.post("/roles", {"person": arbiter.id, "role": "arbiter", "event": other})[0] in {200, 201}
        self.headers: dict[str, dict[str, str]] = {
            NOBODY: {},
            "a guest": outsider.headers,
            "an account": {"Authorization": f"Bearer {token}"},
            OFFICIALS_ELSEWHERE[0]: organiser.headers,
            OFFICIALS_ELSEWHERE[1]: arbiter.headers,
        }
        self.public = self._running(True)
        self.private = self._running(False)
        self.ended = start_match(self.ann, self.ben)
        self.ann.post(f"/matches/{self.ended}/resignation", {})
        self.open = self.ann.opens(5, title="el_grande")
        self.waiting = self.ann.opens(3)
        self.ben.sits(self.waiting, 1)
        self.paused = self._running(True)
        assert [self.ann.post(f"/matches/{self.paused}/pause", {}), self.ben.post(f"/matches/{self.paused}/pause", {})]
        self.ids = self._things()
        catch_up(client)

    def _running(self, public: bool) -> str:
        match_id = start_match(self.ann, self.ben, table={"public": public, "pauseOnDispute": False})
        for _ in range(3):
            act = self.ann.get(f"/matches/{match_id}")[1]["toAct"][0]
            (self.ann, self.ben)[act].acts(match_id)
        return match_id

    def _things(self) -> dict[str, str]:
        last = self.ann.get(f"/matches/{self.public}")[1]["version"]
        dispute = self.ann.post(f"/matches/{self.public}/disputes", {"entry": last, "reason": "Wrong"})[1]["id"]
        event = self.olga.post("/tournaments", {"plan": PLAN})[1]["eventId"]
        entered = self.ann.post(f"/tournaments/{event}/entries", {})[1]["entries"][0]["entry"]
        league = self.olga.post("/leagues", {"plan": LEAGUE})[1]["leagueId"]
        self.olga.post(f"/leagues/{league}/seasons", {"name": "Winter"})
        self.ann.post(f"/leagues/{league}/entries", {})
        return {
            "dispute_id": dispute,
            "event_id": event,
            "entry": entered,
            "league_id": league,
            "contest_id": event,
            "circuit_id": self.olga.post("/circuits", {"plan": CIRCUIT})[1]["circuitId"],
            "player": self.ann.id,
            "name": self.ann.id,
            "title": "la_granja",
            "study_id": self.ann.post(f"/matches/{self.ended}/annotations", {"title": "Mine"})[1]["id"],
            "session_id": "0123456789abcdef",
            "passkey_id": "0123456789abcdef",
            "key": "2" * 64,
            "identity_id": "0123456789abcdef",
            "person_id": self.ann.id,
            "token_id": self.ann.get("/tokens")[1]["tokens"][0]["id"],
            "invitation": self._invitation(),
            "kind": "players",
            "about_id": self.public,
            "message_id": self.ann.post(f"/talk/players/{self.public}", {"phrase": "hello"})[1]["id"],
            "person": self.ann.id,
            "challenge_id": self.open,
            "club_id": Member(self.client, "Clara").post("/clubs", {"name": "Walkers"})[1]["id"],
        }

    def _invitation(self) -> str:
        return str(self.ann.get(f"/matches/{self.private}/invitations")[1]["invitations"][0]["id"])

    def address(self, name: str, match_id: str) -> str:
        """Return the path of an operation, with ids of this match and of other objects."""
        known = PLACES | self.ids | {"match_id": match_id}
        if name in OTHER_FILES:
            known["what"] = OTHER_FILES[name]
        return re.sub(r"\{(\w+)\}", lambda parameter: known[parameter[1]], name.partition(" ")[2])

    def table_for(self, name: str) -> str:
        """Return the public table that suits an operation."""
        fits = {
            "DELETE /api/matches/{match_id}/seats/{seat}": self.waiting,
            "DELETE /api/matches/{match_id}": self.waiting,
            "DELETE /api/matches/{match_id}/pause": self.paused,
        }
        fits |= dict.fromkeys(OPEN_TABLES, self.open) | dict.fromkeys(ENDED_TABLES, self.ended)
        return fits.get(name, self.public)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with TestClient(create_app(settings_in(tmp_path_factory.mktemp("walked")), entropy())) as client:
        yield World(client)


@pytest.fixture(scope="module")
def document(world: World) -> Any:
    return world.client.get("/api/schema/openapi.json").json()


def operations(document: Any) -> dict[str, Any]:
    return {
        f"{method.upper()} {path}": operation
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if method in METHODS
    }


def body_of(document: Any, schema: Any, name: str = "") -> Any:
    """Return a minimal value for a schema, with meaningful values for known names."""
    if name in SAID:
        return SAID[name]
    if "$ref" in schema:
        return body_of(document, document["components"]["schemas"][schema["$ref"].rpartition("/")[2]], name)
    if choices := schema.get("oneOf") or schema.get("anyOf"):
        return body_of(document, choices[0], name)
    if "enum" in schema or "const" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    match schema.get("type"):
        case "object":
            fields = schema.get("properties", {})
            return {field: body_of(document, fields[field], field) for field in schema.get("required", ())}
        case "integer" | "number":
            return max(1, schema.get("minimum", 1))
        case "array":
            return []
        case "boolean":
            return False
        case _:
            return "x" * max(8, schema.get("minLength", 1))


def build_request(document: Any, world: World, name: str) -> dict[str, Any]:
    """Return the body and headers of a request, generated from the schema."""
    operation = operations(document)[name]
    content = operation.get("requestBody", {}).get("content", {})
    if "application/json" in content and (schema := content["application/json"]["schema"]):
        body = body_of(document, schema)
        known: dict[str, Any] = dict.fromkeys(("person", "player", "out"), world.ann.id)
        known |= {"key": Pen(name).key, "by": "", "signature": "", "role": "organiser", "first": "e1", "second": "e2"}
        plan = LEAGUE if "leagues" in name else CIRCUIT if "circuits" in name else PLAN
        known |= {"plan": plan, "contest": {"kind": "tournament", "id": world.ids["event_id"]}}
        known["entry"] = world.ids["entry"] if "tournaments" in name else SAID["entry"]
        if "rankings" in name:
            known |= {"key": "cup", "rule": RANKING_RULE}
        legal = world.ann.legal(world.public)["actions"] or world.ben.legal(world.public)["actions"]
        known |= {"action": legal[0]["action"], "steps": [{"seat": 0, "action": legal[0]["action"]}]}
        if name == "POST /api/invitations":
            known["secret"] = world.ann.invites(world.ann.opens(2, table={"public": False}))
        if name == "POST /api/tokens":
            known["name"] = "Otto"
        if name in WITH_A_PASSWORD:
            known["password"] = "not the right one"
        return {"json": body | {field: value for field, value in known.items() if field in body}}
    if "text/csv" in content:
        text = TEXTS[name.partition(" ")[2]]
        return {"content": text.encode(), "headers": {"Content-Type": "text/csv"}}
    if name == "POST /api/logs":
        log = world.ann.client.get(f"/api/matches/{world.ended}/log").content
        return {"content": log, "headers": {"Content-Type": "application/jsonl"}}
    if name == "POST /api/studies":
        file = world.ann.client.get(f"/api/studies/{world.ids['study_id']}/file", headers=world.ann.headers).content
        return {"content": file, "headers": {"Content-Type": "application/jsonl"}}
    return {}


def ask(world: World, name: str, caller: str, match_id: str, more: dict[str, Any]) -> tuple[int, str]:
    """Send a request and return the status and the start of the body."""
    headers = {**world.headers[caller], **more.get("headers", {})}
    if name in ONESELF and caller != NOBODY:
        headers = Person(world.client).headers
    request = {key: value for key, value in more.items() if key != "headers"}
    method, address = name.partition(" ")[0], world.address(name, match_id)
    if name.endswith("/stream"):
        # A stream never ends. Its guards are the same as for entries, so it is requested with an unsupported method.
        address = address.replace("/stream", "/entries")
    if name.endswith("/position"):
        address += "?entry=6"
    if name == "POST /api/accounts":
        request["json"] = {"name": f"Walker {len(world.ids)} {caller[:12]}"[:40], "password": PASSWORD}
    response = world.client.request(method, address, headers=headers, **request)
    return response.status_code, response.text[:300]


@pytest.fixture(scope="module")
def who_may(world: World) -> dict[str, str]:
    """Return the access word of every operation."""
    return {name: access.who for name, (access, _) in access_by_operation(world.client.app).items()}


def test_the_page_shows_the_declarations() -> None:
    """`python -m ops.dev.access` updates the page."""
    text = PAGE.read_text()

    assert page(text) == text


def test_a_declaration_agrees_with_the_guards(world: World) -> None:
    """Declarations are at least as strict as the guards."""
    contradicting = []
    for route in world.client.app.routes:
        if isinstance(route, HTTPRoute):
            for method, (handler, _) in route.route_handler_map.items():
                declared, implied = access_of(handler).who, implied_by_guards(handler)
                if "service" in (declared, implied) and declared != implied:
                    contradicting.append(f"{method} {route.path_format}")
                if "anybody" == declared != implied or (declared, implied) == ("signed in", "anybody"):
                    contradicting.append(f"{method} {route.path_format}")

    assert not contradicting


def test_the_document_has_the_access_and_the_scopes_of_every_operation(world: World, document: Any) -> None:
    access = access_by_operation(world.client.app)
    documented = operations(document)
    entered = documented["POST /api/tournaments/{event_id}/entries"]

    assert {
        name: (operation["x-who-may"]["who"], operation["x-who-may"].get("more", ""))
        for name, operation in documented.items()
    } == {name: (declared.who, declared.more) for name, (declared, _) in access.items()}
    assert [name for name, operation in documented.items() if "Who may: " not in operation["description"]] == []
    assert [
        name
        for name, operation in documented.items()
        if ({} in operation["security"]) != (access[name][0].who == "anybody")
    ] == []
    assert entered["security"] == [{"bearer": ["play"]}, {"bearer": ["organise"]}]
    assert all(f"*{word}*: {meaning}." in document["info"]["description"] for word, meaning in ACCESS_WORDS.items())
    assert entered["description"].endswith("Who may: signed in; the caller; others are invited by the organisers.")


def refuses_correctly(name: str, expected: str, caller: str, status: int) -> bool:
    """Return whether the status fits the declaration for an unrelated caller."""
    if expected == "anybody" or (expected == "signed in" and caller != NOBODY):
        return status not in REFUSED or (status == 404 and name in NOT_THERE_YET) or name in WITH_A_PASSWORD
    if caller == NOBODY:
        return status in {401, 403}
    if name in OF_WHATEVER_EVENT and caller in OFFICIALS_ELSEWHERE:
        return status == 200
    return status == (404 if name in OF_SOMEBODY_ELSE else 403)


def test_no_caller_exceeds_the_declared_access(world: World, document: Any, who_may: dict[str, str]) -> None:
    wrong = []
    for name in sorted(who_may):
        more = build_request(document, world, name)
        for caller in world.headers:
            status, text = ask(world, name, caller, world.table_for(name), more)
            if not refuses_correctly(name, who_may[name], caller, status):
                wrong.append(f"{name} as {caller}: {status} {text}")

    assert len(who_may) > 200
    assert not wrong, "\n".join(wrong)


def test_a_private_table_is_unknown_to_unrelated_callers(world: World, document: Any, who_may: dict[str, str]) -> None:
    wrong = []
    for name in sorted(name for name in who_may if AT_TABLES in name):
        more = build_request(document, world, name)
        for caller in world.headers:
            status, text = ask(world, name, caller, world.private, more)
            allowed = {404, 403} if who_may[name] == "service" else {404, 401} if caller == NOBODY else {404}
            if status not in allowed:
                wrong.append(f"{name} as {caller}: {status} {text}")

    assert not wrong, "\n".join(wrong)
