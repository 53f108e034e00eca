"""The schedule of a league: seasons that follow each other by the clock."""

from datetime import timedelta
from typing import Annotated, Final

import msgspec

from domain.contests.errors import PlanRefused
from domain.contests.times import Breaks, Moment, Zone, moment_in_utc, normal_breaks, zone_named
from domain.kernel.texts import fault_of_line
from domain.kernel.values import Value, replace

DAYS_MAX: Final = 365

Days = Annotated[int, msgspec.Meta(ge=0, le=DAYS_MAX)]
SomeDays = Annotated[int, msgspec.Meta(ge=1, le=DAYS_MAX)]


class SeasonSchedule(Value, frozen=True, kw_only=True, omit_defaults=True):
    """The dates of the seasons of a league, all steps of which the service takes.

    `starts` is the start of the first round of the first season. Registration opens `registration_days` before the draw
    is proposed; organisers can change the proposal for `draw_days`, until the season starts. `break_days` lie between
    the last deadline of a season and the start of the next one. No round starts in one of the `breaks`.
    """

    starts: Moment
    zone: Zone = "UTC"
    registration_days: SomeDays = 14
    draw_days: Days = 2
    break_days: SomeDays = 21
    breaks: Breaks = ()

    @property
    def lead(self) -> timedelta:
        """The time between the opening of registration and the start of the season."""
        return timedelta(days=self.registration_days + self.draw_days)


def normal_schedule(schedule: SeasonSchedule, extension_days: int) -> SeasonSchedule:
    """Return the schedule in its stored form: times in UTC, breaks sorted by start.

    Raise `PlanRefused` for an unknown zone, a time out of bounds, an invalid name of a break, or if the break between
    seasons is too short for unfinished tables, which may get `extension_days` more, registration and draw.
    """
    zone_named(schedule.zone)
    for each in schedule.breaks:
        if (fault := fault_of_line("a break", each.name)) is not None:
            raise PlanRefused(fault)
    needed = schedule.registration_days + schedule.draw_days + extension_days
    if needed > schedule.break_days:
        raise PlanRefused(
            f"the {schedule.break_days} days between seasons are too short: registration "
            f"({schedule.registration_days}), the draw ({schedule.draw_days}) and the extension of deadlines "
            f"({extension_days}) take {needed} days"
        )
    return replace(schedule, starts=moment_in_utc(schedule.starts), breaks=normal_breaks(schedule.breaks))
