"""Commands of a round: request a pairing, edit it, lock tables, publish, enter results, close."""

from collections.abc import Sequence
from uuid import UUID, uuid5

from domain.kernel.messages import Message
from domain.kernel.values import replace
from domain.matches.facts import SERVICE, Actor
from domain.pairing.evaluation import levels_of
from domain.pairing.explain import explain
from domain.pairing.problem import Level, Pairing, PairingRefused, Problem, check
from domain.standings.contest import RoundTable
from domain.standings.results import Results, check_order, check_result, result_of
from domain.tournaments import facts
from domain.tournaments.claim_facts import contradicted_tables
from domain.tournaments.errors import NoSuchRound, TournamentRefused
from domain.tournaments.preparation import next_stage, prepare_problem
from domain.tournaments.proposal_checks import require_fitting
from domain.tournaments.registration import entry_named, require_not_ended, require_reason
from domain.tournaments.state import Round, Tournament


def match_id_for(event_id: UUID, round_: int, table: int) -> UUID:
    """Return the id of the match at a table, the same on every call."""
    return uuid5(event_id, f"round {round_} table {table}")


def require_latest_round(state: Tournament, number: int, *statuses: str) -> Round:
    """Return the latest round; raise `NoSuchRound` unless it has this number.

    Raise `TournamentRefused` unless it has one of the statuses.
    """
    last = state.round
    if last is None or last.number != number:
        raise NoSuchRound(f"round {number} is not the latest of this event")
    if last.status not in statuses:
        raise TournamentRefused(f"round {number} is {last.status}, not {' or '.join(statuses)}")
    return last


def ask_pairing(
    state: Tournament,
    results: Results,
    by: Actor,
    *,
    tables: Sequence[int] = (),
    byes: Sequence[str] = (),
    again: int = 0,
) -> facts.PairingAsked:
    """Request a pairing of the next round; the given tables of the current proposal are locked.

    Raise `NoSuchRound` if a table is not proposed, and `TournamentRefused` if a locked player has left or no
    round can be paired.
    """
    last, locked = state.round, list[tuple[str, ...]]()
    for number in tables:
        if last is None or last.status != "proposed" or not 1 <= number <= len(last.tables):
            raise NoSuchRound(f"no proposed table {number} to lock")
        locked.append(last.tables[number - 1].entries)
    asked = prepare_problem(state, results, by, locked=tuple(locked), byes=tuple(byes), again=again)
    people = {entrant.id for entrant in asked.problem.entrants}
    if withdrawn := [name for table in locked for name in table if name not in people]:
        raise TournamentRefused(f"{withdrawn[0]} has withdrawn, so the table cannot be locked")
    try:
        check(asked.problem)
    except PairingRefused as refusal:
        raise TournamentRefused(str(refusal)) from refusal
    return asked


def answer_pairing(
    state: Tournament,
    number: int,
    pairing: Pairing,
    reasons: Sequence[Sequence[Message]],
) -> facts.PairingProposed:
    """Propose the tables of a requested pairing; raise `TournamentRefused` unless they seat exactly its players.

    Raise `NoSuchRound` unless the round is the latest, `TournamentRefused` unless it waits for a pairing.
    """
    last = require_latest_round(state, number, "asked")
    check_tables(last.problem, pairing.tables, pairing.byes)
    explanations = tuple(tuple(sentences) for sentences in reasons)
    return facts.PairingProposed(number, pairing.tables, pairing.byes, pairing.levels, explanations, pairing.engine)


def fail_pairing(
    state: Tournament, number: int, reason: str, conflicts: tuple[Message, ...] = ()
) -> facts.PairingFailed:
    """Record that the pairing of a round failed."""
    require_latest_round(state, number, "asked")
    return facts.PairingFailed(number, reason, conflicts)


def check_tables(problem: Problem, tables: Sequence[Sequence[str]], byes: Sequence[str]) -> None:
    """Raise `TournamentRefused` unless every player is once at a table of 2 to `size` seats or has a bye."""
    placed = sorted([*(name for table in tables for name in table), *byes])
    expected = sorted(entrant.id for entrant in problem.entrants if entrant.id not in problem.absent)
    if placed != expected:
        misplaced = sorted(set(placed) ^ set(expected)) or [name for name in set(placed) if placed.count(name) > 1]
        raise TournamentRefused(f"every player needs one table or a bye: check {misplaced[0]}")
    for at, table in enumerate(tables, start=1):
        if not 2 <= len(table) <= problem.size:
            raise TournamentRefused(f"table {at} would have {len(table)} seats; allowed are 2 to {problem.size}")


def edit_tables(
    state: Tournament, number: int, tables: Sequence[Sequence[str]], byes: Sequence[str], reason: str, by: Actor
) -> facts.PairingEdited:
    """Replace the proposed tables by the organiser's, with levels and explanations computed for them.

    Raise `TournamentRefused` for wrong tables, without a reason, or without a proposal or failed pairing,
    `NoSuchRound` for another round than the latest.
    """
    last = require_latest_round(state, number, "proposed", "failed")
    problem, new = last.problem, tuple(tuple(table) for table in tables)
    check_tables(problem, new, byes)
    reasons = explain(problem, Pairing(new, tuple(byes)))
    levels = levels_of(problem, new)
    stated_reason = require_reason(reason, "a change of the proposal")
    return facts.PairingEdited(
        by, number, new, tuple(sorted(byes)), keep_bounds(levels, last.levels), reasons, stated_reason
    )


def keep_bounds(levels: tuple[Level, ...], former: tuple[Level, ...]) -> tuple[Level, ...]:
    """Return the levels with the bounds that were proven before, if better, but never above their values."""
    former_bounds = {level.name: level.bound for level in former}
    return tuple(
        Level(each.name, each.value, min(each.value, max(each.bound, former_bounds.get(each.name, 0))))
        for each in levels
    )


def swap(state: Tournament, number: int, first: str, second: str, reason: str, by: Actor) -> facts.PairingEdited:
    """Swap two players of the proposal; a bye counts as a place; needs a reason.

    Raise `NoSuchRound` for another round than the latest, `NoSuchEntry` for an unknown player, and
    `TournamentRefused` without a proposal or reason or for a player outside of the round.
    """
    last = require_latest_round(state, number, "proposed")
    for name in (first, second):
        entry_named(state, name)
        if name not in last.people:
            raise TournamentRefused(f"{name} is not in round {number}")
    other = {first: second, second: first}
    tables = [[other.get(name, name) for name in table.entries] for table in last.tables]
    return edit_tables(state, number, tables, [other.get(name, name) for name in last.byes], reason, by)


def move(state: Tournament, number: int, name: str, table: int, reason: str, by: Actor) -> facts.PairingEdited:
    """Move a player to another table with a free seat, or with table 0 to the byes; needs a reason.

    An emptied table is removed. Raise `NoSuchRound` for an unknown table or another round than the latest,
    `NoSuchEntry` for an unknown player, and `TournamentRefused` without a proposal or reason, for a player outside
    of the round, a full table, or one left with a single player.
    """
    last = require_latest_round(state, number, "proposed")
    entry_named(state, name)
    if name not in last.people:
        raise TournamentRefused(f"{name} is not in round {number}")
    if not 0 <= table <= len(last.tables):
        raise NoSuchRound(f"round {number} has no table {table}")
    tables = [[other for other in each.entries if other != name] for each in last.tables]
    byes = [other for other in last.byes if other != name]
    (byes if table == 0 else tables[table - 1]).append(name)
    return edit_tables(state, number, [table_entries for table_entries in tables if table_entries], byes, reason, by)


def lock_tables(state: Tournament, number: int, tables: Sequence[int], by: Actor) -> facts.TablesLocked:
    """Lock exactly these tables of the proposal against pairing again.

    Raise `NoSuchRound` for an unknown table or another round than the latest, `TournamentRefused` without a
    proposal.
    """
    last = require_latest_round(state, number, "proposed")
    for table in tables:
        if not 1 <= table <= len(last.tables):
            raise NoSuchRound(f"round {number} has no table {table}")
    return facts.TablesLocked(by, number, tuple(sorted(set(tables))))


def publish(state: Tournament, number: int, results: Results, by: Actor) -> facts.RoundPublished:
    """Publish the proposal; tables get their match ids.

    Raise `TournamentRefused` if it no longer fits, the round has no proposal or the event has ended,
    `NoSuchRound` for another round than the latest.
    """
    last = require_latest_round(state, number, "proposed")
    require_not_ended(state)
    require_fitting(state, results)
    ids = tuple(match_id_for(state.id, number, table) for table in range(1, len(last.tables) + 1))
    return facts.RoundPublished(by, number, ids)


def open_round(state: Tournament, number: int) -> facts.RoundOpened:
    """Record that all matches of a published round are opened."""
    require_latest_round(state, number, "published")
    return facts.RoundOpened(number)


def begin_round(state: Tournament, number: int) -> facts.RoundBegun:
    """Start all tables of the latest round; raise `TournamentRefused` if it is not open or has started.

    Raise `NoSuchRound` for another round.
    """
    last = require_latest_round(state, number, "opened")
    if last.begun:
        raise TournamentRefused(f"round {number} has started")
    return facts.RoundBegun(number)


def needs_match(state: Tournament, table: RoundTable) -> bool:
    """Return whether a table is played on this service; a player without an account makes it face to face."""
    entries = [state.entry(name) for name in table.entries]
    return not state.plan.face_to_face and all(entry is not None and entry.actor for entry in entries)


def table_of(state: Tournament, number: int, table: int) -> RoundTable:
    """Return a table of a public round by number from 1; raise `NoSuchRound` if there is none."""
    if not 1 <= number <= len(state.rounds) or not state.rounds[number - 1].is_public:
        raise NoSuchRound(f"round {number} has not started")
    tables = state.rounds[number - 1].tables
    if not 1 <= table <= len(tables):
        raise NoSuchRound(f"round {number} has no table {table}; it has {len(tables)}")
    return tables[table - 1]


def enter_result(
    state: Tournament,
    number: int,
    table: int,
    scores: Sequence[int],
    places: Sequence[int],
    by: Actor,
    reason: str = "",
    *,
    sure: bool = False,
) -> facts.ResultEntered:
    """Enter the result of a face-to-face table; raise `TournamentRefused` for a table that is played on this server.

    Needs a reason (else `TournamentRefused`) once the round is closed, or if it replaces another result. Raise
    `NoSuchRound` for an unknown table, `WrongResult` for an invalid result, and `PlacesContradict` for places that
    contradict the points without `sure`.
    """
    round_table = table_of(state, number, table)
    if needs_match(state, round_table):
        raise TournamentRefused(
            f"table {table} of round {number} is played online; its result comes from the match, or by ruling"
        )
    check_result(len(round_table.entries), scores, places)
    if not sure:
        check_order(scores, places)
    stated_reason = reason.strip()
    if state.rounds[number - 1].status == "closed":
        stated_reason = require_reason(reason, f"a result of round {number}, which is closed,")
    elif round_table.given is not None:
        stated_reason = require_reason(reason, f"a change of the result of table {table} of round {number}")
    return facts.ResultEntered(by, number, table, tuple(scores), tuple(places), reason=stated_reason)


def rule_table(
    state: Tournament,
    number: int,
    table: int,
    scores: Sequence[int],
    places: Sequence[int],
    reason: str,
    by: Actor,
    *,
    sure: bool = False,
) -> facts.ResultRuled:
    """Rule on the result of a table, with a reason, even if it is played on this server.

    Raise `NoSuchRound` for an unknown table, `WrongResult` for an invalid result, `PlacesContradict` for places
    that contradict the points without `sure`, and `TournamentRefused` without a reason.
    """
    round_table = table_of(state, number, table)
    check_result(len(round_table.entries), scores, places)
    if not sure:
        check_order(scores, places)
    return facts.ResultRuled(by, number, table, tuple(places), tuple(scores), require_reason(reason, "a ruling"))


def can_be_withdrawn(state: Tournament, number: int, table: int, by: Actor) -> bool:
    """Return whether this organiser may take back the result of a table.

    Only the first one, which they entered themselves without a reason, until the round is closed; others are
    corrected with a reason.
    """
    result = state.rounds[number - 1].tables[table - 1].given
    is_first = result is not None and not result.ruled and not result.reason and result.by == by
    return is_first and state.rounds[number - 1].status != "closed"


def withdraw_result(state: Tournament, number: int, table: int, by: Actor) -> facts.ResultWithdrawn:
    """Take back a mistaken result; raise `TournamentRefused` if there is none, or unless `can_be_withdrawn`.

    Raise `NoSuchRound` for an unknown table.
    """
    if table_of(state, number, table).given is None:
        raise TournamentRefused(f"table {table} of round {number} has no entered result")
    if not can_be_withdrawn(state, number, table, by):
        raise TournamentRefused(
            f"the result of table {table} of round {number} cannot be removed; enter another one with a reason"
        )
    return facts.ResultWithdrawn(by, number, table)


def close_round(
    state: Tournament, number: int, results: Results, disputed: Sequence[int], by: Actor
) -> tuple[facts.Fact, ...]:
    """Close the latest round; after the last one of the event, also end the event.

    Raise `NoSuchRound` for another round, and `TournamentRefused` if it is not public or closed already, and while
    a table has no result, contradictory claims, or is in `disputed`.
    """
    last = require_latest_round(state, number, "published", "opened")
    missing = [at for at, table in enumerate(last.tables, start=1) if result_of(table, results) is None]
    if missing:
        raise TournamentRefused(f"round {number} has no result yet for {name_tables(missing)}")
    if disputed:
        raise TournamentRefused(f"open dispute at {name_tables(disputed)} of round {number}")
    if contradicted := contradicted_tables(last.tables):
        tables = name_tables(contradicted)
        raise TournamentRefused(f"the players of {tables} entered different results; enter the correct one")
    decided: list[facts.Fact] = [facts.RoundClosed(by, number)]
    after = replace(state, rounds=(*state.rounds[:-1], replace(last, status="closed")))
    if next_stage(after, results) is None:
        # The service records the end, because one signature cannot cover two records.
        decided.append(facts.TournamentEnded(SERVICE))
    return tuple(decided)


def name_tables(tables: Sequence[int]) -> str:
    """Return a list of tables for a message, at most five by number: `table 3`, `tables 3, 5`."""
    if len(tables) == 1:
        return f"table {tables[0]}"
    first = ", ".join(map(str, tables[:5]))
    return f"tables {first}" + (f" and {len(tables) - 5} more" if len(tables) > 5 else "")
