"""Deadlines for players to get ready and for pauses to end."""

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from msgspec import UNSET

from domain.matches.aggregate import Match
from domain.matches.errors import StaleVersion
from domain.matches.facts import SERVICE, Actor, Resumed, SeatLeft, SeatReady, ShareCommitted, Standing
from domain.matches.play.commands import resume
from domain.matches.seats.luck_shares import keeps_late_seats, late_seats
from domain.matches.seats.opening import free_seat, ready_deadline, use_service_share
from domain.matches.transaction import MatchWriter, Transaction

StandingOf = Callable[[Actor, datetime], Standing]


def deadline(match: Match) -> datetime | None:
    """Return when the service must act unless a player does, or None."""
    return match.pause_until if match.status == "paused" else ready_deadline(match)


def find_overdue_fact(
    match: Match, at: datetime, standing: StandingOf = lambda _actor, _at: ""
) -> SeatLeft | ShareCommitted | SeatReady | Resumed | None:
    """Return the fact by which the service ends an overdue wait, or None.

    An overdue pause is resumed. A late seat is freed; in events and waiting forks the service supplies its share.
    There, a seat that left its share to the service is made ready without waiting, in events only with a stated waiting
    time. `standing` returns the standing of a player at a time.
    """
    absent = [seat for seat in late_seats(match) if match.seats[seat].share_by == "service"]
    if absent and (match.status == "waiting" or has_stated_wait(match)):
        return commit_for_player(match, absent[0], at, standing)
    due_at = deadline(match)
    if due_at is None or at < due_at:
        return None
    if match.status == "paused":
        return resume(match, SERVICE)
    late_seat = late_seats(match)[0]
    return (
        commit_for_player(match, late_seat, at, standing)
        if keeps_late_seats(match)
        else free_seat(match, late_seat, SERVICE, at)
    )


def has_stated_wait(match: Match) -> bool:
    """Return whether the match is an open event table with a stated waiting time."""
    return match.status == "open" and match.table.event_id != "" and match.table.wait_seconds is not UNSET


def commit_for_player(match: Match, seat: int, at: datetime, standing: StandingOf) -> ShareCommitted | SeatReady:
    """Return the fact by which the service supplies a late player's share, with their standing before the start."""
    actor = match.seats[seat].actor
    assert actor is not None
    return use_service_share(match, seat, standing(actor, at) if match.status == "open" else "")


def append_overdue_facts(batch: Transaction, match: Match, standing: StandingOf) -> Match:
    """Append all overdue facts of a match within a transaction, and return the match after them."""
    while (fact := find_overdue_fact(match, batch.at, standing)) is not None:
        match = batch.add(match.id, fact)
    return match


def pass_deadline(matches: MatchWriter, match_id: UUID, *, expected_version: int, at: datetime) -> Match:
    """Append all overdue facts of a match, in one transaction; may append none.

    Raise `StaleVersion` unless the match is at `expected_version`.
    """

    def compose(batch: Transaction) -> Match:
        match = batch.match(match_id)
        if match.version != expected_version:
            sentence = f"match {match_id} is at version {match.version}, not {expected_version}"
            raise StaleVersion(sentence, match.version)
        return append_overdue_facts(batch, match, matches.standing)

    return matches.transact(compose, at=at)
