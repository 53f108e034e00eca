"""Rate limits are counted in Redis for all processes together, and by each alone while Redis is gone."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from api.http.limits import Limits
from projections.platform.settings import Settings

FEW = 3
PATIENCE_SECONDS = 60.0


def spent(settings: Settings, turns: str) -> list[bool]:
    """Which requests of two processes were allowed, in their order."""

    async def run() -> list[bool]:
        processes = {name: Limits(settings, PATIENCE_SECONDS) for name in "ab"}
        allowed = [await processes[name].spend("change", "somebody") is None for name in turns]
        for limits in processes.values():
            await limits.close()
        return allowed

    # On a thread of its own: where a browser is driven in the same process, this one has a loop already.
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, run()).result()


def test_all_processes_count_together(redis_url: str) -> None:
    """One more than `FEW` passes when the minute ends between two of them."""
    settings = Settings(redis=redis_url, changes_per_minute=FEW)

    allowed = spent(settings, "ababab")

    assert allowed[:FEW] == [True] * FEW
    assert not allowed[-1]


def test_without_redis_each_process_counts_for_itself(dead_redis_url: str) -> None:
    settings = Settings(redis=dead_redis_url, changes_per_minute=FEW)

    allowed = spent(settings, "aaaaabbb")

    assert allowed[:FEW] == [True] * FEW
    assert not allowed[4]
    assert allowed[5:] == [True] * FEW
