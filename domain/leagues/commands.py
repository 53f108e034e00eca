"""Leagues in the store: every command is one transaction; the matches of an opened round follow, each once."""

from collections.abc import Callable, Sequence
from datetime import datetime
from uuid import UUID

from domain.kernel.values import replace
from domain.leagues import seasons
from domain.leagues.facts import Fact, FixtureRuled, ResultEntered
from domain.leagues.plan import LeaguePlan, LeagueRefused
from domain.leagues.standings import plan_of
from domain.leagues.state import LEAGUE, Group, League, Season, match_of
from domain.matches.aggregate import Match
from domain.matches.application import Matches
from domain.matches.batch import Batch
from domain.matches.facts import SERVICE, Actor, is_bot
from domain.matches.lineage import official
from domain.matches.opening import check_player, seated_options
from domain.matches.playing import void
from domain.matches.records import Stream
from domain.matches.registry import game_of

Decide = Callable[[League], Fact | Sequence[Fact]]


def opened(matches: Matches, league_id: UUID, by: Actor, plan: LeaguePlan, *, at: datetime) -> Stream[League]:
    """A new league; asked for again under the same id, the one that is there."""
    check_titled(matches, plan)
    fact = seasons.open_league(by, plan)

    def compose(batch: Batch) -> Stream[League]:
        return batch.find(LEAGUE, league_id) or batch.record(LEAGUE, league_id, fact)

    return matches.transact(compose, at=at)


def check_titled(matches: Matches, plan: LeaguePlan) -> None:
    """The title is played here, with these options, at tables of that size; the bot that stands in is a bot."""
    seated_options(game_of(matches.games, plan.title), plan.options, plan.size)
    if plan.bot:
        check_player(plan.bot)
        if not is_bot(plan.bot):
            raise LeagueRefused(f"{plan.bot} is not a bot")


def done(
    matches: Matches, league_id: UUID, decide: Decide, *, at: datetime, expected_version: int | None = None
) -> Stream[League]:
    """A command on the league as it stands. The match of a table whose result is given by hand ends with it."""

    def compose(batch: Batch) -> Stream[League]:
        league = batch.get(LEAGUE, league_id).state
        found = decide(league)
        added = tuple(found) if isinstance(found, Sequence) else (found,)
        for fact in added:
            if isinstance(fact, FixtureRuled | ResultEntered):
                end_match(matches, batch, league, fact)
        return batch.record(LEAGUE, league_id, *added, expected_version=expected_version)

    return matches.transact(compose, at=at)


def end_match(matches: Matches, batch: Batch, league: League, fact: FixtureRuled | ResultEntered) -> None:
    """The match of the table counts for nothing from now on: nobody owes an action there, and no clock runs."""
    season, turn, table = league.seasons[-1], fact.round, fact.table
    began_as = match_of(league.id, season.number, fact.group, turn, table)
    if not matches.lines.has(began_as):
        return
    match = official(batch, began_as)
    if not match.is_over:
        batch.append(match.id, lambda line: void(line, SERVICE, "its result was decided by the organiser"))
    elif season.groups[fact.group].ruling(turn, table) is None:
        # The log is ahead of the results that the command was decided by.
        raise LeagueRefused(seasons.played_here(fact.group, turn, table))


def changed(matches: Matches, league_id: UUID, by: Actor, plan: LeaguePlan, *, at: datetime) -> Stream[League]:
    check_titled(matches, plan)
    return done(matches, league_id, lambda league: seasons.change_plan(league, by, plan), at=at)


def next_round(
    matches: Matches, league_id: UUID, by: Actor, *, at: datetime, expected_version: int | None = None
) -> Stream[League]:
    """The next round and its matches. What an interrupted opening left out is opened first."""
    stream = done(
        matches, league_id, lambda league: seasons.open_round(league, by, at), at=at, expected_version=expected_version
    )
    open_matches(matches, stream.state, at=at)
    return stream


def open_matches(matches: Matches, league: League, *, at: datetime) -> int:
    """Every table of the opened rounds of the newest season has its match; how many were missing."""
    season, count = league.season, 0
    if season is None or season.status != "running":
        return 0
    for number, group in enumerate(season.groups):
        for turn in range(1, min(season.rounds_opened, len(group.rounds)) + 1):
            for table in range(1, len(group.rounds[turn - 1]) + 1):
                count += open_table(matches, league, season, (number, turn, table), at)
    return count


def open_table(matches: Matches, league: League, season: Season, at: tuple[int, int, int], now: datetime) -> bool:
    """The match of one table, everybody in the seat of the schedule; whether anything was left to do."""
    number, turn, table = at
    group: Group = season.groups[number]
    match_id = match_of(league.id, season.number, *at)
    if group.ruling(turn, table) is not None or is_started(matches, match_id):
        return False
    plan, players = plan_of(league, season), group.seated(turn, table)
    match: Match = matches.open(
        match_id,
        title=plan.title,
        seats=len(players),
        by=SERVICE,
        at=now,
        options=plan.options,
        table=replace(plan.table, event=str(league.id)),
    )
    for seat, actor in enumerate(players):
        if match.seats[seat].actor is None:
            matches.take_seat(match_id, seat, actor, at=now)
    for seat, actor in enumerate(players):
        # A bot is ready as soon as it sits; the last of the people starts the match.
        if not matches.get(match_id).seats[seat].ready:
            matches.ready(match_id, seat, actor, at=now)
    return True


def is_started(matches: Matches, match_id: UUID) -> bool:
    return matches.lines.has(match_id) and matches.get(match_id).status != "open"
