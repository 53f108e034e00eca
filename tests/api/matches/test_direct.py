"""What is answered directly is answered as by way of the framework, and what is unusual is left to that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final
from uuid import UUID

import msgspec
import pytest
from httpx import Response
from litestar.testing import TestClient

from api.matches.direct import DirectWays
from api.site import refuse
from tests.api.followers import catch_up
from tests.api.house import Member, Person, Sockets, behind_sockets, settings_in, started

SIGNED: Final = {"Esporles-Signed": '{"key": "a", "signature": "b"}'}
"""Whoever sends a signature is answered by way of the framework."""
NOTHING: Final = MappingProxyType[str, str]({})
OWN: Final = frozenset({"x-request-id", "date", "content-length", "transfer-encoding"})


class Counted(DirectWays):
    """Direct ways that count who went them."""

    taken = 0

    async def _answer(self, *args: Any) -> Any:
        self.taken += 1
        return await super()._answer(*args)


@pytest.fixture
def ways(client: TestClient[Any]) -> Iterator[Counted]:
    state = client.app.state
    before, state.direct_ways = state.direct_ways, Counted(refuse)
    yield state.direct_ways
    state.direct_ways = before


def compared(answer: Response) -> tuple[int, dict[str, str], bytes]:
    """All of an answer but the name of the request, and the moment on a page."""
    headers = {name: value for name, value in answer.headers.items() if name not in OWN}
    lines = [line for line in answer.content.splitlines() if b"data-now" not in line and b"urn:uuid" not in line]
    return answer.status_code, headers, b"\n".join(lines)


def same(
    client: TestClient[Any], path: str, ways: Counted, headers: Mapping[str, str] = NOTHING, *, is_direct: bool = True
) -> Response:
    """What both ways answer."""
    before = ways.taken
    direct = client.get(path, headers=dict(headers))
    assert ways.taken - before == is_direct, path
    other = client.get(path, headers={**headers, **SIGNED})
    assert ways.taken - before == is_direct
    if direct.headers.get("content-type") == "application/problem+json":
        told, also = (answer.json() | {"instance": ""} for answer in (direct, other))
        assert (direct.status_code, told) == (other.status_code, also)
    else:
        assert compared(direct) == compared(other)
    return direct


def test_entries_are_shown_alike_to_each_reader(ann: Person, ben: Person, ways: Counted) -> None:
    match_id, client = started(ann, ben), ann.client
    path = f"/api/matches/{match_id}/entries"
    for headers in (ann.headers, ben.headers, Person(client).headers, {}):
        client.cookies.clear()
        whole = same(client, path, ways, headers)
        assert len(whole.json()["entries"]) == whole.json()["version"]
        part = same(client, f"{path}?after=1&limit=2", ways, headers).json()
        assert part["entries"] == whole.json()["entries"][1:3]
        assert same(client, path, ways, {**headers, "If-None-Match": whole.headers["ETag"]}).status_code == 304


def test_a_table_is_drawn_alike_for_each_reader(ann: Person, ben: Person, ways: Counted) -> None:
    match_id, client = started(ann, ben), ann.client
    path = f"/tables/{match_id}"
    client.cookies.clear()
    first = client.get(path)
    assert (ways.taken, len(first.headers.get_list("set-cookie"))) == (1, 1), "a browser is given its token once"
    people = client.app.state.people
    session = people.start_session(people.find(ann.id), datetime.now(UTC))
    for cookies in ({}, {"language": "cs"}, {"theme": "dark"}, {"esporles": session}):
        for name, value in cookies.items():
            client.cookies.set(name, value)
        client.get(path)
        same(client, path, ways)
    catch_up(client)
    ann.post(f"/matches/{match_id}/resignation", {})
    catch_up(client)
    tag = same(client, path, ways).headers["ETag"]
    assert same(client, path, ways, {"If-None-Match": tag}).status_code == 304


def test_what_is_unusual_goes_by_way_of_the_framework(ann: Person, ben: Person, ways: Counted) -> None:
    match_id, client = started(ann, ben), ann.client
    client.cookies.clear()
    api, page = f"/api/matches/{match_id}", f"/tables/{match_id}"
    for path in (
        f"{api}/entries?limit=0",
        f"{api}/entries?limit=501",
        f"{api}/entries?after=x",
        f"{api}/entries?after=-1",
        f"{api}/entries?after=1&after=2",
        f"{api}/entries?nothing=1",
        f"{api}/entries/",
        f"/api/matches/{UUID(int=7)}/entries",
        f"/api/matches/{match_id.upper()}/entries",
    ):
        same(client, path, ways, ann.headers, is_direct=False)
    client.get(page)
    same(client, f"{page}?chosen=1", ways, is_direct=False)
    for header in ("Bearer wrong", "Basic x", ""):
        same(client, f"{api}/entries", ways, {"Authorization": header}, is_direct=False)
    assert client.head(page).status_code == 200


def test_a_token_is_good_for_what_it_says_on_both_ways(ann: Person, ben: Person, ways: Counted) -> None:
    match_id, people = started(ann, ben), ann.client.app.state.people
    for scope, status in (("read", 200), ("play", 403)):
        secret = people.issue_token(people.find(ann.id), "", datetime.now(UTC), (scope,))[1]
        sent = {"Authorization": f"Bearer {secret}"}
        answer = same(ann.client, f"/api/matches/{match_id}/entries", ways, sent, is_direct=status == 200)
        assert answer.status_code == status


def test_a_private_table_is_for_its_people_on_both_ways(client: TestClient[Any], ways: Counted) -> None:
    one, two, stranger = Member(client, "One Direct"), Member(client, "Two Direct"), Member(client, "Three Direct")
    match_id = started(one, two, table={"public": False})
    path = f"/api/matches/{match_id}/entries"
    assert same(client, path, ways, one.headers).status_code == 200
    assert same(client, path, ways, stranger.headers, is_direct=False).status_code == 404
    client.cookies.clear()
    assert client.get(f"/tables/{match_id}").status_code == 404


def begun(stack: ExitStack, sockets: Sockets, path: str, lines: int, headers: Mapping[str, str] = NOTHING) -> Any:
    """The head of a stream that stays open and its first lines, or a refusal."""
    connection = stack.enter_context(closing(sockets.connection()))
    connection.request("GET", path, headers=dict(headers))
    answer = connection.getresponse()
    head = {name.lower(): value for name, value in answer.getheaders() if name.lower() not in OWN}
    if answer.status != 200:
        return answer.status, head, msgspec.json.decode(answer.read())["code"]
    return answer.status, head, [answer.readline() for _ in range(lines)]


def test_streams_begin_alike_and_are_counted_alike(tmp_path: Path) -> None:
    settings = msgspec.structs.replace(settings_in(tmp_path), streams_per_address=4)
    with behind_sockets(tmp_path, settings) as sockets, ExitStack() as stack:
        sockets.app.state.direct_ways = ways = Counted(refuse)
        ann = sockets.token_of("Ann")
        match_id = sockets.ask("POST", "/matches", {"title": "la_granja", "seats": 2}, ann)[1]["matchId"]
        api, page = f"/api/matches/{match_id}/stream", f"/tables/{match_id}"
        drawn = begun(stack, sockets, page, 0)
        cookie = {"Cookie": drawn[1]["set-cookie"].partition(";")[0]}

        told = begun(stack, sockets, api, 3, {"Last-Event-ID": "0"})
        shown = begun(stack, sockets, f"{page}/stream", 2, cookie)

        assert ways.taken == 3
        assert begun(stack, sockets, api, 3, {"Last-Event-ID": "0", **SIGNED}) == told
        assert begun(stack, sockets, f"{page}/stream", 2, {**cookie, **SIGNED}) == shown
        assert (told[0], told[2][0], shown[2][1]) == (200, b"id: 1\r\n", b"event: table\r\n")
        assert ways.taken == 3
        refused = begun(stack, sockets, api, 0)
        assert refused[0] == 429
        assert begun(stack, sockets, api, 0, SIGNED) == refused
        assert ways.taken == 4
