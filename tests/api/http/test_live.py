"""Live streams: notifications of the follower wake waiting requests, and one loop serves all streams."""

from __future__ import annotations

import ast
import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import pytest
from litestar.handlers import HTTPRouteHandler
from litestar.testing import TestClient

from api.http.notifier import MISSED, Notifier, Subscriber
from api.matches.service import MATCHES, MatchService
from domain.matches.facts import SERVICE
from projections.catalogue import PROJECTIONS
from projections.loop import FollowerLoop
from projections.matches import lobby, replay
from projections.platform.messages import Advanced, Appended
from tests.api.full_service import Visitor
from tests.api.service import Person, Sockets, behind_sockets, settings_in, start_match
from tests.seeding import entropy
from tests.service_app import create_app

NEVER: Final = 3_600.0
"""With this interval only a notification can wake a request in time."""
ROOT: Final = Path(__file__).parents[3]


def tables_of(sockets: Sockets) -> MatchService:
    return MATCHES.of(sockets)


def follow(matches: MatchService, *, rings: bool) -> None:
    """Run all consumers to the end of the log, with or without a notification."""
    on_advance = matches.notifier.receive if rings else None
    FollowerLoop(
        matches.writer.matches, matches.writer.reads, tuple(PROJECTIONS.values()), on_advance=on_advance
    ).catch_up()


@contextmanager
def patient(folder: Path, look_seconds: float = NEVER, redis: str = "") -> Iterator[Sockets]:
    """Start a service that polls only at the given interval."""
    settings = settings_in(folder, redis=redis)
    with behind_sockets(folder, settings, look_seconds=look_seconds, heartbeat_seconds=NEVER) as sockets:
        yield sockets


def open_match(sockets: Sockets, seats: int = 2) -> str:
    token = sockets.token_of("Ann")
    return str(sockets.ask("POST", "/matches", {"title": "la_granja", "seats": seats}, token)[1]["matchId"])


def test_a_follower_notification_wakes_a_waiting_stream(tmp_path: Path) -> None:
    with patient(tmp_path) as sockets:
        match_id = open_match(sockets)
        with Visitor(sockets).listens(f"/tables/{match_id}/stream") as pieces:
            position = next(pieces)
            follow(tables_of(sockets), rings=True)
            texts = next(pieces)

    assert "Table created" not in position["narration"]
    assert "Table created" in texts["narration"]
    assert set(texts) <= {"seats", "narration"}, "the position is not drawn again"


@pytest.mark.parametrize("redis", ["", "dead"])
def test_polling_replaces_lost_notifications(tmp_path: Path, dead_redis_url: str, redis: str) -> None:
    with patient(tmp_path, 0.001, dead_redis_url if redis else "") as sockets:
        match_id = open_match(sockets)
        with Visitor(sockets).listens(f"/tables/{match_id}/stream") as pieces:
            next(pieces)
            follow(tables_of(sockets), rings=False)
            texts = next(pieces)

    assert "Table created" in texts["narration"]


def test_a_follower_notification_updates_the_list_of_tables(tmp_path: Path) -> None:
    with patient(tmp_path) as sockets, Visitor(sockets).listens("/tables/stream?title=la_granja") as pieces:
        before = next(pieces)["listed"]
        match_id = open_match(sockets)
        follow(tables_of(sockets), rings=True)
        after = next(pieces)["listed"]

    assert match_id not in before
    assert f"/tables/{match_id}" in after


def test_the_first_page_updates_without_a_demonstration(tmp_path: Path) -> None:
    with patient(tmp_path) as sockets, Visitor(sockets).listens("/live/stream") as pieces:
        before = next(pieces)
        match_id = open_match(sockets)
        follow(tables_of(sockets), rings=True)
        after = next(pieces)

    assert set(before) == {"listed", "invited", "quick-place", "quick-pools"}
    assert set(after) == {"invited"}
    assert f"/tables/{match_id}" in after["invited"]


def test_waiting_for_a_version_queries_once_before_and_once_after_the_notification(tmp_path: Path) -> None:
    app = create_app(settings_in(tmp_path), entropy(), look_seconds=NEVER)
    with TestClient(app) as client:
        looks_once_before_the_ring_and_once_after(client, Person(client))


def looks_once_before_the_ring_and_once_after(client: TestClient[Any], ann: Person) -> None:
    tables = MATCHES.of(client)
    match_id, looks = UUID(ann.opens(2)), list[int]()

    async def look() -> tuple[replay.ReplayLine, ...] | None:
        lines = await tables.writer.read_model(replay.lines, match_id) or None
        looks.append(1)
        return lines

    async def wait() -> tuple[replay.ReplayLine, ...] | None:
        waiting = asyncio.create_task(tables.reading.wait_for(look, match_id, (replay.NAME,), NEVER))
        while not (looks and tables.notifier.has_subscribers((replay.NAME, str(match_id)))):
            await asyncio.sleep(0)
        await asyncio.to_thread(follow, tables, rings=True)
        return await waiting

    with client.portal() as portal:
        lines = portal.call(wait)

    assert lines
    assert len(looks) == 2


def test_waiting_for_a_version_times_out(client: TestClient[Any], ann: Person) -> None:
    tables = MATCHES.of(client)
    match_id = UUID(ann.opens(2))

    async def look() -> None:
        return None

    with client.portal() as portal:
        assert portal.call(tables.reading.wait_for, look, match_id, (replay.NAME,), 0.001) is None


def test_every_stream_that_a_command_appends_to_is_notified(client: TestClient[Any], ann: Person, ben: Person) -> None:
    """A command that appends to several streams notifies the subscribers of each."""
    tables = MATCHES.of(client)
    first, second = (UUID(start_match(ann, ben)) for _ in range(2))

    def pause_both(matches: Any, at: Any) -> None:
        for match_id in (first, second):
            matches.pause(match_id, SERVICE, at=at)

    async def story() -> frozenset[Any]:
        heard = frozenset[Any]()
        with tables.notifier.subscribe(first, second) as subscriber:
            await tables.writer.execute(pause_both, (await tables.reading.get(first)).timestamp)
            while heard != {first, second}:
                heard |= await subscriber.wait(NEVER)
        return heard

    with client.portal() as portal:
        assert portal.call(story) == {first, second}


def collect_notifications(
    topics: tuple[Any, ...], notifications: list[Any], *, others_append: bool = False
) -> frozenset[Any]:
    async def story() -> frozenset[Any]:
        notifier = Notifier(asyncio.get_running_loop(), others_append=others_append)
        with notifier.subscribe(*topics) as subscriber:
            for notification in notifications:
                notifier.receive(notification)
            last = asyncio.Event()
            asyncio.get_running_loop().call_soon(last.set)
            await last.wait()
            return await subscriber.wait(0)

    return asyncio.run(story())


MATCH: Final = UUID(int=1)
OTHER: Final = UUID(int=2)
ADVANCED: Final = Advanced({"replay": 5, "lobby": 5}, (str(MATCH),))


@pytest.mark.parametrize(
    ("topics", "notifications", "heard"),
    [
        ((MATCH,), [Appended(1, {MATCH: 1, OTHER: 1})], {MATCH}),
        ((OTHER,), [Appended(1, {MATCH: 1})], set()),
        (((replay.NAME, str(MATCH)), lobby.NAME), [ADVANCED], {(replay.NAME, str(MATCH)), lobby.NAME}),
        (((replay.NAME, str(OTHER)), ("clocks", str(MATCH))), [ADVANCED], set()),
        ((lobby.NAME,), [None], {MISSED}),
        ((lobby.NAME,), [Advanced({}, (), is_cut=True)], {MISSED}),
        ((MATCH,), [None], set()),
    ],
)
def test_a_notification_wakes_only_subscribers_of_its_topics(
    topics: Any, notifications: list[Any], heard: set[Any]
) -> None:
    assert collect_notifications(topics, notifications) == heard


def test_missed_appends_of_other_processes_are_reported() -> None:
    assert collect_notifications((MATCH,), [None], others_append=True) == {MISSED}


def test_unsubscribed_topics_are_removed() -> None:
    async def story() -> bool:
        notifier = Notifier(asyncio.get_running_loop())
        with notifier.subscribe(MATCH) as subscriber:
            subscriber.subscribe(OTHER)
            moved = not notifier.has_subscribers(MATCH) and notifier.has_subscribers(OTHER)
        return moved and not notifier.has_subscribers(OTHER) and isinstance(subscriber, Subscriber)

    assert asyncio.run(story())


LIVE: Final = {"ServerSentEvent", "StreamResponse"}
STREAMS: Final = {
    "/api/matches/{match_id}/stream",
    "/disputes/queue/stream",
    "/events/{event_id}/desk/stream",
    "/events/{event_id}/screen/stream",
    "/events/{event_id}/standings/stream",
    "/events/{event_id}/stream",
    "/events/{event_id}/tables/{number}/{table}/stream",
    "/live/stream",
    "/quick/stream",
    "/studies/{study_id}/stream",
    "/tables/stream",
    "/tables/{match_id}/stream",
    "/talk/{kind}/{about_id}/stream",
}


def test_one_loop_serves_every_live_stream(client: TestClient[Any]) -> None:
    """Endless responses are created in one place, and nothing else streams its output."""
    paths = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "api").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).rpartition(".")[2] in {"ServerSentEvent", "Stream", "StreamResponse"}
    }
    streams = {
        route.path_format
        for route in client.app.routes
        for handler in getattr(route, "route_handlers", ())
        if isinstance(handler, HTTPRouteHandler)
        and (handler.media_type == "text/event-stream" or handler.fn.__annotations__["return"] in LIVE)
    }

    # Ranking lists and a tournament proof are chunked files that end.
    ending = {"api/rankings/routes.py", "api/ratings/routes.py", "api/transparency/routes.py"}
    assert paths == {"api/http/live.py", *ending}
    assert streams == STREAMS
