"""Pages of dates: schedules, the organiser's form, and the check-in."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Final
from zoneinfo import ZoneInfo

import msgspec
from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromQuery

from api.contests.local_times import LOCAL, NO_TIME, LocalTime, parse_local_time
from api.contests.words import CONSEQUENCES
from api.http.form_faults import FieldFault
from api.http.form_pages import forms_of, handle_form
from api.http.forms import Form, FormRejected
from api.http.guards import requires_person
from api.http.structs import RequestStruct, Short
from api.tournaments.pages.context import TournamentContext, provide_context
from api.tournaments.pages.forms import ENTRY, OfEntry
from api.tournaments.schemas import Reason
from domain.contests.deadlines import Consequence, ExtensionDays, OrganiserDays
from domain.contests.errors import PlanRefused
from domain.contests.times import BREAKS_MAX, Break, Minutes, RoundTime, zone_named
from domain.kernel.messages import Message
from domain.kernel.texts import ONE_LINE
from domain.kernel.values import replace
from domain.standings.contest import ROUNDS_MAX
from domain.tournaments.calendar import WORDS_MAX, Calendar
from domain.tournaments.state import Tournament

ROUNDS_OFFERED: Final = 3
BREAKS_OFFERED: Final = 2
WINDOWS: Final = ("entry_opens", "entry_closes", "check_in_opens", "check_in_closes")
Detail = Annotated[str, msgspec.Meta(max_length=WORDS_MAX, pattern=ONE_LINE)]


class RoundRow(RequestStruct, frozen=True):
    """The times of a round; `number` identifies it even if the others are empty."""

    number: Annotated[int, msgspec.Meta(ge=1, le=ROUNDS_MAX)]
    starts: LocalTime = ""
    deadline: LocalTime = ""


class BreakRow(RequestStruct, frozen=True):
    """A row for a break."""

    starts: LocalTime = ""
    ends: LocalTime = ""
    name: Short = ""


class CalendarForm(RequestStruct, frozen=True, kw_only=True):
    """The calendar with local times of its zone."""

    zone: Short = "UTC"
    place: Detail = ""
    fee: Detail = ""
    entry_opens: LocalTime = ""
    entry_closes: LocalTime = ""
    check_in_opens: LocalTime = ""
    check_in_closes: LocalTime = ""
    rounds: Annotated[tuple[RoundRow, ...], msgspec.Meta(max_length=ROUNDS_MAX)] = ()
    breaks: Annotated[tuple[BreakRow, ...], msgspec.Meta(max_length=BREAKS_MAX)] = ()
    reminders: tuple[Minutes, ...] = ()
    consequence: Consequence = "organiser"
    extension_days: ExtensionDays = 0
    organiser_days: OrganiserDays = 7
    reason: Reason = ""

    def calendar(self) -> Calendar:
        """Return the calendar in the form, without empty rounds at the end.

        Raises `FormRejected` for an invalid time or a break without start or end, `PlanRefused` for an unknown zone.
        """
        zone, times = zone_named(self.zone), dict[int, RoundTime]()
        for index, row in enumerate(self.rounds):
            starts = parse_local_time(zone, row.starts, f"rounds.{index}.starts")
            times[row.number] = RoundTime(starts, parse_local_time(zone, row.deadline, f"rounds.{index}.deadline"))
        last = max((number for number, each in times.items() if each != RoundTime()), default=0)
        breaks = list[Break]()
        for index, pause in enumerate(self.breaks):
            starts = parse_local_time(zone, pause.starts, f"breaks.{index}.starts")
            ends = parse_local_time(zone, pause.ends, f"breaks.{index}.ends")
            if starts is None or ends is None:
                raise FormRejected([FieldFault(f"breaks.{index}.starts", Message(NO_TIME, {"value": pause.name}))])
            breaks.append(Break(starts, ends, pause.name))
        windows = {name: parse_local_time(zone, getattr(self, name), camel_case(name)) for name in WINDOWS}
        calendar = Calendar(
            zone=self.zone,
            place=self.place,
            fee=self.fee,
            rounds=tuple(times.get(number, RoundTime()) for number in range(1, last + 1)),
            breaks=tuple(breaks),
            reminders=self.reminders,
            consequence=self.consequence,
            extension_days=self.extension_days,
            organiser_days=self.organiser_days,
        )
        return replace(calendar, **windows)


DATES: Final = Form("dates", CalendarForm, words=frozenset({"reminders"}), beside={PlanRefused: "zone"})


def camel_case(name: str) -> str:
    """Return the camel-case name of a field, as forms use it."""
    first_word, *other_words = name.split("_")
    return first_word + "".join(map(str.capitalize, other_words))


def fields_of(event: Tournament) -> dict[str, Any]:
    """Return the calendar's values for the form, in local time, with some empty rows."""
    calendar, zone = event.calendar, ZoneInfo(event.calendar.zone)

    def local(at: datetime | None) -> str:
        return "" if at is None else at.astimezone(zone).strftime(LOCAL)

    count = max(len(calendar.rounds), sum(stage.rounds for stage in event.plan.stages), ROUNDS_OFFERED)
    times = [calendar.round(number) for number in range(1, min(count, ROUNDS_MAX) + 1)]
    return {
        "windows": {camel_case(name): local(getattr(calendar, name)) for name in WINDOWS},
        "times": [(local(each.starts), local(each.deadline)) for each in times],
        "pauses": [
            *((local(each.starts), local(each.ends), each.name) for each in calendar.breaks),
            *(("", "", "") for _ in range(min(BREAKS_OFFERED, BREAKS_MAX - len(calendar.breaks)))),
        ],
        "reminders": " ".join(map(str, calendar.reminders)),
        "consequences": CONSEQUENCES,
    }


@get("/schedule")
async def schedule_page(page: NamedDependency[TournamentContext], entry: FromQuery[str] = "") -> Response[str]:
    """Show the schedule of an entry, by default the reader's own; "all", or without an own entry: of everyone."""
    return await render_schedule(page, entry)


async def render_schedule(page: TournamentContext, entry: str = "") -> Response[str]:
    """Render the schedule of an entry, by default the reader's own; "all", or without an own entry: of everyone."""
    context = await page.context(await page.tournaments.reading.get(page.id))
    entry_id = entry if entry != "all" else ""
    shown_entry = entry_id or ("" if entry else context["shown"].entry or "")
    schedule = await page.tournaments.reading.schedule(page.id, shown_entry)
    return page.render(
        "schedule", {**context, "schedule": schedule, "whose": shown_entry, "consequences": CONSEQUENCES}
    )


@get("/dates", guards=[requires_person])
async def dates_page(page: NamedDependency[TournamentContext]) -> Response[str]:
    """Show the organiser's form of dates; raise `RoleMissing` for others."""
    return await dates_form(page)


async def dates_form(page: TournamentContext) -> Response[str]:
    """Render the form of dates; raise `RoleMissing` for non-organisers."""
    event = await page.tournaments.reading.require_organiser(page.id)
    context = await page.context(event)
    return page.render("dates", {**context, **fields_of(event.state), "forms": forms_of(page.request, DATES)})


@post("/dates", guards=[requires_person])
async def set_dates(page: NamedDependency[TournamentContext]) -> Response[Any]:
    """Change the dates as an organiser (else `RoleMissing`), and redirect to the schedule, or show the faults."""

    async def do(form: CalendarForm) -> Response[Any]:
        await page.tournaments.plans.set_calendar(page.id, form.calendar(), form.reason)
        return page.back("/schedule?entry=all")

    async def again() -> Response[str]:
        return await dates_form(page)

    await page.tournaments.reading.require_organiser(page.id)
    return await handle_form(page.request, DATES, do, again)


@post("/check-in", guards=[requires_person])
async def check_in(page: NamedDependency[TournamentContext]) -> Response[Any]:
    """Check in the reader, or the entry named by an organiser."""
    return await set_check_in(page, is_there=True)


@post("/check-in/undo", guards=[requires_person])
async def undo_check_in(page: NamedDependency[TournamentContext]) -> Response[Any]:
    """Undo the check-in of the reader, or of the entry named by an organiser."""
    return await set_check_in(page, is_there=False)


async def set_check_in(page: TournamentContext, *, is_there: bool) -> Response[Any]:
    """Check an entry in or out, and redirect to the tournament; for another's entry, to the participants.

    If that is rejected, the participants are shown with the error.
    """

    async def do(form: OfEntry) -> Response[Any]:
        event = await page.tournaments.registration.check_in(page.id, form.entry, is_there=is_there)
        own_entry = event.state.entry_of(page.tournaments.caller.actor)
        return page.back("" if own_entry is not None and own_entry.id == form.entry else "/people")

    return await handle_form(page.request, ENTRY, do, page.render_participants)


HANDLERS: Final[tuple[Any, ...]] = (
    Router(
        "/events/{event_id:uuid}",
        route_handlers=[schedule_page, dates_page, set_dates, check_in, undo_check_in],
        dependencies={"page": Provide(provide_context, sync_to_thread=False)},
    ),
)
