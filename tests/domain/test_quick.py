"""Quick pairing: selection of players from a pool."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.matches.facts import Clock
from domain.quick import Pair, WaitingPlayer, find_group, find_groups, fits, presence_timeout, reach, strength_of
from domain.ratings.models import BASE, model_of

AT = datetime(2026, 1, 1, tzinfo=UTC)
LIVE = Clock("increment", 600, 20)
SLOW = Clock("correspondence", 86_400)


def waits(person: str, strength: int, seconds: int = 0) -> WaitingPlayer:
    return WaitingPlayer(person, strength, AT - timedelta(seconds=seconds))


def pair_players(
    *waiting: WaitingPlayer, seats: int = 2, apart: Collection[Pair] = (), clock: Clock = LIVE
) -> str | None:
    found = find_group(waiting, seats, clock, apart, AT)
    return None if found is None else " ".join(each.person for each in found)


@pytest.mark.parametrize(
    ("seconds", "clock", "points"),
    [(0, LIVE, 100), (-5, LIVE, 100), (20, LIVE, 200), (119, LIVE, 695), (120, LIVE, None), (600, SLOW, 150)],
)
def test_the_reach_grows_per_second_or_per_minute_by_correspondence(
    seconds: int, clock: Clock, points: int | None
) -> None:
    assert reach(timedelta(seconds=seconds), clock) == points


def test_a_newcomer_is_average() -> None:
    assert strength_of(model_of(BASE).start()) == 1000


def test_a_place_in_a_pool_of_slow_matches_is_kept_for_a_day() -> None:
    assert (presence_timeout(LIVE), presence_timeout(SLOW)) == (timedelta(seconds=30), timedelta(days=1))


def test_near_players_are_paired_at_once_and_far_ones_after_a_wait() -> None:
    assert pair_players(waits("ann", 1000), waits("ben", 1100)) == "ann ben"
    assert pair_players(waits("ann", 1000), waits("ben", 1101)) is None
    assert pair_players(waits("ann", 1000, 20), waits("ben", 1200)) == "ann ben"
    assert pair_players(waits("ann", 0, 120), waits("ben", 9000)) == "ann ben"


def test_the_longest_wait_is_first_and_plays_the_nearest() -> None:
    assert pair_players(waits("cleo", 1000, 5), waits("ann", 1000, 9), waits("ben", 1040, 8)) == "ann cleo"


def test_a_person_without_opponents_does_not_block_others() -> None:
    assert pair_players(waits("far", 3000, 60), waits("ann", 1000, 2), waits("ben", 1000, 1)) == "ann ben"


def test_people_kept_apart_are_never_paired() -> None:
    apart = {frozenset(("ann", "ben"))}

    assert pair_players(waits("ann", 1000, 600), waits("ben", 1000, 600), apart=apart) is None
    assert pair_players(waits("ann", 1000, 9), waits("ben", 1000, 8), waits("cleo", 1050), apart=apart) == "ann cleo"


def test_all_players_of_a_table_fit_each_other() -> None:
    low, middle, high = waits("low", 900), waits("middle", 1000), waits("high", 1100)

    assert pair_players(middle, low, high, seats=3) is None
    assert pair_players(waits("middle", 1000, 20), low, waits("high", 1100, 20), seats=3) == "high middle low"


@given(
    st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 200)), max_size=14),
    st.integers(2, 5),
    st.sets(st.frozensets(st.integers(0, 13), min_size=2, max_size=2), max_size=8),
)
def test_tables_are_disjoint_and_fitting(people: list[tuple[int, int]], seats: int, foes: set[frozenset[int]]) -> None:
    waiting = [waits(f"p{number}", *each) for number, each in enumerate(people)]
    apart = {frozenset(f"p{number}" for number in pair) for pair in foes}
    found = list(find_groups(waiting, seats, LIVE, apart, AT))
    seated = [each for table in found for each in table]

    assert len({each.person for each in seated}) == len(seated)
    assert all(len(table) == seats for table in found)
    assert all(
        fits(one, other, LIVE, apart, AT) for table in found for one in table for other in table if one is not other
    )
    remaining = [each for each in waiting if each not in seated]
    assert find_group(remaining, seats, LIVE, apart, AT) is None
