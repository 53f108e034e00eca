"""The measures of rulings (`docs/organise/disputes.md`)."""

import re

from domain.kernel.values import Value


def snake(name: str) -> str:
    """Return the tag of a class name: `match_opened` for `MatchOpened`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class MeasureBase(Value, frozen=True, tag_field="type", tag=snake, omit_defaults=True):
    """The base of all measures."""


class SeatWarned(MeasureBase, frozen=True):
    """A warning without further effect."""

    seat: int


class PointsTaken(MeasureBase, frozen=True):
    """A penalty of points."""

    seat: int
    points: int


class TimeTaken(MeasureBase, frozen=True):
    """A penalty of clock time."""

    seat: int
    seconds: int


class LineResumed(MeasureBase, frozen=True):
    """The match continues from entry `version` as `line`, which replaces this line."""

    version: int
    line: str


class ResultSet(MeasureBase, frozen=True):
    """A result that replaces the played one."""

    scores: tuple[int, ...]
    ranking: tuple[int, ...]


class MatchVoided(MeasureBase, frozen=True):
    """The match is void."""


Measure = SeatWarned | PointsTaken | TimeTaken | LineResumed | ResultSet | MatchVoided
