"""What the tables of a tournament or a league came to, as the outcomes of their matches stand now: after rulings, on
the lines that count."""

from collections.abc import Iterable
from uuid import UUID

from domain.standings.results import TableResult
from projections.matches import outcomes
from projections.matches.outcomes import Outcome
from projections.store import ReadStore


def table_results(store: ReadStore, contest_id: UUID) -> dict[UUID, TableResult]:
    """By the id of the match; what is not over is not there."""
    return count_results(outcomes.of_tournament(store, str(contest_id)))


def count_results(found: Iterable[Outcome]) -> dict[UUID, TableResult]:
    counted = ((outcome.match_id, table_result(outcome)) for outcome in found)
    return {match_id: result for match_id, result in counted if result is not None}


def table_result(outcome: Outcome) -> TableResult | None:
    """A match as its table counts it, None while it is not over; a fork that no ruling made official is no table's."""
    if outcome.forked or outcome.ended_at is None:
        return None
    if outcome.ranking is None:
        return TableResult((), (), ruled=outcome.ruled, void=True)
    return TableResult(outcome.ranking, outcome.scores, ruled=outcome.ruled)
