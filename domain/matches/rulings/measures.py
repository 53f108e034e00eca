"""What a ruling changes (`docs/organise/disputes.md`)."""

import re

from domain.kernel.values import Value


def snake(name: str) -> str:
    """The tag of a fact or measure: `MatchOpened` is `match_opened`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Measured(Value, frozen=True, tag_field="type", tag=snake, omit_defaults=True):
    """Base of what a ruling changes."""


class SeatWarned(Measured, frozen=True):
    seat: int


class PointsTaken(Measured, frozen=True):
    """A penalty on the result: points taken off."""

    seat: int
    points: int


class TimeTaken(Measured, frozen=True):
    """A penalty on the clock."""

    seat: int
    seconds: int


class LineResumed(Measured, frozen=True):
    """The match goes on from entry `version` as `line`, which takes this line's place."""

    version: int
    line: str


class ResultSet(Measured, frozen=True):
    """The match counts with these points and places, whatever was played."""

    scores: tuple[int, ...]
    ranking: tuple[int, ...]


class MatchVoided(Measured, frozen=True):
    """The match counts for nothing."""


Measure = SeatWarned | PointsTaken | TimeTaken | LineResumed | ResultSet | MatchVoided
