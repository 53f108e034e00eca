"""Reading tournaments: permissions, results, lists and records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar
from uuid import UUID

from api.accounts.service import AccountService
from api.http.guards import Caller
from api.matches.service import MatchService
from api.roles.openers import is_official_of
from api.roles.service import has_role
from api.tournaments.calendars import encode_calendar
from api.tournaments.date_schemas import ScheduleShown
from api.tournaments.responses import encode_tournament, entry_names, show_acts, show_appointment, show_listed
from api.tournaments.schemas import (
    ActShown,
    TournamentListed,
    TournamentShown,
)
from domain.eventstore.application import Matches
from domain.matches.facts import Actor
from domain.matches.forks.lineage import root_of
from domain.matches.log.records import Record
from domain.roles.errors import RoleMissing
from domain.roles.rating import may_rate, table_for_opener
from domain.standings.results import Results
from domain.tournaments import commands
from domain.tournaments.commands import TournamentStream
from domain.tournaments.registration import entry_named
from domain.tournaments.schedule import Appointment, schedule
from projections.disputes import disputed_matches
from projections.matches.clocks import Clock, running
from projections.matches.results import table_results, tables_played
from projections.platform.clock import now
from projections.platform.paging import LIMIT, Page
from projections.tournaments import listing
from projections.tournaments.listing import TournamentRow

R = TypeVar("R")


class TournamentQueries:
    """Tournaments, for one caller."""

    def __init__(self, matches: MatchService, accounts: AccountService, caller: Caller) -> None:
        self._tables = matches
        self._accounts = accounts
        self._caller = caller

    async def get(self, event_id: UUID) -> TournamentStream:
        """Return the current tournament; raise `NoSuchStream` if unknown."""
        return await self._tables.writer.read_log(commands.get_tournament, event_id)

    async def records(self, event_id: UUID) -> tuple[Record, ...]:
        """Return all its records, which are public once it has ended."""
        return await self._tables.writer.read_log(lambda matches, _: matches.streams.records(event_id), event_id)

    async def results(self, event_id: UUID) -> Results:
        """Return the results of its tables."""
        return await self._tables.writer.read_model(table_results, event_id)

    async def is_organiser(self, event: TournamentStream) -> bool:
        """Return whether the caller opened the tournament, or is an organiser of it or of the service."""
        return await has_role(self._tables.writer, self._caller, "organiser", event.id)

    async def is_official(self, event: TournamentStream) -> bool:
        """Return whether the caller is an organiser or an arbiter of the event."""
        return await self._tables.writer.read_log(is_official_of, event.id, self._caller)

    async def may_rate(self, event: TournamentStream | None = None) -> bool:
        """Return whether this event may be rated; without an event, whether a new event of the caller may be."""
        if event is None:
            return await has_role(self._tables.writer, self._caller, "organiser")
        return may_rate(await self._tables.reading.roles(), event.state.organiser)

    async def require_organiser(self, event_id: UUID) -> TournamentStream:
        """Return the tournament to its organisers; raise `RoleMissing` for others."""
        event = await self.get(event_id)
        if not await self.is_organiser(event):
            raise RoleMissing("only organisers of the event may do this")
        return event

    async def show(self, event: TournamentStream, *, with_reasons: bool = True) -> TournamentShown:
        """Return the tournament as the caller may see it; organisers also see rounds and announcements not yet public.

        Pages compute the reasons of tables themselves, `with_reasons` False. `rated` is False while the opener may not
        rate.
        """
        tables, is_organiser = (
            await self._tables.writer.read_model(tables_played, event.id),
            await self.is_organiser(event),
        )
        person = self._caller.person.id if self._caller.person else None
        rated = table_for_opener(
            event.state.plan.table, await self._tables.reading.roles(), event.state.organiser
        ).rated
        return await self._tables.writer.read_log(
            lambda _, __: encode_tournament(
                event,
                tables,
                self._accounts,
                is_organiser=is_organiser,
                person=person,
                rated=rated,
                with_reasons=with_reasons,
            ),
            event.id,
        )

    async def list(
        self, status: str | None = None, limit: int = LIMIT, before: int | None = None
    ) -> Page[TournamentListed]:
        """Return a page of tournaments of one status or of all, latest first."""
        return self._list(await self._tables.writer.read_model(listing.tournaments, status, limit, before))

    async def list_of(self, player: Actor, limit: int, before: int | None = None) -> Page[TournamentListed]:
        """Return a page of the tournaments that a person entered, also withdrawn, latest first."""
        return self._list(await self._tables.writer.read_model(listing.tournaments_of, player, limit, before))

    def _list(self, found: Page[TournamentRow]) -> Page[TournamentListed]:
        return found.of([show_listed(row, self._accounts) for row in found.items])

    async def record(self, event_id: UUID, limit: int, before: int | None) -> Page[ActShown]:
        """Return a page of the public acts of the tournament's organisers, latest first."""
        event = await self.get(event_id)
        found = await self._tables.writer.read_model(listing.acts_of, event_id, limit, before)
        return found.of(show_acts(found.items, event.state, self._accounts))

    async def appointments(self, event_id: UUID, entry: str) -> tuple[TournamentStream, tuple[Appointment, ...]]:
        """Return the tournament and its schedule, for everyone ("") or for an entry.

        Raises `NoSuchEntry` if it is unknown.
        """
        event = await self.get(event_id)
        if entry:
            entry_named(event.state, entry)
        return event, schedule(event.state, await self.results(event_id), entry)

    async def schedule(self, event_id: UUID, entry: str = "") -> ScheduleShown:
        """Return the schedule with names, for everyone ("") or for an entry; raise `NoSuchEntry` if it is unknown."""
        event, dates = await self.appointments(event_id, entry)
        names, calendar = entry_names(event.state, self._accounts), event.state.calendar
        appointments = tuple(show_appointment(each, names) for each in dates)
        return ScheduleShown(event.id, calendar.zone, calendar.place, calendar.fee, appointments)

    async def icalendar(self, event_id: UUID, entry: str = "") -> bytes:
        """Return the schedule as an iCalendar file, for everyone ("") or for an entry; raise `NoSuchEntry`."""
        event, found = await self.appointments(event_id, entry)
        return encode_calendar(event.state, found, entry_names(event.state, self._accounts), now())

    async def render(
        self, event: TournamentStream, make: Callable[[TournamentStream, Results, AccountService], R]
    ) -> R:
        """Return the value that `make` computes, on a reader thread: standings, crosstable or files."""
        results = await self.results(event.id)
        return await self._tables.writer.read_log(lambda _, __: make(event, results, self._accounts), event.id)

    async def find_unready(self, event: TournamentStream) -> dict[UUID, tuple[int, ...]]:
        """Return the seats without a ready player by match id, for matches of the latest round that have not started.

        Matches whose seats are all ready are left out.
        """
        latest_round = event.state.round
        match_ids = [table.match for table in latest_round.tables if table.match is not None] if latest_round else []

        def find_seats(matches: Matches, _: object) -> dict[UUID, tuple[int, ...]]:
            found = {}
            for match_id in filter(matches.lines.has, match_ids):
                match = matches.get(match_id)
                seats = tuple(seat for seat, info in enumerate(match.seats) if not info.ready)
                if match.status == "open" and seats:
                    found[match_id] = seats
            return found

        return await self._tables.writer.read_log(find_seats, event.id)

    async def running_clocks(self, matches: Sequence[UUID]) -> tuple[Clock, ...]:
        """Return the running clocks in these matches."""
        return await self._tables.writer.read_model(running, matches)

    async def disputed_tables(self, event: TournamentStream) -> tuple[int, ...]:
        """Return the numbers, from 1 and sorted, of the tables of the latest round with an open dispute."""
        latest_round = event.state.round
        tables = (
            {table.match: number for number, table in enumerate(latest_round.tables, start=1) if table.match}
            if latest_round
            else {}
        )
        if not tables:
            return ()
        disputed = await self._tables.writer.read_model(disputed_matches, str(event.state.id))
        return tuple(sorted({tables[match_id] for match_id in disputed if match_id in tables}))

    async def places_of(self, event: TournamentStream, match_ids: Iterable[UUID]) -> dict[UUID, tuple[int, int]]:
        """Return the round and table of these matches, also of forks of the tournament's matches.

        Others are left out.
        """
        tables = {
            table.match: (each.number, number)
            for each in event.state.rounds
            for number, table in enumerate(each.tables, start=1)
            if table.match is not None
        }

        def find_tables(matches: Matches, _: object) -> dict[UUID, tuple[int, int]]:
            roots = {match_id: root_of(matches, matches.get(match_id)) for match_id in match_ids}
            return {match_id: tables[root] for match_id, root in roots.items() if root in tables}

        return await self._tables.writer.read_log(find_tables, event.id)
