"""The steps that the service takes for a league, and their due times."""

from collections.abc import Container, Iterator
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from domain.contests.adjudication import BOTS_TIME
from domain.contests.alternates import Offers
from domain.contests.deadlines import next_reminder
from domain.contests.duties import DueStep, first_due
from domain.contests.times import RoundTime, after_breaks
from domain.leagues.offers import offers_of
from domain.leagues.schedule import SeasonSchedule
from domain.leagues.season_state import Season, TableKey
from domain.leagues.standings import plan_of
from domain.leagues.state import League, match_of


class SeasonTables(NamedTuple):
    """The matches of a season, as first opened: all with players in their seats, and the finished ones."""

    seated: Container[UUID]
    over: Container[UUID]


def duty_of(league: League, tables: SeasonTables) -> DueStep | None:
    """Return the step that the service takes next; None if an organiser or the players must act."""
    return first_due(duties_of(league, tables))


def duties_of(league: League, tables: SeasonTables) -> Iterator[DueStep]:
    """Yield the steps that the service will take, with their times."""
    season = league.season
    if season is None or season.status == "closed":
        if (opens := registration_opens(league)) is not None:
            yield DueStep("register", opens)
    elif season.status == "registering":
        if schedule_of(league, season) is not None:
            yield DueStep("draw", season.starts) if season.proposed else DueStep("propose", season.entry_closes)
    else:
        yield from duties_of_running(league, season, tables)


def duties_of_running(league: League, season: Season, tables: SeasonTables) -> Iterator[DueStep]:
    """Yield the steps of a running season: open tables and rounds, offer places, remind, enforce deadlines, close."""
    if next(tables_to_open(league, tables.seated), None) is not None:
        yield DueStep("open")
    is_scheduled, is_finished = schedule_of(league, season) is not None, True
    for number in range(1, season.rounds_opened + 1):
        if is_round_over(league, season, number, tables.over):
            continue
        is_finished = False
        if (reminder := due_reminder(league, season, number)) is not None:
            yield DueStep("remind", season.deadlines[number - 1] - timedelta(minutes=reminder))
        if is_running_out(league, season, number):
            yield DueStep("expire", expires_at(season, number))
    if season.left_to_bots:
        yield DueStep("adjudicate", min(each.until for each in season.left_to_bots) - BOTS_TIME)
    offers = season_offers(league, season)
    if offers is not None and (step := offers.next_step()) is not None:
        yield step
    if (opens := next_round_opens(league, season)) is not None:
        yield DueStep("round", opens)
    elif is_scheduled and is_finished:
        yield DueStep("close")


def tables_in(season: Season, round_number: int) -> Iterator[TableKey]:
    """Yield the tables of a round, by group."""
    for number, group in enumerate(season.groups):
        tables = group.rounds[round_number - 1] if round_number <= len(group.rounds) else ()
        for table in range(1, len(tables) + 1):
            yield number, round_number, table


def undecided_tables(league: League, season: Season, round_number: int, done: Container[UUID]) -> Iterator[TableKey]:
    """Yield the tables of a round without a manual result whose match is not in `done`, or at which bots play on."""
    for number, _, table in tables_in(season, round_number):
        match = match_of(league.id, season.number, number, round_number, table)
        key, is_ruled = (number, round_number, table), season.groups[number].ruling(round_number, table) is not None
        if not is_ruled and (match not in done or season.bots_until(key) is not None):
            yield key


def is_round_over(league: League, season: Season, round_number: int, over: Container[UUID]) -> bool:
    """Return whether every table of a round has a result."""
    return next(undecided_tables(league, season, round_number, over), None) is None


def tables_to_open(league: League, seated_matches: Container[UUID]) -> Iterator[TableKey]:
    """Yield the tables of open rounds that need a match: no manual result, and not in `seated_matches`; round by round.

    `seated_matches` holds the matches whose players have their seats. Nothing is yielded unless a season is running.
    """
    season = league.season
    if season is None or season.status != "running":
        return
    for round_number in range(1, season.rounds_opened + 1):
        tables = undecided_tables(league, season, round_number, seated_matches)
        yield from (table for table in tables if season.bots_until(table) is None)


def schedule_of(league: League, season: Season) -> SeasonSchedule | None:
    """Return the schedule of a season, or None if an organiser takes its steps."""
    return None if season.starts is None else plan_of(league, season).schedule


def next_start(league: League) -> datetime | None:
    """Return the start of the next season by the schedule, or None without one.

    It is after the break behind the last deadline of the season before, and leaves time to register.
    """
    schedule, season = league.plan.schedule, league.season
    if schedule is None:
        return None
    if season is None:
        return after_breaks(schedule.breaks, schedule.starts)
    starts = max([schedule.starts, *(each.planned + timedelta(days=schedule.break_days) for each in season.clocks)])
    assert season.closed_at is not None, "the season before is over"
    return after_breaks(schedule.breaks, max(starts, season.closed_at + schedule.lead))


def registration_opens(league: League) -> datetime | None:
    """Return when registration for the next season opens by the schedule; None without one, or before a season ends."""
    if league.season is not None and league.season.status != "closed":
        return None
    starts, schedule = next_start(league), league.plan.schedule
    return None if starts is None or schedule is None else starts - schedule.lead


def next_round_opens(league: League, season: Season) -> datetime | None:
    """Return when the next round of a running season opens by its schedule; None without one, or if all are open."""
    is_due = season.status == "running" and season.rounds_opened < season.rounds
    return next_round_start(league, season) if is_due and schedule_of(league, season) is not None else None


def next_round_start(league: League, season: Season) -> datetime | None:
    """Return the start of the next round of a scheduled season: at the first deadline of the round before."""
    schedule = schedule_of(league, season)
    starts = season.clocks[-1].planned if season.clocks else season.starts
    return starts if schedule is None or starts is None else after_breaks(schedule.breaks, starts)


def expected_rounds(league: League, season: Season) -> Iterator[tuple[int, datetime, datetime]]:
    """Yield the number, start and deadline of each round that is not open, if the start of the next one is known.

    Rounds that are played at once share their times. Organisers of a season without a schedule may open rounds later.
    """
    starts, plan = next_round_start(league, season), plan_of(league, season)
    if starts is None:
        return
    schedule, days = schedule_of(league, season), timedelta(days=plan.round_days)
    length = days * (season.rounds - season.rounds_opened) if plan.at_once else days
    for number in range(season.rounds_opened + 1, season.rounds + 1):
        yield number, starts, starts + length
        if not plan.at_once:
            starts = after_breaks(schedule.breaks if schedule is not None else (), starts + days)


def season_offers(league: League, season: Season) -> Offers | None:
    """Return the offers of places to alternates; None without alternates in the plan."""
    times = {number: RoundTime(starts, ends) for number, starts, ends in expected_rounds(league, season)}
    return offers_of(league, season, times, next_round_opens(league, season))


def is_running_out(league: League, season: Season, round_number: int) -> bool:
    """Return whether the deadline of an open round is still to be enforced, or tables are undecided after it."""
    clock = season.clocks[round_number - 1]
    is_enforced = clock.expired == season.deadlines[round_number - 1] and clock.undecided_until is None
    return plan_of(league, season).deadlines is not None and not is_enforced


def expires_at(season: Season, round_number: int) -> datetime:
    """Return when tables of an open round are decided: at its deadline, or at the time named when it was enforced."""
    clock, deadline = season.clocks[round_number - 1], season.deadlines[round_number - 1]
    return clock.undecided_until if clock.undecided_until and clock.expired == deadline else deadline


def due_reminder(league: League, season: Season, round_number: int) -> int | None:
    """Return the minutes before the deadline of the next reminder of an open round, or None."""
    rule, clock = plan_of(league, season).deadlines, season.clocks[round_number - 1]
    deadline = season.deadlines[round_number - 1]
    if rule is None:
        return None
    last_sent = clock.reminded if clock.reminded_of == deadline else None
    return next_reminder(rule.reminders, deadline, clock.opened_at, last_sent)
