"""Pages of ranking lists and places equal `ranking` in every month, however results are added and taken back."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from uuid import UUID

import hypothesis
import pytest
from hypothesis import strategies as st

from domain.kernel.values import replace
from domain.ratings.ladder import Pool, RankingLine, RatedResult, period_of
from projections.follow import ensure_tables
from projections.platform.database import Row
from projections.platform.fills import READ_FILLS, continue_fill
from projections.platform.statements import Statement
from projections.platform.store import ReadStore
from projections.ratings import ladders, monthly_rankings, rankings
from projections.ratings.monthly_rankings import ListedMonth
from projections.ratings.months import fill_months
from tests.projections.ratings.test_ratings import note, rate_all
from tests.seeding import example_count

POOL = Pool("toy", 3)
START = datetime(2026, 1, 1, tzinfo=UTC)
MONTH = timedelta(days=31)
PLAYERS = ("ann", "ben", "cleo", "dora", "emil", "bot:random@1", "bot:greedy@1")
NEW_TABLES = ("rating_months", "rating_counts", "rating_rests")


@st.composite
def seasons(draw: st.DrawFn) -> list[RatedResult]:
    """Return results of a few players, with many matches in some months and none for half a year or longer."""
    results, at = list[RatedResult](), START
    for number in range(draw(st.integers(1, 60))):
        at += draw(st.sampled_from((timedelta(hours=1), timedelta(hours=1), timedelta(days=9), 3 * MONTH, 9 * MONTH)))
        players = draw(st.permutations(PLAYERS))[:3]
        places = tuple(sorted(draw(st.lists(st.integers(1, 3), min_size=3, max_size=3))))
        results.append(RatedResult(UUID(int=number + 1), "toy", at, tuple(players), places))
    return results


def pages(store: ReadStore, month: ListedMonth, limit: int) -> Iterator[RankingLine]:
    """Yield the lines of people, page by page."""
    after = None
    while True:
        page = monthly_rankings.people_page(store, month, limit, after)
        yield from page.lines
        after = page.next
        if after is None:
            return


def months_until(results: Sequence[RatedResult]) -> range:
    """Return the months from before the first result to long after the last one."""
    return range(period_of(START) - 1, period_of(results[-1].ended_at) + 12)


def expect_equal_lists(store: ReadStore, results: Sequence[RatedResult]) -> None:
    """Compare every month with `ranking`, in pages and by player; the last months are also read as of today."""
    now = period_of(results[-1].ended_at)
    for period in months_until(results):
        for is_now in {False, period >= now}:
            month = ListedMonth(POOL, period, is_now)
            expected = (rankings.list_now if is_now else rankings.list_at)(store, POOL, period)
            people = [line for line in expected if not line.rated.is_bot]
            assert list(pages(store, month, 2)) == people, (period, is_now)
            assert monthly_rankings.bots_of(store, month) == tuple(line for line in expected if line.rated.is_bot)
            if store.is_filled(monthly_rankings.TABLE):
                assert [monthly_rankings.line_of(store, month, line.rated) for line in people] == people
    lines = {line.rated.player: line for line in rankings.list_now(store, POOL, now)}
    assert lines == {
        player: line for player in PLAYERS for line in monthly_rankings.lines_of_player(store, player, now).values()
    }


def rows_of_months(store: ReadStore) -> list[object]:
    return [store.rows(f"SELECT * FROM {table} ORDER BY 1, 2, 3, 4, 5") for table in NEW_TABLES]


@hypothesis.settings(max_examples=example_count(12), deadline=None, suppress_health_check=list(hypothesis.HealthCheck))
@hypothesis.given(results=seasons(), voided=st.sets(st.integers(0, 59), max_size=3), changed=st.integers(0, 59))
def test_lists_of_every_month_equal_the_ranking(
    tmp_path_factory: pytest.TempPathFactory, results: list[RatedResult], voided: set[int], changed: int
) -> None:
    """Over the turn of a month, over inactivity, and after rulings take results back or change one."""
    store = ReadStore(tmp_path_factory.mktemp("months") / "reads.db")
    ensure_tables(store, ladders)
    for result in results:
        note(store, result.match_id, result)
        rate_all(store)
    expect_equal_lists(store, results)

    remaining = [result for number, result in enumerate(results) if number not in voided]
    for number in voided & set(range(len(results))):
        note(store, results[number].match_id, None)
    if changed < len(remaining):
        remaining[changed] = replace(remaining[changed], players=tuple(reversed(remaining[changed].players)))
        note(store, remaining[changed].match_id, remaining[changed])
    rate_all(store)
    expect_equal_lists(store, results)

    live = rows_of_months(store)
    with store.transaction() as transaction:
        ladders.reset_pool(transaction, POOL)
    assert rows_of_months(store) == [[], [], []]
    rate_all(store)
    assert rows_of_months(store) == live
    fresh = ReadStore(tmp_path_factory.mktemp("fresh") / "reads.db")
    ensure_tables(fresh, ladders)
    note_all(fresh, remaining)
    assert rows_of_months(fresh) == live
    store.close()
    fresh.close()


def note_all(store: ReadStore, results: Sequence[RatedResult]) -> None:
    with store.transaction() as transaction:
        for result in results:
            ladders.note(transaction, str(result.match_id), result)
    rate_all(store)


def regular_season() -> list[RatedResult]:
    """Return results of two years, with pauses of three and nine months."""
    results, at = list[RatedResult](), START
    for number in range(90):
        at += timedelta(days=(1, 2, 9, 30)[number % 4]) if number % 30 else (3 + number // 10) * MONTH
        players = [PLAYERS[(number * step + step) % len(PLAYERS)] for step in (1, 2, 4)]
        unique = tuple(dict.fromkeys([*players, *PLAYERS]))[:3]
        results.append(RatedResult(UUID(int=number + 1), "toy", at, unique, ((1, 2, 3), (1, 1, 3))[number % 2]))
    return results


def test_an_old_store_is_filled_in_slices_while_readers_use_the_old_way(any_store: ReadStore) -> None:
    """Results that are noted during the fill are rated after it."""
    results = regular_season()
    ensure_tables(any_store, ladders)
    note_all(any_store, results[:-1])
    live = rows_of_months(any_store)
    with any_store.transaction() as transaction:
        for table in NEW_TABLES:
            transaction.change(f"DROP TABLE {table}")

    store = any_store
    ensure_tables(store, ladders)
    assert store.rows(READ_FILLS) == [("rating_months",)]
    for count in (1, 2, 3):
        with store.transaction() as transaction:
            assert not continue_fill(transaction, "rating_months", partial(fill_months, limit=2))
        expect_equal_lists(store, results[:-1])
        assert len(store.rows("SELECT DISTINCT player FROM rating_months")) <= 2 * count
    with store.transaction() as transaction:
        while not continue_fill(transaction, "rating_months", partial(fill_months, limit=2)):
            pass

    assert rows_of_months(store) == live
    expect_equal_lists(store, results[:-1])
    note(store, results[-1].match_id, results[-1])
    rate_all(store)
    expect_equal_lists(store, results)


def test_a_long_list_of_a_past_month_is_read_in_parts(any_store: ReadStore) -> None:
    """A page of the inactive is short, even empty, if most of the inactive people have played since."""
    ensure_tables(any_store, ladders)
    note_all(any_store, regular_season())
    month = ListedMonth(POOL, period_of(START) + 40, is_now=False)

    assert list(pages(any_store, month, 1)) == list(pages(any_store, month, 50))


@pytest.mark.parametrize("is_now", [True, False])
def test_a_result_taken_back_during_a_request_leaves_its_players_out(any_store: ReadStore, is_now: bool) -> None:
    """The statements of a request are no transaction: a rating can be gone whose line of the month was read."""
    ensure_tables(any_store, ladders)
    results = regular_season()
    note_all(any_store, results)
    month = ListedMonth(POOL, period_of(results[-1].ended_at), is_now)
    before = list(pages(any_store, month, 50))
    with any_store.transaction() as transaction:
        transaction.change("DELETE FROM rating_players WHERE player = 'ann'")

    left = [line.rated.player for line in pages(any_store, month, 50)]
    assert left == [line.rated.player for line in before if line.rated.player != "ann"]


def test_a_player_whose_result_is_taken_back_between_two_reads_has_no_line(tmp_path: Path) -> None:
    store = FadingStore(tmp_path / "reads.db")
    ensure_tables(store, ladders)
    note(store, UUID(int=1), RatedResult(UUID(int=1), "toy", START, ("ann", "ben", "cleo"), (1, 2, 3)))
    rate_all(store)

    assert rankings.list_player_rankings(store, "ann", period_of(START)) == {}


class FadingStore(ReadStore):
    """A store whose only result is taken back after a player's ratings were read."""

    def rows(self, statement: Statement, /, *values: object, **named: object) -> list[Row]:
        """Return the rows of a query."""
        found = super().rows(statement, *values, **named)
        if statement is rankings.READ_RATINGS:
            note(self, UUID(int=1), None)
            rate_all(self)
        return found
