"""What the tables of a tournament or a league came to, as the outcomes of their matches stand now: after rulings, on
the lines that count."""

from collections.abc import Iterable
from typing import NamedTuple
from uuid import UUID

from domain.matches.rulings.outcome import Outcome
from domain.standings.results import TableResult, table_result
from projections.matches import outcomes
from projections.platform.store import ReadStore


def table_results(store: ReadStore, contest_id: UUID) -> dict[UUID, TableResult]:
    """By the id of the match; what is not over is not there."""
    return count_results(outcomes.of_tournament(store, str(contest_id)))


class TablesPlayed(NamedTuple):
    """What the matches of a tournament or league came to, by the ids they began as; and the line that counts now, of
    those in whose place a ruling has put another."""

    results: dict[UUID, TableResult]
    lines: dict[UUID, UUID]


def tables_played(store: ReadStore, contest_id: UUID) -> TablesPlayed:
    found = outcomes.of_tournament(store, str(contest_id))
    return TablesPlayed(count_results(found), lines_of(found))


def lines_of(found: Iterable[Outcome]) -> dict[UUID, UUID]:
    """The line that counts, of every match that does not count as it began."""
    return {outcome.match_id: outcome.line_id for outcome in found if outcome.line_id != outcome.match_id}


def count_results(found: Iterable[Outcome]) -> dict[UUID, TableResult]:
    counted = ((outcome.match_id, table_result(outcome)) for outcome in found)
    return {match_id: result for match_id, result in counted if result is not None}
