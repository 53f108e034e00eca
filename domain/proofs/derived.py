"""Records of a tournament that follow from the results of its matches: pairings, rulings at a deadline, and the end."""

from collections.abc import Iterator, Mapping
from typing import Final
from uuid import UUID

from domain.matches.errors import LogFault
from domain.matches.facts import SERVICE
from domain.matches.verification.verify import BROKEN
from domain.proofs.authority import Authority, Pending
from domain.proofs.event_matches import MatchExamined
from domain.proofs.grants import KIND
from domain.standings.contest import RoundTable
from domain.standings.results import Results
from domain.tournaments.derivation import fits_results
from domain.tournaments.errors import TournamentRefused
from domain.tournaments.facts import ResultRuled
from domain.tournaments.rounds import needs_match, table_of
from domain.tournaments.state import Tournament

Matches = Mapping[UUID, MatchExamined]
SERVICE_LUCK: Final = "luck: the service's alone at round {round} table {table}"
REOPENED: Final = "luck: replaced {count} times before the start at round {round} table {table}"
BEFORE_A_RULING: Final = "record {record} by the service: a ruling may have changed the results on which it rests"


def check_derived(authority: Authority, state: Tournament, matches: Matches, results: Results) -> Iterator[str]:
    """Yield what cannot be checked; raise `LogFault` for a record of the service that contradicts the results."""
    for pending in authority.pending:
        if is_fitting(pending, results):
            continue
        if not any(matches[match].is_ruled for match in matches_before(pending.state) if match in matches):
            raise LogFault(None, KIND, f"record {pending.record}: it does not follow from the results of the matches")
        yield BEFORE_A_RULING.format(record=pending.record)
    for (number, at), ruling in authority.rulings.items():
        table = table_of(state, number, at)
        is_in_force = table.given is not None and table.given.by == SERVICE
        if is_in_force and needs_match(state, table) and (why := fault_of_ruling(ruling, table, matches)):
            raise LogFault(None, KIND, f"round {number} table {at}: {why}")


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


def is_fitting(pending: Pending, results: Results) -> bool:
    """Return whether a record of the service agrees with the results; an impossible one does not."""
    try:
        return fits_results(pending.state, pending.fact, results)
    except (TournamentRefused, *BROKEN):
        return False


def matches_before(state: Tournament) -> Iterator[UUID]:
    """Yield the matches of the public rounds."""
    for each in state.played_rounds:
        for table in each.tables:
            if table.match is not None:
                yield table.match


def fault_of_ruling(ruling: ResultRuled, table: RoundTable, matches: Matches) -> str:
    """Return why the match of a table contradicts the ruling at its deadline, or an empty string."""
    examined = None if table.match is None else matches.get(table.match)
    if examined is None or examined.outcome is None:
        return f"its match {table.match}, which a deadline ended, is missing"
    if examined.outcome.ranking is not None:
        return "its match had ended before the ruling"
    if not ruling.drawn and ruling.scores != examined.open_scores:
        return f"the scores at the deadline were {examined.open_scores}, not {ruling.scores}"
    return ""
