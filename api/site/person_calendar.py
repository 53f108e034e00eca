"""The calendar of a person: ends of turns by correspondence, and the dates of current tournaments and leagues."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from litestar import Request
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException

from api.accounts.display_names import people_in
from api.accounts.people import PEOPLE, People
from api.accounts.service import AccountService
from api.contests.calendars import CalendarDate, encode_dates
from api.http.app_state import SETTINGS
from api.http.guards import NOBODY, Caller
from api.http.languages import _, join_words, use_language
from api.http.preferences import decode_preferences
from api.leagues.calendars import dates_of as dates_of_season
from api.matches.service import MatchService
from api.notifications.errors import BadToken
from api.notifications.tokens import Tokens
from api.site.calendar_store import CALENDAR_STORE, CalendarStore
from api.tournaments.calendars import dates_of as dates_of_tournament
from api.tournaments.queries import TournamentQueries
from api.tournaments.responses import entry_names
from domain.kernel.title import Titles
from domain.leagues.season_state import Season
from domain.leagues.state import LEAGUE, League
from domain.matches.facts import Actor
from projections import leagues
from projections.matches.own_tables import OwnTable, list_own_tables
from projections.platform.clock import now
from projections.tournaments import listing

PURPOSE: Final = "calendar"
NAME: Final = "Esporles"
TURN_LENGTH: Final = timedelta(hours=1)
"""Length of the date before the end of a turn."""
TABLES_MAX: Final = 200
EVENTS_MAX: Final = 50
"""Numbers of matches, and of tournaments and leagues, in a file."""


@dataclass(frozen=True)
class CalendarService:
    """Calendars of people, and their secret addresses."""

    matches: MatchService
    accounts: AccountService
    people: People
    store: CalendarStore
    origin: str

    @property
    def tokens(self) -> Tokens:
        """The tokens in the addresses."""
        return Tokens(self.people.secret(PURPOSE))

    async def address_of(self, person: Actor) -> str:
        """Return the address of a person's calendar, or "" without one."""
        word = await asyncio.to_thread(self.store.word_of, person)
        return f"{self.origin}/calendars/{self.tokens.make(PURPOSE, person, word)}" if word else ""

    async def file_at(self, token: str) -> bytes:
        """Return the calendar file at an address; raise `NotFoundException` unless it is a current one."""
        person, language = await asyncio.to_thread(self._person_with, token)
        with use_language(language):
            tables = await self.matches.writer.read_model(list_own_tables, person, TABLES_MAX)
            dates = [
                *await self._dates_of_turns(person, tables.items),
                *await self._dates_of_tournaments(person),
                *await self._dates_of_seasons(person),
            ]
            return encode_dates(NAME, dates, now())

    def _person_with(self, token: str) -> tuple[Actor, str]:
        """Return the id and the language of the person with an address."""
        try:
            name, word = self.tokens.read(PURPOSE, token)
        except (BadToken, ValueError):
            raise NotFoundException("no calendar at this address") from None
        person, current = self.people.find(name), self.store.word_of(name)
        if person is None or not current or not hmac.compare_digest(current.encode(), word.encode()):
            raise NotFoundException("no calendar at this address")
        return name, decode_preferences(person.preferences or "").language or "en"

    async def _dates_of_turns(self, person: Actor, tables: tuple[OwnTable, ...]) -> list[CalendarDate]:
        """Return the ends of the person's turns in matches by correspondence."""
        timed = [
            (each.row, each.ends)
            for each in tables
            if each.ends is not None and each.row.table.clock.kind == "correspondence"
        ]
        opponents = {
            row.match_id: people_in(seat.actor for seat in row.seats if seat.actor != person) for row, _ in timed
        }
        names = await self.accounts.load_names({each for people in opponents.values() for each in people})
        dates = list[CalendarDate]()
        for row, ends in timed:
            others = join_words(names[each] for each in opponents[row.match_id] if each in names)
            summary = _("Your turn ends: {match}", match=name_of_title(self.matches.titles, row.title))
            address = f"{self.origin}/tables/{row.match_id}"
            description = f"{others}\n{address}" if others else address
            dates.append(
                CalendarDate(f"{row.match_id}-turn", ends - TURN_LENGTH, ends, summary, description=description)
            )
        return dates

    async def _dates_of_tournaments(self, person: Actor) -> list[CalendarDate]:
        """Return the dates of the unfinished tournaments that a person entered."""
        queries, dates = TournamentQueries(self.matches, self.accounts, NOBODY), list[CalendarDate]()
        found = await self.matches.writer.read_model(listing.list_unfinished, person)
        for event_id in found[-EVENTS_MAX:]:
            event = (await queries.get(event_id)).state
            entry = event.entry_of(person)
            if entry is not None:
                _stream, appointments = await queries.appointments(event_id, entry.id)
                names = entry_names(event, self.accounts)
                dates += add_name(event.plan.name, dates_of_tournament(event, appointments, names))
        return dates

    async def _dates_of_seasons(self, person: Actor) -> list[CalendarDate]:
        """Return the dates of the current seasons in which a person plays."""
        found = (await self.matches.writer.read_model(leagues.leagues_of, person, EVENTS_MAX)).items
        dates = list[CalendarDate]()
        for row in found:
            state: League = await self.matches.writer.read_log(
                lambda matches, league_id: matches.streams.get(LEAGUE, league_id).state, row.league_id
            )
            season = state.season
            if season is not None and season.status != "closed" and plays_in(season, person):
                dates += add_name(f"{state.plan.name}, {season.name}", dates_of_season(state, season))
        return dates


def name_of_title(titles: Titles, name: str) -> str:
    """Return the printed name of a title in the reader's language; its id if it is no longer played here."""
    title = titles.get(name)
    return name if title is None else _(title.printed_name)


def plays_in(season: Season, person: Actor) -> bool:
    """Return whether a person has a place in a season, or before the draw an entry."""
    holders = {place.actor for group in season.groups for place in group.places}
    return person in holders if season.groups else any(entry.actor == person for entry in season.entered)


def add_name(contest: str, dates: Iterator[CalendarDate]) -> list[CalendarDate]:
    """Return the dates of a contest with its name."""
    return [each._replace(summary=f"{contest}: {each.summary}") for each in dates]


def provide_calendars(
    request: Request[Caller, Any, Any],
    matches: NamedDependency[MatchService],
    accounts: NamedDependency[AccountService],
) -> CalendarService:
    """Provide the service."""
    origin = SETTINGS.of(request).origin
    return CalendarService(matches, accounts, PEOPLE.of(request), CALENDAR_STORE.of(request), origin)
