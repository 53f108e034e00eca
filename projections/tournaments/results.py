"""What the tables of a tournament came to, as their outcomes stand now: after rulings, on the lines that count."""

from uuid import UUID

from domain.standings.results import TableResult
from projections.matches import outcomes
from projections.matches.outcomes import Outcome
from projections.store import ReadStore


def results_of(store: ReadStore, event_id: UUID) -> dict[UUID, TableResult]:
    """By the id of the match; what is not over is not there."""
    return {
        outcome.match_id: result
        for outcome in outcomes.of_tournament(store, str(event_id))
        if (result := count_match(outcome))
    }


def count_match(outcome: Outcome) -> TableResult | None:
    """A match as a table of a tournament counts it; a fork that no ruling made official is none."""
    if outcome.forked or outcome.ended_at is None:
        return None
    if outcome.ranking is None:
        return TableResult((), (), ruled=outcome.ruled, void=True)
    return TableResult(outcome.ranking, outcome.scores, ruled=outcome.ruled)
