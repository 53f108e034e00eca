"""Processing time of files and pasted lists is linear in their length, whether accepted or rejected."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import pytest
from litestar.routes import HTTPRoute
from litestar.testing import TestClient
from msgspec import inspect

from tests.api.http.forms import Walker, forms, visit
from tests.api.http.test_work import BESIDE, grows
from tests.api.service import settings_in
from tests.call_counts import GROWTH_MAX, ThreadWork
from tests.seeding import one_in
from tests.service_app import create_app

Make = Callable[[int], str]
COUNT: Final = 300


def lines(head: str, line: str) -> Make:
    return lambda count: f"{head}\n" + "".join(line.format(number) for number in range(count))


def rows(**row: Any) -> Make:
    """Return a function that makes a list of JSON objects; `{}` in a text is the row number."""
    return lambda count: json.dumps(
        [{key: str(value).format(number) for key, value in row.items()} for number in range(count)]
    )


PEOPLE: Final[dict[str, Make]] = {
    "csv": lines("name,club", "P{0},Club\n"),
    "semicolons": lines("name;club;status", "P{0};Club;withdrawn\n"),
    "own ids": lines("entry,name", "e{0},P{0}\n"),
    "json": rows(name="P{}", club="Club"),
    "twice": lines("name", "P\n"),
    "unknown people": lines("name,person", "P{0},nobody{0}\n"),
    "one cell": lambda count: "name\n" + "a" * 20 * count,
    "blank lines": lambda count: "name\n" + "\n" * count + "P",
    "quotes": lambda count: "name\n" + '"' * 8 * count,
    "commas": lambda count: "name\n" + "," * count,
    "brackets": lambda count: "[" * count,
    "objects": lambda count: "[" + ",".join(["{}"] * count) + "]",
}
TABLES: Final[dict[str, Make]] = {
    "csv": lines("round,table,player,score,place", "1,{0},P{0},1,1\n"),
    "of leagues": lines("group,round,table,player,score,place", "1,1,1,P{0},1,1\n"),
    "json": rows(round=1, table=1, player="P{}", score=1, place=1),
}
PLAYERS: Final[Mapping[str, Make]] = {
    "csv": lines("player,seeding", "nobody{0},1\n"),
    "json": rows(player="nobody{}"),
    "twice": lines("player", "bot:random@1\n"),
}
JSONL: Final[Mapping[str, Make]] = {
    "lines": lambda count: "{}\n" * count,
    "one line": lambda count: '{"a": [' + "1," * count + "1]}",
    "words": lambda count: "word " * count,
}
FILES: Final[Mapping[str, Mapping[str, Make]]] = {
    "/api/tournaments/{event_id}/files/players": PEOPLE,
    "/api/tournaments/{event_id}/files/results": TABLES,
    "/api/tournaments/{event_id}/rounds/{number}/tables/{table}/photos": JSONL,
    "/api/leagues/{league_id}/files/players": PLAYERS,
    "/api/leagues/{league_id}/files/results": TABLES,
    "/api/logs": JSONL,
    "/api/studies": JSONL,
}
"""Files for each operation that accepts one."""
TEXTS: Final[Mapping[str, tuple[str, Mapping[str, str], Mapping[str, Make]]]] = {
    "PastedPeople": ("/events/{event_id}/desk/paste", {}, PEOPLE),
    "PastedFile": ("/events/{event_id}/desk/import", {"what": "players"}, PEOPLE | TABLES),
    "PastedText": ("/leagues/{league_id}/desk/import", {}, PLAYERS),
    "PastedResults": ("/leagues/{league_id}/desk/results", {}, TABLES),
}
"""Texts for each form with a text field of unlimited length."""


@pytest.fixture(scope="module")
def work() -> Iterator[ThreadWork]:
    with ThreadWork(BESIDE) as counting:
        yield counting


@pytest.fixture(scope="module")
def walker(work: ThreadWork, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Walker]:
    with TestClient(create_app(settings_in(tmp_path_factory.mktemp("files")))) as client:
        yield Walker(client)


def fresh(walker: Walker, path: str) -> str:
    """Return the path for an event or league without players."""
    plan = {"name": "Cup", "title": "la_granja", "size": 3}
    ids = dict(walker.ids)
    if "{event_id}" in path:
        ids["event_id"] = walker.olga.post("/tournaments", {"plan": plan})[1]["eventId"]
    if "{league_id}" in path:
        ids["league_id"] = walker.olga.post("/leagues", {"plan": plan})[1]["leagueId"]
        assert walker.olga.post(f"/leagues/{ids['league_id']}/seasons", {"name": "One"})[0] == 201
    return path.format(**ids)


def test_every_operation_with_a_file_is_covered(walker: Walker) -> None:
    paths = {
        route.path_format.replace("{what}", "players")
        for route in walker.client.app.routes
        if isinstance(route, HTTPRoute)
        for handler, _ in route.route_handler_map.values()
        if "body" in handler.parsed_fn_signature.parameters
    }

    assert paths | {"/api/tournaments/{event_id}/files/results"} == FILES.keys()


def test_every_form_with_an_unlimited_text_is_covered() -> None:
    form_names = set()

    def look(holder: inspect.StructType, name: str, kind: inspect.Type, _: str) -> None:
        if isinstance(kind, inspect.StrType) and name == "text" and kind.max_length is None:
            form_names.add(holder.cls.__name__)

    for form in forms():
        visit(form.kind, look)
    assert form_names - {"WriteComment"} == TEXTS.keys()


WAYS_OF_FILES: Final = [(path, way) for path, ways in FILES.items() for way in ways]
WAYS_OF_TEXTS: Final = [(name, way) for name, (_, _, ways) in TEXTS.items() for way in ways]


@pytest.mark.parametrize(("path", "way"), one_in(2, WAYS_OF_FILES, "long files"))
def test_a_file_is_processed_in_linear_time(walker: Walker, work: ThreadWork, path: str, way: str) -> None:
    addresses = iter([fresh(walker, path) for _ in range(6)])

    def send(count: int) -> Any:
        content = FILES[path][way](count).encode()
        kind = "text/csv" if "/files/" in path else "application/octet-stream"
        return walker.client.post(
            next(addresses), content=content, headers=walker.olga.headers | {"Content-Type": kind}
        )

    assert grows(work, send, COUNT) <= GROWTH_MAX


@pytest.mark.parametrize(("name", "way"), one_in(2, WAYS_OF_TEXTS, "long texts"))
def test_a_pasted_text_is_processed_in_linear_time(walker: Walker, work: ThreadWork, name: str, way: str) -> None:
    path, others, ways = TEXTS[name]
    addresses = iter([fresh(walker, path) for _ in range(6)])

    def send(count: int) -> Any:
        fields = {"_csrf_token": walker.token, **others, "text": ways[way](count)}
        return walker.client.post(next(addresses), data=fields, follow_redirects=False)

    assert grows(work, send, COUNT) <= GROWTH_MAX
