"""Ratings are equal to the last digit in whatever order results are added, changed or voided."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from uuid import UUID

import hypothesis
import pytest
from hypothesis import strategies as st

from domain.eventstore.application import Matches
from domain.kernel.values import replace
from domain.matches.facts import Table
from domain.matches.rulings.measures import MatchVoided
from domain.ratings.fairness import Meetings
from domain.ratings.ladder import Ladder, Pair, Pool, Rated, RatedResult, pair_of
from domain.ratings.models import BASE, model_of
from domain.ratings.recount import ladders_of
from projections.catalogue import PROJECTIONS
from projections.follow import ensure_tables
from projections.loop import FollowerLoop
from projections.platform.store import ReadStore
from projections.ratings import ladders, rankings, rating_history
from projections.ratings.rating_slices import TOGETHER
from projections.rebuild import rebuild
from tests.domain.matches.match_helpers import apply_ruling, build_ruling
from tests.projections.tables import open_started_match, play_match
from tests.seeding import example_count

POOL = Pool("toy", 3)
NUMBERS = "SELECT title, seats, player, number FROM rating_players"
MIDNIGHT = datetime(2026, 1, 31, tzinfo=UTC)


def result(number: int, players: str, places: Sequence[int] = (1, 2, 3)) -> RatedResult:
    """Return a result half a day after the previous one; players are letters."""
    ended_at = MIDNIGHT + timedelta(hours=12 * number)
    return RatedResult(UUID(int=number), "toy", ended_at, tuple(players), tuple(places[: len(players)]))


def season(count: int) -> list[RatedResult]:
    """Return results of a few players at all table sizes, in a deterministic mixture."""
    trios = ("abc", "bcd", "cda", "dab", "acd", "ab", "cd")
    return [result(n, trios[n * 5 % 7], ((1, 2, 3), (2, 1, 3), (3, 1, 1))[n % 3]) for n in range(1, count + 1)]


def fair_season(count: int) -> list[RatedResult]:
    """Return the same results under fair play rules, with the same people meeting repeatedly."""
    return [
        replace(rated, fair=True, provisional=("c",) if rated.match_id.int % 9 == 0 else ()) for rated in season(count)
    ]


def note(store: ReadStore, match_id: UUID, rated: RatedResult | None) -> None:
    with store.transaction() as transaction:
        ladders.note(transaction, str(match_id), rated)


def rate_all(store: ReadStore) -> None:
    """Do all pending work."""
    is_going_on = True
    while is_going_on:
        with store.transaction() as transaction:
            is_going_on = ladders.do_deferred_work(transaction)


def stored_ratings(store: ReadStore) -> dict[Pool, dict[str, Rated]]:
    return {pool: {rated.player: rated for rated in rankings.players(store, pool)} for pool in rankings.pools(store)}


def from_scratch(results: Sequence[RatedResult]) -> dict[Pool, dict[str, Rated]]:
    return {pool: dict(ladder.rated) for pool, ladder in ladders_of(model_of(BASE), results).items()}


def meetings(store: ReadStore) -> dict[Pool, dict[Pair, Meetings]]:
    rated: dict[Pool, dict[Pair, Meetings]] = {}
    named = {number: (Pool(title, seats), player) for title, seats, player, number in store.rows(NUMBERS)}
    for one, other, detail in store.rows("SELECT * FROM rating_meetings"):
        pool, player = named[one]
        rated.setdefault(pool, {})[pair_of(player, named[other][1])] = TOGETHER.decode(detail)
    return rated


def meetings_from_scratch(results: Sequence[RatedResult]) -> dict[Pool, dict[Pair, Meetings]]:
    return {pool: ladder.together for pool, ladder in ladders_of(model_of(BASE), results).items()}


@pytest.fixture
def rated_store(store: ReadStore) -> ReadStore:
    ensure_tables(store, ladders)
    return store


def test_results_in_any_order_give_the_same_ratings(rated_store: ReadStore) -> None:
    """Noted in reverse with slices in between, so each undoes results that were rated too early."""
    results = season(40)
    for rated in reversed(results):
        note(rated_store, rated.match_id, rated)
        rate_all(rated_store)

    assert stored_ratings(rated_store) == from_scratch(results)
    assert rankings.pending(rated_store) == 0


def test_a_voided_match_has_no_effect(rated_store: ReadStore) -> None:
    """Including checkpoints: 2,100 results, of which the 3rd and the 1,500th are voided and the last is changed."""
    results = season(2_100)
    for rated in results:
        note(rated_store, rated.match_id, rated)
    rate_all(rated_store)
    assert stored_ratings(rated_store) == from_scratch(results)

    note(rated_store, results[2].match_id, None)
    note(rated_store, results[1499].match_id, None)
    other = result(2_100, "".join(results[-1].players), (2, 1, 3))
    note(rated_store, other.match_id, other)
    assert rankings.pending(rated_store) > 0
    rate_all(rated_store)

    remaining = [*results[:2], *results[3:1499], *results[1500:-1], other]
    assert stored_ratings(rated_store) == from_scratch(remaining)
    assert rankings.results(rated_store) == tuple(remaining)
    assert rankings.result_count(rated_store) == len(remaining)


@hypothesis.settings(max_examples=example_count(4), deadline=None, suppress_health_check=list(hypothesis.HealthCheck))
@hypothesis.given(
    voided=st.sets(st.integers(0, 1_099), min_size=1, max_size=3), back=st.booleans(), waits=st.booleans()
)
def test_ratings_after_voiding_equal_a_start_from_scratch(
    tmp_path_factory: pytest.TempPathFactory, voided: set[int], back: bool, waits: bool
) -> None:
    """Ratings and meetings are equal to the last digit.

    Matches are voided over several slices, in sequence or while an earlier one is being undone, and restored when the
    ruling is reversed.
    """
    store = ReadStore(tmp_path_factory.mktemp("voided") / "reads.db")
    ensure_tables(store, ladders)
    results = fair_season(1_100)
    with store.transaction() as transaction:
        for rated in results:
            ladders.note(transaction, str(rated.match_id), rated)
    rate_all(store)
    assert meetings(store) == meetings_from_scratch(results)
    for number in sorted(voided):
        note(store, results[number].match_id, None)
        if waits:
            with store.transaction() as transaction:
                ladders.do_deferred_work(transaction)
        else:
            rate_all(store)
    rate_all(store)
    remaining = [rated for number, rated in enumerate(results) if number not in voided]
    assert stored_ratings(store) == from_scratch(remaining)
    assert meetings(store) == meetings_from_scratch(remaining)
    assert rankings.pending(store) == 0

    if back:
        first = results[min(voided)]
        note(store, first.match_id, first)
        rate_all(store)
        assert stored_ratings(store) == from_scratch([*remaining, first])
    store.close()


def test_the_effect_of_a_match_follows_from_the_previous_ratings(rated_store: ReadStore) -> None:
    """As in a tournament's proof, including the number of previous meetings."""
    results = fair_season(30)
    for rated in results:
        note(rated_store, rated.match_id, rated)
    rate_all(rated_store)

    for rated in results:
        changes = Ladder(model_of(BASE), rankings.ratings_before(rated_store, rated)).rate_result(rated)
        assert tuple(change.after for change in changes) == rankings.ratings_after(rated_store, rated)


def test_the_list_of_a_month_is_as_of_its_end(rated_store: ReadStore) -> None:
    results = season(60)
    for found in results:
        note(rated_store, found.match_id, found)
    rate_all(rated_store)
    february = 2026 * 12 + 1
    until_then = [found for found in results if found.ended_at < datetime(2026, 3, 1, tzinfo=UTC)]

    then = {rated.player: rated for rated in rankings.players_at(rated_store, POOL, february)}

    assert 0 < len(until_then) < len(results)
    assert then == from_scratch(until_then)[POOL]
    assert rankings.players_at(rated_store, POOL, 2025 * 12) == ()


def test_a_players_history_starts_with_the_oldest_match(rated_store: ReadStore) -> None:
    for rated in season(30):
        note(rated_store, rated.match_id, rated)
    rate_all(rated_store)

    history = rating_history.history_of(rated_store, "a")
    trios = rating_history.histories(rated_store, POOL, ["a"])["a"]

    assert [moved.ended_at for moved in history] == sorted(moved.ended_at for moved in history)
    assert all(before.points == after.points_before for before, after in pairwise(trios[:5]))
    assert trios[-1].after == rankings.ratings_of(rated_store, "a")[POOL]
    assert len(rating_history.history_of(rated_store, "a", 3)) == 3


def test_only_rated_matches_count_and_a_ruling_undoes_one(matches: Matches, any_store: ReadStore) -> None:
    loop = FollowerLoop(matches, any_store, tuple(PROJECTIONS.values()))
    counted = play_match(matches, open_started_match(matches, 1, ("bot:random@1", "ann"), Table(rated=True)))
    play_match(matches, open_started_match(matches, 2, ("bot:random@1", "ann"), Table(rated=False)))
    play_match(matches, open_started_match(matches, 3, ("bot:random@1", "bot:random@1"), Table(rated=True)))
    loop.catch_up()

    assert [rated.match_id for rated in rankings.results(any_store)] == [counted.id]
    before = stored_ratings(any_store)
    assert set(before[Pool("toy", 2)]) == {"ann", "bot:random@1"}

    rebuild(["ratings"], matches, any_store, entries=1)
    assert stored_ratings(any_store) == before

    apply_ruling(matches, counted.id, build_ruling("void", MatchVoided()))
    loop.catch_up()
    assert rankings.results(any_store) == ()
    assert rankings.ratings_of(any_store, "ann") == {}
    assert rankings.pools(any_store) == {}
