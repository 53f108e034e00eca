"""Results of the tables of a tournament or league after rulings."""

from collections.abc import Iterable
from typing import NamedTuple
from uuid import UUID

from domain.matches.rulings.outcome import Outcome
from domain.standings.results import TableResult, table_result
from projections.matches import outcomes
from projections.platform.store import ReadStore


def table_results(store: ReadStore, contest_id: UUID) -> dict[UUID, TableResult]:
    """Return the results of finished tables by match id."""
    return count_results(outcomes.of_tournament(store, str(contest_id)))


class TablesPlayed(NamedTuple):
    """Results by original match id, and the official line of each match replaced by a ruling."""

    results: dict[UUID, TableResult]
    lines: dict[UUID, UUID]


def tables_played(store: ReadStore, contest_id: UUID) -> TablesPlayed:
    """Return results and official lines of a tournament or league."""
    found = outcomes.of_tournament(store, str(contest_id))
    return TablesPlayed(count_results(found), lines_of(found))


def lines_of(found: Iterable[Outcome]) -> dict[UUID, UUID]:
    """Return the official line of each match that a ruling replaced."""
    return {outcome.match_id: outcome.line_id for outcome in found if outcome.line_id != outcome.match_id}


def count_results(found: Iterable[Outcome]) -> dict[UUID, TableResult]:
    """Return the results of outcomes that have one, by match id."""
    results = ((outcome.match_id, table_result(outcome)) for outcome in found)
    return {match_id: result for match_id, result in results if result is not None}
