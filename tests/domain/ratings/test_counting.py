"""Rated outcomes and the players they count for (docs/play/fair-play.md)."""

from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID

import pytest

from domain.kernel.values import replace
from domain.matches.aggregate import HowLeft
from domain.matches.rulings.outcome import Outcome, StarterRounds
from domain.ratings.counting import result_of
from domain.ratings.ladder import Ladder, Pool, RatedResult
from domain.ratings.models import BASE, model_of
from domain.ratings.rules import RatingRules

AT: Final = datetime(2026, 3, 1, tzinfo=UTC)
PLAYED: Final = Outcome(
    match_id=UUID(int=1),
    line_id=UUID(int=2),
    title="toy",
    options={},
    players=("ann", "bot:random@1"),
    began=(StarterRounds("ann", "", 5, False), StarterRounds("ben", "provisional", 5, False)),
    clocked=True,
    rated=True,
    imported=False,
    forked=False,
    public=True,
    event="",
    status="ended",
    scores=(9, 4),
    ranking=(1, 2),
    penalties=(0, 0),
    resigned=(),
    started_at=AT,
    ended_at=AT + timedelta(hours=1),
    ruled=False,
)


def test_without_fair_play_the_final_players_are_rated() -> None:
    result = result_of(PLAYED)

    assert result is not None
    assert (result.players, result.places, result.fair, result.provisional) == (
        ("ann", "bot:random@1"),
        (1, 2),
        False,
        (),
    )
    assert result_of(PLAYED, RatingRules(AT + timedelta(days=1))) == result


def test_by_fair_play_the_starters_are_rated() -> None:
    result = result_of(PLAYED, RatingRules(AT))

    assert result is not None
    assert (result.players, result.fair, result.provisional) == (("ann", "ben"), True, ("ben",))


@pytest.mark.parametrize(
    "change",
    [
        {"rated": False},
        {"imported": True},
        {"is_taken_over": True},
        {"forked": True},
        {"status": "void", "ranking": None},
        {"public": False},
        {"clocked": False},
        {"began": (StarterRounds("ann", "guest", 5, False), StarterRounds("ben", "", 5, False))},
        {"began": (StarterRounds("ann", "", 1, False), StarterRounds("ben", "", 5, False))},
        {"began": (StarterRounds("ann", "", 5, False), StarterRounds("ben", "", 5, True))},
    ],
)
def test_outcomes_that_are_not_rated(change: dict[str, Any]) -> None:
    assert result_of(replace(PLAYED, **change), RatingRules(AT)) is None


def test_a_short_match_counts_after_a_ruling() -> None:
    short = replace(PLAYED, began=(StarterRounds("ann", "", 1, False), StarterRounds("ben", "", 0, False)), ruled=True)

    assert result_of(short, RatingRules(AT)) is not None


# The second edition


REVISED: Final = RatingRules(AT, AT)


def seat(name: str, rounds: int, left: HowLeft = "", **more: Any) -> StarterRounds:
    return StarterRounds(name, "", rounds, **{"substituted": False, "left": left, **more})


def rate(*seats: StarterRounds, **changed: Any) -> RatedResult | None:
    """Return the rated result of a match whose seats finished in the order given."""
    places = tuple(range(1, len(seats) + 1))
    players = tuple(began.actor for began in seats)
    played = replace(PLAYED, began=seats, players=players, scores=places, ranking=places)
    return result_of(replace(played, **changed), REVISED)


def test_a_fully_played_match_is_rated_as_by_the_first_edition() -> None:
    result = rate(seat("ann", 2), seat("ben", 5), seat("cleo", 3, "resigned"))

    assert result is not None
    assert (result.players, result.places, result.left, result.affected_players) == (
        result.affected_players,
        (1, 2, 3),
        (),
        result.players,
    )
    assert (result.fair, result.pool) == (True, Pool("toy", 3))


@pytest.mark.parametrize("how", ["handed_over", "resigned", "timed_out", "replaced"])
def test_a_seat_left_in_the_first_round_does_not_affect_the_others(how: HowLeft) -> None:
    """The bot that replaced Ann won; that does not change the places of the others."""
    result = rate(seat("ann", 1, how), seat("ben", 5), seat("cleo", 5))

    assert result is not None
    assert (result.players, result.places, result.left) == (("ben", "cleo", "ann"), (1, 2, 3), ("ann",))
    assert (result.affected_players, result.pool) == (result.players, Pool("toy", 3))


def test_of_two_players_only_the_early_leaver_is_rated_last() -> None:
    result = rate(seat("ann", 1, "handed_over"), seat("ben", 5))

    assert result is not None
    assert (result.players, result.places, result.left, result.affected_players) == (
        ("ben", "ann"),
        (1, 2),
        ("ann",),
        ("ann",),
    )


def test_a_player_whom_all_others_leave_gains_nothing() -> None:
    """The match ends when they resign, so the remaining player has not played two rounds either."""
    result = rate(seat("gainer", 1), seat("ann", 0, "resigned"), seat("ben", 0, "resigned"))

    assert result is not None
    assert (result.players, result.places, result.affected_players) == (
        ("gainer", "ann", "ben"),
        (1, 2, 2),
        ("ann", "ben"),
    )
    assert result.fair is False


@pytest.mark.parametrize("how", ["resigned", "timed_out"])
def test_ending_the_match_by_leaving_counts_as_a_loss(how: HowLeft) -> None:
    """The first to act in the second round resigns, or runs out of time where that means resigning."""
    of_two = rate(seat("ann", 1), seat("ben", 2, how), resigned=(1,))
    of_three = rate(seat("ann", 1), seat("ben", 2, how), seat("cleo", 2, "resigned"), resigned=(2, 1))

    assert of_two is not None
    assert (of_two.players, of_two.places, of_two.affected_players) == (("ann", "ben"), (1, 2), ("ben",))
    assert of_three is not None
    assert (of_three.places, of_three.affected_players) == ((1, 2, 2), ("ben", "cleo"))


def test_after_two_rounds_the_others_gain_from_a_resignation() -> None:
    result = rate(seat("ann", 2), seat("ben", 2, "resigned"), resigned=(1,))

    assert result is not None
    assert (result.players, result.left, result.affected_players) == (("ann", "ben"), (), ("ann", "ben"))


def test_a_late_player_whose_opponents_leave_does_not_void_the_rating() -> None:
    """The late player has time left and has not acted yet; the match ends because the others resign."""
    result = rate(seat("ann", 0), seat("ben", 1, "resigned"), resigned=(1,))

    assert result is not None
    assert result.affected_players == ("ben",)


def test_a_table_that_continues_after_a_resignation_stays_short() -> None:
    assert rate(seat("ann", 1), seat("ben", 2, "resigned"), seat("cleo", 5), resigned=(1,)) is None


@pytest.mark.parametrize(
    "seats",
    [
        (seat("ann", 1, "resigned"), seat("ben", 1, "timed_out")),
        (seat("ann", 1), seat("ben", 1)),
        (seat("ann", 5), seat("ben", 1), seat("cleo", 1, "resigned")),
        (seat("ann", 5), seat("ben", 0, "replaced", never_came=True)),
        (seat("ann", 5), seat("ben", 0, "timed_out", never_came=True)),
        (seat("ann", 5), seat("ben", 5, substituted=True)),
        (seat("ann", 5), seat("ann", 5)),
        (seat("ann", 5), replace(seat("ben", 5), standing="guest")),
    ],
)
def test_outcomes_the_second_edition_does_not_rate(seats: tuple[StarterRounds, ...]) -> None:
    assert rate(*seats) is None


@pytest.mark.parametrize("format", [1, 2])
def test_a_match_of_an_earlier_log_format_is_rated_by_the_first_edition(format: int) -> None:
    """Its rulings do not state their authority, so a result that an arbiter of the service set could not count."""
    ruled = rate(seat("ann", 0), seat("ben", 0), ruled=True, format=format)
    result = rate(seat("ann", 5), seat("ben", 1, "resigned"), format=format)

    assert ruled is not None
    assert ruled.players == ("ann", "ben")
    assert result is None


@pytest.mark.parametrize("change", [{"public": False}, {"clocked": False}, {"rated": False}, {"imported": True}])
def test_the_second_edition_keeps_the_refusals_of_the_first(change: dict[str, Any]) -> None:
    assert rate(seat("ann", 5), seat("ben", 5), **change) is None


def test_a_no_show_is_not_rated_and_the_others_are() -> None:
    result = rate(seat("ann", 0, "timed_out", never_came=True), seat("ben", 5), seat("cleo", 5))

    assert result is not None
    assert (result.players, result.places, result.left) == (("ben", "cleo"), (1, 2), ())
    assert result.pool == Pool("toy", 3)


@pytest.mark.parametrize("how", ["handed_over", "resigned"])
def test_giving_the_seat_away_without_an_action_counts_as_leaving(how: HowLeft) -> None:
    result = rate(seat("ann", 0, how), seat("ben", 5))

    assert result is not None
    assert result.affected_players == ("ann",)


def test_a_result_without_play_needs_an_arbiter_of_the_service() -> None:
    seats = seat("ann", 0), seat("ben", 0)

    assert rate(*seats, ruled=True) is None
    result = rate(*seats, ruled=True, settled_by_service=True)
    assert result is not None
    assert (result.players, result.places, result.left) == (("ann", "ben"), (1, 2), ())


# The effect of such results.


def ladder_after(*results: RatedResult | None) -> Ladder:
    ladder = Ladder(model_of(BASE))
    for result in results:
        assert result is not None
        ladder.rate_result(result)
    return ladder


def test_only_the_leaver_is_affected_by_a_seat_left() -> None:
    start = model_of(BASE).start()
    left, without = (
        ladder_after(rate(*seats)).rated
        for seats in (
            (seat("ann", 5), seat("ben", 5), seat("cleo", 1, "handed_over")),
            (seat("ann", 5), seat("ben", 5)),
        )
    )

    assert {name: left[name].skill for name in ("ann", "ben")} == {name: without[name].skill for name in without}
    assert left["cleo"].skill.mean < start.mean
    assert (left["cleo"].matches, left["cleo"].wins) == (1, 0)


def test_a_player_whom_all_others_left_keeps_the_rating() -> None:
    result = rate(seat("gainer", 5), seat("ann", 1, "handed_over"), seat("ben", 1, "resigned"))
    ladder = ladder_after(result, result)

    assert sorted(ladder.rated) == ["ann", "ben"]
    assert ladder.together == {}
    assert all(rated.skill.mean < model_of(BASE).start().mean for rated in ladder.rated.values())


def test_copies_of_a_bot_gain_nothing_from_a_leaver() -> None:
    result = rate(seat("bot:random@1", 5), seat("bot:random@1", 5), seat("ann", 1, "handed_over"))

    assert result is not None
    assert result.affected_players == ("ann",)
    assert sorted(ladder_after(result).rated) == ["ann"]
