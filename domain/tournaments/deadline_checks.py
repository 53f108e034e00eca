"""Which records of the service at a deadline follow from earlier ones (`domain.tournaments.derivation`)."""

from datetime import timedelta

from domain.contests.adjudication import BOTS_TIME, is_by_lines
from domain.contests.deadlines import are_places_with_overdue, lots_after
from domain.standings.contest import RoundTable
from domain.standings.results import places_by_score
from domain.tournaments import facts
from domain.tournaments.deadline_facts import DeadlineExtended, TableLeftToBots
from domain.tournaments.duties import is_running_out
from domain.tournaments.errors import TournamentRefused
from domain.tournaments.moments import Moment, require_time
from domain.tournaments.rounds import needs_match, require_latest_round, table_of
from domain.tournaments.state import Tournament


def derive_ruling(state: Tournament, fact: facts.ResultRuled, moment: Moment) -> None:
    """Check a ruling at a deadline: it has passed, the calendar names this consequence, and no result existed.

    Lots replace every other consequence. Whether the match has no scores for it is checked with the match. At a table
    that was left to bots their lines decide or, once their time is over, the scores.
    """
    table = table_of(state, fact.round, fact.table)
    if table.left_to_bots is not None:
        if fact.lines and fact.bot:
            is_planned = is_by_lines(fact.lines, fact.scores, fact.places, fact.overdue)
        else:
            require_time(table.left_to_bots, moment)
            is_planned = not fact.lines and not fact.overdue and fact.places == places_by_score(fact.scores)
        if fact.drawn or not is_planned or len(fact.scores) != len(table.entries):
            raise TournamentRefused("this is not the outcome of a table that was left to bots")
        return
    require_decidable(state, fact.round, table, moment)
    if fact.lines or not (is_by_lot(state, fact, table, moment) or is_by_score(state, fact, table)):
        raise TournamentRefused("this is not the consequence of the deadline that the calendar names")


def require_decidable(state: Tournament, number: int, table: RoundTable, moment: Moment) -> None:
    """Raise `TournamentRefused` unless the service may decide a table of the latest round now: it is late enough."""
    last, rule = require_latest_round(state, number, "opened"), state.calendar.rule
    deadline = state.calendar.round(number).deadline
    is_due = is_running_out(state, last) and (last.is_extended or not rule.extension_days)
    if deadline is None or not is_due or table.given is not None or table.left_to_bots is not None:
        raise TournamentRefused("no deadline of this table has passed")
    require_time(rule.decides_from(deadline), moment)


def derive_bots(state: Tournament, fact: TableLeftToBots, moment: Moment) -> None:
    """Check that the calendar leaves a table to bots, for this time."""
    table = table_of(state, fact.round, fact.table)
    require_decidable(state, fact.round, table, moment)
    is_planned = state.calendar.consequence == "bots" and needs_match(state, table)
    if not is_planned or fact.until != moment.at + BOTS_TIME:
        raise TournamentRefused("the calendar does not leave this table to bots until then")


def is_by_lot(state: Tournament, fact: facts.ResultRuled, table: RoundTable, moment: Moment) -> bool:
    """Return whether a ruling has lots, from the luck of the match or else from the record before it."""
    is_online = needs_match(state, table)
    is_plain = fact.scores == (0,) * len(table.entries) and fact.drawn == is_online and not fact.overdue
    return is_plain and (is_online or fact.places == lots_after(moment.previous, table.entries))


def is_by_score(state: Tournament, fact: facts.ResultRuled, table: RoundTable) -> bool:
    """Return whether a ruling has places by its scores, with overdue players last if the calendar names that."""
    consequence = state.calendar.consequence
    if consequence in ("lots", "bots") or fact.drawn or not needs_match(state, table):
        return False
    if fact.overdue:
        return consequence == "overdue" and are_places_with_overdue(fact.places, fact.scores, fact.overdue)
    return fact.places == places_by_score(fact.scores)


def derive_extension(state: Tournament, fact: DeadlineExtended, moment: Moment) -> None:
    """Check that the calendar extends the deadline of the latest round by this time, and that it was not extended."""
    last, rule = require_latest_round(state, fact.round, "opened"), state.calendar.rule
    deadline = state.calendar.round(fact.round).deadline
    if deadline is None or not is_running_out(state, last) or last.is_extended or not rule.extension_days:
        raise TournamentRefused("no deadline of this round is extended")
    require_time(deadline, moment)
    if fact.deadline != deadline + timedelta(days=rule.extension_days):
        raise TournamentRefused(f"the calendar extends the deadline by {rule.extension_days} days")
