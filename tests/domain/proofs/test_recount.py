"""Claimed ratings with impossible values, and results that fit no table, are refused before anything is computed."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any, Final

import pytest

from domain.kernel.values import replace
from domain.matches.errors import LogFault
from domain.proofs.event_file import RatingsMoved
from domain.proofs.recount import check_ratings, check_standings
from domain.ratings.fairness import OpponentMeetings
from domain.ratings.ladder import Rated
from domain.ratings.model import Skill
from domain.ratings.rules import RatingRules
from domain.standings.contest import GivenResult
from tests.domain.matches.match_helpers import START, uuid
from tests.domain.tournaments.building import Story

LOCAL: Final = datetime(2026, 1, 1, tzinfo=timezone(timedelta(hours=1)))
MET: Final = OpponentMeetings("ben", 1, (START,))
ANN: Final = Rated("ann", Skill(25.0, 8.0), 3, 1, 24312, 1000, (MET,))


def why(rated: Rated, rules: RatingRules) -> str:
    with pytest.raises(LogFault) as caught:
        check_ratings([], rules, [RatingsMoved(uuid(1), (), (rated,))])
    return str(caught.value.why)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"skill": Skill(1_000.5, 8.0)}, "'ann' cannot have the rating"),
        ({"skill": Skill(25.0, -0.5)}, "'ann' cannot have the rating"),
        ({"skill": Skill(25.0, 101.0)}, "'ann' cannot have the rating"),
        ({"matches": -1}, "a number in the rating of 'ann' is out of bounds"),
        ({"best": -(2**53)}, "a number in the rating of 'ann' is out of bounds"),
        ({"met": (replace(MET, matches=2**53),)}, "a number in the rating of 'ann' is out of bounds"),
        ({"met": (replace(MET, recent=(LOCAL,)),)}, "the time 2026-01-01T00:00:00+01:00 is not in UTC"),
        ({}, "0 matches are rated"),
    ],
)
def test_an_impossible_rating_is_refused(changes: dict[str, Any], expected: str) -> None:
    assert expected in why(replace(ANN, **changes), RatingRules(START, START))


@pytest.mark.parametrize("at", [START.replace(tzinfo=None), LOCAL])
def test_a_date_of_the_rules_is_in_utc(at: datetime) -> None:
    assert "is not in UTC" in why(ANN, RatingRules(START, at))


@pytest.mark.parametrize(
    ("places", "scores"), [((1,), (5, 3)), ((1, 2), (5,)), ((2, 1, 1), (1, 2, 3)), ((2, 2), (1, 1))]
)
def test_a_result_by_hand_fits_its_table(places: tuple[int, ...], scores: tuple[int, ...]) -> None:
    story = Story(2).set(("e1", "e2"))
    (last,) = story.state.rounds
    table = replace(last.tables[0], given=GivenResult(places, scores, "olga"))

    with pytest.raises(LogFault, match="round 1 table 1: "):
        check_standings(replace(story.state, rounds=(replace(last, tables=(table,)),)), {}, ())
