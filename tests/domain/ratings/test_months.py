"""A player's lines in the lists of months follow from the ratings after their matches."""

import pytest

from domain.kernel.values import replace
from domain.ratings.ladder import Rated, order_of, ranking
from domain.ratings.model import Skill
from domain.ratings.models import BASE, model_of
from domain.ratings.months import NEVER, Inactivity, MonthLine, inactivities, month_lines
from domain.ratings.terms import INACTIVE_PERIODS, PROVISIONAL_MATCHES, STANDARD, Terms

MODEL = model_of(BASE)
JANUARY = 2026 * 12
NEW = Rated("ann", Skill(25.0, 6.0), PROVISIONAL_MATCHES - 1, 3, JANUARY, 1000)
REGULAR = replace(NEW, skill=Skill(27.0, 4.0), matches=PROVISIONAL_MATCHES, last_period=JANUARY + 2)
BACK = replace(REGULAR, skill=Skill(28.0, 3.5), matches=PROVISIONAL_MATCHES + 1, last_period=JANUARY + 12)
COURSE = (NEW, REGULAR, BACK)


def last_until(period: int) -> Rated:
    return [rated for rated in COURSE if rated.last_period <= period][-1]


@pytest.mark.parametrize("terms", [STANDARD, Terms(minimum_matches=9), Terms(inactive_months=2), Terms(11, 12)])
def test_the_lines_of_months_equal_the_ranking(terms: Terms) -> None:
    """Provisional, with a place, inactive and back again."""
    lines = {line.period: line for line in month_lines(MODEL, COURSE, terms)}
    resting = list(inactivities(MODEL, COURSE, terms))

    for period in range(JANUARY, JANUARY + 24):
        (expected,) = ranking(MODEL, [last_until(period)], period, terms)
        is_inactive = any(each.since <= period < each.until for each in resting)
        assert expected.rated.is_inactive(period, terms) is is_inactive
        assert (period in lines) is not is_inactive
        if not is_inactive:
            assert lines[period] == MonthLine(period, expected.place is not None, expected.points)


def test_an_inactivity_ends_with_the_next_match() -> None:
    since = REGULAR.last_period + INACTIVE_PERIODS + 1

    first, last = inactivities(MODEL, COURSE)

    assert (first.since, first.until) == (since, BACK.last_period)
    assert last == Inactivity(BACK.inactive_since(), NEVER, ranking(MODEL, [BACK], BACK.inactive_since())[0].points)
    assert list(inactivities(MODEL, ())) == []
    assert list(month_lines(MODEL, ())) == []


def test_inactive_players_follow_and_the_latest_of_them_are_first() -> None:
    """In whatever order their points are now, so that the order of a month stays."""
    period = JANUARY + 40
    others = [replace(BACK, player=name, last_period=JANUARY + month) for name, month in (("ben", 20), ("cleo", 33))]
    active = replace(BACK, player="dora", skill=Skill(20.0, 5.0), last_period=period)
    provisional = replace(NEW, player="emil", last_period=period)

    lines = ranking(MODEL, [BACK, *others, active, provisional], period)

    assert [line.rated.player for line in lines] == ["dora", "emil", "cleo", "ben", "ann"]
    assert [line.place for line in lines] == [1, None, None, None, None]
    assert sorted(lines, key=lambda line: order_of(MODEL, line.rated, period)) == list(lines)
