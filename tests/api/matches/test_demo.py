"""The demonstration table: running from the start, paused without visitors, continued after a restart."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from uuid import UUID

from litestar.testing import TestClient

from api.matches.demo import Demo, DemoTimes, open_table
from api.matches.service import MATCHES, MatchService
from domain.eventstore.application import Matches
from domain.matches.aggregate import Match
from domain.matches.facts import SERVICE
from projections.platform.backoff import Backoff
from projections.platform.clock import now
from tests.api.service import settings_in
from tests.seeding import entropy
from tests.service_app import create_app

BOT = "bot:greedy@2"
IMPATIENT = DemoTimes(look_seconds=0.001, unwatched_seconds=0.0, result_seconds=0.0)


class RecordingBackoff(Backoff[float], frozen=True, kw_only=True):
    """A backoff without delays that records the attempts."""

    attempts: list[int]

    def delay(self, attempt: int) -> float:
        self.attempts.append(attempt)
        return 0.0


async def until(claim: Callable[[], Any]) -> Any:
    """Wait until the claim returns a true value, and return it."""
    async with asyncio.timeout(60):
        while not (found := claim()):
            await asyncio.sleep(0)
        return found


async def status(matches: MatchService, wanted: str, match_id: UUID) -> None:
    async with asyncio.timeout(60):
        while (await matches.reading.get(match_id)).status != wanted:
            await asyncio.sleep(0)


def run(client: TestClient[Any], story: Callable[[Demo], Awaitable[Any]]) -> Any:
    """Run a story while a demonstration table is running."""
    tables = MATCHES.of(client)
    host = Demo(tables, tables.notifier, "la_granja", BOT, UUID(int=7), IMPATIENT)

    async def run_story() -> Any:
        running = asyncio.create_task(host.run())
        try:
            assert await host.current_match()
            return await story(host)
        finally:
            running.cancel()

    with client.portal() as portal:
        return portal.call(run_story)


def test_four_bots_sit_at_a_table_from_the_start_and_sleep_unwatched(client: TestClient[Any]) -> None:
    tables = MATCHES.of(client)

    async def story(host: Demo) -> Match:
        assert host.match_id
        await status(tables, "paused", host.match_id)
        return await tables.reading.get(host.match_id)

    match = run(client, story)

    assert [info.actor for info in match.seats] == [BOT] * 4
    assert match.opened_by == SERVICE


def test_a_visitor_resumes_the_table(client: TestClient[Any]) -> None:
    tables = MATCHES.of(client)

    async def story(host: Demo) -> None:
        assert host.match_id
        await status(tables, "paused", host.match_id)
        with tables.notifier.subscribe(host.match_id):
            await status(tables, "running", host.match_id)

    run(client, story)


def test_a_restart_continues_the_table_and_the_next_follows_its_end(client: TestClient[Any]) -> None:
    tables = MATCHES.of(client)

    async def look(host: Demo) -> UUID | None:
        return host.match_id

    async def end(host: Demo) -> tuple[UUID | None, UUID | None]:
        first = host.match_id
        assert first
        await tables.writer.execute(Matches.void, first, SERVICE, at=now())
        return first, await until(lambda: host.match_id if host.match_id != first else None)

    before = run(client, look)
    first, second = run(client, end)
    after = run(client, look)

    assert before == first
    assert second == after
    assert second != first


def test_the_first_page_shows_the_table(tmp_path: Path) -> None:
    with TestClient(create_app(settings_in(tmp_path, demo=True), entropy())) as client:
        page = client.get("/").text

    assert "Live: four bots playing" in page
    assert "Greedy bot 4" in page


def test_the_last_table_is_found_by_binary_search(client: TestClient[Any]) -> None:
    tables = MATCHES.of(client)
    host = Demo(tables, tables.notifier, "la_granja", BOT, UUID(int=7))

    async def open_tables(count: int) -> int:
        for number in range(1, count + 1):
            await tables.writer.execute(open_table, host.id_of(number), "la_granja", BOT, at=now())
        return await host.find_last()

    with client.portal() as portal:
        assert portal.call(open_tables, 11) == 11


def test_a_failing_demonstration_is_retried_with_backoff(client: TestClient[Any]) -> None:
    tables = MATCHES.of(client)
    retries = RecordingBackoff(1.0, 60.0, attempts=[])
    patience = DemoTimes(look_seconds=0.001, unwatched_seconds=0.0, result_seconds=0.0, retries=retries)
    host = Demo(tables, tables.notifier, "la_granja", "a bot nobody knows", UUID(int=8), patience)

    async def story() -> None:
        running = asyncio.create_task(host.run())
        await until(lambda: len(retries.attempts) >= 3)
        running.cancel()

    with client.portal() as portal:
        portal.call(story)

    assert retries.attempts[:3] == [1, 2, 3]
