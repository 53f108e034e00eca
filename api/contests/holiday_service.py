"""Holidays for all correspondence tables of a person in one act, for one caller."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Final
from uuid import UUID

from litestar import Request
from litestar.di import NamedDependency

from api.accounts.display_names import names_of
from api.accounts.service import AccountService
from api.contests import holiday_commands
from api.contests.holiday_schemas import (
    AnnounceHoliday,
    AwayListed,
    AwayShown,
    DaysShown,
    Declaration,
    EndHoliday,
    HolidayPlanShown,
    HolidayShown,
    HolidaysShown,
    HolidayTableShown,
)
from api.contests.holiday_store import HolidayStore, StoredHoliday
from api.http.app_state import AppKey
from api.http.guards import Caller
from api.http.identity import Person
from api.matches.responses import show_player
from api.matches.service import MatchService
from api.notifications.service import NOTIFICATIONS, NotificationService
from api.roles.service import has_role
from domain.contests.holiday_plans import Holiday, HolidayTable, PlannedTable, check_holiday, require_whole
from domain.contests.holidays import DAY_MICROSECONDS, YEAR_DAYS, Span, total, used_in_year
from domain.matches.aggregate import Match
from domain.matches.facts import Actor
from domain.matches.log.entries import microseconds
from domain.matches.play.absences import MICROSECONDS, Declared
from domain.matches.play.declared_absences import require_declaration
from domain.matches.seats.current_seats import update_open_seats
from domain.roles.errors import RoleMissing
from projections.follow import moment
from projections.matches import absences, lobby
from projections.platform.clock import now

HOLIDAYS: Final = AppKey[HolidayStore]("holidays")


@dataclass(frozen=True)
class HolidayService:
    """Holidays at all correspondence tables, for one caller."""

    tables: MatchService
    accounts: AccountService
    store: HolidayStore
    notifications: NotificationService
    caller: Caller

    @property
    def person(self) -> Person:
        """The caller's person."""
        assert self.caller.person is not None, "the guards ask for one"
        return self.caller.person

    async def show(self) -> HolidaysShown:
        """Return the caller's holidays, the times of the current one at each table, and the days used."""
        person, at = self.person.id, now()
        holidays = await asyncio.to_thread(self.store.of_person, person)
        current = await asyncio.to_thread(self.store.find_pending, person, int(at.timestamp()))
        since = microseconds(at)
        away = await self.tables.writer.read_model(absences.of_person, person, since)
        found, free = await self._list_tables(person)
        names = {table.match.id: table.name for table in found}
        shown = tuple(
            HolidayTableShown(each.match_id, each.seat, names[each.match_id], moment(each.first), moment(each.last))
            for each in away
            if each.match_id in names
        )
        return HolidaysShown(
            None if current is None else show_holiday(current),
            shown,
            tuple(map(show_holiday, holidays)),
            count_days(found, free, at),
        )

    async def plan(self, first: int, last: int) -> HolidayPlanShown:
        """Return the effect of a holiday at each table; raise `HolidayRefused` for impossible times."""
        at = now()
        holiday = begin_holiday(first, last, at)
        planned = await self._plan_own(holiday, at)
        return HolidayPlanShown(holiday.first, holiday.last, tuple(map(show_table, planned)))

    async def announce(self, request: AnnounceHoliday, holiday_id: UUID) -> HolidaysShown:
        """Announce a holiday at all tables, now and for tables that start later; the opponents are notified.

        Raise `HolidayRefused` for impossible times, if another holiday is not over, or unless `partly`, if a table
        does not allow it in full; `BadSignature` for a false declaration.
        """
        at, person = now(), self.person.id
        wanted = begin_holiday(request.begins, request.ends, at)
        declared = request.declared
        if declared is not None:
            require_declaration(person, Declared(declared.key, declared.signature, wanted.first, wanted.last))
        planned = await self._plan_own(wanted, at)
        if not request.partly:
            require_whole(planned)
        key, signature = (declared.key, declared.signature) if declared is not None else ("", "")
        holiday = StoredHoliday(wanted.first, wanted.last, wanted.announced, holiday_id, person, 0, key, signature)
        await self.bring(await asyncio.to_thread(self.store.add, holiday), at)
        return await self.show()

    async def end(self, request: EndHoliday) -> HolidaysShown:
        """End the holiday at all tables, or cancel it before it begins; raise `NoHoliday` without one."""
        at, person, signature = now(), self.person.id, ""
        ended = int(at.timestamp())
        if request.declared is not None:
            signature, ended = await self._end_signature(request.at, request.declared), request.at
        await self.finish(await asyncio.to_thread(self.store.end, person, ended, signature), at)
        return await self.show()

    async def _end_signature(self, at: int, declared: Declaration) -> str:
        """Return the signature over the end of the holiday, unless it was announced without one."""
        pending = await asyncio.to_thread(self.store.find_pending, self.person.id, at)
        if pending is None or pending.key != declared.key:
            return ""
        over = Declared(declared.key, declared.signature, pending.first, pending.last, at)
        require_declaration(self.person.id, over)
        return declared.signature

    async def in_contest(self, contest_id: UUID) -> AwayListed:
        """Return who is or will be on holiday in a contest, to its organisers; raise `RoleMissing` for others."""
        if not await has_role(self.tables.writer, self.caller, "organiser", contest_id):
            raise RoleMissing("only organisers of the event may do this")
        found = await self.tables.writer.read_model(absences.in_event, contest_id, microseconds(now()))
        spans = sorted({(each.first, each.last, each.person) for each in found})
        names = await asyncio.to_thread(names_of, self.accounts, {person for _, _, person in spans})
        return AwayListed(
            tuple(AwayShown(show_player(person, names), moment(first), moment(last)) for first, last, person in spans)
        )

    async def apply_due(self) -> int:
        """Bring all holidays to the tables that do not have them yet, and their ends; return the changed tables.

        Repeating it changes nothing. Tables that start during a holiday get it so, and those of a process that was
        killed.
        """
        at, count = now(), 0
        for holiday in await asyncio.to_thread(self.store.list_open, int(at.timestamp())):
            count += await (self.finish if holiday.ended else self.bring)(holiday, at)
        return count

    async def bring(self, holiday: StoredHoliday, at: datetime) -> int:
        """Announce a holiday at the tables that do not have it yet; return their number, and notify the opponents."""
        person, count, opponents = holiday.person, 0, dict[Actor, UUID]()
        free = await self._list_free_time(person)
        # Most tables have the holiday already. Reading them first does not take their locks.
        for match_id in dict.fromkeys(each.match_id for each in await self._plan(person, holiday, free, at)):
            match = await self.tables.writer.execute(holiday_commands.bring_holiday, match_id, holiday, free, at=at)
            if match is not None:
                count += 1
                opponents |= dict.fromkeys(list_opponents(match, person), match.id)
        for opponent, match_id in opponents.items():
            await self.notifications.notify(
                "reminder", (opponent,), f"holiday-{holiday.id.hex}", f"/tables/{match_id}", "holiday", at
            )
        return count

    async def finish(self, holiday: StoredHoliday, at: datetime) -> int:
        """End a holiday at all tables; return the number of tables where it had not ended."""
        count = 0
        for match_id in await self._list_unfinished(holiday.person):
            count += await self.tables.writer.execute(holiday_commands.finish_holiday, match_id, holiday, at=at)
        await asyncio.to_thread(self.store.note_applied, holiday.id)
        return count

    async def _plan_own(self, holiday: Holiday, at: datetime) -> tuple[PlannedTable, ...]:
        """Return the effect of a holiday at each table of the caller."""
        person = self.person.id
        return await self._plan(person, holiday, await self._list_free_time(person), at)

    async def _plan(
        self, person: Actor, holiday: Holiday, free: Sequence[Span], at: datetime
    ) -> tuple[PlannedTable, ...]:
        """Return the effect of a holiday at each table of a person; `free`: the time away outside of contests."""
        plan = partial(holiday_commands.plan_holiday, at=at)
        return await self.tables.writer.read_log(plan, await self._list_unfinished(person), person, holiday, free)

    async def _list_tables(self, person: Actor) -> tuple[Sequence[HolidayTable], Sequence[Span]]:
        """Return the running correspondence tables of a person, and the time away at tables outside of contests."""
        found, free = await self._list_unfinished(person), await self._list_free_time(person)
        return await self.tables.writer.read_log(holiday_commands.list_tables, found, person, free), free

    async def _list_unfinished(self, person: Actor) -> Sequence[UUID]:
        """Return the unfinished matches of a person."""
        writer = self.tables.writer
        known = await writer.read_model(lobby.list_unfinished, person)
        return (await writer.read_log(update_open_seats, person, known)).match_ids

    async def _list_free_time(self, person: Actor) -> Sequence[Span]:
        """Return the time in which a person was or will be away at tables outside of contests."""
        found = await self.tables.writer.read_model(absences.of_person, person)
        return [Span(each.first, each.last) for each in found if not each.event]


def begin_holiday(first: int, last: int, at: datetime) -> Holiday:
    """Return a holiday, which begins now at the earliest; raise `HolidayRefused` for impossible times."""
    check_holiday(first, last, at)
    return Holiday(max(first, int(at.timestamp())), last, microseconds(at))


def list_opponents(match: Match, person: Actor) -> list[Actor]:
    """Return the other people at a table."""
    return [info.actor for info in match.seats if info.is_person and info.actor not in (None, person)]


def count_days(tables: Sequence[HolidayTable], free: Sequence[Span], at: datetime) -> tuple[DaysShown, ...]:
    """Return the days used in each contest of some tables, and in this year at all others."""
    contests = {table.name: table for table in tables if not table.is_free}
    used = [
        DaysShown(name, round(total(table.used) / DAY_MICROSECONDS, 1), table.days)
        for name, table in sorted(contests.items())
    ]
    if free or any(table.is_free for table in tables):
        used.append(DaysShown("", round(used_in_year(free, at.year) / DAY_MICROSECONDS, 1), YEAR_DAYS))
    return tuple(used)


def show_table(planned: PlannedTable) -> HolidayTableShown:
    """Convert a table of a plan."""
    first, last = (moment(each * MICROSECONDS) for each in (planned.first, planned.last))
    why = "" if planned.refusal is None else str(planned.refusal)
    return HolidayTableShown(planned.match_id, planned.seat, planned.name, first, last, why)


def show_holiday(holiday: StoredHoliday) -> HolidayShown:
    """Convert a stored holiday."""
    first, last = (moment(each * MICROSECONDS) for each in (holiday.first, holiday.last))
    return HolidayShown(
        holiday_id=holiday.id,
        begins=first,
        ends=last,
        announced=moment(holiday.announced),
        ended=moment(holiday.ended * MICROSECONDS) if holiday.ended else None,
    )


def provide_holidays(
    request: Request[Caller, Any, Any],
    matches: NamedDependency[MatchService],
    accounts: NamedDependency[AccountService],
    caller: NamedDependency[Caller],
) -> HolidayService:
    """Provide the service for the caller."""
    return HolidayService(matches, accounts, HOLIDAYS.of(request), NOTIFICATIONS.of(request), caller)
