"""The page with the secret address of a person's calendar, and the calendar file at it."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath

from api.contests.calendars import ICALENDAR
from api.http.forms import BUTTON, read_form
from api.http.guards import requires_person
from api.http.page_responses import PageRequest, person_of, redirect_after_form, render_page
from api.site.person_calendar import CalendarService, provide_calendars

PATH: Final = "/account/calendar"


def reader_of(request: PageRequest) -> str:
    """Return the id of the reader."""
    person = person_of(request)
    assert person is not None, "the guards ask for one"
    return person.id


@get(PATH, guards=[requires_person])
async def calendar_page(request: PageRequest, calendars: NamedDependency[CalendarService]) -> Response[str]:
    """Show the address of the reader's calendar, if they have one."""
    return render_page(request, "site/calendar.html", {"address": await calendars.address_of(reader_of(request))})


@post(PATH, guards=[requires_person])
async def renew(request: PageRequest, calendars: NamedDependency[CalendarService]) -> Response[Any]:
    """Give the reader a new address, which replaces the earlier one, and redirect to the page."""
    await read_form(request, BUTTON)
    await asyncio.to_thread(calendars.store.renew, reader_of(request))
    return redirect_after_form(PATH, request)


@post(f"{PATH}/removal", guards=[requires_person])
async def remove(request: PageRequest, calendars: NamedDependency[CalendarService]) -> Response[Any]:
    """Remove the reader's address, and redirect to the page."""
    await read_form(request, BUTTON)
    await asyncio.to_thread(calendars.store.remove, reader_of(request))
    return redirect_after_form(PATH, request)


@get("/calendars/{token:str}", media_type=ICALENDAR)
async def calendar_file(calendars: NamedDependency[CalendarService], token: FromPath[str]) -> Response[bytes]:
    """Return the calendar file at a secret address; 404 if no person has it now."""
    headers = {"Content-Disposition": 'inline; filename="esporles.ics"', "Cache-Control": "private, no-store"}
    return Response(await calendars.file_at(token), headers=headers)


HANDLERS: Final[tuple[Any, ...]] = (
    Router(
        "/",
        route_handlers=[calendar_page, renew, remove, calendar_file],
        dependencies={"calendars": Provide(provide_calendars, sync_to_thread=False)},
    ),
)
