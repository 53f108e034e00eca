"""A person who leaves for good, for example by erasing their account: their seats are resigned or left."""

from collections.abc import Callable
from datetime import datetime
from typing import Final
from uuid import UUID

from domain.kernel.title import AnyTitle
from domain.matches.aggregate import Match, seat_of
from domain.matches.facts import SERVICE, Actor, Fact
from domain.matches.play.commands import replace_seat, resign, resume, void
from domain.matches.seats.current_seats import OpenSeats, update_open_seats
from domain.matches.seats.one_device import is_device_of
from domain.matches.seats.opening import leave_seat
from domain.matches.seats.taken_seats import REASON_FORMAT
from domain.matches.signatures.signing_keys import stop_signing
from domain.matches.transaction import MatchReader, MatchWriter, Transaction

OPENER_LEFT: Final = "who opened the table on one device is gone"
"""The reason stored in the log; `narrate_fact` translates it."""
BotFor = Callable[[AnyTitle], Actor]
"""Chooses the bot that replaces a player where resigning is not allowed."""


def next_departure_fact(match: Match, person: Actor, bot_for: BotFor) -> Fact | None:
    """Return the next fact by which a person leaves a match, or None once the match no longer waits for them.

    Before the start they leave the seat, except in a tournament or league, where the organiser handles absent entrants.
    Later they resign, or a bot replaces them if the table has no resigning; a pause without people to end it is
    resumed. A match on one device is voided when its opener leaves.
    """
    seat = seat_of(match, person)
    if match.is_over or match.is_retired:
        return None
    if is_device_of(match, person):
        return void(match, SERVICE, OPENER_LEFT)
    if seat is None:
        return None
    if match.status == "open":
        return None if match.table.event_id else leave_seat(match, seat, person)
    if not match.seats[seat].resigned:
        return next_surrender(match, seat, person, bot_for)
    return resume(match, SERVICE) if is_stuck_in_pause(match) else None


def next_surrender(match: Match, seat: int, person: Actor, bot_for: BotFor) -> Fact:
    """Return the next fact by which a person gives up a seat after the start.

    A seat that signs continues unsigned first, because no one can sign for an erased account.
    """
    has_reasons = match.format >= REASON_FORMAT
    if match.table.resigning is False and has_reasons:
        return replace_seat(match, seat, SERVICE, bot_for(match.definition), reason="erased")
    if match.seats[seat].keys:
        return stop_signing(match, seat, SERVICE if has_reasons else person)
    if match.table.resigning is False:
        return replace_seat(match, seat, person, bot_for(match.definition))
    return resign(match, seat, person)


def is_stuck_in_pause(match: Match) -> bool:
    """Return whether the match is paused, not for a dispute, and no person is left to end the pause."""
    others = any(info.is_person and not info.resigned for info in match.seats)
    return match.status == "paused" and not match.docket.held_by and not others


def remove_person(matches: MatchWriter, match_id: UUID, person: Actor, bot_for: BotFor, *, at: datetime) -> Match:
    """Remove a person from a match, in one transaction, and return it; idempotent.

    As `next_departure_fact` says, a match that is over and an event table before the start stay unchanged.
    """

    def compose(batch: Transaction) -> Match:
        match = batch.match(match_id)
        while (fact := next_departure_fact(match, person, bot_for)) is not None:
            match = batch.add(match_id, fact)
        return match

    return matches.transact(compose, at=at)


def find_waiting_for(matches: MatchReader, person: Actor, position: int = 0) -> tuple[UUID, ...]:
    """Return the unfinished matches in which a person has a seat, among those changed after a log position."""
    return update_open_seats(matches, person, OpenSeats(position, ())).match_ids
