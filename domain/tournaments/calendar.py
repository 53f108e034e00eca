"""The calendar of a tournament: registration, check-in, times of rounds, deadlines and breaks.

Times are stored in UTC; organisers and players read them in the time zone of the calendar.
"""

from datetime import datetime, timedelta
from typing import Annotated, Final

import msgspec

from domain.contests.deadlines import Consequence, DeadlineRule, ExtensionDays, OrganiserDays
from domain.contests.errors import PlanRefused
from domain.contests.times import (
    Breaks,
    Moment,
    Reminders,
    RoundTime,
    Zone,
    after_breaks,
    in_utc,
    normal_breaks,
    normal_reminders,
    require_order,
    zone_named,
)
from domain.kernel.texts import LINE_DESCRIPTION, fault_of_line
from domain.kernel.values import Value, replace
from domain.standings.contest import ROUNDS_MAX
from domain.tournaments.errors import TournamentRefused

WORDS_MAX: Final = 300
PAIRED_BEFORE: Final = timedelta(minutes=10)
"""Time between the pairing of a scheduled round and its start."""

Words = Annotated[str, msgspec.Meta(max_length=WORDS_MAX, description=LINE_DESCRIPTION)]


class Calendar(Value, frozen=True, kw_only=True, omit_defaults=True):
    """The dates of a tournament.

    Without a `place` it takes place online; `fee` is information only. `reminders`: minutes before a deadline at which
    the players of unfinished tables are reminded. The last fields say what happens to tables without a result at a
    deadline (`DeadlineRule`).
    """

    zone: Zone = "UTC"
    place: Words = ""
    fee: Words = ""
    entry_opens: Moment | None = None
    entry_closes: Moment | None = None
    check_in_opens: Moment | None = None
    check_in_closes: Moment | None = None
    rounds: Annotated[tuple[RoundTime, ...], msgspec.Meta(max_length=ROUNDS_MAX)] = ()
    breaks: Breaks = ()
    reminders: Reminders = (1440, 60)
    consequence: Consequence = "organiser"
    extension_days: ExtensionDays = 0
    organiser_days: OrganiserDays = 7

    @property
    def rule(self) -> DeadlineRule:
        """The rule for tables without a result at a deadline."""
        return DeadlineRule(
            consequence=self.consequence,
            extension_days=self.extension_days,
            organiser_days=self.organiser_days,
            reminders=self.reminders,
        )

    @property
    def starts(self) -> datetime | None:
        """The start of the first round."""
        return self.round(1).starts

    def round(self, number: int) -> RoundTime:
        """Return the times of a round, empty if the calendar does not name it."""
        return self.rounds[number - 1] if number <= len(self.rounds) else RoundTime()

    def after_breaks(self, moment: datetime) -> datetime:
        """Return the moment, or the end of the break it falls into, also of a break that follows directly."""
        return after_breaks(self.breaks, moment)


def extend_round(calendar: Calendar, number: int, deadline: datetime) -> Calendar:
    """Return the calendar with a later deadline of a round; later rounds move if they would overlap with it."""
    before, round_, later = calendar.rounds[: number - 1], calendar.round(number), calendar.rounds[number:]
    times = (moment for each in later for moment in (each.starts, each.deadline) if moment is not None)
    shift = max(deadline - next(times, deadline), timedelta(0))

    def move(moment: datetime | None) -> datetime | None:
        return None if moment is None else moment + shift

    moved_rounds = (RoundTime(move(each.starts), move(each.deadline)) for each in later)
    return replace(calendar, rounds=(*before, RoundTime(round_.starts, deadline), *moved_rounds))


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
        breaks=normal_breaks(calendar.breaks),
        reminders=normal_reminders(calendar.reminders),
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
    return normal


WINDOWS: Final = ("entry_opens", "entry_closes", "check_in_opens", "check_in_closes")


def require_entry_open(calendar: Calendar, at: datetime) -> None:
    """Raise `TournamentRefused` if registration is closed at the given time."""
    if calendar.entry_opens is not None and at < calendar.entry_opens:
        raise TournamentRefused(f"registration opens at {calendar.entry_opens.isoformat()}")
    if calendar.entry_closes is not None and at >= calendar.entry_closes:
        raise TournamentRefused(f"registration closed at {calendar.entry_closes.isoformat()}")
