"""Substitutes named by the organiser, and the start of tables without absent players."""

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from domain.contests.versions import require_version
from domain.invitations.decisions import require_not_declined
from domain.matches.aggregate import Match
from domain.matches.facts import Actor, is_bot
from domain.matches.forks.lineage import official_line
from domain.matches.seats.acceptance import needs_acceptance
from domain.matches.seats.event_tables import seat_substitute, start_without_late_players
from domain.matches.seats.opening import check_player
from domain.matches.transaction import MatchReader, MatchWriter, Transaction
from domain.standings.contest import RoundTable
from domain.tournaments import facts
from domain.tournaments.acts import record_acts
from domain.tournaments.commands import TournamentStream, match_at
from domain.tournaments.errors import TournamentRefused
from domain.tournaments.invitation_facts import SCOPES, PersonInvited, target_of
from domain.tournaments.invitations import open_invitation
from domain.tournaments.no_shows import require_bounded_luck, require_idle_bot
from domain.tournaments.registration import entry_named, require_reason
from domain.tournaments.rounds import require_latest_round, table_of
from domain.tournaments.state import TOURNAMENT, Tournament

Named = tuple[facts.SubstituteNamed | PersonInvited, ...]


def decide_substitute(state: Tournament, number: int, name: str, actor: Actor, by: Actor, reason: str) -> Named:
    """Decide who plays for an entry at its table of the latest round: a substitute, or its own player again.

    The account of another person is invited, and gets the seat once it accepts; nothing is decided twice. Raise
    `NoSuchRound` for another round, `NoSuchEntry`, and `TournamentRefused` if the round is not public or is closed,
    for entries without a table, bots, participants, substitutes of other entries, accounts that have declined, an
    absent own player, and without a reason.
    """
    last, entry = require_latest_round(state, number, "published", "opened"), entry_named(state, name)
    check_player(actor)
    table = next((table for table in last.tables if name in table.entries), None)
    if table is None:
        raise TournamentRefused(f"{name} is not seated in round {number}")
    if is_bot(actor):
        raise TournamentRefused(f"{actor!r} is a bot; record a no-show to let a bot play")
    substitute = "" if actor == entry.actor else actor
    if name in table.absent and not substitute:
        raise TournamentRefused(f"{name} is recorded as a no-show; withdraw that if they have arrived")
    if table.stand_in_of(name) == substitute:
        return ()
    if substitute and state.entry_of(actor) is not None:
        raise TournamentRefused(f"{actor!r} plays in this event and cannot substitute")
    for each in (each for table in last.tables for each in table.stand_ins):
        if each.actor == substitute:
            raise TournamentRefused(f"{actor!r} is already the substitute of {each.entry}")
    stated_reason = require_reason(reason, "a substitute")
    if not needs_acceptance(by, substitute):
        return (facts.SubstituteNamed(by, number, name, substitute, stated_reason),)
    require_not_declined(state.invitations, substitute, SCOPES, "event", TournamentRefused)
    is_invited = state.invitations.is_open_for(substitute, target_of(name, number))
    return () if is_invited else (PersonInvited(by, substitute, entry=name, round=number, reason=stated_reason),)


def preview_substitute(
    matches: MatchReader, event: Tournament, number: int, entry: str, actor: Actor, by: Actor, reason: str
) -> Named:
    """Return the facts that `name_substitute` would record, with the same errors."""
    decided = decide_substitute(event, number, entry, actor, by, reason)
    round_table = next(table for table in event.rounds[-1].tables if entry in table.entries)
    if round_table.match is not None and matches.lines.has(round_table.match):
        require_running(event, official_line(matches, round_table.match), round_table, entry)
    return decided


def name_substitute(
    matches: MatchWriter, event_id: UUID, number: int, entry: str, actor: Actor, by: Actor, reason: str, *, at: datetime
) -> TournamentStream:
    """Seat a substitute before or during the match, or invite the account to take the seat.

    Raise the errors of `decide_substitute`, and `TournamentRefused` if the match is over or a bot has played for
    the absent entry.
    """
    return record_decision(
        matches, event_id, lambda event: decide_substitute(event, number, entry, actor, by, reason), at=at
    )


def accept(
    matches: MatchWriter, event_id: UUID, number: int, entry: str, actor: Actor, *, at: datetime
) -> TournamentStream:
    """Accept an organiser's invitation to the seat of an entry in a round, and take the seat.

    Raise `TournamentRefused` without such an open invitation, if the match is over, or if a bot has played for
    the entry.
    """

    def decide(event: Tournament) -> Named:
        reason = open_invitation(event, actor, entry, number).fact.reason
        return decide_substitute(event, number, entry, actor, actor, reason)

    return record_decision(matches, event_id, decide, at=at)


def record_decision(
    matches: MatchWriter, event_id: UUID, decide: Callable[[Tournament], Named], *, at: datetime
) -> TournamentStream:
    """Record the decision and seat the substitutes, in one transaction; an empty decision changes nothing."""

    def compose(batch: Transaction) -> TournamentStream:
        stream = batch.get(TOURNAMENT, event_id)
        decided = decide(stream.state)
        for fact in decided:
            seat_named(batch, stream.state, fact)
        return record_acts(batch, event_id, *decided) if decided else stream

    return matches.transact(compose, at=at)


def seat_named(batch: Transaction, event: Tournament, fact: facts.SubstituteNamed | PersonInvited) -> None:
    """Seat a substitute at the match, if it is open; for an invitation, only check that it could be.

    Raise `TournamentRefused` if the match is over or a bot has played for the absent entry.
    """
    round_table = next(table for table in event.rounds[-1].tables if fact.entry in table.entries)
    match = match_at(batch, round_table)
    if match is None:
        return
    require_running(event, match, round_table, fact.entry)
    if isinstance(fact, facts.SubstituteNamed):
        entry_actor = entry_named(event, fact.entry).actor
        actor = fact.actor or entry_actor
        seat_substitute(
            batch, match, round_table.entries.index(fact.entry), actor, "" if actor == entry_actor else entry_actor
        )


def require_running(event: Tournament, match: Match, round_table: RoundTable, entry: str) -> None:
    """Raise `TournamentRefused` at a match that is over, or in which a bot has played for the absent entry.

    Raise it also for a table whose luck was replaced too often.
    """
    if match.is_over:
        raise TournamentRefused(f"match {match.id} of {entry} is over")
    require_idle_bot(event, match, round_table, entry)
    require_bounded_luck(event, match)


def start_table(
    matches: MatchWriter, event_id: UUID, number: int, table: int, *, at: datetime, expected_version: int | None = None
) -> Match | None:
    """Start the match of a table, with the service's share of luck for players who are not ready; None without one.

    Raise `NoSuchRound` unless the table is in the latest round, `TournamentRefused` if the round is not open or
    before the waiting time is over, `StaleVersion` if the event is at another version than expected.
    """

    def compose(batch: Transaction) -> Match | None:
        stream = batch.get(TOURNAMENT, event_id)
        require_version(stream, expected_version, "event")
        event = stream.state
        require_latest_round(event, number, "opened")
        require_due(event, at)
        match = match_at(batch, table_of(event, number, table))
        return None if match is None else start_without_late_players(batch, match, matches.standing)

    return matches.transact(compose, at=at)


def require_begun(matches: MatchReader, event: Tournament) -> None:
    """Raise `TournamentRefused` unless every table of the latest round has begun; tables without a match pass.

    Once a table is closed, a player who committed a share of luck has the usual time to open it before the
    service's share replaces it.
    """
    last = event.round
    assert last is not None, "the tables have been opened"
    for number, table in enumerate(last.tables, 1):
        if table.match is not None and matches.lines.has(table.match) and matches.get(table.match).status == "open":
            raise TournamentRefused(f"table {number} is waiting for shares of luck")


def require_due(event: Tournament, at: datetime) -> None:
    """Raise `TournamentRefused` if the waiting time of the latest round is not over."""
    due = event.start_due
    assert due is not None, "the tables have been opened"
    if at < due:
        raise TournamentRefused(f"the tables wait for players until {due.isoformat()}")
