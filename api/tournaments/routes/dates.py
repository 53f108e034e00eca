"""Routes for the calendar, schedules and the check-in."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from litestar import Response, Router, delete, get, put
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody

from api.contests.calendars import ICALENDAR
from api.http.access import declare_access
from api.http.guards import BY_ENTRANTS, BY_ORGANISERS, requires_caller
from api.http.limits import TEXT_BYTES_MAX
from api.http.openapi import with_file
from api.tournaments.date_schemas import ScheduleShown, SetCalendar
from api.tournaments.routes.tournaments import CHANGES, LOOKS, tournament_response
from api.tournaments.schemas import TournamentShown
from api.tournaments.service import TournamentService

EVENT: Final = "/tournaments/{event_id:uuid}"
CHECK_IN: Final = EVENT + "/entries/{entry:str}/check-in"


@declare_access("official", "its organisers")
@put(EVENT + "/calendar", guards=[requires_caller], responses=CHANGES, request_max_body_size=TEXT_BYTES_MAX)
async def set_calendar(
    event_id: FromPath[UUID], data: JSONBody[SetCalendar], tournaments: NamedDependency[TournamentService]
) -> Response[TournamentShown]:
    """Set the dates and the place, as an organiser; needs a reason once a round is public."""
    return await tournament_response(
        tournaments, await tournaments.plans.set_calendar(event_id, data.calendar, data.reason)
    )


@get(EVENT + "/schedule", responses=LOOKS)
async def get_schedule(
    event_id: FromPath[UUID], tournaments: NamedDependency[TournamentService], entry: FromQuery[str] = ""
) -> ScheduleShown:
    """Return the schedule; with `entry`, of this participant with their tables, 404 if there is none."""
    return await tournaments.reading.schedule(event_id, entry)


@get(EVENT + "/schedule.ics", responses=LOOKS, operation_class=with_file(gives=(ICALENDAR,)))
async def get_icalendar(
    event_id: FromPath[UUID], tournaments: NamedDependency[TournamentService], entry: FromQuery[str] = ""
) -> Response[bytes]:
    """Return the schedule as an iCalendar file to subscribe to; with `entry`, of this participant."""
    content = await tournaments.reading.icalendar(event_id, entry)
    headers = {"Content-Disposition": 'attachment; filename="schedule.ics"'}
    return Response(content, media_type=ICALENDAR, headers=headers)


@declare_access("own", "the caller; others: the organisers")
@put(CHECK_IN, opt=BY_ENTRANTS, guards=[requires_caller], responses=CHANGES)
async def check_in(
    event_id: FromPath[UUID], entry: FromPath[str], tournaments: NamedDependency[TournamentService]
) -> Response[TournamentShown]:
    """Check an entry in: the player within the check-in period, an organiser at any time before the first round."""
    return await tournament_response(
        tournaments, await tournaments.registration.check_in(event_id, entry, is_there=True)
    )


@declare_access("own", "the caller; others: the organisers")
@delete(CHECK_IN, opt=BY_ENTRANTS, guards=[requires_caller], responses=CHANGES, status_code=200)
async def undo_check_in(
    event_id: FromPath[UUID], entry: FromPath[str], tournaments: NamedDependency[TournamentService]
) -> Response[TournamentShown]:
    """Undo the check-in of an entry, as its player or an organiser."""
    return await tournament_response(
        tournaments, await tournaments.registration.check_in(event_id, entry, is_there=False)
    )


ROUTER = Router(
    "/",
    route_handlers=[set_calendar, get_schedule, get_icalendar, check_in, undo_check_in],
    opt=BY_ORGANISERS,
    tags=["tournaments"],
)
