"""Rulings as sentences."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from domain.kernel.messages import Message, player
from domain.matches.facts import RulingGiven
from domain.matches.rulings.measures import (
    LineResumed,
    MatchVoided,
    Measure,
    PointsTaken,
    ResultSet,
    SeatWarned,
    TimeTaken,
)


def describe_warning(measure: SeatWarned) -> Message:
    """Describe a warning."""
    return Message("An arbiter warns {player}", {"player": player(measure.seat)})


def describe_points_penalty(measure: PointsTaken) -> Message:
    """Describe a penalty of points."""
    return Message(
        "An arbiter deducts {count} point from {player}",
        {"player": player(measure.seat), "count": measure.points},
        plural="An arbiter deducts {count} points from {player}",
        count=measure.points,
    )


def describe_time_penalty(measure: TimeTaken) -> Message:
    """Describe a time penalty."""
    return Message(
        "An arbiter deducts {count} second from {player}",
        {"player": player(measure.seat), "count": measure.seconds},
        plural="An arbiter deducts {count} seconds from {player}",
        count=measure.seconds,
    )


def describe_resumption(measure: LineResumed) -> Message:
    """Describe the resumption from an earlier entry."""
    return Message("An arbiter resumes the match from entry {version}", {"version": measure.version})


MEASURES: Final[Mapping[type[Any], Callable[[Any], Message]]] = {
    SeatWarned: describe_warning,
    PointsTaken: describe_points_penalty,
    TimeTaken: describe_time_penalty,
    LineResumed: describe_resumption,
    ResultSet: lambda _: Message("An arbiter sets the result"),
    MatchVoided: lambda _: Message("An arbiter voids the match"),
}


def describe_measure(measure: Measure) -> Message:
    """Describe one measure."""
    return MEASURES[type(measure)](measure)


def describe_ruling(fact: RulingGiven) -> tuple[Message, ...]:
    """Describe a ruling, one sentence per measure; a single sentence if it is upheld or changes nothing."""
    if fact.upheld:
        return (Message("A head arbiter upholds the ruling"),)
    if not fact.measures:
        return (Message("An arbiter has ruled: no change"),)
    return tuple(describe_measure(measure) for measure in fact.measures)
