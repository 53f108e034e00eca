"""Commands about dates: the calendar, reminders, scheduled announcements and deadlines."""

from collections.abc import Collection
from datetime import datetime
from typing import Final
from uuid import UUID

from domain.contests.deadlines import decide_unfinished, lots_after, places_in_order
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
from domain.tournaments.commands import TournamentStream, match_at
from domain.tournaments.duties import is_running_out, next_reminder, require_due
from domain.tournaments.errors import TournamentRefused
from domain.tournaments.registration import require_not_ended, require_reason
from domain.tournaments.rounds import require_latest_round
from domain.tournaments.state import TOURNAMENT, Tournament

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
    """Enforce the deadline of the latest round: decide tables without a result as the calendar says.

    One call decides at most `RULED_AT_ONCE` tables; it records `DeadlinePassed` if it decided fewer, else it has to
    be repeated. Disputed tables wait for their ruling, undecidable ones for the organiser. Raise
    `TournamentRefused` if the deadline is not over, `StaleVersion` if the event is at another version than
    expected.
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
        count = 0
        for number, table in enumerate(last.tables, start=1):
            if number not in disputed and result_of(table, results) is None:
                ruling = rule_unfinished_table(batch, event, number, table, matches.entropy)
                # Each ruling alone, because lots without a match follow from the record before it.
                count += len(ruling)
                for fact in ruling:
                    record_acts(batch, event_id, fact)
                if count == RULED_AT_ONCE:
                    return batch.get(TOURNAMENT, event_id)
        return record_acts(batch, event_id, facts.DeadlinePassed(last.number, deadline))

    return matches.transact(compose, at=at)


def rule_unfinished_table(
    batch: Transaction, event: Tournament, number: int, table: RoundTable, entropy: Entropy
) -> tuple[facts.Fact, ...]:
    """Rule on a table without a result after the deadline, and void its match; none if the match is over.

    None also if the organiser decides.
    """
    match = match_at(batch, table)
    if match is not None and match.is_over:
        return ()
    previous = batch.get(TOURNAMENT, event.id).head_digest
    ruling = deadline_ruling(event, number, table, match, entropy, previous)
    if ruling is None:
        return ()
    if match is not None:
        batch.append(match.id, lambda current: void(current, SERVICE, ruling.reason[:REASON_MAX]))
    return (ruling,)


def deadline_ruling(
    event: Tournament, number: int, table: RoundTable, match: Match | None, entropy: Entropy, previous: bytes
) -> facts.ResultRuled | None:
    """Return the ruling that the calendar prescribes (`decide_unfinished`), or None.

    The lots of a table without a match are drawn now, once: from format 2 on by the digest `previous` of the record
    before the ruling.
    """
    round_ = event.rounds[-1].number

    def draw_lots() -> tuple[int, ...]:
        if event.format > 1:
            return lots_after(previous, table.entries)
        return places_in_order(table.entries, lambda name: entropy(LOT_BYTES, f"lot/{event.id}/{round_}/{name}"))

    verdict = decide_unfinished(event.calendar.consequence, match, draw_lots)
    if verdict is None:
        return None
    return facts.ResultRuled(
        SERVICE, round_, number, verdict.places, verdict.scores, verdict.reason, drawn=verdict.drawn
    )
