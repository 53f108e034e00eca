"""Rate limits are counted in Redis for all processes, and per process while Redis is unavailable."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from api.http.limits import Limits
from projections.platform.settings import Settings

FEW = 3
PATIENCE_SECONDS = 60.0


def spend_requests(settings: Settings, turns: str) -> list[bool]:
    """Return whether each request of two processes was allowed, in order."""

    async def run() -> list[bool]:
        processes = {name: Limits(settings, PATIENCE_SECONDS) for name in "ab"}
        allowed = [await processes[name].spend("change", "somebody") is None for name in turns]
        for limits in processes.values():
            await limits.close()
        return allowed

    # Run in a thread, because a browser test in this process may have an event loop.
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, run()).result()


def test_all_processes_count_together(redis_url: str) -> None:
    """One more than `FEW` passes if the minute ends between two of them."""
    settings = Settings(redis=redis_url, changes_per_minute=FEW)

    allowed = spend_requests(settings, "ababab")

    assert allowed[:FEW] == [True] * FEW
    assert not allowed[-1]


def test_without_redis_each_process_counts_for_itself(dead_redis_url: str) -> None:
    settings = Settings(redis=dead_redis_url, changes_per_minute=FEW)

    allowed = spend_requests(settings, "aaaaabbb")

    assert allowed[:FEW] == [True] * FEW
    assert not allowed[4]
    assert allowed[5:] == [True] * FEW
