"""Steps that the service takes for a league, each one transaction (`domain.leagues.duties`)."""

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from domain.contests.adjudication import BOTS_TIME, BotLines, decide_by_bots, needs_bots
from domain.contests.alternates import require_offers
from domain.contests.deadlines import (
    EXTENDED,
    LEFT_TO_BOTS,
    DeadlineRule,
    Verdict,
    decide_unfinished,
    find_next_examination,
    lots_after,
)
from domain.contests.versions import require_version
from domain.kernel.texts import name_key
from domain.leagues import facts, proposals, seasons
from domain.leagues.acts import record_acts
from domain.leagues.contest_facts import OfferLapsed, PlaceOffered
from domain.leagues.duties import (
    SeasonTables,
    due_reminder,
    duty_of,
    expires_at,
    is_running_out,
    next_round_start,
    next_start,
    season_offers,
    undecided_tables,
)
from domain.leagues.invitation_facts import InvitedTo, PlayerInvited, scopes_in
from domain.leagues.plan import LeagueRefused
from domain.leagues.season_state import Season, TableKey
from domain.leagues.standings import plan_of
from domain.leagues.state import LEAGUE, League, match_of
from domain.matches.aggregate import Match
from domain.matches.facts import SERVICE, Actor, is_bot
from domain.matches.forks.lineage import read_official_line
from domain.matches.log.records import Stream
from domain.matches.play.commands import REASON_MAX, void
from domain.matches.transaction import MatchWriter, Transaction
from domain.standings.results import Results

LATE_MAX: Final = timedelta(hours=12)
"""Registration that opens late by more than this moves the season."""
RULED_AT_ONCE: Final = 10
"""Tables decided in one transaction; voiding a match keeps the writer busy."""


def require_step(league: League, step: str, tables: SeasonTables, at: datetime) -> None:
    """Raise `LeagueRefused` unless a step is the next one of the service, and due."""
    next_step = duty_of(league, tables)
    if next_step is None or next_step.name != step:
        raise LeagueRefused(f"the step {step!r} is not the next one of league {league.plan.name!r}")
    if at < next_step.due:
        raise LeagueRefused(f"the step {step!r} is not due before {next_step.due.isoformat()}")


def step_facts(
    league: League, step: str, results: Results, tables: SeasonTables, disputed: Collection[UUID], at: datetime
) -> tuple[facts.Fact, ...]:
    """Return the facts of a step that concerns no match.

    Raise `LeagueRefused` if it is not the next one or not due, or if a dispute delays the closing of the season.
    """
    require_step(league, step, tables, at)
    if step == "register":
        return tuple(open_registration(league, at))
    if step == "propose":
        return (proposals.propose(league, results, at),)
    if step == "draw":
        return (proposals.confirm(league, results),)
    if step == "round":
        return tuple(open_round(league))
    if step == "offer":
        return offer_places(league, at)
    if step == "remind":
        return (remind(league, tables),)
    return (seasons.close_season(league, SERVICE, results, disputed),)


def open_registration(league: League, at: datetime) -> Iterator[facts.Fact]:
    """Yield the opening of the next season, and the invitations of the players of the last one; bots enter at once."""
    schedule, starts, number = league.plan.schedule, next_start(league), len(league.seasons) + 1
    assert schedule is not None, "only a schedule opens registration"
    assert starts is not None, "a schedule has a next start"
    if at + schedule.lead > starts + LATE_MAX:
        starts = at + schedule.lead
    yield facts.SeasonOpened(SERVICE, season_name(league, number), starts, starts - timedelta(days=schedule.draw_days))
    for actor in former_players(league):
        if is_bot(actor):
            yield facts.PlayerEntered(SERVICE, actor)
        elif not league.invitations.has_declined(actor, *scopes_in(number)):
            yield PlayerInvited(SERVICE, actor, InvitedTo(number))


def season_name(league: League, number: int) -> str:
    """Return an unused name for a season."""
    used = {name_key(season.name) for season in league.seasons}
    while name_key(name := f"Season {number}") in used:
        number += 1
    return name


def former_players(league: League) -> Iterator[Actor]:
    """Yield the players who held a place at the end of the last season, then the players who waited for a place.

    A bot that plays for someone who has left is not among them.
    """
    if league.season is None:
        return
    for group in league.season.groups:
        for place in group.places:
            if place.actor not in group.left and not (place.holders[-1].is_substitute and is_bot(place.actor)):
                yield place.actor
    yield from (entry.actor for entry in league.season.entered if entry.waiting)


def open_round(league: League) -> Iterator[facts.Fact]:
    """Yield the opening of the next round; bots take the places of players who have left, or are away."""
    season = seasons.running_season(league)
    start = next_round_start(league, season)
    assert start is not None, "only a schedule opens rounds"
    yield from seasons.openings_of_rounds(league, SERVICE, start)


def offer_places(league: League, at: datetime) -> tuple[facts.Fact, ...]:
    """Return the ends of offers and new ones; if it is too late for these, the opening of the round."""
    season = seasons.running_season(league)
    offers = require_offers(season_offers(league, season))
    return offers.take_step(OfferLapsed, PlaceOffered, at) or tuple(open_round(league))


def remind(league: League, tables: SeasonTables) -> facts.PlayersReminded:
    """Return the reminder that is due first."""
    season, due = seasons.running_season(league), list[tuple[datetime, int, int]]()
    for number in range(1, season.rounds_opened + 1):
        minutes = due_reminder(league, season, number)
        if minutes is not None and next(undecided_tables(league, season, number, tables.over), None) is not None:
            due.append((season.deadlines[number - 1] - timedelta(minutes=minutes), number, minutes))
    _, number, minutes = min(due)
    return facts.PlayersReminded(number, season.deadlines[number - 1], minutes)


def expire(
    matches: MatchWriter,
    league_id: UUID,
    tables: SeasonTables,
    disputed: Collection[UUID],
    *,
    at: datetime,
    expected_version: int | None = None,
) -> Stream[League]:
    """Enforce the deadline that is over first: extend it once, or decide its tables as the plan says.

    One call decides at most `RULED_AT_ONCE` tables; it records `DeadlinePassed` if it decided fewer, else it has to be
    repeated. Disputed tables wait for their ruling, and all wait while the organiser has time to decide: then
    `DeadlinePassed` names the time of the next call. Raise `LeagueRefused` if this is not the next step or not due,
    `StaleVersion` if the league is at another version than expected.
    """

    def compose(batch: Transaction) -> Stream[League]:
        stream = batch.get(LEAGUE, league_id)
        require_version(stream, expected_version, "league")
        league = stream.state
        require_step(league, "expire", tables, at)
        season = seasons.running_season(league)
        number = overdue_round(league, season, tables)
        rule = plan_of(league, season).deadlines
        assert rule is not None, "only a rule enforces deadlines"
        deadline, planned = season.deadlines[number - 1], season.clocks[number - 1].planned
        if rule.extension_days and deadline == planned:
            later = planned + timedelta(days=rule.extension_days)
            reason = EXTENDED.format(days=rule.extension_days)
            return record_acts(batch, league_id, [facts.DeadlineMoved(SERVICE, number, later, reason)])
        count, unfinished = 0, list(find_unfinished(batch, league, number, tables))
        for table in unfinished if at >= rule.decides_from(deadline) else ():
            if match_of(league.id, season.number, *table) not in disputed:
                rule_unfinished_table(batch, league, table, rule)
                count += 1
                if count == RULED_AT_ONCE:
                    return batch.get(LEAGUE, league_id)
        until = find_next_examination(rule, deadline, at) if count < len(unfinished) else None
        return record_acts(batch, league_id, [facts.DeadlinePassed(number, deadline, until)])

    return matches.transact(compose, at=at)


def overdue_round(league: League, season: Season, tables: SeasonTables) -> int:
    """Return the round with the first deadline that is still to be enforced."""
    due = [
        (expires_at(season, number), number)
        for number in range(1, season.rounds_opened + 1)
        if is_running_out(league, season, number)
        and next(undecided_tables(league, season, number, tables.over), None) is not None
    ]
    return min(due)[1]


def find_unfinished(batch: Transaction, league: League, round_number: int, tables: SeasonTables) -> Iterator[TableKey]:
    """Yield the tables of a round that have no result in the log either."""
    season = league.seasons[-1]
    for table in undecided_tables(league, season, round_number, tables.over):
        match = match_at(batch, league, table)
        if match is None or not match.is_over:
            yield table


def match_at(batch: Transaction, league: League, table: TableKey) -> Match | None:
    """Return the official line of the match of a table; None if it is not open."""
    first_id = match_of(league.id, league.seasons[-1].number, *table)
    return read_official_line(batch, first_id) if batch.has(first_id) else None


def rule_unfinished_table(batch: Transaction, league: League, table: TableKey, rule: DeadlineRule) -> None:
    """Rule on a table without a result, or leave it to bots; either way void its match."""
    season, (number, round_number, at), match = league.seasons[-1], table, match_at(batch, league, table)
    seats = [str(place) for place in season.groups[number].rounds[round_number - 1][at - 1]]
    previous = batch.get(LEAGUE, league.id).head_digest
    decided: facts.FixtureRuled | facts.TableLeftToBots
    if needs_bots(rule, match):
        decided = facts.TableLeftToBots(SERVICE, round_number, number, at, batch.at + BOTS_TIME, LEFT_TO_BOTS)
    else:
        decided = ruling_of(decide_unfinished(rule, match, batch.at, lambda: lots_after(previous, seats)), table)
    if match is not None:
        batch.append(match.id, lambda current: void(current, SERVICE, decided.reason[:REASON_MAX]))
    record_acts(batch, league.id, [decided])


def adjudicate(
    matches: MatchWriter, league_id: UUID, table: TableKey, lines: BotLines | None, *, at: datetime
) -> Stream[League]:
    """Decide a table by the lines of play of bots (`decide_by_bots`); without lines after their time, by the scores.

    Raise `LeagueRefused` unless the table is left to bots, `ContestRefused` for lines that do not fit it or before that
    time.
    """

    def compose(batch: Transaction) -> Stream[League]:
        league, (group, round_number, number) = batch.get(LEAGUE, league_id).state, table
        until = seasons.running_season(league).bots_until(table)
        match = None if until is None else match_at(batch, league, table)
        if until is None or match is None:
            raise LeagueRefused(f"bots do not play on: {seasons.table_text(group, round_number, number)}")
        verdict = decide_by_bots(match, lines, until, batch.at)
        return record_acts(batch, league_id, [ruling_of(verdict, table)])

    return matches.transact(compose, at=at)


def ruling_of(verdict: Verdict, table: TableKey) -> facts.FixtureRuled:
    """Return the ruling by which the service decides a table."""
    number, round_number, at = table
    return facts.FixtureRuled(
        SERVICE,
        round_number,
        number,
        at,
        verdict.places,
        verdict.scores,
        reason=verdict.reason,
        overdue=verdict.overdue,
        bot=verdict.bot,
        lines=verdict.lines,
    )
