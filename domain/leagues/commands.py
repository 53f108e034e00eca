"""Commands about leagues, each one transaction; the matches of an opened round follow one by one."""

from collections.abc import Callable, Container, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from domain.contests.adjudication import TableLeft
from domain.contests.conditions import normal_conditions
from domain.contests.errors import PlanRefused
from domain.contests.holidays import with_holidays
from domain.contests.versions import require_version
from domain.kernel.values import replace
from domain.leagues import seasons
from domain.leagues.acts import record_acts
from domain.leagues.duties import tables_to_open
from domain.leagues.facts import Fact, FixtureRuled, ResultEntered
from domain.leagues.plan import LeaguePlan, LeagueRefused
from domain.leagues.season_state import TableKey
from domain.leagues.standings import plan_of
from domain.leagues.state import LEAGUE, League, match_of
from domain.matches.aggregate import Match
from domain.matches.entropy import server_seed
from domain.matches.facts import SERVICE, Actor, is_bot
from domain.matches.forks.lineage import official_line, read_official_line
from domain.matches.log.records import Stream
from domain.matches.play.commands import void
from domain.matches.seats.bots import check_bot
from domain.matches.seats.event_tables import limit_wait, seat_match, start_without_late_players
from domain.matches.seats.opening import check_player, options_for_seats
from domain.matches.titles import find_title
from domain.matches.transaction import MatchReader, MatchWriter, Transaction
from domain.roles.commands import roles_in
from domain.roles.rating import table_for_opener

WAIT: Final = timedelta(days=1)
"""The time a table waits for its players before it starts with the service's share of luck."""

Decide = Callable[[League], Fact | Sequence[Fact]]


def open_league(matches: MatchWriter, league_id: UUID, by: Actor, plan: LeaguePlan, *, at: datetime) -> Stream[League]:
    """Open a league; the same id again returns the existing league.

    Raise `LeagueRefused` for a bad plan, and `UnknownTitle`, `WrongSeatCount` or `BotCannotPlay` if it cannot
    be played here.
    """
    fact = seasons.open_league(by, complete_plan(matches, plan))

    def compose(batch: Transaction) -> Stream[League]:
        return batch.find(LEAGUE, league_id) or batch.record(LEAGUE, league_id, fact)

    return matches.transact(compose, at=at)


def complete_plan(matches: MatchWriter, plan: LeaguePlan) -> LeaguePlan:
    """Return the plan with every option stated; raise unless the title, size and bot can be played here.

    Raise `UnknownTitle`, `WrongSeatCount`, `LeagueRefused` if the bot is a person or the conditions of entry contradict
    themselves, or `BotCannotPlay`.
    """
    title = find_title(matches.titles, plan.title)
    options = options_for_seats(title, plan.options, plan.size).chosen
    if plan.bot:
        check_player(plan.bot)
        if not is_bot(plan.bot):
            raise LeagueRefused(f"{plan.bot} is not a bot")
        check_bot(title, plan.bot)
    try:
        conditions = normal_conditions(matches.titles, plan.conditions)
    except PlanRefused as refusal:
        raise LeagueRefused(str(refusal)) from refusal
    return replace(plan, options=dict(options), conditions=conditions)


def execute(
    matches: MatchWriter, league_id: UUID, decide: Decide, *, at: datetime, expected_version: int | None = None
) -> Stream[League]:
    """Record the facts that `decide` returns for the league, with their acts in the audit trail.

    A result entered by hand or a ruling voids the unfinished match of its table. Raise `LeagueRefused` if a
    required reason is missing or the match has just ended with a result, `StaleVersion`, and the errors of
    `decide`.
    """
    return matches.transact(league_change(matches, league_id, decide, expected_version=expected_version), at=at)


def league_change(
    matches: MatchReader, league_id: UUID, decide: Decide, *, expected_version: int | None = None
) -> Callable[[Transaction], Stream[League]]:
    """Return the transaction of `execute`, to be composed outside the writer where the decision is slow."""

    def compose(batch: Transaction) -> Stream[League]:
        league = batch.get(LEAGUE, league_id).state
        decided = decide(league)
        added = tuple(decided) if isinstance(decided, Sequence) else (decided,)
        for fact in added:
            if isinstance(fact, FixtureRuled | ResultEntered):
                end_match(matches, batch, league, fact)
        return record_acts(batch, league_id, added, expected_version=expected_version)

    return compose


def tables_with_bots(matches: MatchReader, league: League) -> Iterator[TableLeft]:
    """Yield the tables of the running season at which bots play on, with their official matches."""
    season = league.seasons[-1]
    for each in season.left_to_bots:
        group, number, table = each.key
        match = official_line(matches, match_of(league.id, season.number, *each.key))
        yield TableLeft(f"groups/{group + 1}/rounds/{number}/tables/{table}", match.id, each.until)


def end_match(matches: MatchReader, batch: Transaction, league: League, fact: FixtureRuled | ResultEntered) -> None:
    """Void the unfinished match of a table, so that no action is due; nothing happens if none is open.

    Raise `LeagueRefused` if the match has just ended without a manual result.
    """
    season, round_number, table = league.seasons[-1], fact.round, fact.table
    began_as = match_of(league.id, season.number, fact.group, round_number, table)
    if not matches.lines.has(began_as):
        return
    match = read_official_line(batch, began_as)
    if not match.is_over:
        batch.append(match.id, lambda current: void(current, SERVICE, "its result was decided by the organiser"))
    elif not season.has_outcome_apart((fact.group, round_number, table)):
        # The match ended after the results were read on which the command is based.
        raise LeagueRefused(seasons.played_match_text(fact.group, round_number, table))


def change_plan(
    matches: MatchWriter, league_id: UUID, by: Actor, plan: LeaguePlan, reason: str = "", *, at: datetime
) -> Stream[League]:
    """Change the plan, effective from the next season.

    Raise `LeagueRefused` for a bad plan, or without a reason after the first draw, and `UnknownTitle`,
    `WrongSeatCount` or `BotCannotPlay` if it cannot be played here.
    """
    complete = complete_plan(matches, plan)
    return execute(matches, league_id, lambda league: seasons.change_plan(league, by, complete, reason), at=at)


def open_table(
    matches: MatchWriter, league_id: UUID, table: TableKey, *, at: datetime, expected_version: int | None = None
) -> Match:
    """Open the match of a table of an open round, with each player in the seat of the schedule.

    It begins once the players have opened their shares of luck, or their deadline is over
    (`domain.matches.play.deadlines`); a match of bots begins at once. A match that exists is returned
    unchanged, except that a match without a deadline begins now. Raise `StaleVersion` if the league is at
    another version than expected, `LeagueRefused` if the round is not open or the table has a manual result.
    """

    def compose(batch: Transaction) -> Match:
        stream = batch.get(LEAGUE, league_id)
        require_version(stream, expected_version, "league")
        league, (number, round_number, at_table) = stream.state, table
        players = seasons.players_to_seat(league, table)
        plan = plan_of(league, league.seasons[-1])
        match_id = match_of(league.id, len(league.seasons), number, round_number, at_table)
        match = seat_match(
            batch,
            find_title(matches.titles, plan.title),
            match_id,
            of=league.id,
            table=limit_wait(
                with_holidays(table_for_opener(plan.table, roles_in(batch), league.organiser), plan.holidays), WAIT
            ),
            options=plan.options,
            players=players,
            entrants=seasons.entrants_at(league, table),
            seed=server_seed(matches.entropy, match_id),
        )
        return start_without_late_players(batch, match, matches.standing)

    return matches.transact(compose, at=at)


def waiting_tables(matches: MatchReader, league: League, seated_matches: Container[UUID]) -> Iterator[TableKey]:
    """Yield the tables of open rounds whose match is not open, or has an empty seat, by the log.

    Matches in `seated_matches` are not checked again.
    """
    season = league.season
    for number, round_number, table in tables_to_open(league, seated_matches):
        assert season is not None
        match_id = match_of(league.id, season.number, number, round_number, table)
        # Earlier versions opened a table seat by seat, and may have been interrupted.
        if not matches.lines.has(match_id) or any(info.actor is None for info in matches.get(match_id).seats):
            yield number, round_number, table
