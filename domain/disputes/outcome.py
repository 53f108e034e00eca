"""What a ruling comes to, in one word: for statistics and lists of rulings."""

from collections.abc import Mapping
from typing import Any, Final, Literal, get_args

from domain.disputes.facts import RuledOn
from domain.matches.rulings.measures import LineResumed, MatchVoided, PointsTaken, ResultSet, SeatWarned, TimeTaken

Outcome = Literal["upheld", "void", "result", "resumed", "penalty", "warning", "nothing"]
OUTCOMES: Final[tuple[Outcome, ...]] = get_args(Outcome)
OF_MEASURE: Final[Mapping[type[Any], Outcome]] = {
    MatchVoided: "void",
    ResultSet: "result",
    LineResumed: "resumed",
    PointsTaken: "penalty",
    TimeTaken: "penalty",
    SeatWarned: "warning",
}


def outcome_of(ruling: RuledOn) -> Outcome:
    """The gravest of what a ruling does, in the order of `OUTCOMES`."""
    if ruling.upheld:
        return "upheld"
    return min((OF_MEASURE[type(each)] for each in ruling.measures), key=OUTCOMES.index, default="nothing")
