"""The page on which a player announces a holiday for all of their tables."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated, Any, Final
from zoneinfo import ZoneInfo

import msgspec
from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide

from api.contests.holiday_schemas import AnnounceHoliday, EndHoliday, HolidaysShown
from api.contests.holiday_service import HolidayService, provide_holidays
from api.contests.local_times import parse_local_time
from api.http.form_faults import FieldFault
from api.http.form_pages import forms_of, handle_form
from api.http.forms import Form, FormRejected
from api.http.guards import requires_person
from api.http.ids import Ids
from api.http.languages import format_day
from api.http.page_responses import PageRequest, redirect_after_form, render_page
from api.http.structs import RequestStruct
from domain.kernel.messages import N_, Message
from projections.platform.clock import now

PATH: Final = "/account/holidays"
DAY: Final = timedelta(days=1)
UTC_ZONE: Final = ZoneInfo("UTC")
HALF: Final = N_("Enter the first and the last day.")
Day = Annotated[str, msgspec.Meta(max_length=10)]


class HolidayForm(RequestStruct, frozen=True, kw_only=True):
    """The first and the last day of a holiday (UTC); `partly`: also if a table does not allow all of it."""

    first: Day = ""
    last: Day = ""
    partly: bool = False

    def request(self, at: datetime) -> AnnounceHoliday:
        """Return the holiday, from now on if its first day is today; raise `FormRejected` without two valid days."""
        begins, last = midnight_of(self.first, "first"), midnight_of(self.last, "last")
        starts = max(begins, at) if begins.date() == at.date() else begins
        return AnnounceHoliday(int(starts.timestamp()), int((last + DAY).timestamp()), self.partly)


class EndForm(RequestStruct, frozen=True):
    """The end of the holiday, without fields."""


HOLIDAY: Final = Form("holiday", HolidayForm)
END: Final = Form("end-holiday", EndForm)


def midnight_of(day: str, field: str) -> datetime:
    """Return the start of a day in UTC; raise `FormRejected` if it is missing or invalid."""
    found = parse_local_time(UTC_ZONE, f"{day}T00:00" if day else "", field)
    if found is None:
        raise FormRejected([FieldFault(field, Message(HALF))])
    return found


def name_days(first: datetime, last: datetime) -> str:
    """Return the first and the last day of a time."""
    days = dict.fromkeys((format_day(first), format_day(last - timedelta(microseconds=1))))
    return " – ".join(days)


async def show_holidays(request: PageRequest, holidays: HolidayService) -> Response[str]:
    """Render the page with the current holiday or the form for one."""
    shown: HolidaysShown = await holidays.show()
    context = {
        "shown": shown,
        "earlier": [each for each in reversed(shown.holidays) if each != shown.current],
        "name_days": name_days,
        "today": now().date().isoformat(),
        "forms": forms_of(request, HOLIDAY, END),
    }
    return render_page(request, "contests/holidays.html", context)


@get("/", guards=[requires_person])
async def holidays_page(request: PageRequest, holidays: NamedDependency[HolidayService]) -> Response[str]:
    """Show the reader's holiday at each table, the days used, and the form to announce or end a holiday."""
    return await show_holidays(request, holidays)


@post("/", guards=[requires_person])
async def announce(
    request: PageRequest, holidays: NamedDependency[HolidayService], ids: NamedDependency[Ids]
) -> Response[Any]:
    """Announce a holiday at all tables of the reader, and redirect to the page."""

    async def do(form: HolidayForm) -> Response[Any]:
        await holidays.announce(form.request(now()), ids.new())
        return redirect_after_form(PATH, request)

    return await handle_form(request, HOLIDAY, do, lambda: show_holidays(request, holidays))


@post("/end", guards=[requires_person])
async def end(request: PageRequest, holidays: NamedDependency[HolidayService]) -> Response[Any]:
    """End the reader's holiday at all tables, and redirect to the page."""

    async def do(_: EndForm) -> Response[Any]:
        await holidays.end(EndHoliday())
        return redirect_after_form(PATH, request)

    return await handle_form(request, END, do, lambda: show_holidays(request, holidays))


HANDLERS: Final[tuple[Any, ...]] = (
    Router(
        PATH,
        route_handlers=[holidays_page, announce, end],
        dependencies={"holidays": Provide(provide_holidays, sync_to_thread=False)},
    ),
)
