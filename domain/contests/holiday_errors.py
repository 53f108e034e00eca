"""Refusals of holidays, one class for each reason; each message names the value that decided."""

from collections.abc import Mapping

from domain.contests.errors import ContestRefused


class HolidayRefused(ContestRefused):
    """A holiday that cannot be announced or ended.

    `values` are the numbers and names for the sentence in the reader's language.
    """

    def __init__(self, sentence: str, values: Mapping[str, int | str] | None = None) -> None:
        super().__init__(sentence)
        self.values = dict(values or {})


class HolidayInPast(HolidayRefused):
    """The holiday begins in the past."""


class HolidayTooFarAhead(HolidayRefused):
    """The holiday begins too late."""


class HolidayTooShort(HolidayRefused):
    """The holiday ends before it begins, or within a day."""


class HolidayTooLong(HolidayRefused):
    """The days that are left at a table do not suffice."""


class HolidayInLastDay(HolidayRefused):
    """The player has less than a day left for a turn."""


class HolidayAnnounced(HolidayRefused):
    """Another holiday of the person is not over."""


class NoHoliday(HolidayRefused):
    """The person has announced no holiday that is not over."""
