"""Facts about results that players enter: claims, confirmations and renewed entry codes."""

from collections.abc import Sequence
from uuid import UUID

from domain.kernel.values import replace
from domain.matches.facts import SERVICE, Actor
from domain.standings.contest import Claim, GivenResult, RoundTable
from domain.tournaments.fact_base import Text, TournamentFact


class ResultClaimed(TournamentFact, frozen=True):
    """A player of a face-to-face table enters its result, by seats.

    `key` identifies the request, so that a retry changes nothing. A claim alone does not count; once enough players
    agree, `ResultEntered` follows.
    """

    round: int
    table: int
    entry: str
    scores: tuple[int, ...]
    places: tuple[int, ...]
    key: UUID


class ResultConfirmed(TournamentFact, frozen=True):
    """A player confirms the result that another entry claimed; replaces the player's earlier claim."""

    round: int
    table: int
    entry: str
    agrees_with: str
    key: UUID


class CodeRenewed(TournamentFact, frozen=True):
    """The code of an entry changes; the codes themselves are never recorded. Older records have no reason."""

    by: Actor
    entry: str
    reason: Text = ""


def claims_after(table: RoundTable, fact: ResultClaimed | ResultConfirmed) -> tuple[Claim, ...]:
    """Return the claims at a table after another claim or confirmation: the latest of each player, the new one last."""
    by_entry = {claim.entry: claim for claim in table.claims}
    before = by_entry.pop(fact.entry, None)
    keys = (*(before.keys if before else ()), fact.key)
    if isinstance(fact, ResultConfirmed):
        return (*by_entry.values(), replace(by_entry[fact.agrees_with], entry=fact.entry, keys=keys))
    return (*by_entry.values(), Claim(fact.entry, fact.scores, fact.places, keys))


def is_of_players(result: GivenResult) -> bool:
    """Return whether a result counts by agreement of players, without a decision of an organiser."""
    return result.by == SERVICE and not result.ruled


def is_contradicted(table: RoundTable) -> bool:
    """Return whether the players of a table claim different results, or another than the one entered.

    Then an organiser must decide.
    """
    results = {each.result for each in table.claims}
    if table.given is not None and results:
        results.add((table.given.scores, table.given.places))
    return len(results) > 1


def contradicted_tables(tables: Sequence[RoundTable]) -> tuple[int, ...]:
    """Return the numbers, from 1, of the tables with contradictory claims."""
    return tuple(number for number, table in enumerate(tables, start=1) if is_contradicted(table))
