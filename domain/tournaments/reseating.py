"""Changes of seats in a public round, at tables that have not begun; their matches are opened again."""

from collections.abc import Callable
from datetime import datetime
from typing import Final
from uuid import UUID, uuid5

from domain.kernel.values import Value, replace
from domain.matches.facts import SERVICE, Actor
from domain.matches.play.commands import REASON_MAX, void
from domain.matches.transaction import MatchWriter, Transaction
from domain.pairing.evaluation import levels_of
from domain.pairing.explain import explain_table
from domain.pairing.problem import Level, Problem
from domain.standings.results import Results
from domain.tournaments import facts
from domain.tournaments.acts import record_acts
from domain.tournaments.commands import TournamentStream, match_at, seat_table
from domain.tournaments.errors import NoSuchRound, TournamentRefused
from domain.tournaments.fact_base import SeatedAnew
from domain.tournaments.no_shows import require_not_begun
from domain.tournaments.preparation import entrants, pairs_among
from domain.tournaments.registration import entry_named, require_reason
from domain.tournaments.rounds import check_tables, require_latest_round
from domain.tournaments.state import TOURNAMENT, Round, Tournament

Tables = tuple[tuple[str, ...], ...]
PUBLIC: Final = ("published", "opened")


class Reseating(Value, frozen=True):
    """A new seating of a public round, with the quality levels before and after."""

    fact: facts.TablesReseated
    before: tuple[Level, ...]

    @property
    def after(self) -> tuple[Level, ...]:
        """The quality levels of the new seating."""
        return self.fact.levels


def swap(
    state: Tournament, number: int, first: str, second: str, results: Results, reason: str, by: Actor
) -> Reseating:
    """Swap two players of the latest public round; a bye counts as a place; needs a reason.

    Raise `NoSuchRound` for another round than the latest, `NoSuchEntry` for an unknown player, and
    `TournamentRefused` if the round is not public, for a player outside it, without a reason, and at a table with a
    result.
    """
    last = require_latest_round(state, number, *PUBLIC)
    for name in (first, second):
        require_in_round(state, last, name)
    other = {first: second, second: first}
    tables = tuple(tuple(other.get(name, name) for name in table.entries) for table in last.tables)
    return reseat_tables(state, last, tables, tuple(other.get(name, name) for name in last.byes), results, reason, by)


def move(state: Tournament, number: int, name: str, table: int, results: Results, reason: str, by: Actor) -> Reseating:
    """Move a player to another table with a free seat, or with table 0 to the byes; needs a reason.

    Raise `NoSuchRound` for an unknown table or another round than the latest, `NoSuchEntry` for an unknown player,
    and `TournamentRefused` if the round is not public, without a reason, if the player is not in the round or sits
    there already, and for a full table, one with a result, or one left with a single player.
    """
    last = require_latest_round(state, number, *PUBLIC)
    require_in_round(state, last, name)
    if not 0 <= table <= len(last.tables):
        raise NoSuchRound(f"round {number} has no table {table}")
    if any(at == table and name in each.entries for at, each in enumerate(last.tables, 1)):
        raise TournamentRefused(f"{name} is already seated at table {table}")
    tables = [[other for other in each.entries if other != name] for each in last.tables]
    byes = [other for other in last.byes if other != name]
    (byes if table == 0 else tables[table - 1]).append(name)
    return reseat_tables(state, last, tuple(map(tuple, tables)), tuple(byes), results, reason, by)


def require_in_round(state: Tournament, last: Round, name: str) -> None:
    """Raise `NoSuchEntry` if an entry is unknown, `TournamentRefused` if it is not in the round."""
    entry_named(state, name)
    if name not in last.people:
        raise TournamentRefused(f"{name} is not in round {last.number}")


def problem_of(state: Tournament, last: Round, results: Results) -> Problem:
    """Return the pairing problem of a public round, with the scores from before it and the current pair rules."""
    earlier = replace(state, rounds=state.rounds[:-1])
    return replace(
        last.problem,
        entrants=entrants(earlier, results, last.stage, last.people),
        absent=(),
        forbidden=pairs_among(state.forbidden, last.people),
        wished=pairs_among(state.wished, last.people),
    )


def reseat_tables(
    state: Tournament, last: Round, tables: Tables, byes: tuple[str, ...], results: Results, reason: str, by: Actor
) -> Reseating:
    """Return the change to these tables, with new match ids, explanations and levels.

    Raise `TournamentRefused` if a changed table has a result, for a table of a wrong size, or without a reason.
    """
    stated_reason, problem = require_reason(reason, "a change of seats"), problem_of(state, last, results)
    check_tables(problem, tables, byes)
    now, changed = tuple(table.entries for table in last.tables), list[SeatedAnew]()
    for at, (table, new) in enumerate(zip(last.tables, tables, strict=True), start=1):
        if table.entries != new:
            if table.given is not None:
                raise TournamentRefused(f"table {at} of round {last.number} already has a result")
            match = uuid5(state.id, f"round {last.number} table {at} seating {last.reseated + 2}")
            changed.append(SeatedAnew(at, new, match, explain_table(problem, tables, at - 1)))
    fact = facts.TablesReseated(
        by, last.number, tuple(changed), tuple(sorted(byes)), levels_of(problem, tables), stated_reason
    )
    return Reseating(fact, levels_of(problem, now))


def reseat(
    matches: MatchWriter, event_id: UUID, decide: Callable[[Tournament], Reseating], *, at: datetime
) -> TournamentStream:
    """Apply a new seating: void the matches of changed tables and, in an open round, open their replacements.

    Raise `TournamentRefused` if one of these matches has started.
    """

    def compose(batch: Transaction) -> TournamentStream:
        event = batch.get(TOURNAMENT, event_id).state
        last, fact = event.rounds[-1], decide(event).fact
        for each in fact.tables:
            match = match_at(batch, last.tables[each.table - 1])
            require_not_begun(match, each.table, last.number)
            if match is not None:
                message = f"its table is seated otherwise: {fact.reason}"[:REASON_MAX]
                batch.append(match.id, lambda current, message=message: void(current, SERVICE, message))  # type: ignore[misc]
        stream = record_acts(batch, event_id, fact)
        if last.status == "opened":
            for each in fact.tables:
                seat_table(matches, batch, stream.state, stream.state.rounds[-1].tables[each.table - 1])
        return stream

    return matches.transact(compose, at=at)
