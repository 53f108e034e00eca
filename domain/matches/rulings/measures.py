"""The measures of rulings (`docs/organise/disputes.md`)."""

import re

from domain.kernel.values import Value


def snake(name: str) -> str:
    """Return the tag of a class name: `match_opened` for `MatchOpened`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Measured(Value, frozen=True, tag_field="type", tag=snake, omit_defaults=True):
    """The base of all measures."""


class SeatWarned(Measured, frozen=True):
    """A warning without further effect."""

    seat: int


class PointsTaken(Measured, frozen=True):
    """A penalty of points."""

    seat: int
    points: int


class TimeTaken(Measured, frozen=True):
    """A penalty of clock time."""

    seat: int
    seconds: int


class LineResumed(Measured, frozen=True):
    """The match continues from entry `version` as `line`, which replaces this line."""

    version: int
    line: str


class ResultSet(Measured, frozen=True):
    """A result that replaces the played one."""

    scores: tuple[int, ...]
    ranking: tuple[int, ...]


class MatchVoided(Measured, frozen=True):
    """The match is void."""


Measure = SeatWarned | PointsTaken | TimeTaken | LineResumed | ResultSet | MatchVoided
