"""Freeze months of a ranking list of 100,000 people on a service whose clock the benchmark moves."""

from collections.abc import Iterator
from datetime import UTC, datetime
from random import Random
from typing import Final
from uuid import UUID

from domain.kernel.title import default_title
from domain.rankings.rule import RankingRule
from domain.ratings.filters import ResultFilter
from domain.ratings.ladder import RatedResult, end_of_month, period_of
from domain.titles import TITLES
from ops.dev.bench.figures import Figure, Section, seconds
from ops.dev.bench.ratings import settled_seconds
from ops.leagues.simulation.service import SimulatedClock, SimulatedService, simulated_service
from projections.platform.store import ReadStore
from projections.ratings import ladders

KEY: Final = "bench"
PEOPLE: Final = 100_000
SIZE: Final = 4
ROUNDS: Final = 4
"""The number of results of each player."""
BEGAN: Final = datetime(2030, 10, 1, tzinfo=UTC)
DEFINED: Final = datetime(2030, 12, 1, tzinfo=UTC)
"""The time at which the list is defined: its first closed month is December, with all results of three months."""
FREEZE_SECONDS: Final = 10.0


def results(people: int) -> Iterator[RatedResult]:
    """Yield fair results of three months; each player has the same number of them, at tables drawn by lot."""
    random, names = Random(1), [f"p{number}" for number in range(people)]
    tables = people // SIZE * ROUNDS
    pause = (end_of_month(period_of(DEFINED)) - BEGAN) / (tables + 1)
    places = tuple(range(1, SIZE + 1))
    for number in range(tables):
        if (first := number * SIZE % people) == 0:
            random.shuffle(names)
        match_id, ended_at = UUID(int=random.getrandbits(128)), BEGAN + pause * number
        players = tuple(names[first : first + SIZE])
        yield RatedResult(match_id, default_title(TITLES).name, ended_at, players, places, fair=True, seats=SIZE)


def rate_results(store: ReadStore, people: int) -> None:
    """Note and rate all results, as the projection of ratings does."""
    with store.transaction() as transaction:
        for result in results(people):
            ladders.note(transaction, str(result.match_id), result, head=f"{result.match_id.int:064x}")
    settled_seconds(store)


def freeze_month(service: SimulatedService, period: int) -> float:
    """Let a month end, and return the seconds until it is frozen and its lines can be read.

    Raises `AssertionError` if a job fails.
    """
    service.clock.move_to(end_of_month(period))
    elapsed = seconds(service.settle)
    assert not service.failures, service.failures
    return elapsed


def measure_freezing(people: int) -> tuple[int, float, float]:
    """Freeze the first month of a list, and the following one.

    Returns the number of lines and the seconds for each month.
    """
    rule = RankingRule("Bench", ResultFilter(default_title(TITLES).name, seats=SIZE))
    with simulated_service(SimulatedClock(DEFINED), 1) as service:
        _, token = service.create_account("Administrator", "operator")
        service.ask("POST", "/rankings/lists", token, {"key": KEY, "rule": rule})
        service.settle()
        rate_results(service.reads, people)
        first = freeze_month(service, period_of(DEFINED))
        second = freeze_month(service, period_of(DEFINED) + 1)
        closings = service.ask("GET", f"/rankings/lists/{KEY}", token)["months"]
    return closings[0]["lines"], first, second


def section() -> Section:
    """Measure the first closed month of a list, with all results of three months, and a month without results."""
    lines, first, second = measure_freezing(PEOPLE)
    assert lines == PEOPLE, f"the closed month lists {lines} people"
    return Section(
        "rankings",
        (
            Figure(
                f"first month of a list of {PEOPLE:,} people frozen, with {PEOPLE // SIZE * ROUNDS:,} results",
                f"{first:.1f} s",
                f"< {FREEZE_SECONDS:.0f} s",
                first < FREEZE_SECONDS,
            ),
            Figure("… the month after it, without a result", f"{second:.1f} s"),
        ),
    )
