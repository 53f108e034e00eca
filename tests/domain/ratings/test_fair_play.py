"""The rules of rated play: what a match counts, and what no longer gains anything."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from statistics import median
from uuid import UUID

import pytest

from domain.kernel.values import replace
from domain.ratings.backtest import backtest, without_rules
from domain.ratings.fairness import (
    FULL_MATCHES,
    KEPT,
    STRANGERS,
    Together,
    known_share,
    met_again,
    met_weight,
)
from domain.ratings.ladder import Ladder, RatedResult, period_of, ranking
from domain.ratings.models import BASE, model_of
from domain.ratings.recount import ladders_of

START = datetime(2026, 1, 15, tzinfo=UTC)
DAY = timedelta(days=1)


def fair(
    number: int, players: Sequence[str], places: Sequence[int], day: float = 0, provisional: Sequence[str] = ()
) -> RatedResult:
    ended_at = START + day * DAY
    return RatedResult(
        UUID(int=number),
        "toy",
        ended_at,
        tuple(players),
        tuple(places),
        fair=True,
        provisional=tuple(provisional),
    )


def club(first: int = 1) -> list[RatedResult]:
    """Twenty-four people of all strengths at tables of four, each in some thirty matches of two months."""
    luck = Random("club")
    strength = {f"member{number:02}": number for number in range(24)}
    found = []
    for number in range(180):
        table = luck.sample(sorted(strength), 4)
        shown = {player: strength[player] + luck.gauss(0, 8) for player in table}
        places = [1 + sum(shown[other] > shown[player] for other in table) for player in table]
        found.append(fair(first + number, table, places, number / 3))
    return found


def points(results: Sequence[RatedResult]) -> dict[str, int]:
    """The list of the only pool as it stands after all results: who has a place there, by points."""
    model = model_of(BASE)
    (ladder,) = ladders_of(model, results).values()
    last = period_of(max(result.ended_at for result in results))
    lines = ranking(model, ladder.rated.values(), last)
    return {line.rated.player: line.points for line in lines if line.place is not None}


# What is rated


def test_the_same_people_count_in_full_three_times_in_thirty_days_and_then_ever_less() -> None:
    known, weights = STRANGERS, []
    for number in range(6):
        weights.append(met_weight(known, START + number * DAY))
        known = met_again(known, START + number * DAY)

    assert weights == [1.0, 1.0, 1.0, 0.5, 0.25, 0.125]
    assert met_weight(known, START + 40 * DAY) == 1.0
    assert known.matches == 6


def test_no_more_meetings_are_kept_than_can_still_count() -> None:
    known = STRANGERS
    for number in range(2 * KEPT):
        known = met_again(known, START + timedelta(hours=number))

    assert known.matches == 2 * KEPT
    assert known.recent == tuple(START + timedelta(hours=number) for number in range(KEPT, 2 * KEPT))
    assert met_weight(known, START + timedelta(hours=2 * KEPT)) == 0.5 ** (KEPT - FULL_MATCHES + 1)
    assert met_again(known, START + 60 * DAY) == Together(2 * KEPT + 1, (START + 60 * DAY,))


def test_who_has_played_with_others_is_known() -> None:
    assert known_share(0, STRANGERS) == 0.1
    assert known_share(5, STRANGERS) == 0.5
    assert known_share(30, Together(5)) == 1.0
    assert known_share(12, Together(12)) == 0.1


def test_what_a_result_counts_follows_from_those_at_the_table_alone() -> None:
    """A ladder that knows no more than their ratings and how often they had met changes them alike."""
    whole = Ladder(model_of(BASE))
    for number, table in enumerate(("ann ben cleo", "ann ben dora", "ann ben cleo", "ben cleo dora", "ann ben cleo")):
        played = fair(number + 1, table.split(), [2, 1, 3], number)
        known = [whole.rated[player] for player in played.players if player in whole.rated]
        changes = whole.play(played)
        met = {change.after.player: tuple(each for each in change.met if each.matches) for change in changes}

        alone = Ladder(model_of(BASE), [replace(rated, met=met[rated.player]) for rated in known])

        assert alone.play(played) == changes
    assert [each.matches for each in met["ann"]] == [3, 2]


def test_what_a_result_does_is_told_with_everybody_at_the_table_or_with_those_alone_who_had_met() -> None:
    played, told = Ladder(model_of(BASE)), Ladder(model_of(BASE))
    old = [replace(result, fair=False) for result in club()[:5]]
    for result in [*old, *club()]:
        changes, steps = played.play(result), [*told.tell(result)]

        assert [step for step, _ in steps] == [(change.before, change.after, change.place) for change in changes]
        assert [met for _, met in steps] == [tuple(met for met in each.met if met.matches) for each in changes]
        for change in changes if result.fair else ():
            assert [met.player for met in change.met] == sorted({*result.players} - {change.after.player})
    assert played.together == told.together


@pytest.mark.parametrize("newcomer", ["new", "abe"])
def test_who_signed_up_the_same_day_lifts_nobody_and_is_rated(newcomer: str) -> None:
    ladder = Ladder(model_of(BASE))
    ladder.play(fair(1, ["ann", newcomer], [1, 2], provisional=[newcomer]))

    assert ladder.rated["ann"].skill == model_of(BASE).start()
    assert ladder.rated[newcomer].skill.mean < model_of(BASE).start().mean
    assert (ladder.rated["ann"].matches, ladder.rated["ann"].wins) == (1, 1)


def test_what_was_rated_before_the_rules_stays_as_computed() -> None:
    old = RatedResult(UUID(int=1), "toy", START, ("ann", "ben"), (1, 2))
    model, ladder = model_of(BASE), Ladder(model_of(BASE))
    ladder.play(old)

    assert [ladder.rated[name].skill for name in ("ann", "ben")] == list(model.rate([model.start()] * 2, [1, 2]))
    assert ladder.together == {}


# The attacks


@pytest.mark.parametrize("rounds", [1, 3, 10])
def test_twelve_accounts_that_play_badly_to_the_end_leave_the_gainer_below_the_median(rounds: int) -> None:
    """Two days old, at tables of four, each against the gainer again and again within the month."""
    honest = club()
    puppets = [f"puppet{number:02}" for number in range(12)]
    luck, number = Random("farm"), 1_000
    farmed = []
    for turn in range(3 * rounds):
        luck.shuffle(puppets)
        for start in range(0, 12, 3):
            number += 1
            farmed.append(fair(number, ["gainer", *puppets[start : start + 3]], [1, 2, 3, 4], 50 + turn / 10))

    found = points([*honest, *farmed])
    before = {player: value for player, value in found.items() if player.startswith("member")}

    assert len(before) == 24
    assert found["gainer"] < median(before.values())
    unruled = points(without_rules([*honest, *farmed]))
    assert unruled["gainer"] > median(value for player, value in unruled.items() if player.startswith("member"))


def test_honest_play_is_told_apart_nearly_as_well_as_without_the_rules() -> None:
    model, results = model_of(BASE), club()

    fairly, unruled = backtest(model, results), backtest(model, without_rules(results))

    assert fairly.pairs == unruled.pairs
    assert 0 < fairly.pair_log_loss < unruled.pair_log_loss + 0.05
