"""The stream of a match: entry after entry, resumed where it was left, redacted for the reader."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import pytest
from litestar.testing import TestClient

from api.matches.service import MatchService
from api.matches.stream import Entries
from api.web.guards import NOBODY, Caller
from api.web.live import live_events
from tests.api.house import Person, behind_sockets, started


@pytest.fixture
def match_id(ann: Person, ben: Person) -> str:
    return started(ann, ben)


async def take(events: AsyncIterator[Any], count: int) -> list[Any]:
    """So many events, comments left out."""
    taken: list[Any] = []
    async for event in events:
        if event.data is not None:
            taken.append(event)
        if len(taken) == count:
            break
    return taken


async def always() -> bool:
    return True


def entries(matches: MatchService, match_id: str, caller: Caller, after: int) -> AsyncIterator[Any]:
    return live_events(matches.bells, Entries(matches, UUID(match_id), caller, after), always)


def streamed(client: TestClient[Any], match_id: str, caller: Caller, after: int, count: int) -> list[Any]:
    tables: MatchService = client.app.state.tables
    with client.portal() as portal:
        return portal.call(take, entries(tables, match_id, caller, after), count)


def test_a_stream_tells_every_entry_by_its_version(ann: Person, match_id: str) -> None:
    version = ann.get(f"/matches/{match_id}")[1]["version"]

    events = streamed(ann.client, match_id, NOBODY, 0, version)

    assert [event.id for event in events] == list(range(1, version + 1))


def test_a_stream_goes_on_where_it_was_left(ann: Person, match_id: str) -> None:
    version = ann.get(f"/matches/{match_id}")[1]["version"]

    events = streamed(ann.client, match_id, NOBODY, version - 2, 2)

    assert [event.id for event in events] == [version - 1, version]


def test_a_stream_is_redacted_for_its_reader(ann: Person, match_id: str) -> None:
    caller = Caller(ann.client.app.state.people.find(ann.id))
    version = ann.get(f"/matches/{match_id}")[1]["version"]

    for reader, is_open in ((caller, True), (NOBODY, False)):
        events = streamed(ann.client, match_id, reader, 0, version)
        lines = [msgspec.json.decode(event.data) for event in events]
        assert any(line.get("secrets") for line in lines) == is_open


def test_a_new_entry_wakes_the_stream(ann: Person, ben: Person, match_id: str) -> None:
    tables: MatchService = ann.client.app.state.tables
    version = ann.get(f"/matches/{match_id}")[1]["version"]

    async def told() -> list[Any]:
        waiting = asyncio.create_task(take(entries(tables, match_id, NOBODY, version), 1))
        while not tables.bells.is_watched(UUID(match_id)):
            await asyncio.sleep(0)
        await asyncio.to_thread(ann.post, f"/matches/{match_id}/pause", {})
        return await waiting

    with ann.client.portal() as portal:
        (event,) = portal.call(told)

    assert event.id == version + 1
    assert msgspec.json.decode(event.data)["body"]["type"] == "pause_asked"


@pytest.mark.parametrize(("last_seen", "first"), [("2", 3), ("9" * 30, 1), ("9" * 5_000, 1), ("two", 1)])
def test_a_browser_that_comes_back_says_what_it_has_seen(tmp_path: Path, last_seen: str, first: int) -> None:
    """What is no version we ever gave is taken for nothing."""
    with behind_sockets(tmp_path) as house:
        token = house.token_of("Ann")
        match_id = house.ask("POST", "/matches", {"title": "la_granja", "seats": 2}, token)[1]["matchId"]
        for seat in (0, 1):
            house.ask("POST", f"/matches/{match_id}/seats", {"seat": seat, "bot": "greedy"}, token)
        connection = house.connection()

        connection.request("GET", f"/api/matches/{match_id}/stream", headers={"Last-Event-ID": last_seen})
        answer = connection.getresponse()
        lines = [answer.readline() for _ in range(2)]
        connection.close()

    assert answer.headers["content-type"].startswith("text/event-stream")
    assert lines[0].strip() == f"id: {first}".encode()
    assert lines[1].strip() == b"event: entry"


def test_a_stream_ends_when_its_reader_is_no_longer_known(tmp_path: Path) -> None:
    """A token that is revoked lets nobody in, and nobody stay."""
    with behind_sockets(tmp_path) as house:
        token = house.token_of("Ann")
        match_id = house.ask("POST", "/matches", {"title": "la_granja", "seats": 2}, token)[1]["matchId"]
        with closing(house.connection()) as connection:
            connection.request("GET", f"/api/matches/{match_id}/stream", headers={"Authorization": f"Bearer {token}"})
            answer = connection.getresponse()
            assert answer.readline().strip() == b"id: 1"
            (known,) = house.ask("GET", "/tokens", token=token)[1]["tokens"]
            other = house.token_of("Ben")

            house.ask("DELETE", f"/tokens/{known['id']}", token=token)
            house.ask("POST", f"/matches/{match_id}/seats", {"seat": 0}, other)
            rest = answer.read()

    assert b"event: entry" in rest
    assert b"seat_taken" not in rest
