"""Rulings are described in sentences that spectators may read."""

import pytest

from domain.disputes.words import describe_ruling
from domain.kernel.messages import say
from domain.matches.rulings.measures import (
    LineResumed,
    MatchVoided,
    Measure,
    PointsTaken,
    ResultSet,
    SeatWarned,
    TimeTaken,
)
from tests.domain.matches.match_helpers import build_ruling


@pytest.mark.parametrize(
    ("measure", "sentence"),
    [
        (SeatWarned(0), "An arbiter warns Player 1"),
        (PointsTaken(1, 1), "An arbiter deducts 1 point from Player 2"),
        (PointsTaken(1, 3), "An arbiter deducts 3 points from Player 2"),
        (TimeTaken(2, 60), "An arbiter deducts 60 seconds from Player 3"),
        (LineResumed(17, "x"), "An arbiter resumes the match from entry 17"),
        (ResultSet((1,), (1,)), "An arbiter sets the result"),
        (MatchVoided(), "An arbiter voids the match"),
    ],
)
def test_every_measure_has_a_sentence(measure: Measure, sentence: str) -> None:
    assert [say(message) for message in describe_ruling(build_ruling("x", measure))] == [sentence]


def test_upholding_and_rulings_without_measures_have_sentences() -> None:
    assert [say(message) for message in describe_ruling(build_ruling("x"))] == ["An arbiter has ruled: no change"]
    upheld = build_ruling("x", appeal_of="y", upheld=True)
    assert [say(message) for message in describe_ruling(upheld)] == ["A head arbiter upholds the ruling"]
