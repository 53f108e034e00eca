"""Announced absences in correspondence matches: facts, limits, and seat time, which stops during an absence.

Clocks count in the seat's time, so they need no other change.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from domain.kernel.values import Value
from domain.matches.fact_base import MatchFact

MICROSECONDS: Final = 1_000_000
DAY: Final = 86_400
"""Seconds. Minimum absence, and minimum time left in a running turn when an absence is announced."""
DAYS_MAX: Final = 42
"""Maximum days of absence per seat and line, in total; a table may allow fewer (`absence_days`)."""
SECONDS_MAX: Final = 2**40
"""Later than any time in a log."""
AHEAD_DAYS_MAX: Final = 365
"""Maximum days from the announcement to the start of an absence."""


class Declared(Value, frozen=True, omit_defaults=True):
    """A player's signed declaration of an absence, or with `at` of its end.

    `domain.matches.play.declared_absences` has its text.
    """

    key: str
    signature: str
    first: int
    last: int
    at: int = 0


class AbsenceAnnounced(MatchFact, frozen=True):
    """The player of the seat will be away from `first` until before `last` (seconds since 1970)."""

    seat: int
    by: str
    first: int
    last: int
    declared: Declared | None = None
    """The declaration by which the service announces the absence."""


class AbsenceEnded(MatchFact, frozen=True):
    """The player of the seat returned early, or cancelled the absence."""

    seat: int
    by: str
    declared: Declared | None = None
    """The declaration by which the service ends the absence."""


class Absence(msgspec.Struct, frozen=True, gc=False):
    """An interval in which the clock of a seat does not run, in microseconds since 1970."""

    seat: int
    first: int
    last: int


Absences = tuple[Absence, ...]


class EndedAbsence(Absence, frozen=True, gc=False):
    """An absence as announced, which `absence_ended` ended at a time (microseconds)."""

    at: int


def own_time(absences: Sequence[Absence], seat: int, now: int) -> int:
    """Return a time less the seat's absences before it: the time in which the seat's clock counts."""
    absent_times = (min(now, each.last) - each.first for each in absences if each.seat == seat and each.first < now)
    return now - sum(absent_times)


def wall_time(absences: Sequence[Absence], seat: int, seat_time: int) -> int:
    """Return the earliest time at which the clock of the seat, which stops in its absences, shows `seat_time`.

    Times are in microseconds.
    """
    now = seat_time
    for each in sorted((each.first, each.last) for each in absences if each.seat == seat):
        if now > each[0]:
            now += each[1] - each[0]
    return now


def latest_absence(absences: Sequence[Absence], seat: int) -> tuple[int, int] | None:
    """Return the start and the end of the latest absence of the seat, which may be over; None without one."""
    return max(((each.first, each.last) for each in absences if each.seat == seat), default=None)


def end_absences(absences: Absences, now: int, seat: int | None = None) -> Absences:
    """Return the absences cut off at `now`, for one seat or for all; later absences are dropped."""
    remaining = list[Absence]()
    for each in absences:
        if seat not in (None, each.seat) or each.last <= now:
            remaining.append(each)
        elif each.first < now:
            remaining.append(Absence(each.seat, each.first, now))
    return tuple(remaining)
