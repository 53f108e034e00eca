"""What the tables of a tournament or a league came to, as the outcomes of their matches stand now: after rulings, on
the lines that count."""

from collections.abc import Iterable
from uuid import UUID

from domain.matches.outcome import Outcome
from domain.standings.results import TableResult, table_result
from projections.matches import outcomes
from projections.store import ReadStore


def table_results(store: ReadStore, contest_id: UUID) -> dict[UUID, TableResult]:
    """By the id of the match; what is not over is not there."""
    return count_results(outcomes.of_tournament(store, str(contest_id)))


def count_results(found: Iterable[Outcome]) -> dict[UUID, TableResult]:
    counted = ((outcome.match_id, table_result(outcome)) for outcome in found)
    return {match_id: result for match_id, result in counted if result is not None}
