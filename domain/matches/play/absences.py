"""Announced absences in correspondence: the facts, their bounds, and a seat's own time, which stops while it is away.

An absence is an interval of the seat; its clock counts in the seat's own time, so that nothing else changes in clocks.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from domain.matches.fact_base import Happening

US: Final = 1_000_000
DAY: Final = 86_400
"""Seconds; an absence is at least so long, and none is announced while a running turn has less time left."""
DAYS_MAX: Final = 42
"""Days of absence of a seat in one line, all together."""
SECONDS_MAX: Final = 2**40
"""Later than any time that a log can hold."""
AHEAD_DAYS_MAX: Final = 365
"""Most days between the announcement of an absence and its beginning."""


class AbsenceAnnounced(Happening, frozen=True):
    """The player of the seat is away from `first` until before `last` (seconds since 1970)."""

    seat: int
    by: str
    first: int
    last: int


class AbsenceEnded(Happening, frozen=True):
    """The player of the seat is back early, or does not leave after all."""

    seat: int
    by: str


class Absence(msgspec.Struct, frozen=True, gc=False):
    """An interval in which the clock of a seat does not run, in microseconds since 1970."""

    seat: int
    first: int
    last: int


Absences = tuple[Absence, ...]


def own_time(absences: Sequence[Absence], seat: int, now: int) -> int:
    """Return a time less the seat's absences before it: the time in which the seat's clock counts."""
    away = (min(now, each.last) - each.first for each in absences if each.seat == seat and each.first < now)
    return now - sum(away)


def wall_time(absences: Sequence[Absence], seat: int, own: int) -> int:
    """Return the earliest time at which the seat's own time is `own`."""
    now = own
    for each in sorted((each.first, each.last) for each in absences if each.seat == seat):
        if now > each[0]:
            now += each[1] - each[0]
    return now


def ended_at(absences: Absences, now: int, seat: int | None = None) -> Absences:
    """Return the absences without what lies after a time; of one seat, or of all."""
    kept = list[Absence]()
    for each in absences:
        if seat not in (None, each.seat) or each.last <= now:
            kept.append(each)
        elif each.first < now:
            kept.append(Absence(each.seat, each.first, now))
    return tuple(kept)
