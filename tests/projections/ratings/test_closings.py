"""A month counted from the read models equals the count from all results, whatever was changed and taken back."""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final
from uuid import UUID

import hypothesis
import pytest
from hypothesis import strategies as st

from domain.kernel.values import replace
from domain.rankings.counting import CountedResult, count_list, find_result, recount
from domain.rankings.rule import PeopleFilter, RankingRule
from domain.ratings.clock_classes import ClockClass
from domain.ratings.filters import ResultFilter
from domain.ratings.ladder import RatedResult, period_of
from domain.ratings.terms import Terms
from projections.follow import ensure_tables
from projections.platform.database import Row
from projections.platform.statements import Statement
from projections.platform.store import ReadStore
from projections.ratings import closings, ladders
from tests.projections.ratings.test_monthly_rankings import PLAYERS, seasons
from tests.projections.ratings.test_ratings import rate_all
from tests.seeding import example_count

CLOCKS: Final[tuple[ClockClass, ...]] = ("fast", "standard", "correspondence")
RULES: Final = (
    RankingRule("all sizes", ResultFilter("toy")),
    RankingRule("tables of three", ResultFilter("toy", seats=3), terms=Terms(2, 1)),
    RankingRule("fast", ResultFilter("toy", clock="fast")),
    RankingRule("a club", ResultFilter("toy", seats=3), PeopleFilter(club=str(UUID(int=1)))),
    RankingRule("one year", ResultFilter("toy", seats=3, since="2026-01", until="2026-12")),
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ReadStore]:
    store = ReadStore(tmp_path / "reads.db")
    ensure_tables(store, ladders)
    yield store
    store.close()


@dataclass(frozen=True)
class Noted:
    """A result with the head of its line and the class of its clock."""

    result: RatedResult
    head: str
    clock: ClockClass

    def write(self, store: ReadStore) -> None:
        with store.transaction() as transaction:
            ladders.note(transaction, str(self.result.match_id), self.result, head=self.head, clock=self.clock)


def note_results(results: list[RatedResult]) -> dict[UUID, Noted]:
    """Return the results, fair ones among them, with clocks in turn."""
    return {
        each.match_id: Noted(
            replace(each, fair=each.match_id.int % 2 == 0, public=each.match_id.int % 5 > 0),
            f"{each.match_id.int:064x}",
            CLOCKS[each.match_id.int % 3],
        )
        for each in results
    }


@hypothesis.settings(
    max_examples=example_count(10), suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture]
)
@hypothesis.given(results=seasons(), data=st.data())
def test_a_stored_count_equals_the_count_of_all_results(
    tmp_path: Path, results: list[RatedResult], data: st.DataObject
) -> None:
    known, members = note_results(results), frozenset(PLAYERS[:3])
    last = period_of(results[-1].ended_at)
    (tmp_path / "reads.db").unlink(missing_ok=True)
    store = ReadStore(tmp_path / "reads.db")
    ensure_tables(store, ladders)
    for each in known.values():
        each.write(store)
    rate_all(store)
    for match_id in data.draw(st.lists(st.sampled_from(sorted(known)), max_size=3, unique=True)):
        noted = known[match_id]
        changed = replace(noted.result, places=noted.result.places[::-1])
        known[match_id] = Noted(changed, "f" * 64, noted.clock)
        known[match_id].write(store)
    rate_all(store)

    for rule in RULES:
        for period in (last, last - 1):
            counted = closings.count_stored(store, rule, period, members)
            selected = [each for each in known.values() if rule.results.selects(each.result, each.clock)]
            expected = count_list(
                rule,
                [CountedResult(rule.results.result_in_pool(each.result), each.head) for each in selected],
                period,
                members,
            )
            assert counted == expected, (rule.name, period)
            assert recount(rule, counted.results, period, members).lines == counted.lines
    store.close()


class InterruptedStore(ReadStore):
    """A store in which a ruling lands after the first query, as another process could record one."""

    land: Callable[[], None] | None = None

    def rows(self, statement: Statement, /, *values: object, **named: object) -> list[Row]:
        found, land = super().rows(statement, *values, **named), self.land
        if land is not None:
            self.land = None
            land()
        return found


@pytest.mark.parametrize("rule", RULES[:2])
def test_a_ruling_that_lands_during_a_count_changes_nothing_in_it(
    tmp_path: Path, store: ReadStore, rule: RankingRule
) -> None:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    results = [
        RatedResult(UUID(int=number), "toy", start + timedelta(days=number), ("a", "b", "c"), (1, 2, 3))
        for number in range(1, 5)
    ]
    for each in results:
        Noted(each, "a" * 64, "fast").write(store)
    rate_all(store)
    before = closings.count_stored(store, rule, 2026 * 12)

    def land() -> None:
        Noted(replace(results[0], places=(3, 2, 1)), "b" * 64, "fast").write(store)
        rate_all(store)

    with closing(InterruptedStore(tmp_path / "reads.db")) as interrupted:
        interrupted.land = land
        during = closings.count_stored(interrupted, rule, 2026 * 12)

    assert during == before
    assert closings.count_stored(store, rule, 2026 * 12) != before


def test_a_new_head_of_an_unchanged_result_is_stored_and_rates_nothing_again(store: ReadStore) -> None:
    result = RatedResult(UUID(int=4), "toy", datetime(2026, 1, 1, tzinfo=UTC), ("a", "b", "c"), (1, 2, 3))
    Noted(result, "a" * 64, "fast").write(store)
    rate_all(store)
    Noted(result, "b" * 64, "fast").write(store)

    with store.transaction() as transaction:
        assert not ladders.do_deferred_work(transaction)
    line = find_result(closings.count_stored(store, RULES[1], 2026 * 12).results, UUID(int=4))
    assert line is not None
    assert line.head == "b" * 64
