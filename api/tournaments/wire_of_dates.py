"""What requests and answers about the dates of a tournament look like on the wire."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from api.http.wire import Asked, Wire
from api.tournaments.wire import Reason
from domain.tournaments.calendar import Calendar


class SetCalendar(Asked, frozen=True):
    """Other dates; once a round is public, with the reason."""

    calendar: Calendar
    reason: Reason = ""


class AppointmentShown(Wire, frozen=True, kw_only=True):
    """Something with a time: `kind` is entry_closes, check_in, round or break; `status` that of the one whose schedule
    it is: to_come, bye, waiting, over, or none where they have no place in the round."""

    kind: str
    starts: datetime | None
    ends: datetime | None
    name: str
    round: int | None
    table: int | None
    entries: tuple[str, ...]
    names: tuple[str, ...]
    status: str


class ScheduleShown(Wire, frozen=True):
    """What comes when, in the time zone of the event."""

    event_id: UUID
    zone: str
    place: str
    fee: str
    appointments: tuple[AppointmentShown, ...]
