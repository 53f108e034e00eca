"""The page on which players state when they are away, for tournaments and leagues."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated, Any, Final
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec
from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, FromQuery

from api.contests.absence_schemas import AbsencesOfPlayer, AbsencesShown
from api.contests.absences import AbsenceService, provide_absences
from api.contests.local_times import parse_local_time
from api.contests.schemas import ReasonOfChange
from api.http.form_faults import FieldFault
from api.http.form_pages import forms_of, handle_form
from api.http.forms import Form, FormRejected
from api.http.guards import requires_person
from api.http.languages import format_day
from api.http.page_responses import PageRequest, redirect_after_form, render_page
from api.http.structs import RequestStruct, Short
from domain.contests.absences import PERIODS_MAX, ROUNDS_MAX, Absences, Period, Rounds
from domain.kernel.messages import N_, Message

PERIODS_OFFERED: Final = 2
"""Empty rows for periods."""
ROUNDS_OFFERED: Final = 8
"""Rounds offered if their number is not known yet."""
DAY: Final = timedelta(days=1)
HALF: Final = N_("Enter the first and the last day.")
Day = Annotated[str, msgspec.Meta(max_length=10)]


class PeriodRow(RequestStruct, frozen=True):
    """The first and the last day of a period, in the time zone of the contest; both empty: no period."""

    first: Day = ""
    last: Day = ""


class AbsenceForm(RequestStruct, frozen=True, kw_only=True):
    """All absences of a player; `player` is empty for the reader."""

    player: Short = ""
    rounds: Rounds = ()
    periods: Annotated[tuple[PeriodRow, ...], msgspec.Meta(max_length=PERIODS_MAX)] = ()
    reason: ReasonOfChange = ""

    def absences(self, zone: ZoneInfo) -> Absences:
        """Return the absences; raise `FormRejected` for an invalid day, or a first day without a last one."""
        periods = list[Period]()
        for index, row in enumerate(self.periods):
            if not (row.first or row.last):
                continue
            starts = midnight_of(zone, row.first, f"periods.{index}.first")
            last = midnight_of(zone, row.last, f"periods.{index}.last")
            periods.append(Period(starts, (last.astimezone(zone) + DAY).astimezone(last.tzinfo)))
        return Absences(self.rounds, tuple(periods))


class NoAbsenceForm(RequestStruct, frozen=True):
    """The player whose absences are taken back; empty for the reader."""

    player: Short = ""
    reason: ReasonOfChange = ""


ABSENCE: Final = Form("absence", AbsenceForm)
NO_ABSENCE: Final = Form("no-absence", NoAbsenceForm)


def midnight_of(zone: ZoneInfo, day: str, field: str) -> datetime:
    """Return the start of a day in a time zone, in UTC; raise `FormRejected` if it is missing or invalid."""
    found = parse_local_time(zone, f"{day}T00:00" if day else "", field)
    if found is None:
        raise FormRejected([FieldFault(field, Message(HALF))])
    return found


def absence_path(contest_id: UUID) -> str:
    """Return the path of the page of absences."""
    return f"/contests/{contest_id}/absences"


def rounds_offered(shown: AbsencesShown, stated: AbsencesOfPlayer | None) -> range:
    """Return the rounds to choose from: the coming ones, and later ones that are stated."""
    last = shown.last_round or min(ROUNDS_MAX, shown.next_round + ROUNDS_OFFERED - 1)
    return range(shown.next_round, max(last, *(stated.rounds if stated else ()), 0) + 1)


def days_of(period: Period, zone: ZoneInfo) -> tuple[datetime, datetime]:
    """Return the first and the last day of a period as local times."""
    return period.starts.astimezone(zone), (period.ends - timedelta(microseconds=1)).astimezone(zone)


def period_rows(stated: AbsencesOfPlayer | None, zone: ZoneInfo) -> list[tuple[str, str]]:
    """Return the stated periods as days for the form, and some empty rows."""
    days = [days_of(period, zone) for period in (stated.periods if stated else ())]
    rows = [(first.date().isoformat(), last.date().isoformat()) for first, last in days]
    return [*rows, *[("", "")] * min(PERIODS_OFFERED, PERIODS_MAX - len(rows))]


def sent_player(request: PageRequest) -> str:
    """Return the player named in a rejected form."""
    return str(next(iter(request.state.sent.get("player", ())), ""))


async def show_absences(
    request: PageRequest, absences: AbsenceService, contest_id: UUID, player: str = ""
) -> Response[str]:
    """Render the page: the form of the reader, or for organisers of another player, and the list for organisers."""
    shown = await absences.show(contest_id)
    zone = ZoneInfo(shown.zone)
    everyone = () if shown.people is None else await absences.list_all(contest_id)
    other = next((each for each in everyone if each.player == player), None)
    chosen = other or shown.own
    context = {
        "contest": await absences.contests.contest(contest_id),
        "shown": shown,
        "base": absence_path(contest_id),
        "chosen": chosen,
        "everyone": sorted(everyone, key=lambda each: each.name.casefold()),
        "other": other,
        "rounds": rounds_offered(shown, chosen),
        "periods": period_rows(chosen, zone),
        "days_of": lambda period: " – ".join(format_day(day) for day in days_of(period, zone)),
        "forms": forms_of(request, ABSENCE, NO_ABSENCE),
    }
    return render_page(request, "contests/absences.html", context)


@get("/", guards=[requires_person])
async def absences_page(
    request: PageRequest,
    contest_id: FromPath[UUID],
    absences: NamedDependency[AbsenceService],
    player: FromQuery[Short] = "",
) -> Response[str]:
    """Show when the reader is away, with the form; organisers see all players, and the form of one of them."""
    return await show_absences(request, absences, contest_id, player)


@post("/", guards=[requires_person])
async def state_absences(
    request: PageRequest, contest_id: FromPath[UUID], absences: NamedDependency[AbsenceService]
) -> Response[Any]:
    """State the absences of the reader, or of the player named by an organiser, and redirect to the page."""
    zone = ZoneInfo((await absences.participants(contest_id)).zone)

    async def do(form: AbsenceForm) -> Response[Any]:
        await absences.state(contest_id, form.player or None, form.absences(zone), form.reason)
        return redirect_after_form(absence_path(contest_id), request)

    async def again() -> Response[str]:
        return await show_absences(request, absences, contest_id, sent_player(request))

    return await handle_form(request, ABSENCE, do, again)


@post("/taking-back", guards=[requires_person])
async def take_back_absences(
    request: PageRequest, contest_id: FromPath[UUID], absences: NamedDependency[AbsenceService]
) -> Response[Any]:
    """Take back the absences of the reader, or of the player named by an organiser, and redirect to the page."""

    async def do(form: NoAbsenceForm) -> Response[Any]:
        await absences.take_back(contest_id, form.player or None, form.reason)
        return redirect_after_form(absence_path(contest_id), request)

    async def again() -> Response[str]:
        return await show_absences(request, absences, contest_id, sent_player(request))

    return await handle_form(request, NO_ABSENCE, do, again)


HANDLERS: Final[tuple[Any, ...]] = (
    Router(
        "/contests/{contest_id:uuid}/absences",
        route_handlers=[absences_page, state_absences, take_back_absences],
        dependencies={"absences": Provide(provide_absences, sync_to_thread=False)},
    ),
)
