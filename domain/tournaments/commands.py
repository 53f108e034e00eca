"""Commands about tournaments in the store, each one transaction."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from uuid import UUID

from domain.contests.adjudication import TableLeft
from domain.contests.holidays import with_holidays
from domain.contests.versions import require_version
from domain.kernel.values import replace
from domain.matches.aggregate import Match
from domain.matches.entropy import server_seed
from domain.matches.errors import MatchExists
from domain.matches.facts import SERVICE, Actor
from domain.matches.forks.lineage import official_line, read_official_line
from domain.matches.log.records import Stream
from domain.matches.play.commands import REASON_MAX, void
from domain.matches.seats.event_tables import limit_wait, seat_match
from domain.matches.titles import find_title
from domain.matches.transaction import MatchReader, MatchWriter, Transaction
from domain.roles.commands import roles_in
from domain.roles.rating import table_for_opener
from domain.standings.contest import RoundTable
from domain.tournaments import facts, registration, rounds
from domain.tournaments.acts import record_acts
from domain.tournaments.fact_base import TournamentFact
from domain.tournaments.plan import Plan, wait_of
from domain.tournaments.state import TOURNAMENT, Tournament

Decide = Callable[[Tournament], facts.Fact | Iterable[facts.Fact]]
TournamentStream = Stream[Tournament]


def open_tournament(matches: MatchWriter, event_id: UUID, plan: Plan, by: Actor, *, at: datetime) -> TournamentStream:
    """Open a tournament; the same request again returns the existing one.

    Raise `MatchExists` if another event has the id, and `PlanRefused`, `UnknownTitle`, `WrongSeatCount` or
    `BotCannotPlay` for a bad plan.
    """
    fact = registration.open_tournament(matches.titles, plan, by)

    def compose(batch: Transaction) -> TournamentStream:
        stream = batch.find(TOURNAMENT, event_id)
        if stream is None:
            return batch.record(TOURNAMENT, event_id, fact)
        first = TOURNAMENT.read(matches.streams.records(event_id, 0, 1)[0])
        # Older versions stored plans as they were sent, with options left out, and records of format 1.
        if first not in (fact, replace(fact, format=1), facts.TournamentOpened(by, plan)):
            raise MatchExists(f"the event id {event_id} is already in use")
        return stream

    return matches.transact(compose, at=at)


def change(
    matches: MatchWriter, event_id: UUID, decide: Decide, *, at: datetime, expected_version: int | None = None
) -> TournamentStream:
    """Record the facts that `decide` returns, one or several, with their acts in the audit trail; none, no change.

    Raise `StaleVersion` unless the tournament is at `expected_version`, and the errors of `decide`.
    """
    return matches.transact(plan_change(matches, event_id, decide, expected_version=expected_version), at=at)


def plan_change(
    _matches: MatchReader, event_id: UUID, decide: Decide, *, expected_version: int | None = None
) -> Callable[[Transaction], TournamentStream]:
    """Return the transaction of `change`, to be composed outside the writer where the decision is slow."""

    def compose(batch: Transaction) -> TournamentStream:
        stream = batch.get(TOURNAMENT, event_id)
        decided = decide(stream.state)
        decisions = (decided,) if isinstance(decided, TournamentFact) else tuple(decided)
        return record_acts(batch, event_id, *decisions, expected_version=expected_version) if decisions else stream

    return compose


def change_plan(
    matches: MatchWriter, event_id: UUID, plan: Plan, by: Actor, *, at: datetime, reason: str = ""
) -> TournamentStream:
    """Change the plan; if it has more places, promote waiting entries.

    Raise `TournamentRefused` if parts change that are in use, without a reason once a round is public, or after the
    end, and `PlanRefused`, `UnknownTitle`, `WrongSeatCount` or `BotCannotPlay` for a bad plan.
    """

    def decide(state: Tournament) -> tuple[facts.Fact, ...]:
        changed = registration.change_plan(matches.titles, state, plan, by, reason)
        return (changed, *registration.promote_waiting(replace(state, plan=changed.plan)))

    return change(matches, event_id, decide, at=at)


def tables_with_bots(matches: MatchReader, event: Tournament) -> Iterator[TableLeft]:
    """Yield the tables of the latest round at which bots play on, with their official matches."""
    last = event.rounds[-1]
    for number, until in last.left_to_bots.items():
        match_id = last.tables[number - 1].match
        assert match_id is not None, "bots play on in a match"
        yield TableLeft(f"rounds/{last.number}/tables/{number}", official_line(matches, match_id).id, until)


def get_tournament(matches: MatchReader, event_id: UUID) -> TournamentStream:
    """Return the stream of a tournament."""
    return matches.streams.get(TOURNAMENT, event_id)


def open_table(
    matches: MatchWriter, event_id: UUID, number: int, table: int, *, at: datetime, expected_version: int | None = None
) -> Match | None:
    """Open the match of a table and seat its players; return the match if it is open already.

    Bots are ready at once, so a table of bots starts. Return None for a table played face to face. Raise
    `StaleVersion` if the event is at another version than expected, `NoSuchRound` for an unknown table.
    """

    def compose(batch: Transaction) -> Match | None:
        stream = batch.get(TOURNAMENT, event_id)
        require_version(stream, expected_version, "event")
        event = stream.state
        round_table = rounds.table_of(event, number, table)
        return seat_table(matches, batch, event, round_table)

    return matches.transact(compose, at=at)


def seat_table(matches: MatchWriter, batch: Transaction, event: Tournament, round_table: RoundTable) -> Match | None:
    """Open the match of a table and seat its players; None for a table played face to face."""
    if not rounds.needs_match(event, round_table):
        return None
    assert round_table.match is not None
    return seat_match(
        batch,
        find_title(matches.titles, event.plan.title),
        round_table.match,
        of=event.id,
        table=limit_wait(
            with_holidays(table_for_opener(event.plan.table, roles_in(batch), event.organiser), event.plan.holidays),
            wait_of(event.plan),
        ),
        options=event.plan.options,
        players=[player_of(event, round_table, seat) for seat in range(len(round_table.entries))],
        entrants=[registration.entry_named(event, name).actor for name in round_table.entries],
        seed=server_seed(matches.entropy, round_table.match),
    )


def player_of(event: Tournament, round_table: RoundTable, seat: int) -> Actor:
    """Return the player of a seat: the bot for an absent player, the substitute, or the entry's own account."""
    name = round_table.entries[seat]
    return round_table.bot_of(name) or round_table.stand_in_of(name) or registration.entry_named(event, name).actor


def match_at(batch: Transaction, round_table: RoundTable) -> Match | None:
    """Return the official match of a table after rulings, or None if it is not opened."""
    return (
        read_official_line(batch, round_table.match)
        if round_table.match is not None and batch.has(round_table.match)
        else None
    )


def rule_table(
    matches: MatchWriter, event_id: UUID, fact: Callable[[Tournament], facts.ResultRuled], *, at: datetime
) -> TournamentStream:
    """Record an organiser's ruling on a table in the audit trail too; an unfinished match there becomes void.

    Raise `NoSuchRound` for an unknown table, and the errors of `fact`.
    """

    def compose(batch: Transaction) -> TournamentStream:
        event = batch.get(TOURNAMENT, event_id).state
        ruling = fact(event)
        match = match_at(batch, rounds.table_of(event, ruling.round, ruling.table))
        if match is not None and not match.is_over:
            reason = f"decided by the organiser: {ruling.reason}"[:REASON_MAX]
            batch.append(match.id, lambda current: void(current, SERVICE, reason))
        return record_acts(batch, event_id, ruling)

    return matches.transact(compose, at=at)
