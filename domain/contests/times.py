"""Times of contests: rounds with deadlines, breaks, time zones and bounds.

Times are stored in UTC; organisers and players read them in the time zone of the contest.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Annotated, Final, TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from domain.contests.errors import PlanRefused
from domain.kernel.bounds import NAME_MAX
from domain.kernel.texts import LINE_DESCRIPTION
from domain.kernel.values import Value

BREAKS_MAX: Final = 40
REMINDERS_MAX: Final = 5
MINUTES_MAX: Final = 60 * 24 * 30
EARLIEST: Final = datetime(2000, 1, 1, tzinfo=UTC)
LATEST: Final = datetime(2200, 1, 1, tzinfo=UTC)
"""Bounds of all dates, far enough from the limits of `datetime` that sums and time zones cannot overflow."""

T = TypeVar("T", int, datetime)
Moment = Annotated[datetime, msgspec.Meta(tz=True)]
Minutes = Annotated[int, msgspec.Meta(ge=1, le=MINUTES_MAX)]
Reminders = Annotated[tuple[Minutes, ...], msgspec.Meta(max_length=REMINDERS_MAX)]
"""Minutes before a deadline at which the players of unfinished tables are reminded."""
Zone = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


class RoundTime(Value, frozen=True, omit_defaults=True):
    """The start and the deadline of a round."""

    starts: Moment | None = None
    deadline: Moment | None = None


class Break(Value, frozen=True, omit_defaults=True):
    """A period in which nothing starts automatically."""

    starts: Moment
    ends: Moment
    name: Annotated[str, msgspec.Meta(max_length=NAME_MAX, description=LINE_DESCRIPTION)] = ""


Breaks = Annotated[tuple[Break, ...], msgspec.Meta(max_length=BREAKS_MAX)]


def join_intervals(intervals: Iterable[tuple[T, T]]) -> list[tuple[T, T]]:
    """Return the intervals sorted, with overlapping and adjacent ones joined, without empty ones."""
    joined = list[tuple[T, T]]()
    for first, last in sorted(intervals):
        if joined and first <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], last))
        elif first < last:
            joined.append((first, last))
    return joined


def after_breaks(breaks: Iterable[Break], moment: datetime) -> datetime:
    """Return the moment, or the end of the break it falls into, also of a break that follows directly.

    `breaks` are sorted by start.
    """
    for each in breaks:
        if each.starts <= moment < each.ends:
            moment = each.ends
    return moment


def normal_breaks(breaks: Iterable[Break]) -> tuple[Break, ...]:
    """Return the breaks in UTC, sorted by start; raise `PlanRefused` for a break without length."""
    in_order = (Break(moment_in_utc(each.starts), moment_in_utc(each.ends), each.name) for each in breaks)
    normal = tuple(sorted(in_order, key=lambda each: each.starts))
    for pause in normal:
        require_order(f"the break {pause.name!r}", pause.starts, pause.ends)
    return normal


def normal_reminders(reminders: Sequence[int]) -> tuple[int, ...]:
    """Return the reminders, the earliest first, each once."""
    return tuple(sorted(set(reminders), reverse=True))


def zone_named(name: str) -> ZoneInfo:
    """Return the time zone of that name; raise `PlanRefused` if unknown."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise PlanRefused(f"unknown time zone {name!r}") from error


def in_utc(moment: datetime | None) -> datetime | None:
    """Convert a moment to UTC; None stays None."""
    return None if moment is None else moment_in_utc(moment)


def moment_in_utc(moment: datetime) -> datetime:
    """Convert a moment to UTC; raise `PlanRefused` unless it lies in the years 2000 to 2199."""
    if not EARLIEST <= moment < LATEST:
        raise PlanRefused(f"{moment.isoformat()} is not between the years 2000 and 2199")
    return moment.astimezone(UTC)


def require_order(
    subject: str, first: datetime | None, second: datetime | None, *, is_equal_fine: bool = False
) -> None:
    """Raise `PlanRefused` if `second` does not follow `first`; missing moments pass.

    With `is_equal_fine` they may be equal.
    """
    if first is None or second is None or first < second or (is_equal_fine and first == second):
        return
    raise PlanRefused(f"{subject}: {second.isoformat()} is not after {first.isoformat()}")
