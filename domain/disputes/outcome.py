"""The outcome of a ruling as one word, for statistics and lists."""

from collections.abc import Mapping
from typing import Any, Final, Literal, get_args

from domain.disputes.facts import RuledOn
from domain.matches.rulings.measures import LineResumed, MatchVoided, PointsTaken, ResultSet, SeatWarned, TimeTaken

Outcome = Literal["upheld", "void", "result", "resumed", "penalty", "warning", "nothing"]
OUTCOMES: Final[tuple[Outcome, ...]] = get_args(Outcome)
OUTCOME_OF_MEASURE: Final[Mapping[type[Any], Outcome]] = {
    MatchVoided: "void",
    ResultSet: "result",
    LineResumed: "resumed",
    PointsTaken: "penalty",
    TimeTaken: "penalty",
    SeatWarned: "warning",
}


def outcome_of(ruling: RuledOn) -> Outcome:
    """Return the most serious effect of a ruling by `OUTCOMES`: "upheld" if upheld, "nothing" without measures."""
    if ruling.upheld:
        return "upheld"
    return min((OUTCOME_OF_MEASURE[type(each)] for each in ruling.measures), key=OUTCOMES.index, default="nothing")
