"""The rules of rated play: the weight of matches, and attacks that no longer pay."""

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
    MEETINGS_STORED_MAX,
    STRANGERS,
    Meetings,
    add_meeting,
    known_share,
    repeat_weight,
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
    """Return results of twenty-four players of all strengths at tables of four, about thirty each in two months."""
    luck = Random("club")
    strength = {f"member{number:02}": number for number in range(24)}
    results = []
    for number in range(180):
        table = luck.sample(sorted(strength), 4)
        shown = {player: strength[player] + luck.gauss(0, 8) for player in table}
        places = [1 + sum(shown[other] > shown[player] for other in table) for player in table]
        results.append(fair(first + number, table, places, number / 3))
    return results


def points(results: Sequence[RatedResult]) -> dict[str, int]:
    """Return the ranking list of the only pool after all results, as points by placed player."""
    model = model_of(BASE)
    (ladder,) = ladders_of(model, results).values()
    last = period_of(max(result.ended_at for result in results))
    lines = ranking(model, ladder.rated.values(), last)
    return {line.rated.player: line.points for line in lines if line.place is not None}


# The weight of matches.


def test_repeated_meetings_count_less() -> None:
    known, weights = STRANGERS, []
    for number in range(6):
        weights.append(repeat_weight(known, START + number * DAY))
        known = add_meeting(known, START + number * DAY)

    assert weights == [1.0, 1.0, 1.0, 0.5, 0.25, 0.125]
    assert repeat_weight(known, START + 40 * DAY) == 1.0
    assert known.matches == 6


def test_only_meetings_that_can_still_count_are_stored() -> None:
    known = STRANGERS
    for number in range(2 * MEETINGS_STORED_MAX):
        known = add_meeting(known, START + timedelta(hours=number))

    assert known.matches == 2 * MEETINGS_STORED_MAX
    assert known.recent == tuple(
        START + timedelta(hours=number) for number in range(MEETINGS_STORED_MAX, 2 * MEETINGS_STORED_MAX)
    )
    assert repeat_weight(known, START + timedelta(hours=2 * MEETINGS_STORED_MAX)) == 0.5 ** (
        MEETINGS_STORED_MAX - FULL_MATCHES + 1
    )
    assert add_meeting(known, START + 60 * DAY) == Meetings(2 * MEETINGS_STORED_MAX + 1, (START + 60 * DAY,))


def test_matches_with_others_make_a_player_known() -> None:
    assert known_share(0, STRANGERS) == 0.1
    assert known_share(5, STRANGERS) == 0.5
    assert known_share(30, Meetings(5)) == 1.0
    assert known_share(12, Meetings(12)) == 0.1


def test_a_weight_depends_only_on_the_players_at_the_table() -> None:
    """A ladder with only their ratings and meetings changes them alike."""
    whole = Ladder(model_of(BASE))
    for number, table in enumerate(("ann ben cleo", "ann ben dora", "ann ben cleo", "ben cleo dora", "ann ben cleo")):
        played = fair(number + 1, table.split(), [2, 1, 3], number)
        known = [whole.rated[player] for player in played.players if player in whole.rated]
        changes = whole.rate_result(played)
        met = {change.after.player: tuple(each for each in change.met if each.matches) for change in changes}

        alone = Ladder(model_of(BASE), [replace(rated, met=met[rated.player]) for rated in known])

        assert alone.rate_result(played) == changes
    assert [each.matches for each in met["ann"]] == [3, 2]


def test_changes_list_all_opponents_and_steps_only_known_ones() -> None:
    played, known = Ladder(model_of(BASE)), Ladder(model_of(BASE))
    old = [replace(result, fair=False) for result in club()[:5]]
    for result in [*old, *club()]:
        changes, steps = played.rate_result(result), [*known.rate_with_meetings(result)]

        assert [step[:3] for step, _ in steps] == [(change.before, change.after, change.place) for change in changes]
        assert [met for _, met in steps] == [tuple(met for met in each.met if met.matches) for each in changes]
        for change in changes if result.fair else ():
            assert [met.player for met in change.met] == sorted({*result.players} - {change.after.player})
    assert played.together == known.together


@pytest.mark.parametrize("newcomer", ["new", "abe"])
def test_a_new_account_is_rated_but_lifts_no_opponent(newcomer: str) -> None:
    ladder = Ladder(model_of(BASE))
    ladder.rate_result(fair(1, ["ann", newcomer], [1, 2], provisional=[newcomer]))

    assert ladder.rated["ann"].skill == model_of(BASE).start()
    assert ladder.rated[newcomer].skill.mean < model_of(BASE).start().mean
    assert (ladder.rated["ann"].matches, ladder.rated["ann"].wins) == (1, 1)


def test_earlier_ratings_are_unchanged() -> None:
    old = RatedResult(UUID(int=1), "toy", START, ("ann", "ben"), (1, 2))
    model, ladder = model_of(BASE), Ladder(model_of(BASE))
    ladder.rate_result(old)

    assert [ladder.rated[name].skill for name in ("ann", "ben")] == list(model.rate([model.start()] * 2, [1, 2]))
    assert ladder.together == {}


# Attacks.


@pytest.mark.parametrize("rounds", [1, 3, 10])
def test_losing_accounts_lift_a_player_no_higher_than_the_median(rounds: int) -> None:
    """The accounts are two days old and play against the same player repeatedly within a month."""
    honest = club()
    puppets = [f"puppet{number:02}" for number in range(12)]
    luck, number = Random("farm"), 1_000
    farmed = []
    for turn in range(3 * rounds):
        luck.shuffle(puppets)
        for start in range(0, 12, 3):
            number += 1
            farmed.append(fair(number, ["gainer", *puppets[start : start + 3]], [1, 2, 3, 4], 50 + turn / 10))

    scores = points([*honest, *farmed])
    before = {player: value for player, value in scores.items() if player.startswith("member")}

    assert len(before) == 24
    assert scores["gainer"] < median(before.values())
    unruled = points(without_rules([*honest, *farmed]))
    assert unruled["gainer"] > median(value for player, value in unruled.items() if player.startswith("member"))


def test_the_rules_hardly_affect_predictions_of_honest_play() -> None:
    model, results = model_of(BASE), club()

    fairly, unruled = backtest(model, results), backtest(model, without_rules(results))

    assert fairly.pairs == unruled.pairs
    assert 0 < fairly.pair_log_loss < unruled.pair_log_loss + 0.05
