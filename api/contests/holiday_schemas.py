"""Requests and responses about holidays for all tables of a person."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec

from api.http.structs import RequestStruct, ResponseStruct
from api.matches.schemas import PlayerShown
from domain.matches.play.absences import SECONDS_MAX

Second = Annotated[int, msgspec.Meta(ge=0, le=SECONDS_MAX)]
PublicKey = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
Signature = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{128}$")]


class Declaration(RequestStruct, frozen=True):
    """A signature of the caller over a declared absence with the exact times of the request."""

    key: PublicKey
    signature: Signature


class PlanHoliday(RequestStruct, frozen=True):
    """A holiday from `begins` until before `ends`, in whole seconds since 1970."""

    begins: Second
    ends: Second


class AnnounceHoliday(RequestStruct, frozen=True):
    """A holiday at all correspondence tables of the caller, in whole seconds since 1970.

    `partly`: also if a table allows fewer days or none now; its clock stops for as long as it allows.
    """

    begins: Second
    ends: Second
    partly: bool = False
    declared: Declaration | None = None


class EndHoliday(RequestStruct, frozen=True):
    """The end of a holiday; `declared` is over its times and `at`, which is not later than the request."""

    at: Second = 0
    declared: Declaration | None = None


class HolidayTableShown(ResponseStruct, frozen=True):
    """The time in which the caller's clock stops at a table; `why`: the reason if it is shorter than the holiday."""

    match_id: UUID
    seat: int
    name: str
    begins: datetime
    ends: datetime
    why: str = ""


class HolidayPlanShown(ResponseStruct, frozen=True):
    """The effect of a holiday at the caller's tables; `begins` and `ends` are the exact times to announce and sign."""

    begins: int
    ends: int
    tables: tuple[HolidayTableShown, ...]


class HolidayShown(ResponseStruct, frozen=True, kw_only=True):
    """A holiday of the caller; `ended`: when it was ended early."""

    holiday_id: UUID
    begins: datetime
    ends: datetime
    announced: datetime
    ended: datetime | None = None


class DaysShown(ResponseStruct, frozen=True):
    """Days of holiday that count together: at the tables of a contest, or by year at all others (empty `name`).

    `days`: how many there are in all; null if only each table has a limit.
    """

    name: str
    used: float
    days: int | None


class HolidaysShown(ResponseStruct, frozen=True):
    """The caller's holidays, earliest first, the current or coming one, and the days used where they play now."""

    current: HolidayShown | None
    tables: tuple[HolidayTableShown, ...]
    holidays: tuple[HolidayShown, ...]
    used: tuple[DaysShown, ...]


class AwayShown(ResponseStruct, frozen=True):
    """A player of a contest who is or will be on holiday."""

    player: PlayerShown
    begins: datetime
    ends: datetime


class AwayListed(ResponseStruct, frozen=True):
    """The players of a contest who are or will be on holiday, earliest first."""

    away: tuple[AwayShown, ...]


class HolidaysApplied(ResponseStruct, frozen=True):
    """The number of tables that the service has changed."""

    tables: int
