"""The league service, for one caller and for the organiser of a league."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from litestar.di import NamedDependency
from litestar.params import FromPath

from api.accounts.display_names import names_of, naming_people
from api.accounts.service import AccountService
from api.contests.entrants import EntrantReader
from api.contests.finding import contest_of_league
from api.contests.offered import require_offered
from api.http.guards import Caller
from api.http.identity import Person
from api.http.ids import Ids
from api.leagues.responses import actors_of, clubs_of_season, encode_league, encode_row, encode_season, show_act
from api.leagues.schemas import (
    AnswerLeagueInvitation,
    EnterLeague,
    LeagueActShown,
    LeagueListed,
    LeagueShown,
    MoveDeadline,
    MoveInDraw,
    RuleFixture,
    SwapInDraw,
)
from api.leagues.season_schemas import SeasonShown
from api.matches.admission import require_event_allows_bots
from api.matches.bots import require_known
from api.matches.service import MatchService
from api.ratings.service import seeding_of
from api.roles.commands import name_official, require_rating
from api.roles.conflicts import require_neutral
from api.roles.service import count_official_invitation, has_role
from domain.eventstore.application import Matches
from domain.leagues import commands, invitations, proposals, seasons, substitutes
from domain.leagues.face_to_face import enter_result
from domain.leagues.facts import Fact, FixtureRuled
from domain.leagues.invitation_facts import PlayerInvited
from domain.leagues.plan import LeaguePlan, LeagueRefused
from domain.leagues.state import LEAGUE, League
from domain.matches.errors import NoSuchStream
from domain.matches.facts import Actor, is_bot
from domain.matches.log.records import Stream
from domain.matches.seats.bots import check_bot
from domain.matches.seats.opening import check_player
from domain.matches.titles import find_title
from domain.roles.errors import ConflictOfInterest, NoSuchPerson, RoleMissing
from domain.roles.rating import table_for_opener
from domain.standings.results import Results
from projections import disputes, leagues
from projections.matches.results import table_results
from projections.platform.clock import now
from projections.platform.paging import LIMIT, Page

Decide = Callable[[League], Fact | Sequence[Fact]]


class LeagueService:
    """Leagues, for one caller."""

    def __init__(
        self, matches: MatchService, accounts: AccountService, caller: Caller, entrants: EntrantReader
    ) -> None:
        self.tables = matches
        self.accounts = accounts
        self.caller = caller
        self.entrants = entrants

    async def list(self, limit: int = LIMIT, before: int | None = None) -> Page[LeagueListed]:
        """Return leagues, latest first."""
        found = await self.tables.writer.read_model(leagues.leagues, limit, before)
        return found.of([encode_row(row) for row in found.items])

    async def stream(self, league_id: UUID) -> Stream[League]:
        """Return the current league from the log; raise `NoSuchStream` if it is unknown."""

        def find(matches: Matches) -> Stream[League]:
            return matches.streams.get(LEAGUE, league_id)

        return await self.tables.writer.read_log(find)

    async def record(self, league_id: UUID, limit: int, before: int | None) -> Page[LeagueActShown]:
        """Return the public acts of the league's organisers, latest first; raise `NoSuchStream` if it is unknown."""
        league = (await self.stream(league_id)).state
        found = await self.tables.writer.read_model(leagues.acts_of, league_id, limit, before)
        actors = {actor for act in found.items for actor in (act.by, act.actor, *act.players) if actor}
        names = await asyncio.to_thread(names_of, self.accounts, actors)
        return found.of([show_act(act, league, names) for act in found.items])

    async def results(self, league_id: UUID) -> Results:
        """Return the results of its tables."""
        return await self.tables.writer.read_model(table_results, league_id)

    async def disputed_matches(self, league_id: UUID) -> frozenset[UUID]:
        """Return the matches of the league with an open dispute."""
        return frozenset(await self.tables.writer.read_model(disputes.disputed_matches, str(league_id)))

    async def is_organiser(self, league: League) -> bool:
        """Return whether the caller opened the league, or is an organiser of it or of the service."""
        return await has_role(self.tables.writer, self.caller, "organiser", league.id)

    async def may_rate(self) -> bool:
        """Return whether leagues that the caller opens may be rated."""
        return await has_role(self.tables.writer, self.caller, "organiser")

    async def is_rated(self, league: League) -> bool:
        """Return whether tables of the league that open now are rated."""
        return table_for_opener(league.plan.table, await self.tables.reading.roles(), league.organiser).rated

    async def require_organiser(self, league_id: UUID) -> Stream[League]:
        """Return the league to its organisers; raise `RoleMissing` for others, `NoSuchStream` if it is unknown."""
        stream = await self.stream(league_id)
        if not await self.is_organiser(stream.state):
            raise RoleMissing("only organisers of the league can do this")
        return stream

    async def find_actor(self, name: str | None) -> Actor:
        """Return the actor for a person's id or name or a bot's full name; None is the caller.

        Raise `NoSuchPerson` or `UnknownActor` if unknown, `LeagueRefused` if None stands for the service.
        """
        if name is None:
            if self.caller.person is None:
                raise LeagueRefused("the service account cannot join a league")
            return self.caller.actor
        if is_bot(name):
            check_player(name)
            return name
        return (await asyncio.to_thread(self.accounts.get_by_id_or_name, name)).id

    async def find_entrant(self, plan: LeaguePlan, name: str | None) -> Actor:
        """Return the actor of a player to enter, None is the caller; raise as `find_actor` and `require_entrant`."""
        if name is None or is_bot(name):
            name = await self.find_actor(name)
        found = {} if is_bot(name) else await self.accounts.all_named([name])
        return self.require_entrant(plan, name, found.get(name))

    def require_entrant(self, plan: LeaguePlan, name: str, person: Person | None) -> Actor:
        """Return a player to enter; `NoSuchPerson`, `UnknownActor`, `BotCannotPlay`, `EventWithoutPrograms` if not."""
        if is_bot(name):
            check_player(name)
            require_known(self.tables.bots, name)
            check_bot(find_title(self.tables.titles, plan.title), name)
            return name
        if person is None:
            raise NoSuchPerson(f"no account with the id or name {name!r}")
        require_event_allows_bots(plan.table, person)
        return person.id

    async def append(self, league_id: UUID, decide: Decide) -> Stream[League]:
        """Append the facts that `decide` returns, and return the league; raise its errors, with names of people."""

        def command(matches: Matches) -> Stream[League]:
            return commands.execute(matches, league_id, decide, at=now())

        with self.naming():
            return await self.tables.writer.execute(command)

    def naming(self) -> AbstractContextManager[None]:
        """Replace ids of people by names in errors raised inside the block."""
        return naming_people(self.accounts, LeagueRefused, ConflictOfInterest)

    async def open(self, plan: LeaguePlan, ids: Ids, key: str | None, official: str = "") -> Stream[League]:
        """Open a league once per `key`, with a second official; raise `LeagueRefused`, `PlanRefused`, `RoleMissing`."""
        await require_offered(self.accounts, plan)
        require_known(self.tables.bots, plan.bot)
        await self.tables.writer.execute(require_rating, plan.table, None, self.caller, at=now())
        new_id, by = ids.id_for(self.caller, "league", key), self.caller.actor
        second = await asyncio.to_thread(self.accounts.get_by_id_or_name, official) if official else None

        def command(matches: Matches) -> Stream[League]:
            return commands.open_league(matches, new_id, by, plan, at=now())

        if second is not None:
            await self.tables.writer.read_log(commands.complete_plan, plan)
            await count_official_invitation(self.tables.writer, self.accounts, self.caller, str(new_id), second.id)
        league = await self.tables.writer.execute(command)
        if second is not None:
            await self.tables.writer.execute(name_official, new_id, second.id, at=now())
        return league

    async def enter(self, league_id: UUID, request: EnterLeague) -> Stream[League]:
        """Enter the caller, or as organiser a bot; or invite. `RoleMissing`, `LeagueRefused`, `EntryRefused` if not."""
        by, name = self.caller.actor, request.player
        stream = await (self.stream(league_id) if name is None else self.require_organiser(league_id))
        plan = stream.state.plan
        actor = await self.find_entrant(plan, name)
        seeding = await self.tables.writer.read_model(seeding_of, plan.title, plan.size, actor)
        entrant = await self.entrants.entrant(contest_of_league(stream), actor, request.password, request.club_id)
        enter = partial(seasons.enter, is_organiser=name is not None, entrant=entrant, club_id=request.club_id)
        enter = partial(enter, reason=request.reason, waives=request.waive)
        return await self.invite_and_append(stream, lambda league: enter(league, by, actor, seeding))

    async def count_invitations(self, league: League, decide: Decide) -> None:
        """Count the invitations of a change before it is made; raise as `decide`, or `Blocked`, `OwnBlock`, 429."""
        with self.naming():
            facts = await asyncio.to_thread(decide, league)
        found = facts if isinstance(facts, Sequence) else (facts,)
        invited = [fact.actor for fact in found if isinstance(fact, PlayerInvited)]
        await self.accounts.count_contact(self.caller.person_id, invited, organiser=league.organiser)

    async def invite_and_append(self, stream: Stream[League], decide: Decide) -> Stream[League]:
        """Append a change that may invite accounts."""
        await self.count_invitations(stream.state, decide)
        return await self.append(stream.id, decide)

    async def answer_invitation(self, league_id: UUID, request: AnswerLeagueInvitation) -> Stream[League]:
        """Accept or decline an invitation of the caller; raise `LeagueRefused` without such an open invitation."""
        actor, to, stream = self.caller.actor, request.to, await self.stream(league_id)
        if not request.accept:
            return await self.append(league_id, lambda league: invitations.decline(league, actor, to))
        plan = stream.state.plan
        await self.find_entrant(plan, None)
        seeding = await self.tables.writer.read_model(seeding_of, plan.title, plan.size, actor)
        accept = partial(invitations.accept, entrant=await self.entrants.entrant(contest_of_league(stream), actor))
        return await self.append(league_id, lambda league: accept(league, actor, to, seeding))

    async def leave(self, league_id: UUID, name: str | None, reason: str = "") -> Stream[League]:
        """Withdraw the caller, or as organiser another with a reason; `RoleMissing`, `LeagueRefused` if not entered."""
        actor, by = await self.find_actor(name), self.caller.actor
        if actor != by:
            await self.require_organiser(league_id)
        return await self.append(league_id, lambda league: seasons.leave(league, by, actor, reason))

    async def next_round(self, league_id: UUID) -> Stream[League]:
        """Open the next round, whose matches a worker opens; raise `LeagueRefused` if none is left or a place empty."""
        by, at = self.caller.actor, now()
        return await self.append(league_id, lambda league: seasons.open_round(league, by, at))

    async def encode(self, stream: Stream[League]) -> LeagueShown:
        """Return the league for a response."""
        names = await asyncio.to_thread(names_of, self.accounts, actors_of(stream.state))
        own_id, is_organiser = self.caller.person_id, await self.is_organiser(stream.state)
        results, rated = await self.results(stream.id), await self.is_rated(stream.state)
        clubs = await asyncio.to_thread(self.accounts.clubs.names, clubs_of_season(stream.state).values())
        return encode_league(stream, results, names, clubs, rated=rated, own=own_id, is_organiser=is_organiser)

    async def season(self, stream: Stream[League], number: int) -> SeasonShown:
        """Return one of its seasons, counted from 1; raise `NoSuchStream` if none."""
        if not 1 <= number <= len(stream.state.seasons):
            raise NoSuchStream(f"league {stream.id} has no season {number}")
        names, writer = await asyncio.to_thread(names_of, self.accounts, actors_of(stream.state)), self.tables.writer
        return encode_season(stream, number, await writer.read_model(leagues.played_matches, stream.id), names)


@dataclass(frozen=True)
class OrganisedLeague:
    """A league for its organiser; only `provide_league` creates one, after checking the role."""

    service: LeagueService
    id: UUID

    @property
    def by(self) -> Actor:
        """The organiser."""
        return self.service.caller.actor

    async def append(self, decide: Callable[[League, Actor], Fact | Sequence[Fact]]) -> Stream[League]:
        """Append the facts that `decide` returns for this organiser."""
        by = self.by
        return await self.service.append(self.id, lambda league: decide(league, by))

    async def append_from_reader(self, decide: Callable[[League, Actor], Fact | Sequence[Fact]]) -> Stream[League]:
        """Append the facts of a slow `decide`, which runs on a reader thread."""
        by = self.by
        with self.service.naming():
            return await self.service.tables.writer.execute_composed(
                commands.league_change, self.id, lambda league: decide(league, by)
            )

    async def require_neutral(self, what: str) -> None:
        """Record and raise `ConflictOfInterest` for an organiser who plays in the league."""
        with self.service.naming():
            await self.service.tables.writer.execute(require_neutral, str(self.id), self.service.caller, what, at=now())

    async def encode(self, stream: Stream[League]) -> LeagueShown:
        """Return the league for a response."""
        return await self.service.encode(stream)

    async def change_plan(self, plan: LeaguePlan, reason: str) -> Stream[League]:
        """Change the plan from the next season; `LeagueRefused`, and `RatedWithoutClock`, `RoleMissing` if rated."""
        require_known(self.service.tables.bots, plan.bot)
        league_id, by, service = self.id, self.by, self.service
        league = (await service.stream(league_id)).state
        await require_offered(service.accounts, plan, league.plan.conditions)
        await service.tables.writer.execute(require_rating, plan.table, league.organiser, service.caller, at=now())

        def command(matches: Matches) -> Stream[League]:
            return commands.change_plan(matches, league_id, by, plan, reason, at=now())

        return await self.service.tables.writer.execute(command)

    async def open_season(self, name: str) -> Stream[League]:
        """Open registration for a season."""
        return await self.append(lambda league, by: seasons.open_season(league, by, name))

    async def invite(self, name: str | None) -> Stream[League]:
        """Invite a player to enter; raise `LeagueRefused` if they are invited already or have declined."""
        actor, by = await self.service.find_actor(name), self.by
        stream = await self.service.stream(self.id)
        return await self.service.invite_and_append(stream, lambda league: invitations.invite(league, by, actor))

    async def take_back_invitations(self, name: str) -> Stream[League]:
        """Withdraw the open invitations of a player; nothing happens without any."""
        actor = await self.service.find_actor(name)
        return await self.append(lambda league, by: invitations.withdraw_invitations(league, by, actor))

    async def draw(self) -> Stream[League]:
        """Draw the groups of the season with their schedules; raise `LeagueRefused` if too few have entered."""
        results = await self.service.results(self.id)
        # Searching for even schedules is slow.
        return await self.append_from_reader(lambda league, by: seasons.draw(league, by, results))

    async def swap_in_draw(self, request: SwapInDraw) -> Stream[League]:
        """Swap two players of the proposed draw; raise `LeagueRefused` if the draw is not proposed."""
        find = self.service.find_actor
        first, second, reason = await find(request.player), await find(request.other), request.reason
        return await self.append(lambda league, by: proposals.swap(league, by, first, second, reason))

    async def move_in_draw(self, request: MoveInDraw) -> Stream[League]:
        """Move a player of the proposed draw to another group; raise `LeagueRefused` if the draw is not proposed."""
        actor, number, reason = await self.service.find_actor(request.player), request.group - 1, request.reason
        # Searching for even schedules is slow.
        return await self.append_from_reader(lambda league, by: proposals.move(league, by, actor, number, reason))

    async def open_round(self) -> Stream[League]:
        """Open the next round."""
        return await self.service.next_round(self.id)

    async def move_deadline(self, request: MoveDeadline) -> Stream[League]:
        """Move the deadline of a round."""
        turn, deadline, reason = request.round, request.deadline, request.reason
        return await self.append(lambda league, by: seasons.move_deadline(league, by, turn, deadline, now(), reason))

    async def substitute(self, group: int, leaver: str, player: str, turn: int, reason: str) -> Stream[League]:
        """Give the place of `leaver` in a group (from 1) to `player`, or invite them, from a later round on."""
        stream, by, former = await self.service.stream(self.id), self.by, await self.service.find_actor(leaver)
        actor = await self.service.find_entrant(stream.state.plan, player)
        return await self.service.invite_and_append(
            stream, lambda league: substitutes.substitute(league, by, group - 1, former, actor, turn, reason)
        )

    async def rule(self, request: RuleFixture) -> Stream[League]:
        """Rule on an unfinished table; `LeagueRefused` if played, `ConflictOfInterest` for an organiser who plays."""
        await self.require_neutral("rule on a table")
        fixture = (request.round, request.group - 1, request.table)
        ruling = FixtureRuled(self.by, *fixture, request.places, request.scores, request.void, request.reason)
        results = await self.service.results(self.id)
        return await self.append(lambda league, _: seasons.rule(league, ruling, results))

    async def give_result(
        self, key: tuple[int, int, int], scores: tuple[int, ...], places: tuple[int, ...], reason: str, *, sure: bool
    ) -> Stream[League]:
        """Enter a result at (group from 1, round, number); raise as `rule`, and `PlacesContradict` unless `sure`."""
        await self.require_neutral("set a result")
        results, (group, turn, table) = await self.service.results(self.id), key
        fixture_key = (group - 1, turn, table)
        return await self.append(
            lambda league, by: enter_result(league, by, fixture_key, scores, places, results, reason, sure=sure)
        )

    async def penalise(self, name: str, sixtieths: int, reason: str) -> Stream[League]:
        """Deduct sixtieths of points (negative: give back); raise `ConflictOfInterest` for an organiser who plays."""
        await self.require_neutral("give a penalty")
        actor = await self.service.find_actor(name)
        return await self.append(lambda league, by: seasons.penalise(league, by, actor, sixtieths, reason))

    async def close(self) -> Stream[League]:
        """Close the season once every table has a result or a ruling."""
        results, disputed = await self.service.results(self.id), await self.service.disputed_matches(self.id)
        return await self.append(lambda league, by: seasons.close_season(league, by, results, disputed))

    async def announce(self, text: str) -> Stream[League]:
        """Announce a text."""
        return await self.append(lambda _, by: seasons.announce(by, text))


def provide_leagues(
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    accounts: NamedDependency[AccountService],
    entrants: NamedDependency[EntrantReader],
) -> LeagueService:
    """Provide the league service for the caller."""
    return LeagueService(matches, accounts, caller, entrants)


async def provide_league(league_id: FromPath[UUID], leagues: NamedDependency[LeagueService]) -> OrganisedLeague:
    """Provide the league in the path to its organisers; raise `RoleMissing` for others."""
    await leagues.require_organiser(league_id)
    return OrganisedLeague(leagues, league_id)
