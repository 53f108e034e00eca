"""The calendar of a tournament: registration, check-in, times of rounds, deadlines and breaks.

Times are stored in UTC; organisers and players read them in the time zone of the calendar.
"""

from datetime import UTC, datetime, timedelta
from typing import Annotated, Final, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from domain.kernel.bounds import NAME_MAX
from domain.kernel.texts import LINE_DESCRIPTION, fault_of_line
from domain.kernel.values import Value, replace
from domain.standings.contest import ROUNDS_MAX
from domain.tournaments.errors import PlanRefused, TournamentRefused

BREAKS_MAX: Final = 40
REMINDERS_MAX: Final = 5
WORDS_MAX: Final = 300
MINUTES_MAX: Final = 60 * 24 * 30
EARLIEST: Final = datetime(2000, 1, 1, tzinfo=UTC)
LATEST: Final = datetime(2200, 1, 1, tzinfo=UTC)
"""Bounds of all dates, far enough from the limits of `datetime` that sums and time zones cannot overflow."""
PAIRED_BEFORE: Final = timedelta(minutes=10)
"""Time between the pairing of a scheduled round and its start."""

Moment = Annotated[datetime, msgspec.Meta(tz=True)]
Words = Annotated[str, msgspec.Meta(max_length=WORDS_MAX, description=LINE_DESCRIPTION)]
Minutes = Annotated[int, msgspec.Meta(ge=1, le=MINUTES_MAX)]
Consequence = Literal["organiser", "lots", "score"]
"""The outcome of a table without a result at the deadline.

The organiser decides, places are drawn by lot, or the current scores decide.
"""


class RoundTime(Value, frozen=True, omit_defaults=True):
    """The start and the deadline of a round."""

    starts: Moment | None = None
    deadline: Moment | None = None


class Break(Value, frozen=True, omit_defaults=True):
    """A period in which nothing starts automatically."""

    starts: Moment
    ends: Moment
    name: Annotated[str, msgspec.Meta(max_length=NAME_MAX, description=LINE_DESCRIPTION)] = ""


class Calendar(Value, frozen=True, kw_only=True, omit_defaults=True):
    """The dates of a tournament.

    Without a `place` it takes place online; `fee` is information only. `reminders`: minutes before a deadline at which
    the players of unfinished tables are reminded.
    """

    zone: Annotated[str, msgspec.Meta(min_length=1, max_length=64)] = "UTC"
    place: Words = ""
    fee: Words = ""
    entry_opens: Moment | None = None
    entry_closes: Moment | None = None
    check_in_opens: Moment | None = None
    check_in_closes: Moment | None = None
    rounds: Annotated[tuple[RoundTime, ...], msgspec.Meta(max_length=ROUNDS_MAX)] = ()
    breaks: Annotated[tuple[Break, ...], msgspec.Meta(max_length=BREAKS_MAX)] = ()
    reminders: Annotated[tuple[Minutes, ...], msgspec.Meta(max_length=REMINDERS_MAX)] = (1440, 60)
    consequence: Consequence = "organiser"

    @property
    def starts(self) -> datetime | None:
        """The start of the first round."""
        return self.round(1).starts

    def round(self, number: int) -> RoundTime:
        """Return the times of a round, empty if the calendar does not name it."""
        return self.rounds[number - 1] if number <= len(self.rounds) else RoundTime()

    def after_breaks(self, moment: datetime) -> datetime:
        """Return the moment, or the end of the break it falls into, also of a break that follows directly."""
        for each in self.breaks:
            if each.starts <= moment < each.ends:
                moment = each.ends
        return moment


def zone_named(name: str) -> ZoneInfo:
    """Return the time zone of that name; raise `PlanRefused` if unknown."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise PlanRefused(f"unknown time zone {name!r}") from error


def normalise_calendar(calendar: Calendar) -> Calendar:
    """Return the calendar in its stored form: UTC, breaks sorted by start, earliest reminder first, each once.

    Raise `PlanRefused` if the calendar contradicts itself, for an unknown zone, an invalid text, or a time out
    of bounds.
    """
    zone_named(calendar.zone)
    texts = (
        ("the place", calendar.place),
        ("the fee", calendar.fee),
        *(("a break", each.name) for each in calendar.breaks),
    )
    for subject, text in texts:
        if (fault := fault_of_line(subject, text)) is not None:
            raise PlanRefused(fault)
    normal = replace(
        calendar,
        **{name: in_utc(getattr(calendar, name)) for name in WINDOWS},
        rounds=tuple(RoundTime(in_utc(each.starts), in_utc(each.deadline)) for each in calendar.rounds),
        breaks=tuple(
            sorted(
                (Break(moment_in_utc(each.starts), moment_in_utc(each.ends), each.name) for each in calendar.breaks),
                key=lambda each: each.starts,
            )
        ),
        reminders=tuple(sorted(set(calendar.reminders), reverse=True)),
    )
    require_order("registration", normal.entry_opens, normal.entry_closes)
    require_order("the check-in", normal.check_in_opens, normal.check_in_closes)
    if (normal.check_in_opens is None) != (normal.check_in_closes is None):
        raise PlanRefused("a check-in requires an opening and a closing time")
    require_order("the check-in and the first round", normal.check_in_closes, normal.starts, is_equal_fine=True)
    before: tuple[str, datetime | None] = ("", None)
    for number, each in enumerate(normal.rounds, start=1):
        require_order(f"round {number}", each.starts, each.deadline)
        for subject, moment in (
            (f"the start of round {number}", each.starts),
            (f"its deadline {number}", each.deadline),
        ):
            if moment is not None:
                require_order(f"{before[0]} and {subject}", before[1], moment, is_equal_fine=True)
                before = subject, moment
    for pause in normal.breaks:
        require_order(f"the break {pause.name!r}", pause.starts, pause.ends)
    return normal


WINDOWS: Final = ("entry_opens", "entry_closes", "check_in_opens", "check_in_closes")


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


def require_entry_open(calendar: Calendar, at: datetime) -> None:
    """Raise `TournamentRefused` if registration is closed at the given time."""
    if calendar.entry_opens is not None and at < calendar.entry_opens:
        raise TournamentRefused(f"registration opens at {calendar.entry_opens.isoformat()}")
    if calendar.entry_closes is not None and at >= calendar.entry_closes:
        raise TournamentRefused(f"registration closed at {calendar.entry_closes.isoformat()}")
