"""The outcome of a ruling as one word."""

import pytest

from domain.disputes.outcome import Outcome, outcome_of
from domain.eventstore.application import Matches
from domain.matches.rulings.measures import MatchVoided, Measure, PointsTaken, SeatWarned
from tests.domain.disputes.disputing import file_appeal, give_ruling, raise_dispute, start_running_match


@pytest.mark.parametrize(
    ("measures", "expected"),
    [
        ((), "nothing"),
        ((SeatWarned(1),), "warning"),
        ((SeatWarned(1), PointsTaken(0, 5)), "penalty"),
        ((PointsTaken(0, 5), MatchVoided()), "void"),
    ],
)
def test_the_most_serious_measure_counts(matches: Matches, measures: tuple[Measure, ...], expected: Outcome) -> None:
    raise_dispute(matches, start_running_match(matches).version)

    assert outcome_of(give_ruling(matches, 81, *measures).state.rulings[0].ruling) == expected


def test_an_upheld_ruling_has_its_own_outcome(matches: Matches) -> None:
    raise_dispute(matches, start_running_match(matches).version)
    give_ruling(matches, 81)
    file_appeal(matches)

    assert outcome_of(give_ruling(matches, 82, by="hella", upheld=True).state.rulings[1].ruling) == "upheld"
