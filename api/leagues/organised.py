"""A league in the hands of its organiser: routes and forms reach its commands through nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from litestar.di import NamedDependency
from litestar.params import FromPath

from api.leagues.service import LeagueService
from api.leagues.wire import LeagueShown
from api.matches.service import now
from domain.leagues import commands, seasons
from domain.leagues.face_to_face import enter_result
from domain.leagues.facts import Fact, FixtureRuled
from domain.leagues.plan import LeaguePlan
from domain.leagues.state import League
from domain.matches.application import Matches
from domain.matches.facts import Actor
from domain.matches.records import Stream


@dataclass(frozen=True)
class LeagueOrganising:
    """A league and one who may organise it; `provide_league` alone makes one, and asks for the role first."""

    desk: LeagueService
    id: UUID

    @property
    def by(self) -> Actor:
        return self.desk.caller.actor

    async def do(self, decide: Callable[[League, Actor], Fact | Sequence[Fact]]) -> Stream[League]:
        by = self.by
        return await self.desk.do(self.id, lambda league: decide(league, by))

    async def encode(self, stream: Stream[League]) -> LeagueShown:
        return await self.desk.encode(stream)

    async def replan(self, plan: LeaguePlan) -> Stream[League]:
        """Another plan, from the next season on."""
        league_id, by = self.id, self.by

        def command(matches: Matches) -> Stream[League]:
            return commands.change_plan(matches, league_id, by, plan, at=now())

        return await self.desk.tables.execute(command)

    async def open_season(self, name: str) -> Stream[League]:
        return await self.do(lambda league, by: seasons.open_season(league, by, name))

    async def invite(self, name: str | None) -> Stream[League]:
        actor = await self.desk.actor(name)
        return await self.do(lambda league, by: seasons.invite(league, by, actor))

    async def draw(self) -> Stream[League]:
        """The groups of the season, each with its schedule."""
        results = await self.desk.results(self.id)
        return await self.do(lambda league, by: seasons.draw(league, by, results))

    async def open_round(self) -> Stream[League]:
        return await self.desk.next_round(self.id)

    async def move_deadline(self, turn: int, deadline: datetime) -> Stream[League]:
        return await self.do(lambda league, by: seasons.move_deadline(league, by, turn, deadline, now()))

    async def substitute(self, group: int, out: str, player: str, turn: int, reason: str) -> Stream[League]:
        """`player` takes the place of `out` in a group (from 1) from a round on."""
        gone, actor = await self.desk.actor(out), await self.desk.actor(player)
        return await self.do(lambda league, by: seasons.substitute(league, by, group - 1, gone, actor, turn, reason))

    async def rule(self, ruling: FixtureRuled) -> Stream[League]:
        """The organiser's word on a table that cannot be played to its end."""
        results = await self.desk.results(self.id)
        return await self.do(lambda league, _: seasons.rule(league, ruling, results))

    async def give_result(
        self, at: tuple[int, int, int], scores: tuple[int, ...], places: tuple[int, ...]
    ) -> Stream[League]:
        """What a table played face to face came to; of its group (from 1), round and number."""
        results, (group, turn, table) = await self.desk.results(self.id), at
        where = (group - 1, turn, table)
        return await self.do(lambda league, by: enter_result(league, by, where, scores, places, results))

    async def close(self) -> Stream[League]:
        """The season is over: every table has a result or a ruling."""
        results, disputed = await self.desk.results(self.id), await self.desk.disputed_matches(self.id)
        return await self.do(lambda league, by: seasons.close_season(league, by, results, disputed))

    async def announce(self, text: str) -> Stream[League]:
        return await self.do(lambda _, by: seasons.announce(by, text))


async def provide_league(league_id: FromPath[UUID], leagues: NamedDependency[LeagueService]) -> LeagueOrganising:
    """The league of the address, for those alone who organise it."""
    await leagues.require_organiser(league_id)
    return LeagueOrganising(leagues, league_id)
