"""The results that a list counts, by title, table size, clock and month, and the pool in which they are rated."""

from datetime import UTC, datetime
from uuid import UUID

import msgspec
import pytest

from domain.kernel.values import replace
from domain.matches.facts import Clock
from domain.ratings.clock_classes import clock_class_of
from domain.ratings.filters import ResultFilter, filtered_result, is_plain
from domain.ratings.ladder import Pool, RatedResult
from tests.domain.ratings.test_counting import PLAYED

RESULT = RatedResult(UUID(int=1), "toy", datetime(2026, 3, 31, 23, 59, tzinfo=UTC), ("ann", "ben", "cleo"), (1, 2, 3))


@pytest.mark.parametrize(
    ("kind", "seconds", "expected"),
    [
        ("none", 0, ""),
        ("correspondence", 86_400, "correspondence"),
        ("increment", 900, "fast"),
        ("increment", 901, "standard"),
        ("per_move", 60, "fast"),
        ("per_move", 61, "standard"),
    ],
)
def test_the_class_of_a_clock(kind: str, seconds: int, expected: str) -> None:
    clock = msgspec.convert({"kind": kind, "seconds": seconds}, Clock)

    assert clock_class_of(clock) == expected


@pytest.mark.parametrize(
    ("filter_", "is_selected"),
    [
        (ResultFilter("toy"), True),
        (ResultFilter("toy", seats=3), True),
        (ResultFilter("toy", seats=4), False),
        (ResultFilter("other"), False),
        (ResultFilter("toy", bots=True), False),
        (ResultFilter("toy", clock="fast"), True),
        (ResultFilter("toy", clock="correspondence"), False),
        (ResultFilter("toy", since="2026-03", until="2026-03"), True),
        (ResultFilter("toy", since="2026-04"), False),
        (ResultFilter("toy", until="2026-02"), False),
    ],
)
def test_a_list_counts_results_by_title_size_clock_and_month(filter_: ResultFilter, is_selected: bool) -> None:
    assert filter_.selects(RESULT, "fast") is is_selected


def test_a_list_of_a_title_and_size_shares_the_pool_of_the_leaderboard() -> None:
    plain = ResultFilter("toy", seats=3)

    assert plain.pool == RESULT.pool
    assert is_plain(plain.pool)
    assert plain.result_in_pool(RESULT) is RESULT
    assert ResultFilter("toy", bots=True, seats=3).pool == Pool("toy~bots", 3)


def test_every_other_choice_has_a_pool_of_its_own() -> None:
    filters = [
        ResultFilter("toy"),
        ResultFilter("toy", seats=3, clock="fast"),
        ResultFilter("toy", clock="fast"),
        ResultFilter("toy", since="2026-01"),
        ResultFilter("toy", until="2026-01"),
        ResultFilter("toy", bots=True),
    ]

    pools = {each.pool for each in filters}

    assert len(pools) == len(filters)
    assert not any(is_plain(pool) for pool in pools)
    assert {each.result_in_pool(RESULT).pool for each in filters} == pools


def test_the_clock_of_the_outcome_decides() -> None:
    outcome = replace(PLAYED, clock=Clock("increment", 600, 20))
    fast = ResultFilter("toy", clock="fast")

    counted = filtered_result(fast, outcome, RESULT)

    assert counted == fast.result_in_pool(RESULT)
    assert filtered_result(replace(fast, clock="standard"), outcome, RESULT) is None
    assert filtered_result(fast, outcome, None) is None


@pytest.mark.parametrize("month", ["2026-13", "2026-1", "26-01", "2026-00", "soon"])
def test_a_month_that_does_not_exist_is_refused(month: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"title": "toy", "since": month}, ResultFilter)
