"""HTTP status and code of rating errors."""

from __future__ import annotations

from typing import Final

from api.http.refusal_tables import Refusals
from domain.ratings import errors as ratings
from domain.ratings.model import NoSuchRanking

REFUSALS: Final[Refusals] = {
    NoSuchRanking: (404, "ranking/unknown"),
    ratings.GuestUnrated: (403, "rated/guest"),
    ratings.ProgramUnwelcome: (403, "seat/no_bots"),
    ratings.EventWithoutPrograms: (409, "event/no_bots"),
    ratings.LeavesTooOften: (403, "seat/leaves_too_often"),
    ratings.LiveTableTaken: (409, "rated/live_table"),
    ratings.RatedWithoutClock: (422, "rated/no_clock"),
    ratings.TooManyRated: (409, "rated/too_many"),
}
"""Error -> HTTP status and code."""
