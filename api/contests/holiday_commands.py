"""Commands that bring a holiday to the tables of its person, and the tables that share their days."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from uuid import UUID

from api.contests.holiday_store import StoredHoliday
from domain.contests.holiday_plans import Holiday, HolidayTable, PlannedTable, has_holidays, plan_at_table
from domain.contests.holidays import PlaceTables, Span, used_by_place
from domain.eventstore.application import Matches
from domain.leagues import holidays as of_leagues
from domain.leagues.state import LEAGUE
from domain.matches.aggregate import Match, seat_of
from domain.matches.errors import AbsenceRefused, MatchOver, NotRunning, NotSeated, RulesRetired
from domain.matches.facts import SERVICE, Actor
from domain.matches.forks.lineage import list_past_players, official_line, root_of
from domain.matches.log.entries import microseconds
from domain.matches.play.absence_commands import announce_absence, end_absence, pending_absence
from domain.matches.play.absences import MICROSECONDS, AbsenceAnnounced, AbsenceEnded, Declared
from domain.matches.play.declared_absences import is_declared, is_declared_over, is_used_up
from domain.matches.transaction import MatchReader
from domain.tournaments import holidays as of_tournaments
from domain.tournaments.state import TOURNAMENT


def find_table(matches: MatchReader, match: Match, seat: int, free: Sequence[Span]) -> HolidayTable:
    """Return a table of a person with the days that limit a holiday there.

    `free`: the time in which the person was or will be away at tables outside of contests.
    """
    name, shared = find_place(matches, match, seat)
    if shared is None:
        return HolidayTable(
            match, seat, name or match.definition.printed_name, None, tuple(free), not match.table.event_id
        )

    def read(match_id: UUID) -> Match | None:
        return official_line(matches, match_id) if matches.lines.has(match_id) else None

    return HolidayTable(match, seat, name, shared.days, used_by_place(shared.tables, read), is_free=False)


def find_place(matches: MatchReader, match: Match, seat: int) -> tuple[str, PlaceTables | None]:
    """Return the name of the contest of a match, and the tables that share their days of holiday; "", None if none."""
    if not match.table.event_id:
        return "", None
    contest, root = UUID(match.table.event_id), root_of(matches, match)
    if (event := matches.streams.find(TOURNAMENT, contest)) is not None:
        return event.state.plan.name, of_tournaments.tables_of_place(event.state, root, seat)
    if (league := matches.streams.find(LEAGUE, contest)) is not None:
        players = list_past_players(matches, match.id)
        return league.state.plan.name, of_leagues.tables_of_place(league.state, root, seat, players)
    return "", None


def plan_holiday(
    matches: MatchReader,
    match_ids: Sequence[UUID],
    person: Actor,
    holiday: Holiday,
    free: Sequence[Span],
    *,
    at: datetime,
) -> tuple[PlannedTable, ...]:
    """Return the time in which a holiday stops the clock at each table of a person, where it changes anything."""
    planned = (plan_at_table(each, holiday, at) for each in tables_of(matches, match_ids, person, free))
    return tuple(each for each in planned if each is not None)


def list_tables(
    matches: MatchReader, match_ids: Sequence[UUID], person: Actor, free: Sequence[Span]
) -> tuple[HolidayTable, ...]:
    """Return the running correspondence tables of a person among some matches."""
    return tuple(tables_of(matches, match_ids, person, free))


def tables_of(
    matches: MatchReader, match_ids: Sequence[UUID], person: Actor, free: Sequence[Span]
) -> Iterator[HolidayTable]:
    """Yield the running correspondence tables of a person among some matches, with the days that limit a holiday."""
    for match_id in match_ids:
        match = matches.get(match_id)
        seat = seat_of(match, person)
        if seat is not None and has_holidays(match, seat):
            yield find_table(matches, match, seat, free)


class Unneeded(Exception):
    """A holiday changes nothing at this table."""


def bring_holiday(
    matches: Matches, match_id: UUID, holiday: StoredHoliday, free: Sequence[Span], *, at: datetime
) -> Match | None:
    """Announce the holiday at a table, for as long as it allows; return the match, or None if that changes nothing.

    Repeating it changes nothing, also after the match or the limits have changed.
    """

    def decide(match: Match) -> AbsenceAnnounced:
        seat = seat_of(match, holiday.person)
        planned = None if seat is None else plan_at_table(find_table(matches, match, seat, free), holiday, at)
        if planned is None or planned.first == planned.last:
            raise Unneeded
        declared = fitting_declaration(match, planned, holiday.declaration)
        return announce_absence(match, planned.seat, SERVICE, planned.first, planned.last, declared, at=at)

    try:
        return matches.append(match_id, at, decide)
    except (Unneeded, AbsenceRefused, MatchOver, NotRunning, NotSeated, RulesRetired):
        return None


def fitting_declaration(match: Match, planned: PlannedTable, declared: Declared | None) -> Declared | None:
    """Return the declaration if it announces the absence at this table, else None: the service announces it alone."""
    if declared is None or declared.key not in {each.key for each in match.seats[planned.seat].keys}:
        return None
    fits = is_declared(declared, planned.first, planned.last)
    return declared if fits and not is_used_up(declared, match.ended_absences, planned.seat) else None


def finish_holiday(matches: Matches, match_id: UUID, holiday: StoredHoliday, *, at: datetime) -> bool:
    """End the holiday at a table; return whether that changed something. Repeating it changes nothing."""

    def decide(match: Match) -> AbsenceEnded:
        seat = seat_of(match, holiday.person)
        absence = None if seat is None else pending_absence(match, seat, at)
        if seat is None or absence is None:
            raise Unneeded
        if not holiday.first * MICROSECONDS <= absence.first <= absence.last <= holiday.last * MICROSECONDS:
            raise Unneeded
        declared, keys = holiday.declaration_of_end, {each.key for each in match.seats[seat].keys}
        if declared is not None and not (
            declared.key in keys and is_declared_over(declared, absence, microseconds(at))
        ):
            declared = None
        return end_absence(match, seat, SERVICE, declared, at=at)

    try:
        matches.append(match_id, at, decide)
    except (Unneeded, AbsenceRefused, MatchOver, NotRunning, NotSeated, RulesRetired):
        return False
    return True
