"""HTTP status and code of refusals of contests."""

from __future__ import annotations

from typing import Final

from api.http.refusal_tables import Refusals
from domain.contests import entry_errors as entry
from domain.contests import holiday_errors as holiday
from domain.contests.errors import ContestRefused

REFUSALS: Final[Refusals] = {
    ContestRefused: (409, "contest/refused"),
    entry.RatingMissing: (409, "contest/unrated"),
    entry.RatingTooLow: (409, "contest/rating_too_low"),
    entry.RatingTooHigh: (409, "contest/rating_too_high"),
    entry.RatingOutside: (409, "contest/rating"),
    entry.TooFewMatches: (409, "contest/rated_matches"),
    entry.LeavesTooMany: (409, "contest/leaves_too_many"),
    entry.NotOfClubs: (409, "contest/club"),
    entry.NotListed: (409, "contest/not_listed"),
    entry.CountryMissing: (409, "contest/country_missing"),
    entry.CountryRefused: (409, "contest/country"),
    entry.PasswordMissing: (409, "contest/password_missing"),
    entry.PasswordWrong: (409, "contest/password_wrong"),
    entry.Excluded: (409, "contest/excluded"),
    entry.PersonExcluded: (409, "contest/person_excluded"),
    entry.ConditionUnmet: (409, "contest/condition_unmet"),
    holiday.HolidayInPast: (409, "holiday/past"),
    holiday.HolidayTooFarAhead: (409, "holiday/too_far_ahead"),
    holiday.HolidayTooShort: (409, "holiday/too_short"),
    holiday.HolidayTooLong: (409, "holiday/too_long"),
    holiday.HolidayInLastDay: (409, "holiday/last_day"),
    holiday.HolidayAnnounced: (409, "holiday/announced"),
    holiday.NoHoliday: (409, "holiday/none"),
}
"""Error -> HTTP status and code."""
