"""Records of a tournament that follow from the results of its matches: pairings, rulings at a deadline, and the end."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final
from uuid import UUID

from domain.contests.errors import ContestRefused
from domain.contests.holidays import DAY_MICROSECONDS, Span, spans_of, total
from domain.matches.errors import LogFault
from domain.matches.facts import SERVICE
from domain.matches.seats.luck_shares import REOPENED_MAX
from domain.matches.verification.verify import BROKEN
from domain.proofs.authority import DeadlineRuling, Pending
from domain.proofs.event_matches import MatchExamined
from domain.proofs.grants import KIND
from domain.standings.contest import RoundTable
from domain.standings.results import Results
from domain.tournaments.derivation import fits_results
from domain.tournaments.rounds import needs_match, table_of
from domain.tournaments.state import Tournament

Matches = Mapping[UUID, MatchExamined]
Rulings = Mapping[tuple[int, int], DeadlineRuling]
"""The latest ruling of the service by round and table."""
CHANCE: Final = "chance"
SERVICE_LUCK: Final = "luck: the service's alone at round {round} table {table}"
REOPENED: Final = "luck: replaced {count} times before the start at round {round} table {table}"
HOLIDAYS: Final = "holidays: {entry} was away for {days} days at its tables, and the plan allows {allowed}"
BEFORE_A_RULING: Final = "record {record} by the service: a ruling may have changed the results on which it rests"


def list_unfitting(pending: Iterable[Pending], results: Results) -> tuple[Pending, ...]:
    """Return the orders by the service that do not agree with the results."""
    return tuple(each for each in pending if not is_fitting(each, results))


def check_pending(pending: Iterable[Pending], matches: Matches) -> Iterator[str]:
    """Yield unfitting orders of the service that a ruling may explain; raise `LogFault` for others."""
    for each in pending:
        if not any(matches[match].is_ruled for match in matches_before(each.state) if match in matches):
            raise LogFault(None, KIND, f"record {each.record}: it does not follow from the results of the matches")
        yield BEFORE_A_RULING.format(record=each.record)


def check_rulings(rulings: Rulings, state: Tournament, matches: Matches) -> None:
    """Raise `LogFault` for a ruling of the service at a deadline that still counts and contradicts the match."""
    for (number, at), ruling in rulings.items():
        table = table_of(state, number, at)
        is_in_force = table.given is not None and table.given.by == SERVICE
        if is_in_force and needs_match(state, table) and (why := fault_of_ruling(ruling, table, matches)):
            raise LogFault(None, KIND, f"round {number} table {at}: {why}")


def require_bounded_luck(state: Tournament, matches: Matches) -> None:
    """Raise `LogFault` if the luck of a table was replaced more often than format 2 of the records allows."""
    for match in matches_before(state) if state.format > 1 else ():
        examined = matches.get(match)
        if examined is not None and examined.reopened > REOPENED_MAX:
            raise LogFault(None, CHANCE, f"the luck of match {match} was replaced {examined.reopened} times")


def noted_matches(state: Tournament, matches: Matches) -> Iterator[str]:
    """Yield notes about tables: luck of the service alone, and luck that was replaced before the start."""
    for each in state.played_rounds:
        for number, table in enumerate(each.tables, start=1):
            examined = None if table.match is None else matches.get(table.match)
            if examined is None:
                continue
            if not examined.report.own_luck:
                yield SERVICE_LUCK.format(round=each.number, table=number)
            if examined.reopened:
                yield REOPENED.format(round=each.number, table=number, count=examined.reopened)


def noted_holidays(state: Tournament, matches: Matches) -> Iterator[str]:
    """Yield notes about entries that were away at all their tables together for longer than the plan allows."""
    rule, spans = state.plan.holidays, dict[str, list[Span]]()
    if rule is None:
        return
    for table in (table for each in state.played_rounds for table in each.tables):
        examined = None if table.match is None else matches.get(table.match)
        if examined is not None:
            for seat, entry in enumerate(table.entries):
                spans.setdefault(entry, []).extend(spans_of(examined.absences, seat))
    for entry, away in sorted(spans.items()):
        days = -(-total(away) // DAY_MICROSECONDS)
        if days > rule.days:
            yield HOLIDAYS.format(entry=entry, days=days, allowed=rule.days)


def is_fitting(pending: Pending, results: Results) -> bool:
    """Return whether a record of the service agrees with the results; an impossible one does not."""
    try:
        return fits_results(pending.state, pending.fact, results)
    except (ContestRefused, *BROKEN):
        return False


def matches_before(state: Tournament) -> Iterator[UUID]:
    """Yield the matches of the public rounds."""
    for each in state.played_rounds:
        for table in each.tables:
            if table.match is not None:
                yield table.match


def fault_of_ruling(ruled: DeadlineRuling, table: RoundTable, matches: Matches) -> str:
    """Return why the match of a table contradicts the ruling at its deadline, or an empty string."""
    ruling, consequence = ruled
    examined = None if table.match is None else matches.get(table.match)
    if examined is None or examined.outcome is None:
        return f"its match {table.match}, which a deadline ended, is missing"
    if examined.outcome.status != "void":
        return f"its match is {examined.outcome.status}, not void since the ruling"
    if ruling.drawn:
        is_planned = consequence == "lots" or not examined.open_scores
        return "" if is_planned else "it has begun, so lots do not decide it"
    if ruling.lines:
        return "" if examined.open_scores else "it has not begun, so no bots play on"
    if ruling.scores != examined.open_scores:
        return f"the scores at the deadline were {examined.open_scores}, not {ruling.scores}"
    found = examined.overdue if consequence == "overdue" else None
    if found is not None and (ruling.places, ruling.overdue) != (found.places, found.overdue):
        return f"the overdue seats were {found.overdue}, so the places are {found.places}, not {ruling.places}"
    return "no player was overdue" if found is None and ruling.overdue else ""
