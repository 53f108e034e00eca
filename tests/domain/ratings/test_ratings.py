"""Rating models, the ladder's fold, equality of checkpoints and full recounts, and back-tests."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import permutations
from random import Random
from uuid import UUID

import pytest
from hypothesis import strategies as st
from openskill.models import PlackettLuce

from domain.ratings.backtest import backtest
from domain.ratings.ladder import (
    Ladder,
    Rated,
    RatedResult,
    is_rateable,
    month_of,
    period_of,
    ranking,
)
from domain.ratings.model import Skill
from domain.ratings.models import BASE, MODELS, UnknownModel, model_of
from domain.ratings.plackett_luce import PLACKETT_LUCE
from domain.ratings.recount import ladders_of
from domain.ratings.terms import INACTIVE_PERIODS, PROVISIONAL_MATCHES

START = datetime(2026, 1, 15, tzinfo=UTC)


def result(number: int, players: Sequence[str], places: Sequence[int], days: int | None = None) -> RatedResult:
    ended_at = START + timedelta(days=number if days is None else days)
    return RatedResult(UUID(int=number), "toy", ended_at, tuple(players), tuple(places))


@st.composite
def muddles(draw: st.DrawFn) -> list[RatedResult]:
    """Generate unordered results of six players at tables of two to four."""
    rated = []
    for number in range(1, draw(st.integers(1, 30)) + 1):
        players = draw(st.permutations("abcdef"))[: draw(st.integers(2, 4))]
        places = [
            1 + sum(other < rank for other in ranks) for ranks in [draw(ranks_of(len(players)))] for rank in ranks
        ]
        rated.append(result(number, players, places, days=draw(st.integers(0, 400))))
    return rated


def ranks_of(count: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(1, count), min_size=count, max_size=count)


@pytest.mark.parametrize("name", [name for name in MODELS if name != "null"])
def test_winners_rise_and_ties_of_equals_stay_equal(name: str) -> None:
    model = model_of(name)
    start = model.start()
    first, second, third = model.rate([start] * 3, [1, 2, 2])

    assert model.name == name
    assert first.mean > start.mean > second.mean
    assert second == third
    assert model.points(first) > model.points(second)


@pytest.mark.parametrize("name", MODELS)
def test_chances_are_probabilities(name: str) -> None:
    model = model_of(name)
    strong = model.rate([model.start()] * 2, [1, 2])[0]

    for skills in permutations([strong, model.start(), model.start()]):
        assert sum(model.chances(skills)) == pytest.approx(1.0)
    assert model.chances([strong, model.start()])[0] >= 0.5


def test_the_base_model_equals_openskill() -> None:
    package, model = PlackettLuce(), model_of(BASE)
    teams = [[package.rating()] for _ in range(4)]
    rated = package.rate(package.rate(teams, ranks=[2, 1, 3, 3]), ranks=[1, 4, 2, 3])

    skills = model.rate(model.rate([model.start()] * 4, [2, 1, 3, 3]), [1, 4, 2, 3])

    assert [(skill.mean, skill.deviation) for skill in skills] == [(team[0].mu, team[0].sigma) for team in rated]


def test_elo_of_two_is_the_classic_formula() -> None:
    """1500 against 1900: a win is worth 32 × (1 - 1/11)."""
    model = model_of("elo")
    winner, loser = model.rate([Skill(1500.0), Skill(1900.0)], [1, 2])

    assert winner.mean == pytest.approx(1500 + 32 * 10 / 11)
    assert loser.mean == pytest.approx(1900 - 32 * 10 / 11)
    assert model.rate([Skill(1500.0)] * 2, [1, 1]) == (Skill(1500.0), Skill(1500.0))
    assert model.points(winner) == 1529


def test_the_deviation_grows_to_at_most_a_newcomers() -> None:
    base, elo, null = (model_of(name) for name in MODELS)
    known = Skill(30.0, 2.0)

    assert base.rest(known, 0) == known
    assert 2.0 < base.rest(known, 1).deviation < base.rest(known, 12).deviation
    assert base.rest(known, 10_000).deviation == base.start().deviation
    assert base.points(base.rest(known, 12)) < base.points(known)
    assert elo.rest(Skill(1600.0), 50) == Skill(1600.0)
    assert null.rest(known, 3) == known
    assert null.rate([known, known], [1, 2]) == (known, known)
    assert null.points(Skill(3.0)) == 3


def test_an_unknown_model_is_refused_by_name() -> None:
    with pytest.raises(UnknownModel, match="unknown rating model 'glicko'; known: plackett-luce, elo, null"):
        model_of("glicko")


def test_periods_are_months() -> None:
    assert month_of(period_of(datetime(2026, 11, 30, 23, 59, tzinfo=UTC))) == "2026-11"
    assert period_of(datetime(2027, 1, 1, tzinfo=UTC)) - period_of(datetime(2026, 11, 1, tzinfo=UTC)) == 2


def test_a_bot_in_two_seats_is_rated_once_by_the_mean_of_both() -> None:
    model = model_of(BASE)
    ladder = Ladder(model)
    changes = ladder.rate_result(result(1, ["bot:x@1", "ann", "bot:x@1"], [1, 2, 3]))
    alone = model.rate([model.start()] * 3, [1, 2, 3])

    assert [change.after.player for change in changes] == ["bot:x@1", "ann"]
    bot = ladder.rated["bot:x@1"]
    assert (bot.matches, bot.wins, bot.is_bot) == (1, 1, True)
    assert bot.skill.mean == (alone[0].mean + alone[2].mean) / 2
    assert not is_rateable(result(2, ["bot:x@1", "bot:x@1"], [1, 2]))


def test_lists_only_place_established_active_players() -> None:
    model = model_of("elo")
    now = period_of(START)

    def make_rated(player: str, mean: float, matches: int = PROVISIONAL_MATCHES, last: int = now) -> Rated:
        return Rated(player, Skill(mean), matches, 0, last, round(mean))

    lines = ranking(
        model,
        [
            make_rated("late", 1700, last=now - INACTIVE_PERIODS - 1),
            make_rated("b", 1600),
            make_rated("a", 1600),
            make_rated("new", 1800, matches=1),
            make_rated("c", 1500),
            make_rated("top", 1650, last=now - 2),
        ],
        now,
    )

    assert [(line.place, line.rated.player) for line in lines] == [
        (1, "top"),
        (2, "a"),
        (2, "b"),
        (4, "c"),
        (None, "new"),
        (None, "late"),
    ]


def test_the_best_rating_ignores_provisional_ratings() -> None:
    ladder = Ladder(model_of("elo"))
    for number in range(1, PROVISIONAL_MATCHES + 1):
        ladder.rate_result(result(number, "ab", [1, 2]))
    peak = ladder.rated["a"].best
    ladder.rate_result(result(50, "ab", [2, 1]))

    assert ladder.rated["a"].best == peak > ladder.model.points(ladder.rated["a"].skill)
    assert ladder.rated["b"].best > ladder.model.points(ladder.model.start()) - 200


def test_matches_of_copies_of_one_bot_are_not_rated() -> None:
    assert ladders_of(model_of(BASE), [result(1, ["bot:x@1", "bot:x@1"], [1, 2])]) == {}


def test_a_back_test_prefers_the_model_that_learns_and_counts_how_calibrated_it_is() -> None:
    """`a` always beats `b`, who always beats `c`: a model that learns this is less surprised."""
    results = [result(number, "abc", [1, 2, 3]) for number in range(1, 60)]
    results.append(result(90, ["a", "b", "bot:x@1", "bot:x@1"], [1, 1, 3, 4]))
    base, elo, null = (backtest(model_of(name), results) for name in MODELS)

    assert base.pair_log_loss < elo.pair_log_loss < null.pair_log_loss
    assert base.winner_log_loss < null.winner_log_loss
    assert null.pair_log_loss == pytest.approx(0.6931, abs=1e-4)
    assert (base.matches, base.pairs) == (60, 59 * 3 + 4)
    assert sum(band.pairs for band in base.bands) == base.pairs
    assert all(band.low <= band.expected <= band.high for band in base.bands)
    assert [band.low for band in null.bands] == [0.5]
    assert base.calibration_error >= 0


def test_a_back_test_of_nothing_is_empty() -> None:
    report = backtest(model_of("null"), [])

    assert (report.matches, report.pairs, report.bands, report.pair_log_loss) == (0, 0, (), 0.0)


def test_a_back_test_of_the_latest_results_rates_all_and_predicts_only_these() -> None:
    results = [result(number, "ab", [1, 2]) for number in range(1, 30)]
    complete, latest = (backtest(model_of(BASE), results, latest=count) for count in (None, 5))

    assert (complete.matches, latest.matches) == (29, 5)
    assert latest.pair_log_loss < complete.pair_log_loss


def test_progress_is_reported() -> None:
    progress: list[int] = []
    ladders_of(model_of("null"), [result(n, "ab", [1, 2]) for n in (1, 2)], progress.append)
    backtest(model_of("null"), [result(3, "ab", [1, 2])], progress.append)

    assert progress == [1, 2, 1]


def test_reused_rating_objects_give_the_packages_numbers() -> None:
    package, random = PlackettLuce(), Random(4)
    for _ in range(40):
        seats = random.randint(2, 5)
        skills = [Skill(random.uniform(5, 45), random.uniform(0.8, 9)) for _ in range(seats)]
        places = [random.randint(1, seats) for _ in range(seats)]
        fresh = [[package.rating(mu=skill.mean, sigma=skill.deviation)] for skill in skills]
        rated = package.rate(fresh, ranks=list(places))

        assert PLACKETT_LUCE.rate(skills, places) == tuple(Skill(one.mu, one.sigma) for (one,) in rated)
        assert PLACKETT_LUCE.chances(skills) == tuple(package.predict_win(fresh))
