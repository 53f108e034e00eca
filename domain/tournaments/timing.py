"""Commands about dates: the calendar, reminders, scheduled announcements and deadlines."""

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from domain.contests.adjudication import BOTS_TIME, BotLines, decide_by_bots, needs_bots
from domain.contests.deadlines import (
    EXTENDED,
    LEFT_TO_BOTS,
    Verdict,
    decide_unfinished,
    find_next_examination,
    lots_after,
    places_in_order,
)
from domain.contests.notices import next_notice
from domain.contests.times import moment_in_utc
from domain.contests.versions import require_version
from domain.matches.aggregate import Match
from domain.matches.entropy import Entropy
from domain.matches.facts import SERVICE, Actor
from domain.matches.play.commands import REASON_MAX, void
from domain.matches.transaction import MatchWriter, Transaction
from domain.standings.contest import RoundTable
from domain.standings.results import Results, result_of
from domain.tournaments import facts
from domain.tournaments.acts import record_acts
from domain.tournaments.calendar import Calendar, normalise_calendar
from domain.tournaments.claim_facts import contradicted_tables
from domain.tournaments.commands import TournamentStream, match_at
from domain.tournaments.deadline_facts import DeadlineExtended, TableLeftToBots
from domain.tournaments.duties import is_running_out, next_reminder, require_due
from domain.tournaments.errors import TournamentRefused
from domain.tournaments.registration import require_not_ended, require_reason
from domain.tournaments.rounds import require_latest_round, table_of
from domain.tournaments.state import TOURNAMENT, Round, Tournament

RULED_AT_ONCE: Final = 10
"""Tables decided in one transaction; voiding a match keeps the writer busy."""
LOT_BYTES: Final = 16


def set_calendar(state: Tournament, calendar: Calendar, by: Actor, reason: str) -> tuple[facts.Fact, ...]:
    """Change the calendar; past steps stay done, and an equal calendar gives no facts.

    Raise `PlanRefused` if it contradicts itself, `TournamentRefused` without a reason once a round is public or
    after the end.
    """
    require_not_ended(state)
    new = normalise_calendar(calendar)
    if new == state.calendar:
        return ()
    stated_reason = (
        require_reason(reason, "a change of dates after the start") if state.played_rounds else reason.strip()
    )
    return (facts.CalendarSet(by, new, stated_reason),)


def announce(state: Tournament, text: str, since: datetime | None, by: Actor, at: datetime) -> facts.Announced:
    """Announce a text, at once or at a later time `since`; raise `TournamentRefused` if it is blank.

    After the end only at once; raise `PlanRefused` for a time out of bounds.
    """
    if not text.strip():
        raise TournamentRefused("an announcement needs a text")
    if since is not None:
        require_not_ended(state)
        since = moment_in_utc(since)
    return facts.Announced(by, text, since if since is not None and since > at else None)


def show_announcement(state: Tournament) -> facts.AnnouncementShown:
    """Publish the next scheduled announcement; raise `TournamentRefused` if none is scheduled."""
    index = next_notice(state.notices)
    if index is None:
        raise TournamentRefused("no announcement is scheduled")
    return facts.AnnouncementShown(index)


def remind(state: Tournament) -> facts.PlayersReminded:
    """Remind the players of the deadline of the latest round; raise `TournamentRefused` if no reminder is left."""
    last = state.round
    minutes = None if last is None else next_reminder(state, last)
    deadline = None if last is None else state.calendar.round(last.number).deadline
    if last is None or minutes is None or deadline is None:
        raise TournamentRefused("no deadline reminder is due")
    return facts.PlayersReminded(last.number, deadline, minutes)


def expire(
    matches: MatchWriter,
    event_id: UUID,
    results: Results,
    disputed: Collection[int],
    *,
    at: datetime,
    expected_version: int | None = None,
) -> TournamentStream:
    """Enforce the deadline of the latest round: extend it once, or decide tables without a result as the calendar says.

    One call decides at most `RULED_AT_ONCE` tables; it records `DeadlinePassed` if it decided fewer, else it has to
    be repeated. Disputed tables wait for their ruling, and all wait while the organiser has time to decide: then
    `DeadlinePassed` names the time of the next call. Raise `TournamentRefused` if the deadline is not over,
    `StaleVersion` if the event is at another version than expected.
    """

    def compose(batch: Transaction) -> TournamentStream:
        stream = batch.get(TOURNAMENT, event_id)
        require_version(stream, expected_version, "event")
        event = stream.state
        last = require_latest_round(event, len(event.rounds), "opened")
        deadline = event.calendar.round(last.number).deadline
        if deadline is None or not is_running_out(event, last):
            raise TournamentRefused(f"no deadline of round {last.number} has passed")
        require_due(event, "expire", at)
        rule, count = event.calendar.rule, 0
        if rule.extension_days and not last.is_extended:
            later = deadline + timedelta(days=rule.extension_days)
            reason = EXTENDED.format(days=rule.extension_days)
            return record_acts(batch, event_id, DeadlineExtended(SERVICE, last.number, later, reason))
        # Players who claim different results get a day to agree, or the organiser's days.
        open_questions = {*disputed, *(contradicted_tables(last.tables) if last.expired != deadline else ())}
        is_decided, unfinished = at >= rule.decides_from(deadline), list(find_unfinished(batch, last, results))
        for number, table in unfinished if is_decided else ():
            if number not in open_questions:
                # Each ruling alone, because lots without a match follow from the record before it.
                record_acts(batch, event_id, rule_unfinished_table(batch, event, number, table, matches.entropy))
                count += 1
                if count == RULED_AT_ONCE:
                    return batch.get(TOURNAMENT, event_id)
        until = find_next_examination(rule, deadline, at) if count < len(unfinished) else None
        return record_acts(batch, event_id, facts.DeadlinePassed(last.number, deadline, until))

    return matches.transact(compose, at=at)


def find_unfinished(batch: Transaction, last: Round, results: Results) -> Iterator[tuple[int, RoundTable]]:
    """Yield the tables of a round that have no result, with their numbers."""
    for number, table in enumerate(last.tables, start=1):
        match = match_at(batch, table)
        if result_of(table, results) is None and (match is None or not match.is_over):
            yield number, table


def rule_unfinished_table(
    batch: Transaction, event: Tournament, number: int, table: RoundTable, entropy: Entropy
) -> facts.ResultRuled | TableLeftToBots:
    """Rule on a table without a result after the deadline, or leave it to bots; either way void its match."""
    match, previous = match_at(batch, table), batch.get(TOURNAMENT, event.id).head_digest
    decided: facts.ResultRuled | TableLeftToBots
    if needs_bots(event.calendar.rule, match):
        decided = TableLeftToBots(SERVICE, event.rounds[-1].number, number, batch.at + BOTS_TIME, LEFT_TO_BOTS)
    else:
        decided = deadline_ruling(event, number, table, match, batch.at, entropy, previous)
    if match is not None:
        batch.append(match.id, lambda current: void(current, SERVICE, decided.reason[:REASON_MAX]))
    return decided


def adjudicate(
    matches: MatchWriter, event_id: UUID, number: int, table: int, lines: BotLines | None, *, at: datetime
) -> TournamentStream:
    """Decide a table by the lines of play of bots (`decide_by_bots`); without lines after their time, by the scores.

    Raise `TournamentRefused` unless the table is left to bots, `ContestRefused` for lines that do not fit it or before
    that time, `NoSuchRound` for an unknown table.
    """

    def compose(batch: Transaction) -> TournamentStream:
        round_table = table_of(batch.get(TOURNAMENT, event_id).state, number, table)
        match = match_at(batch, round_table)
        if round_table.left_to_bots is None or match is None:
            raise TournamentRefused(f"table {table} of round {number} is not left to bots")
        verdict = decide_by_bots(match, lines, round_table.left_to_bots, batch.at)
        return record_acts(batch, event_id, ruling_of(verdict, number, table))

    return matches.transact(compose, at=at)


def deadline_ruling(
    event: Tournament,
    number: int,
    table: RoundTable,
    match: Match | None,
    at: datetime,
    entropy: Entropy,
    previous: bytes,
) -> facts.ResultRuled:
    """Return the ruling that the calendar prescribes (`decide_unfinished`).

    The lots of a table without a match are drawn now, once: from format 2 on by the digest `previous` of the record
    before the ruling.
    """
    round_ = event.rounds[-1].number

    def draw_lots() -> tuple[int, ...]:
        if event.format > 1:
            return lots_after(previous, table.entries)
        return places_in_order(table.entries, lambda name: entropy(LOT_BYTES, f"lot/{event.id}/{round_}/{name}"))

    return ruling_of(decide_unfinished(event.calendar.rule, match, at, draw_lots), round_, number)


def ruling_of(verdict: Verdict, round_number: int, table: int) -> facts.ResultRuled:
    """Return the ruling by which the service decides a table."""
    return facts.ResultRuled(
        SERVICE,
        round_number,
        table,
        verdict.places,
        verdict.scores,
        verdict.reason,
        drawn=verdict.drawn,
        overdue=verdict.overdue,
        bot=verdict.bot,
        lines=verdict.lines,
    )
