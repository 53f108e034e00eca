"""Requests and responses about dates."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from api.http.structs import RequestStruct, ResponseStruct
from api.tournaments.schemas import Reason
from domain.tournaments.calendar import Calendar


class SetCalendar(RequestStruct, frozen=True):
    """New dates; needs a reason once a round is public."""

    calendar: Calendar
    reason: Reason = ""


class AppointmentShown(ResponseStruct, frozen=True, kw_only=True):
    """An item of the schedule; `kind` is entry_closes, check_in, round or break.

    `status` of the participant: to_come, bye, waiting, over, or none if they are not in the round.
    """

    kind: str
    starts: datetime | None
    ends: datetime | None
    name: str
    round: int | None
    table: int | None
    entries: tuple[str, ...]
    names: tuple[str, ...]
    status: str


class ScheduleShown(ResponseStruct, frozen=True):
    """The schedule, with the time zone of the event."""

    event_id: UUID
    zone: str
    place: str
    fee: str
    appointments: tuple[AppointmentShown, ...]
