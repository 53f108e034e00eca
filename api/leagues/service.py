"""What every handler about leagues begins with: the league from the log, its results, who is allowed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Final
from uuid import UUID

from litestar.di import NamedDependency

from api.accounts.people import People
from api.leagues.showing import actors_of, league_shown, owed_shown, season_shown
from api.leagues.wire import LeagueOwedShown, LeagueShown, SeasonShown
from api.matches.service import MatchService, now
from api.matches.showing import names_of
from api.ratings.service import seeding_of
from api.roles.service import holds
from api.web.guards import Caller
from api.web.ids import Ids
from domain.leagues import commands, seasons
from domain.leagues.facts import Fact
from domain.leagues.plan import LeaguePlan, LeagueRefused
from domain.leagues.state import LEAGUE, At, League
from domain.matches.aggregate import Match
from domain.matches.application import Matches
from domain.matches.bots import check_bot
from domain.matches.errors import NoSuchStream
from domain.matches.facts import Actor, is_bot
from domain.matches.opening import check_player
from domain.matches.records import Stream
from domain.matches.titles import find_title
from domain.roles.errors import NoSuchPerson, RoleMissing
from domain.standings.results import Results
from projections import disputes, leagues

OWED_TABLES_MAX: Final = 100
"""So many tables a worker is told of at once."""


class LeagueService:
    """The one door of handlers and pages to a league."""

    def __init__(self, matches: MatchService, people: People, caller: Caller) -> None:
        self.tables = matches
        self.people = people
        self.caller = caller

    async def stream(self, league_id: UUID) -> Stream[League]:
        """The league as the log has it."""

        def find(matches: Matches) -> Stream[League]:
            return matches.streams.get(LEAGUE, league_id)

        return await self.tables.read_log(find)

    async def results(self, league_id: UUID) -> Results:
        return await self.tables.read_model(leagues.results, league_id)

    async def disputed_matches(self, league_id: UUID) -> frozenset[UUID]:
        """The matches of the league about which a dispute waits for its ruling."""
        return frozenset(await self.tables.read_model(disputes.disputed_matches, str(league_id)))

    async def is_organiser(self, league: League) -> bool:
        """The person who opened it, holders of the role for it or everywhere, and operators."""
        own = self.caller.person is not None and self.caller.person.id == league.organiser
        return own or await holds(self.tables, self.caller, "organiser", league.id)

    async def require_organiser(self, league_id: UUID) -> Stream[League]:
        stream = await self.stream(league_id)
        if not await self.is_organiser(stream.state):
            raise RoleMissing("this is for whoever organises the league")
        return stream

    async def actor(self, name: str | None) -> Actor:
        """A person by id or name, a bot by its full name; nobody named: the caller."""
        if name is None:
            if self.caller.person is None:
                raise LeagueRefused("the service itself takes part in no league")
            return self.caller.actor
        if is_bot(name):
            check_player(name)
            return name
        found = await asyncio.to_thread(self.people.find, name) or await asyncio.to_thread(self.people.by_name, name)
        if found is None:
            raise NoSuchPerson(f"no account has the id or name {name!r}")
        return found.id

    async def do(self, league_id: UUID, decide: Callable[[League], Fact | Sequence[Fact]]) -> Stream[League]:
        """A command on the writer's thread."""

        def command(matches: Matches) -> Stream[League]:
            return commands.execute(matches, league_id, decide, at=now())

        return await self.tables.execute(command)

    async def open(self, plan: LeaguePlan, ids: Ids, key: str | None) -> Stream[League]:
        """A new league; with the same key again, the same league."""
        new_id, by = ids.create(self.caller, key), self.caller.actor

        def command(matches: Matches) -> Stream[League]:
            return commands.open_league(matches, new_id, by, plan, at=now())

        return await self.tables.execute(command)

    async def enter(self, league_id: UUID, name: str | None) -> Stream[League]:
        """The caller, or whom the organiser names, plays the next season."""
        stream = await (self.stream(league_id) if name is None else self.require_organiser(league_id))
        actor, by, plan = await self.actor(name), self.caller.actor, stream.state.plan
        check_bot(find_title(self.tables.titles, plan.title), actor)
        seeding = await self.tables.read_model(seeding_of, plan.title, plan.size, actor)
        is_organiser = name is not None
        return await self.do(
            league_id, lambda league: seasons.enter(league, by, actor, seeding, is_organiser=is_organiser)
        )

    async def leave(self, league_id: UUID, name: str | None) -> Stream[League]:
        """Somebody (the caller, or whom the organiser names) plays no more."""
        actor, by = await self.actor(name), self.caller.actor
        if actor != by:
            await self.require_organiser(league_id)
        return await self.do(league_id, lambda league: seasons.leave(league, by, actor))

    async def next_round(self, league_id: UUID) -> Stream[League]:
        """The next round; its matches are opened by a worker, table by table."""
        by, at = self.caller.actor, now()
        return await self.do(league_id, lambda league: seasons.open_round(league, by, at))

    async def read_duty(self, league_id: UUID) -> LeagueOwedShown:
        """What the league waits for, with the next tables a worker is to open."""
        stream = await self.stream(league_id)
        begun = (await self.tables.read_model(leagues.played_matches, league_id)).begun

        def find(matches: Matches) -> tuple[At, ...]:
            return tuple(islice(commands.waiting_tables(matches, stream.state, begun), OWED_TABLES_MAX))

        return owed_shown(stream, await self.tables.read_log(find))

    async def open_table(self, league_id: UUID, table: At, expected_version: int) -> None:
        """The match of a table, unless the league has moved on."""

        def command(matches: Matches) -> Match:
            return commands.open_table(matches, league_id, table, at=now(), expected_version=expected_version)

        await self.tables.execute(command)

    async def encode(self, stream: Stream[League]) -> LeagueShown:
        names = await asyncio.to_thread(names_of, self.people, actors_of(stream.state))
        return league_shown(stream, await self.results(stream.id), names)

    async def season(self, stream: Stream[League], number: int) -> SeasonShown:
        """One of its seasons, counted from 1."""
        if not 1 <= number <= len(stream.state.seasons):
            raise NoSuchStream(f"the league {stream.id} has no season {number}")
        names = await asyncio.to_thread(names_of, self.people, actors_of(stream.state))
        return season_shown(stream, number, await self.tables.read_model(leagues.played_matches, stream.id), names)


def provide_leagues(
    caller: NamedDependency[Caller], matches: NamedDependency[MatchService], people: NamedDependency[People]
) -> LeagueService:
    return LeagueService(matches, people, caller)
