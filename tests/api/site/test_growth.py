"""No page costs more because the site is larger: each GET route is measured at a size and at four times that size.

Caches are empty and no consumer runs. The requested things keep their size: only the rest of the site grows.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest
from litestar.testing import TestClient

from api.http.clock import now
from domain.ratings.ladder import month_of, period_of
from tests.api.growing_site import fill_site
from tests.api.service import settings_in
from tests.call_counts import ThreadWork
from tests.effort import Effort, counting_connections
from tests.service_app import create_app

COUNT: Final = 600
"""Matches of the smaller site: enough for a full page of every list."""
FACTOR: Final = 4
RUNS: Final = 2
GROWTH_MAX: Final = 1.3
SLACK: Final = Effort(calls=500, steps=150, rows=10, bytes=2_000)
"""Differences that other threads and the number of digits make."""
PAST_MONTH: Final = month_of(period_of(now()) - 5)
BESIDE: Final = frozenset({"transparency"})
"""Threads that follow the log."""

ADDRESSES: Final = (
    "/tables",
    "/tables?status=ended",
    "/api/matches",
    "/api/matches?status=ended",
    "/api/matches?before=4000",
    "/rankings",
    "/api/rankings",
    "/rankings/el_grande/4",
    "/api/rankings/el_grande/4",
    "/api/rankings/el_grande/4?month={month}",
    "/api/rankings/el_grande/4/list.csv",
    "/players/Ada",
    "/api/players/Ada",
    "/api/players/Ada/history.csv",
    "/players/bot:greedy@1",
    "/api/players/bot:greedy@1",
    "/archive",
    "/archive?player=Ada",
    "/archive?title=el_grande&seats=2",
    "/archive?score=99999",
    "/archive?rating=99999",
    "/archive?until=2020-01-01",
    "/api/archive",
    "/explorer/el_grande?seats=2&who=people",
)
"""Addresses of routes that do not grow. Routes are added here when they are repaired."""
MAY_GROW: Final = {
    "/archive?score=99999": "nothing fulfils this: it looks through at most 2,000 matches",
    "/archive?rating=99999": "nothing fulfils this: it looks through at most 2,000 matches",
    "/api/rankings/el_grande/4/list.csv": "a file of the whole list, which is streamed",
    "/players/bot:greedy@1": "a plot of at most 300 matches, and this bot plays in every tenth match of the site",
}
"""Addresses that may grow, with the reason."""


def measure(folder: Path) -> Mapping[str, Effort]:
    """Return the work of each address in a new service."""
    found = dict[str, Effort]()
    with (
        ThreadWork(BESIDE) as work,
        counting_connections() as reading,
        TestClient(create_app(settings_in(folder))) as client,
    ):
        client.get("/api/health")
        for address in ADDRESSES:
            reading.clear()
            with work.count_calls() as counted:
                response = client.get(address.format(month=PAST_MONTH), follow_redirects=False)
            assert response.status_code == 200, f"{address}: {response.text}"
            found[address] = Effort(counted.calls, len(reading.ticks), reading.rows, reading.bytes)
    return found


def measure_least(folder: Path) -> Mapping[str, Effort]:
    """Return the least work of several new services, because other threads work in parallel."""
    runs = [measure(folder) for _ in range(RUNS)]
    return {address: Effort(*map(min, *(run[address] for run in runs))) for address in ADDRESSES}


@pytest.fixture(scope="module")
def efforts(tmp_path_factory: pytest.TempPathFactory) -> tuple[Mapping[str, Effort], Mapping[str, Effort]]:
    """Measure both sizes, the smaller one twice, so that templates and statements are compiled before."""
    small, large = (tmp_path_factory.mktemp(name) for name in ("small", "large"))
    for folder, count in ((small, COUNT), (large, COUNT * FACTOR)):
        settings = settings_in(folder)
        with TestClient(create_app(settings)):
            fill_site(settings, count)
    measure(small)
    return measure_least(small), measure_least(large)


def test_no_page_costs_more_because_the_site_is_larger(
    efforts: tuple[Mapping[str, Effort], Mapping[str, Effort]],
) -> None:
    small, large = efforts
    grown = {
        f"{address}: {kind}": (before, after)
        for address in ADDRESSES
        if address not in MAY_GROW
        for kind, before, after, slack in zip(Effort._fields, small[address], large[address], SLACK, strict=True)
        if after > GROWTH_MAX * before + slack
    }

    assert grown == {}
