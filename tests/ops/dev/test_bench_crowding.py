"""The benchmark of bots in a crowd."""

import asyncio
from pathlib import Path

import pytest

from ops.dev.bench.crowding import answers, open_tables, open_thinking, playing
from ops.dev.load.client import Client
from ops.dev.load.tables import create_accounts
from tests.workers.serving import serving


@pytest.mark.walk
def test_an_account_opens_bot_tables_up_to_its_limit_and_bots_still_answer(tmp_path: Path) -> None:
    with serving(tmp_path, ESPORLES_BOT_TABLES_PER_PERSON="2") as service:

        async def crowd() -> tuple[int, list[float]]:
            client = Client(service.started.url)
            victim, attacker = await create_accounts(client, 2)
            opened_count = await open_tables(client, attacker, 4)
            client.close()
            return opened_count, await answers(service.started.url, victim, 3)

        opened_count, latencies = asyncio.run(crowd())

    assert opened_count == 2
    assert len(latencies) == 3
    assert all(latency > 0 for latency in latencies)


@pytest.mark.walk
def test_a_person_plays_against_slow_bots_while_other_bots_answer(tmp_path: Path) -> None:
    with serving(tmp_path, ESPORLES_TABLES_WITH_BOTS_PER_PERSON="2") as service:

        async def crowd() -> tuple[int, list[float]]:
            client = Client(service.started.url)
            victim, attacker = await create_accounts(client, 2)
            paths = await open_thinking(client, attacker, 3)
            async with playing(service.started.url, attacker, paths):
                latencies = await answers(service.started.url, victim, 3)
            client.close()
            return len(paths), latencies

        opened_count, latencies = asyncio.run(crowd())

    assert opened_count == 2
    assert len(latencies) == 3
