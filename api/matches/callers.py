"""The caller's seat at a match."""

from __future__ import annotations

from api.web.guards import Caller
from domain.kernel.rules import Seat
from domain.matches.aggregate import Match, seat_of
from domain.matches.errors import NotSeated


def seat_of_caller(match: Match, caller: Caller) -> int | None:
    """The caller's own seat, if the caller sits at the match."""
    return seat_of(match, caller.person.id) if caller.person else None


def own_seat(match: Match, caller: Caller) -> Seat:
    """The person's seat; refused if the person has none."""
    seat = seat_of(match, caller.actor)
    if seat is None:
        raise NotSeated(f"you do not sit at the match {match.id}")
    return seat
